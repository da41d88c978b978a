import ArgumentParser
import TimerBoard
import TimerKit

/// `carillon status`: prints the current timers of a session.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "status", inserting: StatusText.fields.map { "{\($0)}" }.joined(separator: " "))

  @Argument(
    help: ArgumentHelp("The names of timers or groups; all timers if omitted.", valueName: "name"))
  var names: [String] = []

  @OptionGroup var options: SessionOptions

  @Flag(help: "Print a JSON object per line.")
  var json = false

  @Flag(help: "Print only the next timer to fire.")
  var next = false

  @Option(help: "Print each timer in this format.")
  var format: String?

  @Option(help: ArgumentHelp("Escape the fields of the format.", valueName: "reader"))
  var escape: StatusText.Escape?

  func run() throws {
    if escape != nil, format == nil { throw UsageError("status: --escape needs --format") }
    if json, format != nil { throw UsageError("status: --json and --format exclude each other") }
    try printTimers(of: "status", needsOwner: false)
  }
}

extension StatusText.Escape: ExpressibleByArgument {}

/// The list that `carillon status` and `carillon ctl list` print: the current timers of a session.
extension StatusCommand {
  /// - Parameters:
  ///   - context: The name of the command in errors.
  ///   - needsOwner: True if a session without an owner is an error; otherwise its file is read.
  func printTimers(of context: String, needsOwner: Bool) throws {
    if let field = format.flatMap(StatusText.unknownField(in:)) {
      let known = StatusText.fields.map { "{\($0)}" }.joined(separator: ", ")
      throw UsageError("\(context): --format: unknown field '{\(field)}' (expected \(known))")
    }
    try StandardStreams.check()
    let now = ClockReading.now()
    let timers = try currentTimers(of: context, needsOwner: needsOwner, at: now)
    var text = StatusText(timers: timers, now: now, uses24Hours: Program.uses24Hours)
    text.escape = escape
    if !names.isEmpty {
      let known = TimerNames(timers.lazy.map { ($0.spec, $0.id) })
      text.timers = try ProgramFailure.naming(context) {
        try names.flatMap { name in try known.positions(of: name).map { timers[$0] } }
      }
    }
    if next {
      text.timers =
        text.timers.filter { $0.state == .running && $0.timeLeft(at: now) != nil }
        .min { $0.timeLeft(at: now) ?? .zero < $1.timeLeft(at: now) ?? .zero }.map { [$0] } ?? []
    }
    try StandardStreams.write(json ? text.json : format.map(text.formatted) ?? text.table)
  }

  /// Returns the timers as they are now.
  private func currentTimers(
    of context: String, needsOwner: Bool, at now: ClockReading
  ) throws -> [BoardTimer] {
    let session = try options.name
    // Without a folder there is no session.
    if !needsOwner, SessionName.stateFolder(environment: Program.environment) == nil { return [] }
    let store = try SessionStore(session, for: context)
    let client =
      needsOwner
      ? try ControlClient.connected(to: store) : try ControlClient.connect(to: store, timeout: 1)
    var file: SessionFile?
    do throws(ProgramFailure) {
      file = try client?.success(of: .list).session
    } catch {
      // The saved session is enough for the timers of a suspended owner.
      if needsOwner { throw error }
    }
    if let file {
      let now = ClockReading.now()
      return Board(listing: try file.restored(at: now), .catchUp, at: now).timers.all
    }
    if needsOwner { throw ProgramFailure.noOwner(of: store) }
    guard let bytes = try store.load() else {
      // The main session is empty before the first start.
      guard session == .main else { throw ProgramFailure("\(context): no session '\(session)'") }
      return []
    }
    // If a process owns the session, its timers are running; otherwise they continue as configured.
    let policy = store.isLocked ? .catchUp : try Configuration.read(nil).restorePolicy
    let restored = try ProgramFailure.naming(store.path) {
      try SessionFile(bytes).restored(at: now)
    }
    return Board(listing: restored, policy, at: now).timers.all
  }
}

/// The output of `carillon status`.
package struct StatusText {
  /// The fields of a format, written in braces.
  package static let fields = ["name", "left", "state", "iterations", "percent", "at", "timer"]

  /// A syntax for which the fields in a format are escaped.
  package enum Escape: String, CaseIterable, Sendable {
    /// A tmux format, in which `#` is special.
    case tmux
    /// Markup, as in waybar, in which `&`, `<` and `>` are special.
    case markup
    /// The contents of a JSON string.
    case json
  }

  var timers: [BoardTimer]
  var now: ClockReading
  var uses24Hours = true
  var escape: Escape?

  /// The timers in columns, one on each line.
  var table: String {
    timers.map { timer in
      ["name", "left", "state", "iterations"].map { field($0, of: timer) }
    }
    .inColumns { $0 == 1 }
  }

  /// Returns the first word in braces that is not a field.
  static func unknownField(in format: String) -> String? {
    format.matches(of: /{([A-Za-z_]+)}/).map { String($0.1) }.first { !fields.contains($0) }
  }

  /// Returns a line for each timer in a format such as `{name} {left}`. Other braces are copied.
  func formatted(_ format: String) -> String {
    timers.map { formatted(format, $0) + "\n" }.joined()
  }

  /// The timers as JSON objects, one on each line.
  var json: String {
    timers.map { timer in
      var object = JSONObject()
      object.add("name", timer.spec.title)
      object.add("timer", timer.spec.text)
      object.add("state", "\(timer.state)")
      if let phase = timer.machine.phaseName { object.add("phase", phase) }
      if let left = timer.timeLeft(at: now) { object.add("left", seconds: left) }
      if let over = timer.shownOvertime(at: now) { object.add("over", seconds: over) }
      if let text = timer.timeText(at: now) { object.add("text", text) }
      object.add("iterations", timer.iterationsLeft)
      if let group = timer.spec.group { object.add("group", group) }
      if let rounds = timer.roundsLeft { object.add("roundsLeft", rounds) }
      if let next = next(of: timer) { object.add("at", next.iso8601) }
      return object.text + "\n"
    }
    .joined()
  }

  private func formatted(_ format: String, _ timer: BoardTimer) -> String {
    format.replacing(/{([a-z]+)}/) { match in
      let field = String(match.1)
      return Self.fields.contains(field) ? escaped(self.field(field, of: timer)) : String(match.0)
    }
  }

  private func escaped(_ text: String) -> String {
    switch escape {
    case nil: text
    case .tmux: text.replacing(["#": "##"])
    case .markup: text.escapedForMarkup
    case .json: String(JSONObject.quoted(text).dropFirst().dropLast())
    }
  }

  private func field(_ name: String, of timer: BoardTimer) -> String {
    switch name {
    case "name": timer.spec.title.printable()
    case "left": timer.timeText(at: now) ?? "-"
    case "state": timer.stateText.printable()
    case "iterations": timer.iterationsText ?? ""
    case "percent": "\(percent(of: timer))"
    case "at":
      next(of: timer)?.timeOfDay(in: now.zone, uses24Hours: uses24Hours) ?? "-"
    default: timer.spec.text.printable()
    }
  }

  /// Returns the part of the interval or phase that has passed, in percent; 0 if there is none.
  private func percent(of timer: BoardTimer) -> Int {
    let machine = timer.machine
    return Int(100 * machine.progress(in: machine.period, left: timer.timeLeft(at: now)))
  }

  /// Returns the instant of the next fire; `nil` unless the timer runs.
  private func next(of timer: BoardTimer) -> WallInstant? {
    guard timer.state == .running else { return nil }
    return timer.timeLeft(at: now).map { now.wall.advanced(by: $0) }
  }
}
