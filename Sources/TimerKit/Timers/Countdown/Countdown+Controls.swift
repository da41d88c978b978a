// The controls that a Countdown shares with other kinds are in PausableTimer.swift.
extension Countdown {
  /// Changes the time between two steps, also while the countdown runs.
  /// - Parameters:
  ///   - interval: the new interval, greater than zero.
  ///   - start: the time from which the new interval counts.
  /// - Returns: ``ControlResult/Refusal/invalid(_:)`` if the interval is not greater than zero.
  @discardableResult
  public func setInterval(
    _ interval: Duration, counting start: Repeater.IntervalStart = .fromNow
  ) -> ControlResult {
    storage.control(self, try interval.checked(.interval)) { (machine, nanoseconds, now) in
      machine.setInterval(nanoseconds, counting: start, at: now)
    }
  }

  /// Defers the next step, or brings it forward if `change` is negative, but not before now. All later steps
  /// move with it.
  /// - Returns: a refusal if the countdown is idle or finished, or follows a ``WallSchedule``.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    let nanoseconds = change.clampedNanoseconds
    return storage.control(self) { (machine, now) in
      machine.adjustTimeLeft(by: nanoseconds, at: now)
    }
  }

  /// Changes the number of steps that are left in this run. ``PausableTimer/reset()`` restores the number with
  /// which the countdown was created.
  /// - Returns: a refusal if the countdown is finished, or if it follows a ``WallSchedule`` on one date and `steps` is not 1;
  ///   ``ControlResult/Refusal/invalid(_:)`` if `steps` is less than 1.
  @discardableResult
  public func setRemainingSteps(_ steps: Int) -> ControlResult {
    guard steps >= 1 else { return .refused(.invalid(.invalidCount(steps, parameter: .steps))) }
    return storage.control(self) { (machine, _) in machine.setRemainingIterations(steps) }
  }

  /// Requests the next step now. The next scheduled step does not move.
  /// - Parameter pausing: true to pause the countdown before the request, so that the pause does not drop it.
  /// - Returns: ``ControlResult/Refusal/tooManyPending`` if too many such steps wait; nothing changes then.
  @discardableResult
  public func step(pausing: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(pausing: pausing, at: now) }
  }

  /// The number of steps that are left in this run.
  public var remainingSteps: Int { storage.readMachine { $0.remainingIterations ?? 0 } }

  /// The time until the next step, which does not change during a pause; `nil` unless the countdown is running
  /// or paused: see ``Repeater/Snapshot/timeLeft(at:)``.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.timeSource.currentInstant) }

  /// Returns a Boolean value that indicates whether a tick is still valid: see ``Repeater/isCurrent(_:)``.
  public func isCurrent(_ tick: Tick) -> Bool { storage.readMachine { $0.isCurrent(tick) } }

  /// The current state of the countdown, in one consistent value. The steps left are its remaining
  /// iterations.
  public var snapshot: Snapshot { storage.snapshot }

  /// A checkpoint of the current state of the countdown.
  public var checkpoint: Checkpoint { storage.checkpoint }
}
