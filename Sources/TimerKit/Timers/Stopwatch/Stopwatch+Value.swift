extension Stopwatch {
  /// A ``Stopwatch`` as a value, without a queue, a clock and a handler: see ``TimerValue``.
  ///
  /// It never finishes, so that ``PausableTimerValue/end(by:)`` is `nil`. Its deadline is that of the alarm.
  public struct Value: PausableTimerValue, ValueStorageOwner {
    public typealias Delivery = Stopwatch.Delivery
    var storage: ValueStorage<StopwatchStateMachine>

    /// Creates an idle stopwatch.
    /// - Parameter clock: the clock of all its instants. The stopwatch never reads it.
    public init(clock: TimerClock = .suspending) {
      storage = ValueStorage(StopwatchStateMachine(), clock: clock, tolerance: 0)
    }

    /// Creates a stopwatch from a checkpoint. It runs if the checkpoint was taken of a running one. The parameters are
    /// those of ``Repeater/Value/init(restoring:policy:clock:at:wall:seed:)``.
    /// - Throws: ``RestoreError`` if the checkpoint is invalid.
    public init(
      restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp, clock: TimerClock? = nil,
      at now: TimerClock.Instant, wall: WallInstant
    ) throws(RestoreError) {
      let (checkpoint, passedAlarms) = try checkpoint.checked(policy, at: wall)
      storage = ValueStorage(
        StopwatchStateMachine(), clock: clock ?? TimerClock(checkpoint.clock), tolerance: 0,
        deadlinesPassedBeforeRestore: passedAlarms)
      control(at: now) { (machine, now) in machine.restore(checkpoint, at: now) }
    }

    // MARK: - Controls
    // The controls that it shares with other kinds are in ValueStorage.swift.

    /// Ends a lap and begins the next one: see ``Stopwatch/lap()``. The lap is also a delivery, which
    /// ``TimerValue/advance(to:)`` returns.
    /// - Returns: the lap; `nil` if the stopwatch is not running, or 1,024 laps wait for their delivery.
    @discardableResult
    public mutating func lap(at now: TimerClock.Instant) -> Lap? {
      control(at: now) { (machine, now) in machine.lap(at: now) }
    }

    /// Sets an alarm that fires once in a run, at an elapsed time: see ``Stopwatch/setAlarm(at:)``.
    @discardableResult
    public mutating func setAlarm(at elapsed: Duration?) -> ControlResult {
      storage.machine.setAlarm(at: elapsed)
    }

    // MARK: - Reading

    /// Returns the elapsed time, excluding pauses.
    /// - Parameter now: the current time of the stopwatch's clock.
    public func elapsed(at now: TimerClock.Instant) -> Duration {
      .nanoseconds(storage.machine.elapsed(at: storage.nanoseconds(now)))
    }

    /// The laps of this run.
    public var laps: [Lap] { storage.machine.laps }

    /// The state of the stopwatch, as a live one reports it. It executes nothing, and has no stale laps.
    public var snapshot: Snapshot { storage.machine.snapshot(storage.snapshotContext) }

    /// Returns a checkpoint of the stopwatch.
    /// - Parameters:
    ///   - now: the current time of the stopwatch's clock.
    ///   - wall: the current date and time.
    public func checkpoint(at now: TimerClock.Instant, wall: WallInstant) -> Checkpoint {
      snapshot.checkpoint(at: now, wall: wall)
    }
  }
}
