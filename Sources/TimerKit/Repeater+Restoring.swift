public import Dispatch

extension Repeater {
  /// What is needed to make it again as it is now. While it executes, that is as it will be when its
  /// handlers have returned.
  public var checkpoint: Checkpoint {
    shell.checkpoint
  }

  /// Makes a timer again as it was. It runs if it was running.
  /// - Parameters:
  ///   - checkpoint: as it was; not a cancelled one.
  ///   - resumption: what the time since then means to one that was running.
  ///   - timeline: the clock it follows; by ``Timeline/wallNow`` it tells how long ago that was.
  ///   - queue: where handlers run; `nil` is a serial queue that all timers without one share.
  ///   - handler: called for every tick.
  public convenience init(
    restoring checkpoint: Checkpoint, _ resumption: Resumption = .byClock,
    on timeline: any Timeline = SystemTimeline.uptime, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerError) {
    let (checkpoint, wentBy) = try checkpoint.resumed(resumption, at: timeline.wallNow)
    try self.init(
      every: checkpoint.interval, mode: checkpoint.mode, tolerance: checkpoint.tolerance,
      missed: checkpoint.missedTicks, on: timeline, queue: queue, handler: handler)
    shell.control(self) { (machine, now) in
      machine.restore(checkpoint, wentBy: wentBy, at: now)
    }
  }
}

extension Repeater.Checkpoint {
  /// Lets the time from ``takenAt`` to `wall` go by: uses up one iteration for each period, and
  /// finishes when they are spent. Does nothing to one that was not running.
  /// - Returns: how many periods went by.
  @discardableResult
  public mutating func catchUp(to wall: TimelineInstant) -> Int {
    let elapsed = max(0, wall.nanoseconds.subtractingSaturated(takenAt.nanoseconds))
    takenAt = max(takenAt, wall)
    guard phase == .running else { return 0 }
    let period = max(1, interval.clampedNanoseconds)
    let overdue = elapsed.subtractingSaturated((timeLeft ?? interval).clampedNanoseconds)
    guard overdue >= 0 else {
      timeLeft = .nanoseconds(-overdue)
      return 0
    }
    let periods = Int(overdue / period).addingSaturated(1)
    if let left = remainingIterations, left <= periods {
      phase = .finished
      remainingIterations = 0
      timeLeft = nil
      return left
    }
    remainingIterations = remainingIterations.map { $0 - periods }
    timeLeft = .nanoseconds(period - overdue % period)
    return periods
  }

  /// What a timer is restored from, and how many periods went by.
  func resumed(
    _ resumption: Resumption, at wall: TimelineInstant
  ) throws(TimerError) -> (Self, wentBy: Int) {
    var resumed = try checked()
    let wentBy = resumption == .byClock ? resumed.catchUp(to: wall) : 0
    return (resumed, wentBy)
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
