// What it has in common with other kinds is in PausableTimer.swift. Every control can be called from
// any thread and from inside a handler. It throws ``TimerError/cancelled`` on a cancelled timer, and
// bad input before anything changes.
extension Repeater {
  /// Goes back to the start of a run: all iterations of its mode, a whole interval. What came due
  /// before and is not delivered yet is dropped, fires that were asked for as well.
  /// - Parameters:
  ///   - interval: a new interval; `nil` keeps the old one.
  ///   - restart: whether it runs then, or is idle.
  /// - Throws: ``TimerError/cancelled``, or ``TimerError/invalidInterval(_:)`` for one that is not
  ///   longer than zero.
  public func reset(interval: Duration? = nil, restart: Bool = true) throws(TimerError) {
    let nanoseconds = try interval?.checkedInterval()
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.reset(interval: nanoseconds, restart: restart, at: now)
    }
  }

  /// Changes the interval, also while it runs. One-shots know it too (SwiftTimer's `rescheduleRepeating`
  /// passes them over). The tolerance stays.
  /// - Parameters:
  ///   - interval: longer than zero.
  ///   - change: from where it counts; see ``IntervalChange``. A paused timer's time left changes
  ///     alike.
  /// - Throws: ``TimerError/cancelled``, or ``TimerError/invalidInterval(_:)``.
  public func setInterval(
    _ interval: Duration, _ change: IntervalChange = .fromNow
  ) throws(TimerError) {
    let nanoseconds = try interval.checkedInterval()
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.setInterval(nanoseconds, change, at: now)
    }
  }

  /// Puts the next fire off, or forward with a negative `change`; never before now.
  /// - Returns: false if no fire is to come: it is idle or finished.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) throws(TimerError) -> Bool {
    let nanoseconds = change.clampedNanoseconds
    return try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes how many deliveries are left in this run of a finite timer. The next run has as many as
  /// its mode says again.
  /// - Parameter count: at least 1.
  /// - Returns: false if it is not finite, or finished.
  /// - Throws: ``TimerError/cancelled``, or ``TimerError/invalidCount(_:)``.
  @discardableResult
  public func setRemainingIterations(_ count: Int) throws(TimerError) -> Bool {
    try storage.control(self) { (machine, _) throws(TimerError) in
      try machine.setRemainingIterations(count)
    }
  }

  /// Asks for a tick now, besides those of the clock, which it does not move. It counts as one of the
  /// iterations when it is delivered: on the queue, after a handler that runs.
  ///
  /// An idle or paused timer delivers it too and stays what it is. A pause, reset or cancel that comes
  /// before its delivery makes it stale; a new interval does not.
  /// - Parameter andPause: pauses first.
  /// - Returns: false if it is finished.
  /// - Throws: ``TimerError/cancelled``.
  @discardableResult
  public func fire(andPause: Bool = false) throws(TimerError) -> Bool {
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.fire(andPause: andPause, at: now)
    }
  }
}
