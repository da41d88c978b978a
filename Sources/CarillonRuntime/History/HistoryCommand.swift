import ArgumentParser
import TerminalCore
import TimerBoard

/// `carillon history`: prints the recorded stretches.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration("history")

  @OptionGroup var arguments: HistoryArguments

  func run() throws {
    let filter = try arguments.filter(of: "history", today: ClockReading.now().day)
    try StandardStreams.check()
    var calendar = LocalCalendar.current
    var records: [StretchRecord] = []
    let omissions = try arguments.read(filter, of: "history") { record in
      let day = calendar.segment(at: record.start).day
      if filter.includes(record), filter.includes(day) { records.append(record) }
    }
    records.sort { ($0.start, $0.id) < ($1.start, $1.id) }
    let text = HistoryText(uses24Hours: Program.uses24Hours)
    try arguments.print(
      text: text.list(records, &calendar), json: text.json(records), csv: text.csv(records),
      omissions, of: "history")
  }
}

/// The options that select a part of the history and the form of the output.
struct HistoryArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The first day: YYYY-MM-DD, yesterday, monday, 7d.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("The last day, included.", valueName: "date"))
  var until: String?

  @Option(help: ArgumentHelp("Only timers of this name; can be repeated.", valueName: "name"))
  var name: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  /// - Throws: `UsageError` for an invalid date, or if the last day is before the first one.
  func filter(of command: String, today: CivilDate) throws(UsageError) -> HistoryFilter {
    guard !json || !csv else { throw UsageError("\(command): --json and --csv exclude each other") }
    var filter = HistoryFilter()
    filter.since = try Self.date(since, of: "\(command): --since", today: today)
    filter.until = try Self.date(until, of: "\(command): --until", today: today)
    filter.names = Set(name)
    if let since = filter.since, let until = filter.until, until < since {
      throw UsageError(
        "\(command): --until: '\(until.text)' is before '\(since.text)' (expected a later day)")
    }
    return filter
  }

  private static func date(
    _ text: String?, of option: String, today: CivilDate
  ) throws(UsageError) -> CivilDate? {
    guard let text else { return nil }
    if let date = CivilDate.inPast(text, today: today) { return date }
    throw UsageError(
      "\(option): invalid date '\(text)' (expected one such as 2026-11-22, yesterday, monday or 7d)"
    )
  }

  /// Reads the records, except duplicates and revoked ones, from the month of the day before the first one on.
  func read(
    _ filter: HistoryFilter, of command: String, _ body: (StretchRecord) -> Void
  ) throws -> HistoryFolder.Omissions {
    guard let folder = HistoryFolder(environment: Program.environment) else {
      throw UsageError("\(command): no folder for the history (expected HOME in the environment)")
    }
    // Files are divided by months in UTC, in which a local day can begin a day earlier.
    return try folder.read(since: filter.since?.advanced(by: -1).monthText, body)
  }

  /// Prints the output in the requested form, and then warns of what could not be read.
  func print(
    text: @autoclosure () -> String, json: @autoclosure () -> String,
    csv: @autoclosure () -> String,
    _ omissions: HistoryFolder.Omissions, of command: String
  ) throws {
    try StandardStreams.write(self.json ? json() : self.csv ? csv() : text())
    if let text = omissions.text { Program.warn("\(command): \(text)") }
  }
}

/// The output of `carillon history`.
struct HistoryText {
  var uses24Hours: Bool

  /// Returns the stretches by day, one on each line.
  func list(_ records: [StretchRecord], _ calendar: inout LocalCalendar) -> String {
    let width = records.map { min(24, $0.title.printable().cellWidth) }.max() ?? 0
    var text = ""
    var last: CivilDate?
    for record in records {
      let segment = calendar.segment(at: record.start)
      if segment.day != last {
        text += "\(last == nil ? "" : "\n")\(segment.day.weekdayName) \(segment.day.text)\n"
        last = segment.day
      }
      text += line(record, at: segment, width: width) + "\n"
    }
    return text
  }

  private func line(_ record: StretchRecord, at segment: LocalCalendar.Segment, width: Int)
    -> String
  {
    let second = (record.start + segment.offset - Int64(segment.day.day) * 86_400_000) / 1000
    let time = TimeText.timeOfDay(Int(second), showsSeconds: true, uses24Hours: uses24Hours)
    let name = record.title.printable()
    let activeTime = TimeText.clock(record.activeTime / 1000, showsTenths: false)
    var words = [
      "  \(time)", name.padded(to: width), activeTime.padded(to: 8, alignedRight: true),
    ]
    words.append(record.ending.rawValue)
    if let planned = record.planned, record.ending != .finished {
      words.append("of \(TimeText.clock(planned / 1000, showsTenths: false))")
    }
    if record.interruptions > 0 { words.append(counted(record.interruptions, "pause")) }
    if record.kind == .every { words.append(counted(record.fires, "fire")) }
    if record.missed > 0 { words.append("\(record.missed) missed") }
    if let result = record.result { words.append(result.printable()) }
    if let note = record.note { words.append("'\(note.printable())'") }
    return words.joined(separator: "  ")
  }

  /// Returns the stretches as in the files, one JSON object on each line.
  func json(_ records: [StretchRecord]) -> String {
    records.map { String(decoding: $0.jsonLine, as: UTF8.self) }.joined()
  }

  /// Returns the stretches as comma-separated values with a line of names (RFC 4180).
  func csv(_ records: [StretchRecord]) -> String {
    var text =
      "id,timer,kind,phase,round,session,start,end,zone,ending,plannedMs,activeMs,interruptions,"
      + "fires,missed,result,note,command\r\n"
    for record in records {
      let fields: [String] = [
        record.id.hexadecimal, record.timer, record.kind.rawValue, record.phase ?? "",
        record.round.map(String.init) ?? "", record.session ?? "", CivilDate.iso8601(record.start),
        CivilDate.iso8601(record.end), record.zone, record.ending.rawValue,
        record.planned.map(String.init) ?? "", String(record.activeTime),
        String(record.interruptions), String(record.fires), String(record.missed),
        record.result ?? "", record.note ?? "", record.command ?? "",
      ]
      text += fields.map(Self.csvField).joined(separator: ",") + "\r\n"
    }
    return text
  }

  static func csvField(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { $0 == "," || $0 == "\"" || $0.value < 0x20 }
    guard needsQuotes else { return text.printable() }
    let quoted = text.replacing("\"", with: "\"\"")
    return "\"\(quoted.printable(keepingLines: true))\""
  }
}
