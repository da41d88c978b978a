import Dashboard
import Dispatch
import Platform
import TimerBoard
import TimerKit

/// `carillon` without a command's name: the dashboard.
package struct DashboardCommand {
  /// The timers to start; `@NAME` stands for those of a preset.
  package var words: [String] = []
  /// A Boolean value that indicates whether the saved session is neither restored nor saved.
  package var ignoresSession = false
  package var session = SessionName.main
  /// A Boolean value that indicates whether the session is taken over from another process without a question.
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
    if detaches { try runInBackground() }
    let environment = ProcessInfo.processInfo.environment
    var options = LaunchOptions()
    let configuration = try Configuration.read(self.configuration, environment: environment)
    if !ignoresSession, let store = SessionStore(environment: environment, name: session) {
      let opening = SessionOpening(takesOver: takesOver, environment: environment)
      options = try opening.open(store, as: SessionOwner(.board, at: .now()))
    }
    options.configuration = configuration
    options.configurationFile = self.configuration
    if !usesMouse { options.configuration.usesMouse = false }
    let isFirst = options.isTour || ignoresSession
    options.isTour = false
    options.specs = try requestedTimers(beside: options)
    if options.specs.isEmpty, isFirst {
      options.specs = try timers(of: configuration.timers, beside: options)
      if options.specs.isEmpty {
        options.isTour = true
        options.specs = try TimerSpec.parse(line: tour)
      }
    }
    try MainActor.assumeIsolated {
      TerminalSession.current = try TerminalSession(options, environment: environment)
    }
    dispatchMain()
  }

  /// Adds the timers to a session in the background, or lets the session's board continue there.
  private func runInBackground() throws -> Never {
    var control = ControlCommand()
    control.session = session
    if words.isEmpty {
      try control.run(ControlRequest.Service.detach.rawValue, [])
    } else {
      try control.run(ControlVerb.add.rawValue, words)
    }
    Platform.exit(ExitStatus.success)
  }

  private func timers(of texts: [String], beside options: LaunchOptions) throws -> [TimerSpec] {
    guard !texts.isEmpty else { return [] }
    return try TimerSpec.parse(line: texts.joined(separator: "\n"), in: context(options))
  }

  private func context(_ options: LaunchOptions) -> TimerContext {
    TimerContext(names: options.names, now: ClockReading.now().wall)
  }

  /// Returns the timers of the arguments.
  /// - Parameter options: The options with the restored timers, which new timers can name.
  private func requestedTimers(beside options: LaunchOptions) throws -> [TimerSpec] {
    try options.configuration.specs(of: words, in: context(options)) {
      try requestedTimers($0, beside: options)
    }
  }

  private func requestedTimers(
    _ timers: [String], beside options: LaunchOptions
  ) throws -> [TimerSpec] {
    guard !timers.isEmpty else { return [] }
    do throws(TimerSyntaxError) {
      return try TimerSpec.parse(words: timers, in: context(options))
    } catch {
      if error.argument == 0, error.offset == 0,
        let command = Suggestion.nearest(to: timers[0], of: commands)
      {
        throw UsageError("unknown command '\(timers[0])' (did you mean '\(command)'?)")
      }
      throw error
    }
  }
}
