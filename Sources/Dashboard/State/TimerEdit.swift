import TimerKit

/// What an edit means for a timer that is under way: as little as possible of its time is lost.
enum TimerEdit: Hashable, Sendable {
  /// Name and note are the board's own; a `paused` that came or went is a command to the timer.
  case keepsTimer(TimerCommand?)
  /// Made anew: with the time it has left where only counts and policies changed, from its start
  /// where its time did.
  case remakes(Repeater.Checkpoint)

  init(of row: Row, to spec: TimerSpec, at now: Moment) {
    let old = row.spec
    let snapshot = row.snapshot
    let start = Repeater.Checkpoint(startOf: spec, at: now)
    let isSameTimer =
      old.kind == spec.kind && old.tolerance == spec.tolerance
      && old.missedTicks == spec.missedTicks
    if isSameTimer {
      let command: TimerCommand? =
        switch (snapshot.phase, spec.isPaused) {
        case (.running, true): .pause
        case (.paused, false), (.idle, false): .start
        case (.finished, true): .reset(restart: false)
        default: nil
        }
      self = .keepsTimer(command)
    } else if snapshot.interval != start.interval || snapshot.phase == .finished {
      self = .remakes(start)
    } else {
      var checkpoint = start
      checkpoint.clock = snapshot.clock
      checkpoint.timeLeft = snapshot.timeLeft(at: now[snapshot.clock]) ?? start.timeLeft
      if let count = start.mode.count, let usual = snapshot.mode.count,
        let left = snapshot.remainingIterations
      {
        checkpoint.remainingIterations = max(1, count - max(0, usual - left))
      }
      self = .remakes(checkpoint)
    }
  }
}
