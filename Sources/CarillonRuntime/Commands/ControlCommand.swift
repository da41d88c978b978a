import ArgumentParser
import TerminalCore
import TimerBoard

/// `carillon ctl`: controls the owner of a session.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration("ctl", inserting: table)

  @Argument(help: "The command.", completion: .list(names.map(\.name)))
  var command: String?

  @Argument(
    help: ArgumentHelp("Names of timers or groups, then the value.", valueName: "name"),
    completion: .custom { words, _, _ in
      completions(after: words)
    })
  var words: [String] = []

  @OptionGroup var options: SessionOptions

  @Flag(help: "Apply the command to all timers.")
  var all = false

  @Flag(help: "Apply the command to the timer that fires next.")
  var next = false

  @Flag(help: "With add: start no session in the background.")
  var noStart = false

  @Flag(help: "With add: do not print to standard error what was understood.")
  var quiet = false

  @Flag(help: "Do not wait until the change is saved.")
  var noWait = false

  @Flag(help: "With list and watch: print a JSON object per line.")
  var json = false

  @Option(help: "With list: print each timer in this format.")
  var format: String?

  func run() throws {
    guard let command else { throw UsageError(missing: "command", of: Self.self) }
    // `status` is what people type who know the command of that name.
    let isList = command == "list" || command == "status"
    let isWatch = command == "watch"
    guard format == nil || isList else { throw UsageError("ctl: --format needs list") }
    guard !json || isList || isWatch else { throw UsageError("ctl: --json needs list or watch") }
    if json, format != nil { throw UsageError("ctl: --json and --format exclude each other") }
    if noWait, isList || isWatch || Self.services.contains(command) {
      throw UsageError("ctl: --no-wait needs a command that changes timers")
    }
    guard !noStart || command == "add" else { throw UsageError("ctl: --no-start needs add") }
    guard !quiet || command == "add" else { throw UsageError("ctl: --quiet needs add") }
    if isList {
      var list = StatusCommand()
      (list.names, list.options, list.json, list.next) = (words, options, json, next)
      (list.format, list.escape) = (format, nil)
      try list.printTimers(of: "ctl", needsOwner: true)
    } else if isWatch {
      try watch(words)
    } else {
      try perform(command, words)
    }
  }

  /// The services that a command of the same name requests. They take neither timers nor a value.
  private static let services = [ControlRequest.Service.detach, .quit, .reload].map(\.rawValue)

  /// The names of the controls and of the other requests, each with its help.
  static var names: [(name: String, help: String)] {
    ControlVerb.allCases.map { ($0.rawValue, $0.form.help) } + [
      ("list", "Print the timers, like carillon status."),
      ("watch", "Print the timers, then each event."),
      ("detach", "Let the board continue in the background."),
      ("quit", "End the process that owns the session."),
      ("reload", "Read the configuration again."),
    ]
  }

  /// Returns the name that a word is, or that it means in another program; `nil` for other words.
  static func name(meantBy word: String) -> String? {
    ControlVerb.synonyms[word] ?? names.map(\.name).first { $0 == word }
  }

  /// The names with their help, one on each line.
  static var table: String {
    names.map { "  \($0.name.padded(to: 13))\($0.help)" }.joined(separator: "\n")
  }

  /// Performs a control, or requests a service such as `quit`.
  /// - Parameter words: The names of timers and the argument, or the timers to add.
  private func perform(_ name: String, _ words: [String]) throws {
    if Self.services.contains(name) {
      guard words.isEmpty else { throw UsageError("ctl: '\(name)' takes no argument") }
      try requireNoSelection(for: name)
      return try ControlRequest(name).send(to: options.name)
    }
    guard let verb = ControlVerb(rawValue: name) else {
      let nearest =
        ControlVerb.synonyms[name] ?? Suggestion.nearest(to: name, of: Self.names.map(\.name))
      let hint = nearest.map { "did you mean '\($0)'?" } ?? "see carillon ctl --help"
      throw UsageError("ctl: unknown command '\(name)' (\(hint))")
    }
    try request(verb, words).send(to: options.name, startsOwner: !noStart, isQuiet: quiet)
  }

  private func request(_ verb: ControlVerb, _ words: [String]) throws(UsageError) -> ControlRequest
  {
    var request = ControlRequest(verb.rawValue)
    if noWait { request.wait = false }
    guard verb.form.target != .board else {
      try requireNoSelection(for: verb.rawValue)
      guard verb == .add else {
        if !words.isEmpty { throw UsageError("ctl: '\(verb.rawValue)' takes no argument") }
        return request
      }
      guard !words.isEmpty else {
        throw UsageError("ctl: 'add' needs timers (expected carillon ctl add <timer> ...)")
      }
      request.timers = words
      return request
    }
    var names = words
    if verb.form.argument != .none {
      if words.isEmpty { throw UsageError("ctl: '\(verb.rawValue)' needs a \(verb.form.argument)") }
      let count = valueCount(of: verb, in: words)
      request.value = words.suffix(count).joined(separator: " ")
      names.removeLast(count)
    }
    if all { request.selection = .all }
    if next { request.selection = .next }
    guard request.selection == nil || names.isEmpty, !all || !next else {
      throw UsageError("ctl: names, --all and --next exclude each other")
    }
    guard request.selection != nil || !names.isEmpty else {
      let argument = verb.form.argument == .none ? "" : ", and then a \(verb.form.argument)"
      throw UsageError(
        "ctl: '\(verb.rawValue)' needs names of timers or groups, --all or --next\(argument)")
    }
    request.timers = names
    return request
  }

  /// Throws an error if `--all` or `--next` is given to a command that applies to no timers.
  private func requireNoSelection(for name: String) throws(UsageError) {
    guard !all, !next else {
      throw UsageError("ctl: '\(name)' takes no \(all ? "--all" : "--next")")
    }
  }

  /// Returns the number of words at the end that are the value: all after the name if it is a text, because a text
  /// is for one timer, and otherwise those that are one duration, such as `5 min`.
  private func valueCount(of verb: ControlVerb, in words: [String]) -> Int {
    let most = all || next ? words.count : words.count - 1
    guard verb.form.argument == .duration else { return max(1, most) }
    // `two and a half hours` and `1 hour 30 minutes` have four words each.
    let limit = min(8, most)
    let counts = limit > 1 ? Array((2...limit).reversed()) : []
    return counts.first {
      (try? DurationText.parse(words: words.suffix($0).joined(separator: " "))) != nil
    } ?? 1
  }

  /// Prints the timers, and then each event until the session has no owner any more.
  /// - Parameter names: The names of timers and groups, and references such as `#3`; empty for all timers.
  private func watch(_ names: [String]) throws {
    guard !next else { throw UsageError("ctl: 'watch' takes no --next") }
    try StandardStreams.check()
    let store = try SessionStore(options.name, for: "ctl")
    guard var client = try ControlClient.ofOwner(of: store, isRequired: true) else { return }
    var watched = WatchedTimers(names: names)
    let response = try client.success(of: .watch)
    if let file = response.session {
      let timers = try watched.timers(in: file)
      let text = StatusText(timers: timers, now: .now(), uses24Hours: Program.uses24Hours)
      try StandardStreams.write(json ? text.json : text.table)
    }
    // The events are counted: the next owner sends those after the last one.
    var received = response.position ?? EventPosition(feed: nil, number: 0)
    while true {
      while let line = try client.nextLine(hasTimeLimit: false) {
        received.number += 1
        let event = try WatchedEvent(line)
        guard watched.includesTimer(of: event) else { continue }
        try StandardStreams.write(
          json
            ? String(decoding: line, as: UTF8.self) + "\n"
            : event.text(in: .current, uses24Hours: Program.uses24Hours))
      }
      // The session may have a new owner.
      guard
        let other = try ControlClient.connected(
          to: store, waiting: .seconds(1), whileLocked: .seconds(10))
      else { return }
      client = other
      var request = ControlRequest(.watch)
      request.value = "\(received)"
      // Without a response, the session has yet another owner.
      guard let next = try client.response(to: request) else { continue }
      guard next.isOK else { throw ProgramFailure(next.error ?? "refused") }
      received = next.position ?? received
    }
  }

  /// Returns the names of timers and groups that can follow the words of a command line, for a shell's completion.
  static func completions(after words: [String]) -> [String] {
    // bash splits `--session=NAME` into three words.
    let arguments = words.drop { $0 != "ctl" }.dropFirst().filter { $0 != "=" }
    guard let given = try? parse(arguments), let command = given.command, takesNames(command),
      let store = try? SessionStore(given.options.name, for: "ctl"),
      let client = try? ControlClient.connect(to: store, timeout: 1),
      let file = try? client.success(of: .list).session,
      let timers = try? file.restored(at: .now()).timers
    else { return [] }
    let names = (timers.compactMap(\.name) + Set(timers.compactMap(\.group)).sorted())
      .filter { $0 == $0.printable() }
    switch CompletionShell.requesting {
    // bash expands completions as if they were part of a script.
    case .bash: return names.map(\.quotedForBashCompletion)
    // zsh takes the text after a colon as a description.
    case .zsh: return names.map { $0.replacing(#"\"#, with: #"\\"#).replacing(":", with: #"\:"#) }
    default: return names
    }
  }

  private static func takesNames(_ command: String) -> Bool {
    if let verb = ControlVerb(rawValue: command) { return verb.form.target != .board }
    return [ControlRequest.Service.list, .watch].map(\.rawValue).contains(command)
  }
}

extension String {
  /// The text for `compgen -W`, which expands it once, so that the command line gets a quoted word.
  fileprivate var quotedForBashCompletion: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.,:+@/%".unicodeScalars.contains(scalar)
    }
    return isPlain ? self : quotedForShell.quotedForShell
  }

  private var quotedForShell: String { "'\(replacing("'", with: #"'\''"#))'" }
}
