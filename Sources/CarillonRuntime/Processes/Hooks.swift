import TimerBoard

/// The commands that run at events: those of the configuration for any timer, then the timer's own. Used on the main
/// queue.
///
/// A hook runs at most once for each event. For the time in which no process ran the timers, only `missed` hooks run.
@MainActor
final class Hooks {
  private var configuration: Configuration
  private let session: SessionName?
  private let onEnd: @MainActor (_ error: String?) -> Void
  private lazy var runner = CommandRunner<Key>(
    atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit, output: .kept,
    allowsOverlap: true
  ) { [weak self] key, ending, line in self?.ended(key, ending, line) }

  private struct Key: Hashable {
    var timer: TimerID
    var event: Transition.Event
    var command: String
    /// The name of the timer, for the error.
    var name: String
  }

  /// - Parameter onEnd: Called when a hook has ended, with an error if it has failed.
  init(
    _ configuration: Configuration, session: SessionName?,
    onEnd: @escaping @MainActor (_ error: String?) -> Void
  ) {
    self.configuration = configuration
    self.session = session
    self.onEnd = onEnd
  }

  var isIdle: Bool { runner.isIdle }

  private func ended(_ key: Key, _ ending: CommandEnding, _ line: String) {
    guard !ending.isSuccess else { return onEnd(nil) }
    onEnd("\(key.name): \(key.event): hook: \(ending.text)" + (line.isEmpty ? "" : " '\(line)'"))
  }

  /// Uses the hooks and limits of another configuration for the events from now on.
  func use(_ configuration: Configuration) {
    self.configuration = configuration
    runner.limit = configuration.commandLimit
    runner.timeLimit = configuration.commandTimeLimit
  }

  func run(_ transitions: [Transition]) {
    for transition in transitions {
      let own = transition.spec.hooks.filter { $0.event == transition.event }.map(\.command)
      for hook in (configuration.hooks[transition.event] ?? []) + own {
        let event = EventText(transition, at: .now(), session: session)
        let key = Key(
          timer: transition.id, event: transition.event, command: hook, name: event.timer)
        // If too many commands run, only the newest event waits, as for a timer's command.
        runner.run(.shell(hook), for: key, event)
      }
    }
  }

  func stop() { runner.stop() }
}
