import ArgumentParser
import TimerBoard
import TimerKit

/// `carillon check`: checks a configuration or session file, or tells when timers would fire.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration("check")

  @Argument(
    help: ArgumentHelp(
      "A session file, which begins with {, or a configuration; the default one if omitted.",
      valueName: "file"))
  var file: String?

  @Option(help: "Print when a timer would fire, without starting it.")
  var timer: String?

  @Flag(help: "With --timer: print a JSON object per line.")
  var json = false

  /// Prints a summary of the file, or the fires of the timer.
  /// - Throws: All errors of the file, one on each line.
  func run() throws {
    if let timer {
      guard file == nil else { throw UsageError("check: a file and --timer exclude each other") }
      return try checkTimers(timer)
    }
    guard !json else { throw UsageError("check: --json needs --timer") }
    guard let file else { return try checkDefault() }
    guard let bytes = try FileSystem().contents(of: file, mustBeRegular: true) else {
      throw ProgramFailure("\(file): no such file")
    }
    // An empty file is a configuration, but no session.
    let first = bytes.first { $0 > UInt8(ascii: " ") }
    let isSession = first.map { $0 == UInt8(ascii: "{") } ?? file.hasSuffix(".json")
    let summary = try isSession ? Self.session(bytes, file) : Self.configuration(bytes, file)
    try StandardStreams.write("\(file.printable()): \(summary)\n")
  }

  /// Checks the default configuration, which may be missing.
  private func checkDefault() throws {
    guard let path = Configuration.defaultPath(environment: Program.environment) else {
      throw UsageError("check: no folder for the configuration (expected HOME in the environment)")
    }
    let bytes = try FileSystem().contents(of: path, forbiddenMode: Configuration.forbiddenMode)
    let summary =
      try bytes.map { try Self.configuration($0, path) } ?? "no such file; the defaults apply"
    try StandardStreams.write("\(path.printable()): \(summary)\n")
  }

  private static func session(_ bytes: [UInt8], _ file: String) throws -> String {
    let session = try ProgramFailure.naming(file) { try SessionFile(bytes) }
    let errors = session.timerFaults.map { "\(file): \($0)" }
    guard errors.isEmpty else { throw ProgramFailure(errors.asDiagnostics) }
    return "a session of \(counted(session.board.timers.count, "timer"))"
  }

  private static func configuration(_ bytes: [UInt8], _ file: String) throws -> String {
    do throws(ConfigurationErrors) {
      let configuration = try Configuration(bytes, file: file)
      return "a configuration with \(counted(configuration.timers.count, "timer"))"
        + " and \(counted(configuration.presets.count, "preset"))"
    } catch {
      throw ProgramFailure(error.all.map(\.description).asDiagnostics)
    }
  }
}

/// The fires of timers that would start now.
extension CheckCommand {
  private func checkTimers(_ text: String) throws {
    try StandardStreams.check()
    let configuration = Result { () throws(ConfigurationErrors) in try Configuration.read(nil) }
    let parsed: ParsedTimers
    do {
      parsed = try RunCommand.parsedTimers([text], configuration)
    } catch let error as TimerSyntaxError {
      // The text is what is checked, and not a wrong use of the command.
      throw ProgramFailure("check: \(error)")
    }
    let forecast = FireForecast(
      now: .now(), zoneName: Program.environment.timeZoneName, uses24Hours: Program.uses24Hours)
    try StandardStreams.write(
      parsed.specs.map { json ? forecast.json(of: $0) : forecast.text(of: $0, in: parsed) }
        .joined(separator: json ? "" : "\n"))
  }
}

/// The times at which a timer would fire if it started now.
struct FireForecast {
  static let fireCount = 5

  var now: ClockReading
  /// The name of the zone in which the times are.
  var zoneName: String
  var uses24Hours: Bool

  private var preview: TimerPreview {
    TimerPreview(startingAt: now, uses24Hours: uses24Hours)
  }

  /// Returns what the timer is, and its next fires, one on each line.
  func text(of spec: TimerSpec, in parsed: ParsedTimers) -> String {
    let meaning = preview.text(of: spec, named: spec.name, in: parsed)
    let rows = preview.fires(of: spec, upTo: Self.fireCount).map { fire in
      let local = LocalTime(fire.due, in: now.zone)
      let offset = offset(at: fire.due)
      return [
        "\(local.date.weekdayName) \(local.date.text)",
        local.timeOfDay(uses24Hours: uses24Hours),
        zoneName == offset ? offset : "\(zoneName) \(offset)", inDays(days(until: fire.due)),
        fire.phase ?? "",
      ]
    }
    return ([meaning] + rows.inColumns().split(separator: "\n").map { "  \($0)" })
      .map { $0.printable() + "\n" }.joined()
  }

  func json(of spec: TimerSpec) -> String {
    var object = JSONObject()
    object.add("name", spec.title)
    object.add("timer", spec.text)
    let fires = preview.fires(of: spec, upTo: Self.fireCount).map { fire in
      let local = LocalTime(fire.due, in: now.zone)
      var object = JSONObject()
      object.add("at", fire.due.iso8601)
      object.add(
        "local",
        "\(local.date.text)T\(local.timeOfDay(uses24Hours: true))\(offset(at: fire.due))")
      object.add("zone", zoneName)
      object.add("days", days(until: fire.due))
      if let phase = fire.phase { object.add("phase", phase) }
      return object.text
    }
    object.add("fires", json: "[\(fires.joined(separator: ","))]")
    return object.text + "\n"
  }

  /// Returns the number of calendar days until an instant.
  private func days(until instant: WallInstant) -> Int {
    LocalTime(instant, in: now.zone).dayNumber - LocalTime(now).dayNumber
  }

  private func inDays(_ days: Int) -> String {
    switch days {
    case ..<1: "today"
    case 1: "tomorrow"
    default: "in \(days) days"
    }
  }

  /// Returns the offset from UTC: `+02:00`.
  private func offset(at instant: WallInstant) -> String {
    LocalZone.offsetText(now.zone.secondsFromUTC(at: instant))
  }
}
