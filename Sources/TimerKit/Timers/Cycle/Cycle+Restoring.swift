public import Dispatch

extension Cycle {
  /// What is needed to make it again as it is now. While it executes, that is as it will be when its
  /// handlers have returned.
  public var checkpoint: Checkpoint {
    let time = storage.time
    return snapshot.checkpoint(
      at: time.instant, takenAt: time.wallInstant)
  }

  /// Makes a cycle again as it was. It runs if it was running.
  /// - Parameters:
  ///   - checkpoint: as it was; not a cancelled one.
  ///   - resumption: what the time since then means to one that was running.
  ///   - timeline: the clock it follows; by ``Timeline/wallNow`` it tells how long ago that was.
  ///   - queue: where handlers run; `nil` is a serial queue that all timers without one share.
  ///   - handler: called when a stage has ended.
  /// - Throws: ``TimerError/cancelled``, or what is wrong with the checkpoint's values.
  public convenience init(
    restoring checkpoint: Checkpoint, _ resumption: RestorePolicy = .catchUp,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerError) {
    var checkpoint = try checkpoint.checked()
    let elapsedPeriods =
      resumption == .catchUp ? try checkpoint.catchUp(to: timeline.wallNow) : 0
    try self.init(
      checkpoint.phases, rounds: checkpoint.rounds, includesFinalRest: checkpoint.includesFinalRest,
      tolerance: checkpoint.tolerance, on: timeline, queue: queue, handler: handler)
    storage.control(self) { [checkpoint] (machine, now) in
      machine.restore(checkpoint, elapsedPeriods: elapsedPeriods, at: now)
    }
  }
}

extension Cycle.Checkpoint {
  /// Lets the time from ``takenAt`` to `wall` go by, along the grid of the stages, and finishes when
  /// they are spent. Does nothing to one that was not running.
  /// - Returns: how many stages ended.
  /// - Throws: what is wrong with the phases or rounds.
  @discardableResult
  public mutating func catchUp(to wall: TimerClock.Instant) throws(TimerError) -> Int {
    let plan = try CyclePlan(phases, rounds: rounds, includesFinalRest: includesFinalRest)
    let elapsed = max(0, wall.nanoseconds.subtractingSaturated(takenAt.nanoseconds))
    takenAt = max(takenAt, wall)
    guard runPhase == .running, stageNumber < plan.stageCount else { return 0 }
    let left = max(0, timeLeft?.clampedNanoseconds ?? plan.duration(of: stageNumber))
    guard elapsed >= left else {
      timeLeft = .nanoseconds(left - elapsed)
      return 0
    }
    let (next, begin, missed) = plan.walk(from: stageNumber, endedAt: left, to: elapsed)
    stageNumber = next
    if next == plan.stageCount {
      runPhase = .finished
      timeLeft = nil
    } else {
      timeLeft = .nanoseconds(
        begin.addingSaturated(plan.duration(of: next)).subtractingSaturated(elapsed))
    }
    return missed + 1
  }

  /// The same, if a timer can be made of it: it may come from a file.
  fileprivate func checked() throws(TimerError) -> Self {
    guard runPhase != .cancelled else { throw .cancelled }
    let plan = try CyclePlan(phases, rounds: rounds, includesFinalRest: includesFinalRest)
    var checked = self
    if runPhase == .finished {
      checked.stageNumber = plan.stageCount
    } else if stageNumber < 0 || stageNumber >= plan.stageCount {
      throw .invalidCount(stageNumber)
    }
    return checked
  }
}
