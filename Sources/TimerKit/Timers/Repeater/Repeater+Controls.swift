// The controls that a Repeater shares with other kinds are in PausableTimer.swift.
extension Repeater {
  /// Resets the timer to the start of a run, with all iterations of its mode and a whole interval. Ticks and
  /// manual fires that have not been delivered are dropped.
  /// - Parameter restart: true to start it, false to make it idle.
  @discardableResult
  public func reset(restart: Bool = true) -> ControlResult {
    storage.control(self) { (machine, now) in
      machine.reset(interval: nil, restart: restart, at: now)
    }
  }

  /// Resets the timer to the start of a run with another interval.
  /// - Parameters:
  ///   - interval: greater than zero; zero is valid for a timer that fires once.
  ///   - restart: true to start it, false to make it idle.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` if the interval is invalid; nothing changes then.
  @discardableResult
  public func reset(
    interval: Duration, restart: Bool = true
  ) throws(TimerConfigurationError) -> ControlResult {
    let nanoseconds = try checked(interval)
    return storage.control(self) { (machine, now) in
      machine.reset(interval: nanoseconds, restart: restart, at: now)
    }
  }

  /// Changes the interval, also while the timer runs and for a timer that fires once.
  /// - Parameters:
  ///   - interval: greater than zero; zero is valid for a timer that fires once.
  ///   - change: the time from which the new interval counts. The time left of a paused timer changes in the
  ///     same way.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` if the interval is invalid; nothing changes then.
  @discardableResult
  public func setInterval(
    _ interval: Duration, _ change: IntervalChange = .fromNow
  ) throws(TimerConfigurationError) -> ControlResult {
    let nanoseconds = try checked(interval)
    return storage.control(self) { (machine, now) in
      machine.setInterval(nanoseconds, change, at: now)
    }
  }

  /// Defers the next fire, or brings it forward if `change` is negative, but not before now. All later fires
  /// move with it.
  /// - Returns: ``ControlResult/unchanged`` if the timer is idle or finished.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    let nanoseconds = change.clampedNanoseconds
    return storage.control(self) { (machine, now) in
      machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes the number of deliveries that are left in this run of a finite timer. The next run has the number
  /// of its mode again.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:parameter:)`` if `count` is less than 1.
  @discardableResult
  public func setRemainingIterations(
    _ count: Int
  ) throws(TimerConfigurationError) -> ControlResult {
    guard count >= 1 else { throw .invalidCount(count, parameter: .remainingIterations) }
    return storage.control(self) { (machine, _) in machine.setRemainingIterations(count) }
  }

  /// Requests a tick now. The next scheduled tick does not move. The manual tick is delivered on the queue,
  /// after a running handler has returned, and uses up an iteration.
  ///
  /// An idle or paused timer also delivers it, and stays idle or paused, unless that was the last iteration. A pause,
  /// reset or cancellation before its delivery makes it stale; a new interval does not.
  /// - Parameter andPause: true to pause the timer first.
  @discardableResult
  public func fire(andPause: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(andPause: andPause, at: now) }
  }

  private func checked(_ interval: Duration) throws(TimerConfigurationError) -> Int64 {
    try interval.checkedInterval(isOnce: storage.read { $0.mode == .once })
  }
}
