import TerminalCore
import TimerBoard
import TimerKit

extension BoardTimer {
  /// The time for which a fire shows as executing: long enough to be seen.
  static let executingTime = Duration.milliseconds(150)

  /// The instant until which the newest fire shows.
  var executingUntil: TimerClock.Instant? { lastFired?.advanced(by: Self.executingTime) }

  func state(at now: TimerClock.Instant) -> TimerState {
    executingUntil.map { $0 > now } ?? false || isExecuting ? .executing : status.state
  }

  /// The label of a state: of a cycle that runs, the phase.
  func stateLabel(_ state: TimerState) -> String {
    if isRinging { return "ringing" }
    if state == .running, case .cycle(let cycle) = status, let position = cycle.position {
      return position.phase.name
    }
    if state == .running, case .calls = status { return "pending" }
    return "\(state)"
  }

  /// A Boolean value that indicates whether a filter finds it; a fire that still shows makes no difference.
  func matches(_ text: SearchText) -> Bool {
    text.isIn(searchText, stateLabel(status.state))
  }

  /// The remark beside it: the end of its command, or else its note.
  var remark: String? { command.result?.text() ?? note }

  /// The counts of triggers and fires, in place of a bar; as many of them as there is room for.
  func callTally(in width: Int) -> String? {
    guard case .calls(let calls) = status else { return nil }
    let triggered = "\(calls.callCount) triggered"
    let fired = "\(triggered), \(calls.deliveredCount) fired"
    let shortest = "\(calls.callCount) calls"
    return ["\(fired), \(calls.suppressedCount) suppressed", fired, triggered, shortest]
      .first { $0.cellWidth <= width }
  }
}
