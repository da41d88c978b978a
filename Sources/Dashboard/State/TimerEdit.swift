import TimerKit

/// What an edit means for a timer that is under way: as little as possible of its time is lost.
enum TimerEdit: Hashable, Sendable {
  /// Name and note are the board's own; a `paused` that came or went is a command to the timer.
  case keepsTimer(TimerCommand?)
  /// Made anew: with the time it has left where only counts and policies changed, from its start
  /// where its time did.
  case remakes(TimerCheckpoint)

  init(of row: Row, to spec: TimerSpec, at now: Moment) {
    let old = row.spec
    let start = TimerCheckpoint(startOf: spec, at: now)
    let isSameTimer =
      old.kind == spec.kind && old.tolerance == spec.tolerance
      && old.missedTicks == spec.missedTicks
    if isSameTimer {
      let command: TimerCommand? =
        switch (row.status.phase, spec.isPaused) {
        case (.running, true): .pause
        case (.paused, false), (.idle, false): .start
        case (.finished, true): .reset(restart: false)
        default: nil
        }
      self = .keepsTimer(command)
    } else {
      self = .remakes(start.keeping(row.status, at: now) ?? start)
    }
  }
}

extension TimerCheckpoint {
  /// The same with the time and the deliveries that a timer still has, if it is a repeater of the
  /// same interval as this.
  fileprivate func keeping(_ status: TimerStatus, at now: Moment) -> TimerCheckpoint? {
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
