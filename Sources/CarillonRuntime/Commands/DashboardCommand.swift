import ArgumentParser
import TimerBoard

/// `carillon` without a command's name: the dashboard.
struct DashboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration("board", shouldDisplay: false)

  @Argument(help: ArgumentHelp("The timers and presets to start.", valueName: "timer"))
  var timers: [String] = []

  @Flag(help: "Ignore the previous session, and save none.")
  var fresh = false

  @Flag(help: "Quit when all timers have finished.")
  var exitWhenDone = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @OptionGroup var options: SessionOptions

  @Flag(help: "Take the session over from its owner without asking.")
  var takeOver = false

  @Flag(help: "Run the timers in the background, and end.")
  var detach = false

  @Flag(help: "With --detach: do not print to standard error what was understood.")
  var quiet = false

  @OptionGroup var file: ConfigurationOptions

  func run() throws { try BoardStart(timers: timers, command: self).run() }
}

/// The start of the dashboard. Timers without options need no more: the parser, and even the properties that it fills,
/// would take a fifth of the time to the first frame.
struct BoardStart {
  var timers: [String]
  /// The options; `nil` if there are none.
  var command: DashboardCommand?

  private var fresh: Bool { command?.fresh ?? false }
  private var config: String? { command?.file.config }
  private var session: SessionName {
    get throws { try command?.options.name ?? .main }
  }

  /// Opens the terminal and runs until the program ends.
  func run() throws {
    let detach = command?.detach ?? false
    guard !detach || !fresh else { throw UsageError("--detach and --fresh exclude each other") }
    let isQuiet = command?.quiet ?? false
    guard !isQuiet || detach else { throw UsageError("--quiet needs --detach") }
    var launch = LaunchOptions()
    let configuration = try Configuration.read(config)
    if detach { return try runInBackground(configuration) }
    if !fresh, let store = try SessionStore(environment: Program.environment, name: session) {
      let owner = SessionOwner(.board, at: .now())
      let opening = SessionOpening(owner: owner, takesOver: command?.takeOver ?? false) {
        try checkTimers(configuration)
        try StandardInput.check()
      }
      launch = try opening.open(store)
    }
    launch.configuration = configuration
    launch.configurationFile = config
    launch.exitsWhenDone = command?.exitWhenDone ?? false
    if command?.noMouse ?? false { launch.configuration.usesMouse = false }
    do {
      try start(&launch)
    } catch {
      launch.returnToBackground()
      throw error
    }
  }

  /// Throws an error in the timers before the session is taken over from another process. Timers of the session,
  /// which `then` can name, are not known yet.
  private func checkTimers(_ configuration: Configuration) throws {
    var options = LaunchOptions()
    options.configuration = configuration
    do {
      _ = try requestedTimers(with: options)
    } catch let error as TimerSyntaxError where error.cause == .unknownSuccessor {}
  }

  /// Opens the terminal with the timers of the session and the requested ones.
  private func start(_ options: inout LaunchOptions) throws -> Never {
    if let parsed = try requestedTimers(with: options) {
      options.specs = parsed.specs
      options.notice = options.notice ?? parsed.numberInMinutes
    }
    if options.specs.isEmpty, options.isFirstStart || fresh {
      options.specs = try TimerSpec.parse(
        entries: options.configuration.timers, in: options.context(at: .now()))
    }
    options.isFirstStart = options.isFirstStart && options.specs.isEmpty
    try Program.run { [options] in try TerminalSession(options) }
  }

  /// Adds the timers to a session in the background, or lets the session's board continue there.
  private func runInBackground(_ configuration: Configuration) throws {
    guard !timers.isEmpty else {
      return try ControlRequest(.detach).send(to: session)
    }
    // The owner of the session parses the timers again, with the names in its session.
    let context = TimerContext(now: .now(), defaults: configuration.timerDefaults)
    if let specs = try? TimerSpec.parse(arguments: timers, in: context) {
      try checkIsNoCommand(specs)
    }
    var request = ControlRequest(ControlVerb.add.rawValue)
    request.timers = timers
    try request.send(
      to: session, configuration: config, isQuiet: command?.quiet ?? false)
  }

  /// Returns the timers of the arguments.
  /// - Parameter options: The options with the restored timers, which new timers can name.
  private func requestedTimers(with options: LaunchOptions) throws -> ParsedTimers? {
    guard !timers.isEmpty else { return nil }
    let parsed: ParsedTimers
    do throws(TimerSyntaxError) {
      parsed = try ParsedTimers(arguments: timers, in: options.context(at: .now()))
    } catch {
      if Carillon.commandNames.contains(timers[0]) {
        throw UsageError(
          "'\(timers[0])' after an option (expected the command first: carillon \(timers[0]) ...)")
      }
      if error.argument == 0, error.offset == 0,
        let command = ControlCommand.name(meantBy: timers[0]).map({ "ctl \($0)" })
          ?? Suggestion.nearest(to: timers[0], of: Carillon.commandNames)
      {
        throw UsageError("unknown command '\(timers[0])' (did you mean '\(command)'?)")
      }
      throw error
    }
    try checkIsNoCommand(parsed.specs)
    return parsed
  }

  /// Throws an error if a name without `=` is probably a misspelled command, as in `carillon runn 3m`.
  private func checkIsNoCommand(_ specs: [TimerSpec]) throws(UsageError) {
    guard let spec = specs.first, timers.count > 1, spec.name == timers[0],
      !timers[1].hasPrefix("="),
      let command = ControlCommand.name(meantBy: timers[0]) == ControlVerb.add.rawValue
        ? "ctl \(ControlVerb.add.rawValue)"
        : Suggestion.nearest(to: timers[0], of: Carillon.commandNames)
    else { return }
    throw UsageError(
      "unknown command '\(timers[0])' (did you mean '\(command)'?; with a name: \(spec.text))")
  }
}
