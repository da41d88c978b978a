public import Dispatch

extension Repeater {
  /// What is needed to make it again as it is now. While it executes, that is as it will be when its
  /// handlers have returned.
  public var checkpoint: Checkpoint {
    storage.checkpoint
  }

  /// Makes a timer again as it was. It runs if it was running.
  /// - Parameters:
  ///   - checkpoint: as it was; not a cancelled one.
  ///   - resumption: what the time since then means to one that was running.
  ///   - timeline: the clock it follows; by ``Timeline/wallNow`` it tells how long ago that was.
  ///     `nil` is the system's clock of the kind it followed.
  ///   - queue: where handlers run; `nil` is a serial queue that all timers without one share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerError/cancelled``, or what is wrong with the checkpoint's values;
  ///   ``TimerError/noOccurrence`` where it would go on but its date is past.
  public convenience init(
    restoring checkpoint: Checkpoint, _ resumption: RestorePolicy = .catchUp,
    on timeline: (TimerClock)? = nil, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    let timeline = timeline ?? TimerClock(checkpoint.clock)
    let (checkpoint, elapsedPeriods) = try checkpoint.resumed(resumption, at: timeline.wallNow)
    if let schedule = checkpoint.schedule {
      try self.init(
        on: schedule, mode: checkpoint.mode, tolerance: checkpoint.tolerance,
        missed: checkpoint.missedTicks, timeline: timeline, queue: queue, handler: handler)
    } else {
      try self.init(
        every: checkpoint.interval, mode: checkpoint.mode, tolerance: checkpoint.tolerance,
        missed: checkpoint.missedTicks, on: timeline, queue: queue, handler: handler)
    }
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.restore(checkpoint, elapsedPeriods: elapsedPeriods, at: now)
    }
  }
}

extension Repeater.Checkpoint {
  /// Lets the time from ``takenAt`` to `wall` go by: uses up one iteration for each period, and
  /// finishes when they are spent. Does nothing to one that was not running.
  /// - Returns: how many periods went by.
  @discardableResult
  public mutating func catchUp(to wall: TimerClock.Instant) -> Int {
    let begin = takenAt
    takenAt = max(takenAt, wall)
    guard phase == .running else { return 0 }
    let (periods, left) = schedule.map { passed(along: $0, since: begin) } ?? passed(since: begin)
    if let count = remainingIterations, count <= periods {
      phase = .finished
      remainingIterations = 0
      timeLeft = nil
      return count
    }
    remainingIterations = remainingIterations.map { $0 - periods }
    timeLeft = left
    return periods
  }

  private func passed(
    along schedule: WallSchedule, since begin: TimerClock.Instant
  ) -> (periods: Int, timeLeft: Duration?) {
    let deadline = timeLeft.map(begin.advanced) ?? schedule.next(after: begin) ?? .distantFuture
    guard deadline <= takenAt else { return (0, takenAt.duration(to: deadline)) }
    let (later, next) = schedule.passed(since: deadline.nanoseconds, at: takenAt.nanoseconds)
    return (later + 1, takenAt.duration(to: TimerClock.Instant(nanoseconds: next)))
  }

  private func passed(since begin: TimerClock.Instant) -> (periods: Int, timeLeft: Duration?) {
    let elapsed = takenAt.nanoseconds.subtractingSaturated(begin.nanoseconds)
    let period = max(1, interval.clampedNanoseconds)
    let overdue = elapsed.subtractingSaturated((timeLeft ?? interval).clampedNanoseconds)
    guard overdue >= 0 else { return (0, .nanoseconds(-overdue)) }
    let periods = Int(overdue / period).addingSaturated(1)
    return (periods, .nanoseconds(period - overdue % period))
  }

  /// What a timer is restored from, and how many periods went by.
  func resumed(
    _ resumption: RestorePolicy, at wall: TimerClock.Instant
  ) throws(TimerError) -> (Self, elapsedPeriods: Int) {
    var resumed = try checked()
    let elapsedPeriods = resumption == .catchUp ? resumed.catchUp(to: wall) : 0
    return (resumed, elapsedPeriods)
  }

  /// The same, if a timer can be made of it: it may come from a file.
  private func checked() throws(TimerError) -> Self {
    guard phase != .cancelled else { throw .cancelled }
    var checked = self
    checked.remainingIterations = mode.count.map { remainingIterations ?? $0 }
    if phase == .finished { checked.remainingIterations = mode.count.map { _ in 0 } }
    if let left = checked.remainingIterations, left < (phase == .finished ? 0 : 1) {
      throw .invalidCount(left)
    }
    return checked
  }
}
