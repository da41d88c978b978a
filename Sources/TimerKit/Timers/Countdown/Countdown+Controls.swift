// What it has in common with other kinds is in PausableTimer.swift.
extension Countdown {
  /// Goes back to the first step.
  /// - Parameters:
  ///   - interval: a new interval; `nil` keeps the old one.
  ///   - restart: whether it runs then, or is idle.
  /// - Throws: ``TimerError/invalidInterval(_:)`` or ``TimerError/cancelled``.
  public func reset(interval: Duration? = nil, restart: Bool = true) throws(TimerError) {
    let nanoseconds = try interval?.checkedInterval()
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.reset(interval: nanoseconds, restart: restart, at: now)
    }
  }

  /// Changes the time between two steps, also while it runs.
  /// - Throws: ``TimerError/invalidInterval(_:)`` or ``TimerError/cancelled``.
  public func setInterval(
    _ interval: Duration, _ change: Repeater.IntervalChange = .fromNow
  ) throws(TimerError) {
    let nanoseconds = try interval.checkedInterval()
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.setInterval(nanoseconds, change, at: now)
    }
  }

  /// Puts the next step off, or forward with a negative `change`; never before now. Those after it
  /// move with it.
  /// - Returns: false if no step is to come: it is idle or finished.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) throws(TimerError) -> Bool {
    let nanoseconds = change.clampedNanoseconds
    return try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes how many steps are left in this run; a ``reset(interval:restart:)`` goes back to what it
  /// was made with.
  /// - Returns: false if it is finished.
  /// - Throws: ``TimerError/invalidCount(_:)`` below 1, or ``TimerError/cancelled``.
  @discardableResult
  public func setStepsLeft(_ steps: Int) throws(TimerError) -> Bool {
    try storage.control(self) { (machine, _) throws(TimerError) in
      try machine.setRemainingIterations(steps)
    }
  }

  /// Takes the next step now, besides those of the clock, which it does not move.
  /// - Parameter andPause: pauses first.
  /// - Returns: false if it is finished.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func step(andPause: Bool = false) throws(TimerError) -> Bool {
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.fire(andPause: andPause, at: now)
    }
  }

  /// The steps that are still to be delivered.
  public var stepsLeft: Int { storage.read { $0.left ?? 0 } }

  /// The time until the next step, frozen while it is paused; `nil` where none is to come.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.time.instant) }

  /// Whether a tick still counts: see ``Repeater/isCurrent(_:)``. Observers are given ticks.
  public func isCurrent(_ tick: Tick) -> Bool { storage.read { $0.isCurrent(tick) } }

  /// Everything there is to know about it at this moment: one consistent value. The steps left are
  /// its remaining iterations.
  public var snapshot: Snapshot { storage.snapshot }

  /// What is needed to make it again as it is now.
  public var checkpoint: Checkpoint { storage.checkpoint }
}
