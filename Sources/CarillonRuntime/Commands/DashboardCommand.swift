import Dashboard
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// `carillon` without a command's name: the dashboard.
package struct DashboardCommand {
  /// The timers to start.
  package var words: [String] = []
  /// A Boolean value that indicates whether the saved session is neither restored nor saved.
  package var ignoresSession = false
  /// A Boolean value that indicates whether the board is closed when all timers have finished.
  package var exitsWhenDone = false
  package var session = SessionName.main
  /// A Boolean value that indicates whether the session is taken over from another process without asking.
  package var takesOver = false
  /// A Boolean value that indicates whether the timers run in the background and the program ends.
  package var detaches = false
  package var usesMouse = true
  /// The path of the configuration; `nil` for the default one.
  package var configuration: String?
  /// The timers of the tour, which the first launch opens.
  package var tour = ""
  /// The names of the other commands, for a suggestion.
  package var commands: [String] = []

  package init() {}

  /// Opens the terminal and runs until the program ends.
  package func run() throws -> Never {
    let environment = ProcessInfo.processInfo.environment
    var options = LaunchOptions()
    let configuration = try Configuration.read(self.configuration, environment: environment)
    if detaches { try runInBackground(configuration) }
    if !ignoresSession, let store = SessionStore(environment: environment, name: session) {
      let opening = SessionOpening(takesOver: takesOver, environment: environment) {
        try checkWords(configuration)
        try TerminalSession.checkStreams()
      }
      options = try opening.open(store, as: SessionOwner(.board, at: .now()))
    }
    options.configuration = configuration
    options.configurationFile = self.configuration
    options.exitsWhenDone = exitsWhenDone
    if !usesMouse { options.configuration.usesMouse = false }
    do {
      try start(&options, environment: environment)
    } catch {
      options.returnToBackground()
      throw error
    }
    dispatchMain()
  }

  /// Throws an error in the timers before the session is taken over from another process. Timers of the session,
  /// which `then` can name, are not known yet.
  private func checkWords(_ configuration: Configuration) throws {
    var options = LaunchOptions()
    options.configuration = configuration
    do {
      _ = try requestedTimers(with: options)
    } catch let error as TimerSyntaxError {
      if case .successorUnknown = error.problem { return }
      throw error
    }
  }

  /// Opens the terminal with the timers of the session and the requested ones.
  private func start(_ options: inout LaunchOptions, environment: [String: String]) throws {
    let startsEmpty = options.isTour || ignoresSession
    options.isTour = false
    options.specs = try requestedTimers(with: options)
    if options.specs.isEmpty, startsEmpty {
      options.specs = try timers(of: options.configuration.timers, with: options)
      if options.specs.isEmpty {
        options.isTour = true
        options.specs = try TimerSpec.parse(line: tour)
      }
    }
    let launch = options
    try MainActor.assumeIsolated {
      TerminalSession.current = try TerminalSession(launch, environment: environment)
    }
  }

  /// Adds the timers to a session in the background, or lets the session's board continue there.
  private func runInBackground(_ configuration: Configuration) throws -> Never {
    var control = ControlCommand()
    control.session = session
    control.configuration = self.configuration
    if words.isEmpty {
      try control.run(ControlRequest.Service.detach.rawValue, [])
    } else {
      // The owner of the session parses the timers again, with the names in its session.
      let context = TimerContext(now: .now(), defaults: configuration.timerDefaults)
      if let specs = try? TimerSpec.parse(arguments: words, in: context) {
        try checkIsNoCommand(specs)
      }
      try control.run(ControlVerb.add.rawValue, words)
    }
    Platform.exit(ExitStatus.success)
  }

  private func timers(of texts: [String], with options: LaunchOptions) throws -> [TimerSpec] {
    try TimerSpec.parse(entries: texts, in: options.context(at: .now()))
  }

  /// Returns the timers of the arguments.
  /// - Parameter options: The options with the restored timers, which new timers can name.
  private func requestedTimers(with options: LaunchOptions) throws -> [TimerSpec] {
    guard !words.isEmpty else { return [] }
    let specs: [TimerSpec]
    do throws(TimerSyntaxError) {
      specs = try TimerSpec.parse(arguments: words, in: options.context(at: .now()))
    } catch {
      if commands.contains(words[0]) {
        throw UsageError(
          "'\(words[0])' after an option (expected the command first: carillon \(words[0]) ...)")
      }
      if error.argument == 0, error.offset == 0,
        let command = Suggestion.nearest(to: words[0], of: commands)
      {
        throw UsageError("unknown command '\(words[0])' (did you mean '\(command)'?)")
      }
      throw error
    }
    try checkIsNoCommand(specs)
    return specs
  }

  /// Throws an error if a name without `=` is probably a misspelled command, as in `carillon runn 3m`.
  private func checkIsNoCommand(_ specs: [TimerSpec]) throws(UsageError) {
    guard let spec = specs.first, words.count > 1, spec.name == words[0], !words[1].hasPrefix("="),
      let command = Suggestion.nearest(to: words[0], of: commands)
    else { return }
    throw UsageError(
      "unknown command '\(words[0])' (did you mean '\(command)'?; with a name: \(spec.text))")
  }
}
