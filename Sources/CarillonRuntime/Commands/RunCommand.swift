import ArgumentParser
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// `carillon run`: timers without a screen.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run timers without a screen, and a command at each fire.",
    usage: "carillon run [<options>] <timer> ... [-- <command> ...]",
    discussion: """
      Ends when no timer runs any more; with --session, paused timers keep it
      running.

        carillon run 3m && paplay bell.ogg       wait three minutes
        carillon run tabata='cycle 20s/10s x8'   a line for each phase
        carillon run every 30s -- ./poll.sh      run a program every 30 seconds
        carillon run --json every 1s x3 | jq     print a JSON object per line
        carillon run --progress 25m              show the time left

      The command is run directly, without a shell, with these variables in its
      environment: CARILLON_NAME, _EVENT (fired, phase, finished), _ITERATION,
      _REMAINING, _MISSED, _LATENESS_MS, _SCHEDULED, _PHASE, _NOTE, _SESSION.

      The commands of a timer do not overlap, and at most \(Configuration.standardCommandLimit) commands run at the same
      time: the newest fire waits, and CARILLON_MISSED counts the fires that it replaces.

      Exit status: 0 success, 1 failure (a command could not be started or, with
      --fail-fast, failed), 2 usage error, 130 interrupted.
      """)

  @Argument(help: ArgumentHelp("The timers to run.", valueName: "timer"))
  var timers: [String] = []

  @Flag(help: "Print a JSON object per line; commands then write to standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing.")
  var quiet = false

  @Flag(help: "Show the time left in a line on the terminal, on standard error.")
  var progress = false

  @Flag(help: "Exit at the first fire.")
  var untilFirst = false

  @Flag(help: "Exit with status 1 as soon as a command fails.")
  var failFast = false

  @Option(help: ArgumentHelp("Exit after this time at the latest.", valueName: "duration"))
  var maxTime: String?

  @Option(
    help: ArgumentHelp(
      "Run the timers as this session, which carillon ctl can control.", valueName: "name"))
  var session: String?

  @Flag(help: "Record the runs of the timers in the history.")
  var record = false

  @Option(
    parsing: .remaining,
    help: ArgumentHelp(
      "A program to run at each fire, with its arguments; same as --.", valueName: "command"))
  var command: [String] = []

  /// Starts the timers and runs until the program ends.
  func run() throws {
    guard !timers.isEmpty else {
      guard command.isEmpty else {
        throw UsageError(
          "run: missing argument '<timer>' (expected before -- or --command, which take all words after them)"
        )
      }
      throw MissingArgument("timer", of: Self.self)
    }
    if command.isEmpty, ["--", "--command"].contains(CommandLine.arguments.last) {
      throw MissingArgument("command", of: Self.self)
    }
    var options = RunSession.Options(
      isJSON: json, isQuiet: quiet, showsProgress: progress, endsAtFirstFire: untilFirst,
      failsFast: failFast, command: command)
    if let maxTime {
      do throws(TimeSyntaxError) {
        options.maxTime = try DurationText.parse(maxTime)
      } catch {
        throw UsageError("run: --max-time: '\(maxTime)': \(error.message)")
      }
    }
    let environment = ProcessInfo.processInfo.environment
    let configuration = Result { () throws(ConfigurationErrors) in
      try Configuration.read(nil, environment: environment)
    }
    options.timerDefaults = (try? configuration.get())?.timerDefaults ?? .init()
    let parsed = try parsedTimers(configuration, options.timerDefaults)
    options.uses24Hours = !TimeOfDay.uses12Hours(environment: environment)
    if !quiet {
      try StandardStreams.check()
      if let number = parsed.numberInMinutes { Program.warn(number) }
      if parsed.hasTimersWithoutPrefix, let summary = parsed.summary { Program.warn(summary) }
    }
    if record {
      options.history = try configuration.get().history
    }
    let ownership = try session.map {
      try acquireOwnership(of: SessionName($0), environment: environment)
    }
    MainActor.assumeIsolated {
      RunSession.current = RunSession(parsed.specs, options, ownership: ownership)
    }
    dispatchMain()
  }

  /// Parses the timers, which can be presets. An invalid configuration is an error only with a preset or unknown word.
  private func parsedTimers(
    _ configuration: Result<Configuration, ConfigurationErrors>, _ defaults: TimerDefaults
  ) throws -> ParsedTimers {
    let context = TimerContext(now: .now(), defaults: defaults, hasCommand: !command.isEmpty)
    let parsed: ParsedTimers
    do throws(TimerSyntaxError) {
      parsed = try ParsedTimers(arguments: timers, in: context)
    } catch {
      if error.cause == .unknownTimer { _ = try configuration.get() }
      throw error
    }
    if parsed.usesPresets { _ = try configuration.get() }
    return parsed
  }

  private func acquireOwnership(
    of session: SessionName, environment: [String: String]
  ) throws -> SessionOwnership {
    guard let store = SessionStore(environment: environment, name: session) else {
      throw UsageError("run: --session: no folder (expected HOME in the environment)")
    }
    switch try store.acquireLock() {
    case .acquired(let ownership): return ownership
    case .held(let holder):
      throw UsageError("run: session '\(session)' is open in \(holder) (expected another name)")
    }
  }
}
