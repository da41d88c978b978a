// The controls that a Countdown shares with other kinds are in PausableTimer.swift.
extension Countdown {
  /// Resets the countdown to its first step.
  /// - Parameter restart: true to run, false to be idle.
  @discardableResult
  public func reset(restart: Bool = true) -> ControlResult {
    storage.control(self) { (machine, now) in
      machine.reset(interval: nil, restart: restart, at: now)
    }
  }

  /// Changes the time between two steps, also of a running countdown.
  /// - Throws: ``TimerConfigurationError/invalidInterval(_:)``; nothing has changed then.
  @discardableResult
  public func setInterval(
    _ interval: Duration, _ change: Repeater.IntervalChange = .fromNow
  ) throws(TimerConfigurationError) -> ControlResult {
    let nanoseconds = try interval.checkedInterval()
    return storage.control(self) { (machine, now) in
      machine.setInterval(nanoseconds, change, at: now)
    }
  }

  /// Defers the next step, or brings it forward if `change` is negative; never before now. Those after
  /// it move with it.
  /// - Returns: ``ControlResult/unchanged`` if no step is to come: it is idle or finished.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    let nanoseconds = change.clampedNanoseconds
    return storage.control(self) { (machine, now) in
      machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes the number of steps that are left in this run; ``reset(restart:)`` returns to the number
  /// it was created with.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:)`` if `steps` is less than 1.
  @discardableResult
  public func setStepsLeft(_ steps: Int) throws(TimerConfigurationError) -> ControlResult {
    guard steps >= 1 else { throw .invalidCount(steps) }
    return storage.control(self) { (machine, _) in machine.setRemainingIterations(steps) }
  }

  /// Requests the next step now. The next step by the clock does not move.
  /// - Parameter andPause: true to pause first.
  @discardableResult
  public func step(andPause: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(andPause: andPause, at: now) }
  }

  /// The number of steps that are still to be delivered.
  public var stepsLeft: Int { storage.read { $0.left ?? 0 } }

  /// The time until the next step, frozen while it is paused; `nil` where none is to come.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.time.instant) }

  /// Returns a Boolean value that indicates whether a tick still counts: see
  /// ``Repeater/isCurrent(_:)``.
  public func isCurrent(_ tick: Tick) -> Bool { storage.read { $0.isCurrent(tick) } }

  /// The current state of the countdown, in one consistent value. The steps left are its remaining
  /// iterations.
  public var snapshot: Snapshot { storage.snapshot }

  /// A checkpoint of the countdown as it is now.
  public var checkpoint: Checkpoint { storage.checkpoint }
}
