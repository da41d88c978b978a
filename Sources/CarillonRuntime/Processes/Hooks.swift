import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The commands that run at events: those of the configuration for any timer, then the timer's own. Used on the main
/// queue.
///
/// A hook runs at most once for each event. For the time in which no process ran the timers, only `missed` hooks run.
@MainActor
final class Hooks {
  private var hooks: [Transition.Event: [String]]
  private let session: SessionName?
  private let limit: Int
  private let timeLimit: Duration?
  private let onEnd: @MainActor (_ error: String?) -> Void
  private lazy var runner = CommandRunner<Key>(
    atOnce: limit, timeLimit: timeLimit, output: .kept, allowsOverlap: true
  ) { [weak self] key, ending, line in
    self?.ended(key, ending, line)
  }
  private struct Key: Hashable {
    var timer: TimerID
    var event: Transition.Event
    var command: String
  }

  /// The labels for the errors of the hooks that are running or waiting: `tea: paused`.
  private var labels: [Key: String] = [:]

  /// - Parameter onEnd: Called when a hook has ended, with an error if it has failed.
  init(
    _ hooks: [Transition.Event: [String]], session: SessionName?,
    atOnce limit: Int = Configuration.standardCommandLimit, timeLimit: Duration?,
    onEnd: @escaping @MainActor (_ error: String?) -> Void
  ) {
    self.hooks = hooks
    self.session = session
    self.limit = limit
    self.timeLimit = timeLimit
    self.onEnd = onEnd
  }

  var isIdle: Bool { runner.isIdle }

  private func ended(_ key: Key, _ ending: CommandEnding, _ line: String) {
    let label = labels[key] ?? ""
    if !runner.isBusy(with: key) { labels[key] = nil }
    guard !ending.isSuccess else { return onEnd(nil) }
    onEnd("\(label): hook: \(ending.text)" + (line.isEmpty ? "" : " '\(line)'"))
  }

  /// Uses the hooks and limits of another configuration for the events from now on.
  func use(_ configuration: Configuration) {
    hooks = configuration.hooks
    runner.setLimits(atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit)
  }

  func run(_ transitions: [Transition]) {
    for transition in transitions {
      let own = transition.spec.hooks.filter { $0.event == transition.event }.map(\.command)
      for hook in (hooks[transition.event] ?? []) + own {
        var event = EventText(transition, at: .now())
        event.session = session
        let key = Key(timer: transition.id, event: transition.event, command: hook)
        labels[key] = "\(event.timer): \(transition.event)"
        // If too many commands run, only the newest event waits, as for a timer's command.
        runner.run(.shell(hook), for: key, event)
      }
    }
  }

  func stop() {
    runner.stop()
  }
}
