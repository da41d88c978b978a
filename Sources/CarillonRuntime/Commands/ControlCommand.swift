import Platform
import TerminalCore
import TimerBoard
import TimerKit

/// `carillon ctl`: controls the owner of a session.
package struct ControlCommand {
  package var session = SessionName.main
  /// A Boolean value that indicates whether a control applies to all timers, in place of names.
  package var appliesToAll = false
  /// A Boolean value that indicates whether a control applies to the timer that fires next, in place of names.
  package var appliesToNext = false
  /// A Boolean value that indicates whether `add` starts a background process if the session has no owner.
  package var startsOwner = true
  /// The path of the configuration of the background process; `nil` for the default one.
  package var configuration: String?

  private let environment = ProcessInfo.processInfo.environment

  /// The services that ``run(_:_:)`` requests. They take neither timers nor a value.
  private static let services = [ControlRequest.Service.detach, .quit, .reload].map(\.rawValue)

  package init() {}

  /// The names of the controls and of the other requests, each with its help.
  package static var names: [(name: String, help: String)] {
    ControlVerb.allCases.map { ($0.rawValue, $0.help) } + [
      ("list", "Print the timers, like carillon status."),
      ("watch", "Print the timers, then each event."),
      ("detach", "Let the board continue in the background."),
      ("quit", "End the process that owns the session."),
      ("reload", "Read the configuration again."),
    ]
  }

  /// The names with their help, one on each line.
  package static var table: String {
    names.map { "  \($0.name.padded(to: 13))\($0.help)" }.joined(separator: "\n")
  }

  /// Performs a control, or requests a service such as `quit`.
  /// - Parameter words: The names of timers and the argument, or the timers to add.
  package func run(_ name: String, _ words: [String]) throws {
    if Self.services.contains(name) {
      guard words.isEmpty else { throw UsageError("ctl: '\(name)' takes no argument") }
      try requireNoSelection(for: name)
      return try send(ControlRequest(name))
    }
    guard let verb = ControlVerb(rawValue: name) else {
      // The footer of the board calls 'more' snooze.
      let nearest =
        name == "snooze"
        ? ControlVerb.more.rawValue : Suggestion.nearest(to: name, of: Self.names.map(\.name))
      let hint = nearest.map { "did you mean '\($0)'?" } ?? "see carillon ctl --help"
      throw UsageError("ctl: unknown command '\(name)' (\(hint))")
    }
    try send(try request(verb, words))
  }

  private func request(_ verb: ControlVerb, _ words: [String]) throws(UsageError) -> ControlRequest
  {
    var request = ControlRequest(verb.rawValue)
    guard !verb.appliesToBoard else {
      try requireNoSelection(for: verb.rawValue)
      guard verb == .add || words.isEmpty else {
        throw UsageError("ctl: '\(verb.rawValue)' takes no argument")
      }
      guard verb != .add || !words.isEmpty else {
        throw UsageError("ctl: 'add' needs timers (expected carillon ctl add <timer> ...)")
      }
      if verb == .add { request.timers = words }
      return request
    }
    var names = words
    if verb.argument != .none {
      guard !words.isEmpty else {
        throw UsageError(
          "ctl: '\(verb.rawValue)' needs \(verb.argument == .duration ? "a duration" : "a text")")
      }
      let count = valueCount(of: verb, in: words)
      request.value = words.suffix(count).joined(separator: verb.argument == .text ? " " : "")
      names.removeLast(count)
    }
    if appliesToAll { request.selection = .all }
    if appliesToNext { request.selection = .next }
    guard request.selection == nil || names.isEmpty, !appliesToAll || !appliesToNext else {
      throw UsageError("ctl: names, --all and --next exclude each other")
    }
    guard request.selection != nil || !names.isEmpty else {
      let argument =
        switch verb.argument {
        case .none: ""
        case .duration: ", and then a duration"
        case .text: ", and then a text"
        }
      throw UsageError(
        "ctl: '\(verb.rawValue)' needs names of timers or groups, --all or --next\(argument)")
    }
    request.timers = names
    return request
  }

  /// Throws an error if `--all` or `--next` is given to a command that applies to no timers.
  private func requireNoSelection(for name: String) throws(UsageError) {
    guard !appliesToAll, !appliesToNext else {
      throw UsageError("ctl: '\(name)' takes no \(appliesToAll ? "--all" : "--next")")
    }
  }

  /// Returns the number of words at the end that are the value: all after the name if it is a text, because a text
  /// is for one timer, and otherwise those that are one duration, such as `5 min`.
  private func valueCount(of verb: ControlVerb, in words: [String]) -> Int {
    let most = appliesToAll || appliesToNext ? words.count : words.count - 1
    guard verb.argument == .duration else { return max(1, most) }
    let limit = min(4, most)
    let counts = limit > 1 ? Array((2...limit).reversed()) : []
    return counts.first { (try? DurationText.parse(words.suffix($0).joined())) != nil } ?? 1
  }

  private func send(_ request: ControlRequest) throws {
    let client = try client(for: request)
    guard let response = try client.response(to: request) else {
      throw ProgramFailure("ctl: the owner of session '\(session)' ended")
    }
    let text = (response.text ?? "").printable(keepingLines: true)
    guard response.isOK else {
      let lines = (response.error ?? "refused").split(separator: "\n").map { "ctl: \($0)" }
      throw ProgramFailure(lines.asDiagnostics)
    }
    if !text.isEmpty { try StandardStreams.write(text + "\n") }
    // The owner closes the connection when it has saved the session, so that another process can open it then.
    if request.command == ControlRequest.Service.quit.rawValue { _ = try? client.nextLine() }
  }

  /// Returns a connection to the owner, which `add` starts if there is none.
  private func client(for request: ControlRequest) throws -> ControlClient {
    let start = request.command == ControlVerb.add.rawValue && startsOwner
    if let client = try owner(isRequired: !start) { return client }
    if let path = session.socketPath(environment: environment), path.utf8.count > socketPathLimit {
      throw ProgramFailure(
        "ctl: \(path): path too long for a socket (expected at most \(socketPathLimit) bytes)")
    }
    // The background process has no terminal on which to report an error in the file.
    _ = try Configuration.read(configuration, environment: environment)
    let outcome = BackgroundProcess.start(
      session, takesOver: false, configuration: configuration)
    guard outcome.error == 0 else {
      throw ProgramFailure("ctl: the background process cannot be started")
    }
    if let client = try ControlClient.waiting(
      atMost: .seconds(5), for: session, environment: environment)
    {
      return client
    }
    throw ProgramFailure("ctl: the background process did not start within 5 s")
  }

  /// Returns a connection to the owner; `nil` if there is none and none is required.
  private func owner(isRequired: Bool) throws -> ControlClient? {
    guard let store = SessionStore(environment: environment, name: session) else {
      throw ProgramFailure.noFolder("ctl")
    }
    if let client = try ControlClient.connected(to: store, environment: environment) {
      return client
    }
    let isLocked = store.isLocked
    guard !isRequired, !isLocked else { throw NoOwner(session, isLocked: isLocked) }
    return nil
  }

  /// Prints the timers, and then each event until the session has no owner any more.
  /// - Parameter names: The names of timers and groups, and references such as `#3`; empty for all timers.
  package func watch(_ names: [String], isJSON: Bool) throws {
    guard !appliesToNext else { throw UsageError("ctl: 'watch' takes no --next") }
    try StandardStreams.check()
    guard var client = try owner(isRequired: true) else { return }
    let uses24Hours = !TimeOfDay.uses12Hours(environment: environment)
    var watched = WatchedTimers(names)
    if let file = try client.success(of: .watch).session {
      let timers = try watched.timers(in: file)
      let text = StatusText(timers: timers, now: .now(), uses24Hours: uses24Hours)
      try StandardStreams.write(isJSON ? text.json : text.table)
    }
    while true {
      while let line = try client.nextLine(hasTimeLimit: false) {
        let event = try WatchedEvent(line)
        guard watched.includesTimer(of: event) else { continue }
        let secondsFromUTC = ClockReading.now().secondsFromUTC
        try StandardStreams.write(
          isJSON
            ? String(decoding: line, as: UTF8.self) + "\n"
            : event.text(secondsFromUTC: secondsFromUTC, uses24Hours: uses24Hours))
      }
      // The session may have a new owner.
      guard
        let next = try ControlClient.waiting(
          atMost: .seconds(1), for: session, environment: environment)
      else { return }
      client = next
      watched.replaceReferences()
      _ = try client.success(of: .watch)
    }
  }
}
