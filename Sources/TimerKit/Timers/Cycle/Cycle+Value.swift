extension Cycle {
  /// A ``Cycle`` as a value, without a queue, a clock and a handler: see ``TimerValue``.
  public struct Value: PausableTimerValue, ValueStorageOwner {
    public typealias Delivery = Tick
    var storage: ValueStorage<CycleStateMachine>

    /// Creates an idle cycle.
    /// - Parameters:
    ///   - configuration: its phases and rounds.
    ///   - clock: the clock of all its instants. The cycle never reads it.
    /// - Throws: ``TimerConfigurationError`` for the first invalid value of the configuration.
    public init(
      _ configuration: Configuration, clock: TimerClock = .suspending
    ) throws(TimerConfigurationError) {
      storage = ValueStorage(
        CycleStateMachine(try CyclePlan(configuration)), clock: clock,
        tolerance: try configuration.tolerance.checkedTolerance())
    }

    /// Creates an idle cycle. The parameters are those of ``Configuration/init(_:rounds:includesFinalRest:tolerance:)``
    /// and ``init(_:clock:)``.
    public init(
      _ phases: [Phase], rounds: Int? = nil, includesFinalRest: Bool = false,
      tolerance: Duration = .zero, clock: TimerClock = .suspending
    ) throws(TimerConfigurationError) {
      try self.init(
        Configuration(
          phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance),
        clock: clock)
    }

    /// Creates a cycle from a checkpoint. It runs if the checkpoint was taken of a running one.
    ///
    /// The checkpoint can also be one that no cycle has made: an idle one with a ``Checkpoint/phaseIndex`` is a cycle
    /// that waits to start in that phase. The parameters are those of
    /// ``Repeater/Value/init(restoring:policy:clock:at:wall:seed:)``.
    /// - Throws: ``RestoreError`` if the checkpoint is invalid.
    public init(
      restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp, clock: TimerClock? = nil,
      at now: TimerClock.Instant, wall: WallInstant
    ) throws(RestoreError) {
      let (checkpoint, endedPhases) = try checkpoint.checked(policy, at: wall)
      do throws(TimerConfigurationError) {
        storage = ValueStorage(
          CycleStateMachine(try CyclePlan(checkpoint.configuration)),
          clock: clock ?? TimerClock(checkpoint.clock),
          tolerance: try checkpoint.configuration.tolerance.checkedTolerance(),
          deadlinesPassedBeforeRestore: endedPhases)
      } catch {
        throw .configuration(error)
      }
      control(at: now) { (machine, now) in machine.restore(checkpoint, at: now) }
    }

    // MARK: - Controls
    // The controls that it shares with other kinds are in ValueStorage.swift.

    /// Requests the end of the current phase, which ``TimerValue/advance(to:)`` then delivers: see ``Cycle/skip()``.
    @discardableResult
    public mutating func skip(at now: TimerClock.Instant) -> ControlResult {
      control(at: now) { (machine, now) in machine.skip(at: now) }
    }

    /// Extends the current phase, or shortens it: see ``Cycle/adjustTimeLeft(by:)``.
    @discardableResult
    public mutating func adjustTimeLeft(
      by change: Duration, at now: TimerClock.Instant
    ) -> ControlResult {
      control(at: now) { (machine, now) in machine.adjustTimeLeft(by: change, at: now) }
    }

    // MARK: - Reading

    /// The current phase, or the phase with which an idle cycle will start; `nil` if the cycle is finished.
    public var position: Position? { storage.machine.position }

    /// The index of that phase in the run, from 0; the number of all phases if the cycle is finished.
    public var phaseIndex: Int { storage.machine.phaseIndex }

    /// The state of the cycle, as a live one reports it. It executes nothing, and has no stale ticks.
    public var snapshot: Snapshot { storage.machine.snapshot(storage.snapshotContext) }

    /// Returns a checkpoint of the cycle.
    /// - Parameters:
    ///   - now: the current time of the cycle's clock.
    ///   - wall: the current date and time.
    public func checkpoint(at now: TimerClock.Instant, wall: WallInstant) -> Checkpoint {
      snapshot.checkpoint(at: now, wall: wall)
    }
  }
}
