import TerminalCore
import TimerBoard
import TimerKit

extension BoardTimer {
  /// The role of the state that a row shows: that of the timer, or `executing` while the command runs.
  var displayedState: Role { commandState.isRunning ? .executing : Role(status.state) }

  /// Returns the label of a state. An alert can replace it with `ringing` or `waiting`; a running cycle has the name of
  /// its phase, and a running triggered timer `pending`.
  func stateLabel(_ state: Role) -> String {
    if isRinging { return "ringing" }
    if standsReady { return "waiting" }
    if state == .running, case .cycle(let cycle) = status, let position = cycle.position {
      return position.phase.name
    }
    if state == .running, case .triggered = status { return "pending" }
    return "\(state)"
  }

  /// Returns true if the timer matches a filter. The state `executing` is not searched.
  func matches(_ query: SearchQuery) -> Bool {
    query.matches(searchText, stateLabel(Role(status.state)))
  }

  /// The result of the command, or else the note.
  var resultOrNote: String? { commandState.result?.text() ?? note }

  /// Returns the counts of triggers and fires that fit in place of the bar; `nil` if none fits, or for a timer that
  /// does not wait for triggers.
  func triggerCountText(in width: Int) -> String? {
    guard case .triggered(let calls) = status else { return nil }
    guard calls.callCount > 0 else {
      return ["not triggered yet", "no fires"].first { $0.utf8.count <= width }
    }
    let triggered = "\(calls.callCount) triggered"
    let fired = "\(triggered), \(calls.deliveredCount) fired"
    let all =
      calls.droppedCount > 0 ? "\(fired), \(calls.droppedCount) dropped" : fired
    return [all, fired, triggered, "\(calls.callCount) trig."].first { $0.utf8.count <= width }
  }
}
