import Platform
import TimerBoard

/// The arguments of `carillon history` and `carillon stats`.
package struct HistoryQuery: Sendable {
  /// The form of the output.
  package enum Format: Sendable {
    case text, json, csv
  }

  package var since: String?
  package var until: String?
  package var names: [String]
  package var format: Format

  package init(since: String?, until: String?, names: [String], format: Format) {
    self.since = since
    self.until = until
    self.names = names
    self.format = format
  }
}

/// The part of the history that a command reads.
struct HistorySelection {
  let filter: HistoryFilter
  let today: CivilDate
  let environment = ProcessInfo.processInfo.environment
  private let command: String

  /// - Throws: `UsageError` for an invalid date, or if the last day is before the first one.
  init(
    _ command: String, _ query: HistoryQuery, at now: ClockReading
  ) throws(UsageError) {
    self.command = command
    today = now.day
    var filter = HistoryFilter()
    filter.since = try Self.date(query.since, of: "\(command): --since", today: today)
    filter.until = try Self.date(query.until, of: "\(command): --until", today: today)
    filter.names = Set(query.names)
    if let since = filter.since, let until = filter.until, until < since {
      throw UsageError(
        "\(command): --until: '\(until.text)' is before '\(since.text)' (expected a later day)")
    }
    self.filter = filter
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
