import TimerKit

/// The change of a live timer that an edit requires.
package enum TimerEdit: Hashable, Sendable {
  /// The live timer stays; if `paused` was added or removed, an action is performed on it.
  case keepsTimer(TimerAction?)
  /// The live timer is recreated from a checkpoint.
  ///
  /// A countdown or an `every` keeps its time left and the number of its past iterations if its interval stays; a timer
  /// that follows the time of day keeps that number. A cycle keeps its phase and its time left if its phases stay and
  /// its rounds still include that phase. A stopwatch keeps its time. Every other timer, and one that has finished,
  /// starts from the beginning.
  case recreates(TimerCheckpoint)

  package init(of timer: BoardTimer, to spec: TimerSpec, at now: ClockReading) {
    let start = TimerCheckpoint(startOf: spec, at: now)
    if !spec.recreatesTimer(of: timer.spec) {
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
  /// Returns the checkpoint with the time and the iterations that a timer has left, or the time that it has counted, if
  /// the timer is a repeater of the same interval, a cycle of the same phases, or a stopwatch; otherwise `nil`.
  fileprivate func keeping(_ status: TimerStatus, at now: ClockReading) -> TimerCheckpoint? {
    switch (self, status) {
    case (.cycle(var checkpoint), .cycle(let snapshot)):
      guard snapshot.configuration.phases == checkpoint.configuration.phases,
        snapshot.phaseIndex < checkpoint.configuration.phaseCount ?? .max,
        snapshot.state != .finished
      else { return nil }
      checkpoint.phaseIndex = snapshot.phaseIndex
      checkpoint.timeLeft = status.timeLeft(at: now) ?? checkpoint.timeLeft
      return .cycle(checkpoint)
    case (.stopwatch(var checkpoint), .stopwatch(let snapshot)):
      let old = snapshot.checkpoint(at: now[snapshot.clock], wall: now.wall)
      (checkpoint.elapsed, checkpoint.laps) = (old.elapsed, old.laps)
      return .stopwatch(checkpoint)
    case (.repeater(var checkpoint), .repeater(let snapshot)):
      // Timers that follow the time of day have no interval, which counts as the same.
      guard snapshot.configuration.interval == checkpoint.configuration.interval,
        snapshot.state != .finished
      else { return nil }
      let timeLeft = snapshot.timeLeft(at: now[snapshot.clock]).map { $0 - snapshot.jitterDelay }
      checkpoint.timeLeft = timeLeft ?? checkpoint.timeLeft
      if let count = checkpoint.configuration.mode.count,
        let oldCount = snapshot.configuration.mode.count,
        let left = snapshot.remainingIterations
      {
        checkpoint.remainingIterations = max(1, count - max(0, oldCount - left))
      }
      return .repeater(checkpoint)
    default: return nil
    }
  }
}
