// The controls that a Repeater shares with other kinds are in PausableTimer.swift.
extension Repeater {
  /// Resets the timer to the start of a run: all iterations of its mode, a whole interval. Ticks that are due
  /// and not delivered yet are dropped, and so are manual fires.
  /// - Parameter restart: true to run, false to be idle.
  @discardableResult
  public func reset(restart: Bool = true) -> ControlResult {
    storage.control(self) { (machine, now) in
      machine.reset(interval: nil, restart: restart, at: now)
    }
  }

  /// Resets the timer to the start of a run with another interval.
  /// - Throws: ``TimerConfigurationError/invalidInterval(_:)``; nothing has changed then.
  @discardableResult
  public func reset(
    interval: Duration, restart: Bool = true
  ) throws(TimerConfigurationError) -> ControlResult {
    let nanoseconds = try checked(interval)
    return storage.control(self) { (machine, now) in
      machine.reset(interval: nanoseconds, restart: restart, at: now)
    }
  }

  /// Changes the interval, also of a running timer, and of one that fires once.
  /// - Parameters:
  ///   - interval: greater than zero; zero is valid for a timer that fires once.
  ///   - change: the moment from which it counts. The time left of a paused timer changes alike.
  /// - Throws: ``TimerConfigurationError/invalidInterval(_:)``; nothing has changed then.
  @discardableResult
  public func setInterval(
    _ interval: Duration, _ change: IntervalChange = .fromNow
  ) throws(TimerConfigurationError) -> ControlResult {
    let nanoseconds = try checked(interval)
    return storage.control(self) { (machine, now) in
      machine.setInterval(nanoseconds, change, at: now)
    }
  }

  /// Defers the next fire, or brings it forward if `change` is negative; never before now.
  /// - Returns: ``ControlResult/unchanged`` if no fire is to come: the timer is idle or finished.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    let nanoseconds = change.clampedNanoseconds
    return storage.control(self) { (machine, now) in
      machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes the number of deliveries that are left in this run of a finite timer. The next run has
  /// as many as its mode says again.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:)`` if `count` is less than 1.
  @discardableResult
  public func setRemainingIterations(
    _ count: Int
  ) throws(TimerConfigurationError) -> ControlResult {
    guard count >= 1 else { throw .invalidCount(count) }
    return storage.control(self) { (machine, _) in machine.setRemainingIterations(count) }
  }

  /// Requests a tick now. The next tick by the clock does not move. A manual tick uses up an iteration when
  /// it is delivered: on the queue, after a running handler.
  ///
  /// An idle or paused timer delivers it too, and stays idle or paused. A pause, reset or cancel before
  /// its delivery makes it stale; a new interval does not.
  /// - Parameter andPause: true to pause first.
  @discardableResult
  public func fire(andPause: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(andPause: andPause, at: now) }
  }

  private func checked(_ interval: Duration) throws(TimerConfigurationError) -> Int64 {
    try interval.checkedInterval(isOnce: storage.read { $0.mode == .once })
  }
}
