import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The commands of the configuration that run at events of any timer, on the main queue. A hook runs at most once for
/// each event, and never for one of a time in which no process ran the timer, except `missed`.
@MainActor
final class Hooks {
  private var hooks: [Transition.Event: [String]]
  private let session: SessionName?
  private let runner: CommandRunner
  private var lastNumber = 0

  /// - Parameter onEnd: Called when a hook has ended, with an error if it has failed.
  init(
    _ hooks: [Transition.Event: [String]], session: SessionName?, atOnce limit: Int,
    timeLimit: Duration, onEnd: @escaping @MainActor (_ error: String?) -> Void
  ) {
    self.hooks = hooks
    self.session = session
    runner = CommandRunner(atOnce: limit, timeLimit: timeLimit, output: .kept) { _, ending, line in
      guard !ending.isSuccess else { return onEnd(nil) }
      onEnd("hook: \(ending.text)" + (line.isEmpty ? "" : " '\(line)'"))
    }
  }

  var isIdle: Bool { runner.isIdle }

  /// Uses the hooks and limits of another configuration for the events from now on.
  func use(_ configuration: Configuration) {
    hooks = configuration.hooks
    runner.setLimits(atOnce: configuration.commandLimit, timeLimit: configuration.commandTimeLimit)
  }

  func run(_ transitions: [Transition]) {
    guard !hooks.isEmpty else { return }
    let now = ClockReading.now()
    for transition in transitions {
      for hook in hooks[transition.event] ?? [] {
        var report = EventReport(transition, at: now)
        report.session = session
        lastNumber += 1
        // With a number of its own, so that none waits for another event of the same timer.
        runner.run(.shell(hook), for: TimerID(lastNumber), report)
      }
    }
  }

  func stop() {
    runner.stop()
  }
}
