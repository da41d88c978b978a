import Dispatch
import Platform
import TimerBoard
import TimerKit

/// `carillon run`: timers without a screen.
package struct RunCommand {
  package var words: [String] = []
  package var isJSON = false
  package var isQuiet = false
  package var showsProgress = false
  package var endsAtFirstFire = false
  package var failsFast = false
  package var maxTime: String?
  /// A program and its arguments, run at each fire.
  package var command: [String] = []
  /// The session through which other processes can control the timers; `nil` for none.
  package var session: SessionName?
  /// A Boolean value that indicates whether the stretches of the timers are added to the history.
  package var isRecorded = false

  /// The default maximum number of commands that run at the same time.
  package static let commandLimit = Configuration.standardCommandLimit

  package init() {}

  /// Starts the timers and runs until the program ends.
  package func run() throws -> Never {
    var options = RunSession.Options(
      isJSON: isJSON, isQuiet: isQuiet, showsProgress: showsProgress,
      endsAtFirstFire: endsAtFirstFire, failsFast: failsFast, command: command)
    if let maxTime {
      do throws(DurationSyntaxError) {
        options.maxTime = try DurationText.parse(maxTime)
      } catch {
        throw UsageError("run: --max-time: '\(maxTime)': \(error.problem.message)")
      }
    }
    let environment = ProcessInfo.processInfo.environment
    let configuration = Result { () throws(ConfigurationErrors) in
      try Configuration.read(nil, environment: environment)
    }
    options.timerDefaults = (try? configuration.get())?.timerDefaults ?? .init()
    let timers = try timers(configuration, options.timerDefaults)
    options.uses24Hours = !TimeOfDay.uses12Hours(environment: environment)
    if !isQuiet {
      try StandardStreams.check()
      if timers.hasTimersWithoutPrefix, let summary = timers.summary { Program.warn(summary) }
    }
    if isRecorded {
      options.history = try configuration.get().history
    }
    let ownership = try session.map { try acquireOwnership(of: $0, environment: environment) }
    MainActor.assumeIsolated {
      RunSession.current = RunSession(timers.specs, options, ownership: ownership)
    }
    dispatchMain()
  }

  /// Parses the timers, which can be presets. An invalid configuration is an error only with a preset or unknown word.
  private func timers(
    _ configuration: Result<Configuration, ConfigurationErrors>, _ defaults: TimerDefaults
  ) throws -> ParsedTimers {
    let context = TimerContext(now: .now(), defaults: defaults, hasCommand: !command.isEmpty)
    let timers: ParsedTimers
    do throws(TimerSyntaxError) {
      timers = try ParsedTimers(arguments: words, in: context)
    } catch {
      if case .presetUnknown = error.problem { _ = try configuration.get() }
      if case .timerExpected = error.problem { _ = try configuration.get() }
      throw error
    }
    if timers.usesPresets { _ = try configuration.get() }
    return timers
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
