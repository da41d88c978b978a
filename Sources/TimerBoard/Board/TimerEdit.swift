import TimerKit

/// The way in which an edit reaches a live timer: as little of its time as possible is lost.
package enum TimerEdit: Hashable, Sendable {
  /// Name and note are the board's own; a `paused` that came or went is an action of the timer.
  case keepsTimer(TimerAction?)
  /// Created anew: with the time that it has left where only counts and policies changed, from its start
  /// where its time did.
  case recreates(TimerCheckpoint)

  package init(of timer: BoardTimer, to spec: TimerSpec, at now: ClockReading) {
    let old = timer.spec
    let start = TimerCheckpoint(startOf: spec, at: now)
    let isSameTimer =
      old.kind == spec.kind && old.tolerance == spec.tolerance
      && old.missedTicks == spec.missedTicks
    if isSameTimer {
      let action: TimerAction? =
        switch (timer.status.state, spec.isPaused) {
        case (.running, true): .pause
        case (.paused, false), (.idle, false): .start
        case (.finished, true): .reset(restart: false)
        default: nil
        }
      self = .keepsTimer(action)
    } else {
      self = .recreates(start.keeping(timer.status, at: now) ?? start)
    }
  }
}

extension TimerCheckpoint {
  /// Returns the checkpoint with the time and the iterations that a timer has left, if that is a repeater
  /// of the same interval.
  fileprivate func keeping(_ status: TimerStatus, at now: ClockReading) -> TimerCheckpoint? {
    guard case .repeater(var checkpoint) = self, case .repeater(let snapshot) = status,
      snapshot.configuration.interval == checkpoint.configuration.interval,
      snapshot.state != .finished
    else { return nil }
    checkpoint.clock = snapshot.clock
    checkpoint.timeLeft = snapshot.timeLeft(at: now[snapshot.clock]) ?? checkpoint.timeLeft
    if let count = checkpoint.configuration.mode.count,
      let usual = snapshot.configuration.mode.count,
      let left = snapshot.remainingIterations
    {
      checkpoint.remainingIterations = max(1, count - max(0, usual - left))
    }
    return .repeater(checkpoint)
  }
}
