import ArgumentParser
import Dashboard
import TimerBoard

/// `carillon run`: timers without a screen.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "run", inserting: "\(Configuration.standardCommandLimit)")

  @Argument(help: ArgumentHelp("The timers to run.", valueName: "timer"))
  var timers: [String] = []

  @Flag(help: "Print a JSON object per line; commands then write to standard error.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing.")
  var quiet = false

  @Flag(help: "Show the time left in a line on the terminal, on standard error.")
  var progress = false

  @Flag(help: "Fire the timers with every at their start, too.")
  var now = false

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
      throw UsageError(missing: "timer", of: Self.self)
    }
    if command.isEmpty, ["--", "--command"].contains(CommandLine.arguments.last) {
      throw UsageError(missing: "command", of: Self.self)
    }
    let limit = try maxTime.map { (text: String) throws -> Duration in
      do throws(TimeSyntaxError) {
        return try DurationText.parse(words: text)
      } catch {
        throw UsageError("run: --max-time: '\(text)': \(error.message)")
      }
    }
    let configuration = Result { () throws(ConfigurationErrors) in
      try Configuration.read(nil)
    }
    var launch = LaunchOptions()
    launch.configuration = ((try? configuration.get()) ?? Configuration()).settingsOfTimers
    let parsed = try Self.parsedTimers(timers, configuration, hasCommand: !command.isEmpty)
    launch.specs = parsed.specs
    launch.configuration.display.isMuted = !launch.specs.contains { $0.soundName != nil }
    if now {
      let repeating = launch.specs.indices.filter { launch.specs[$0].accepts("now") }
      if repeating.isEmpty { throw UsageError("run: --now needs a timer with every") }
      for index in repeating { launch.specs[index].startsNow = true }
    }
    if !quiet {
      try StandardStreams.check()
      if let number = parsed.numberInMinutes { Program.warn(number) }
      if parsed.hasTimersWithoutPrefix, let summary = parsed.summary { Program.warn(summary) }
    }
    if record { launch.configuration.history = try configuration.get().history }
    launch.recordsHistory = record
    launch.program = command
    launch.endsAtFirstFire = untilFirst
    launch.ownership = try session.map { try acquireOwnership(of: SessionName($0)) }
    Program.run { [launch] in RunSession(launch, self, maxTime: limit) }
  }

  /// Parses the timers, which can be presets. An invalid configuration is an error only with a preset or unknown word.
  static func parsedTimers(
    _ timers: [String], _ configuration: Result<Configuration, ConfigurationErrors>,
    hasCommand: Bool = false
  ) throws -> ParsedTimers {
    let settings = ((try? configuration.get()) ?? Configuration()).settingsOfTimers
    let context = TimerContext(
      now: .now(), defaults: settings.timerDefaults, hasCommand: hasCommand)
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

  private func acquireOwnership(of session: SessionName) throws -> SessionOwnership {
    let store = try SessionStore(session, for: "run")
    switch try store.acquireLock() {
    case .acquired(let ownership): return ownership
    case .held(let holder):
      throw UsageError("run: session '\(session)' is open in \(holder) (expected another name)")
    }
  }
}
