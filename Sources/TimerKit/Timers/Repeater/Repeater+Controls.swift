// The controls that a Repeater shares with other kinds are in PausableTimer.swift.
extension Repeater {
  /// Resets the timer, changes its interval and starts it: see ``PausableTimer/restart()``.
  /// - Parameter interval: greater than zero; zero is valid for a timer that fires once.
  /// - Returns: ``ControlResult/Refusal/invalid(_:)`` if the interval is invalid.
  @discardableResult
  public func restart(every interval: Duration) -> ControlResult {
    storage.control(self, try checked(interval)) { (machine, nanoseconds, now) in
      machine.restart(every: nanoseconds, at: now)
    }
  }

  /// Changes the interval, also while the timer runs and for a timer that fires once.
  /// - Parameters:
  ///   - interval: greater than zero; zero is valid for a timer that fires once.
  ///   - start: the time from which the new interval counts. The time left of a paused timer changes in the
  ///     same way.
  /// - Returns: ``ControlResult/Refusal/invalid(_:)`` if the interval is invalid.
  @discardableResult
  public func setInterval(
    _ interval: Duration, counting start: IntervalStart = .fromNow
  ) -> ControlResult {
    storage.control(self, try checked(interval)) { (machine, nanoseconds, now) in
      machine.setInterval(nanoseconds, counting: start, at: now)
    }
  }

  /// Defers the next fire, or brings it forward if `change` is negative, but not before now. All later fires
  /// move with it.
  /// - Returns: a refusal if the timer is idle or finished, or follows a schedule.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    let nanoseconds = change.clampedNanoseconds
    return storage.control(self) { (machine, now) in
      machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes the number of deliveries that are left in this run of a finite timer. The mode does not change, and
  /// determines the number of deliveries in the next run.
  /// - Returns: a refusal if the timer is infinite or finished, or if it follows a schedule on one date and `count` is
  ///   not 1; ``ControlResult/Refusal/invalid(_:)`` if `count` is less than 1.
  @discardableResult
  public func setRemainingIterations(_ count: Int) -> ControlResult {
    guard count >= 1 else {
      return .refused(.invalid(.invalidCount(count, parameter: .remainingIterations)))
    }
    return storage.control(self) { (machine, _) in machine.setRemainingIterations(count) }
  }

  /// Requests a tick now, and does not move the next deadline. The manual tick is delivered on the queue,
  /// after a running handler has returned, and uses up an iteration.
  ///
  /// An idle or paused timer also delivers it, and stays idle or paused, unless that was the last iteration. A pause,
  /// reset or cancellation before its delivery makes it stale; a new interval does not.
  /// - Parameter pausing: true to pause the timer before the request, so that the pause does not drop it.
  /// - Returns: ``ControlResult/Refusal/tooManyPending`` if too many manual ticks wait; nothing changes then.
  @discardableResult
  public func fire(pausing: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(pausing: pausing, at: now) }
  }

  private func checked(_ interval: Duration) throws(TimerConfigurationError) -> Int64 {
    try interval.checkedInterval(isOnce: storage.readMachine { $0.mode == .once })
  }
}
