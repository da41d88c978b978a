import ArgumentParser
import Platform
import TimerBoard

/// The options that select a part of the history and the form of the output.
struct HistoryArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The first day: YYYY-MM-DD, today or yesterday.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("The last day, included.", valueName: "date"))
  var until: String?

  @Option(help: ArgumentHelp("Only timers of this name; can be repeated.", valueName: "name"))
  var name: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  /// The form of the output.
  enum Format {
    case text, json, csv
  }

  var format: Format { json ? .json : csv ? .csv : .text }

  /// - Throws: `UsageError` for an invalid date, or if the last day is before the first one.
  func selection(
    of command: String, at now: ClockReading
  ) throws(UsageError) -> HistorySelection {
    guard !json || !csv else { throw UsageError("\(command): --json and --csv exclude each other") }
    let today = now.day
    var filter = HistoryFilter()
    filter.since = try Self.date(since, of: "\(command): --since", today: today)
    filter.until = try Self.date(until, of: "\(command): --until", today: today)
    filter.names = Set(name)
    if let since = filter.since, let until = filter.until, until < since {
      throw UsageError(
        "\(command): --until: '\(until.text)' is before '\(since.text)' (expected a later day)")
    }
    return HistorySelection(command: command, filter: filter, today: today)
  }

  private static func date(
    _ text: String?, of option: String, today: CivilDate
  ) throws(UsageError) -> CivilDate? {
    guard let text else { return nil }
    switch text {
    case "today": return today
    case "yesterday": return today.advanced(by: -1)
    default:
      if let date = CivilDate(text) { return date }
      throw UsageError(
        "\(option): invalid date '\(text)' (expected YYYY-MM-DD, today or yesterday)")
    }
  }
}

/// The part of the history that a command reads.
struct HistorySelection {
  let command: String
  let filter: HistoryFilter
  let today: CivilDate
  let environment = ProcessInfo.processInfo.environment

  /// Reads the records, except duplicates and revoked ones, from the month of the day before the first one on.
  func read(_ body: (StretchRecord) -> Void) throws -> HistoryFolder.Omissions {
    guard let folder = HistoryFolder(environment: environment) else {
      throw UsageError("\(command): no folder for the history (expected HOME in the environment)")
    }
    // Files are divided by months in UTC, in which a local day can begin a day earlier.
    return try folder.read(since: filter.since?.advanced(by: -1).monthText, body)
  }

  func warn(of omissions: HistoryFolder.Omissions) {
    if let text = omissions.text { Program.warn("\(command): \(text)") }
  }
}
