public import Dispatch

extension Cycle {
  /// The values from which a cycle can be restored, also in another process.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// The configuration of the cycle.
    public var configuration: Configuration
    /// The kind of clock it followed.
    public var clock: TimerClock.Kind
    /// The state. If it is cancelled, restoring the cycle throws ``RestoreError/invalidState(_:)``.
    public var state: TimerState
    /// The index of the phase in the run, from 0. It has no effect if the cycle was finished.
    public var phaseIndex: Int
    /// The time that was left of that phase; `nil` if the cycle was neither running nor paused. If it is negative, the
    /// end of the phase was due before the checkpoint was taken. With ``RestorePolicy/keepTimeLeft``, a running cycle
    /// then ends the phase as soon as it is restored; with ``RestorePolicy/catchUp``, that end is counted and not
    /// delivered.
    public var timeLeft: Duration?
    /// The date and time at which the checkpoint was taken.
    public var takenAt: WallInstant

    /// Creates a checkpoint from its values.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      phaseIndex: Int, timeLeft: Duration?, takenAt: WallInstant
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.phaseIndex = phaseIndex
      self.timeLeft = timeLeft
      self.takenAt = takenAt
    }
  }

  /// A checkpoint of the current state of the cycle. While handlers run, it contains the state after they have
  /// returned.
  public var checkpoint: Checkpoint {
    let timeSource = storage.timeSource
    return snapshot.checkpoint(at: timeSource.currentInstant, wall: timeSource.wallNow)
  }

  /// Creates a cycle from a checkpoint, and starts it if it was running. The parameters are those of
  /// ``Repeater/init(restoring:policy:clock:queue:handler:)``.
  /// - Throws: ``RestoreError`` if the checkpoint is invalid.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    var checkpoint = try checkpoint.checked()
    let endedPhases = policy == .catchUp ? try checkpoint.catchUp(to: clock.wallNow) : 0
    do throws(TimerConfigurationError) {
      try self.init(checkpoint.configuration, clock: clock, queue: queue, handler: handler)
    } catch {
      throw .configuration(error)
    }
    storage.control(self) { [checkpoint] (machine, now) in
      machine.restore(checkpoint, endedPhases: endedPhases, at: now)
    }
  }

  /// Creates a cycle from a checkpoint, and starts it if it was running. Its handler runs on the main actor. The
  /// parameters and errors are those of ``init(restoring:policy:clock:queue:handler:)`` and
  /// ``init(_:clock:isolation:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, isolation: MainActor,
    handler: @escaping @MainActor (Cycle, Tick) -> Void
  ) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: policy, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }
}

extension Cycle.Checkpoint {
  /// Advances the checkpoint of a running cycle from ``takenAt`` to `wall`, as if the cycle had continued to
  /// run. The cycle finishes after its last phase. For a cycle that was not running, only ``takenAt`` changes.
  /// - Returns: the number of phases that ended.
  /// - Throws: ``RestoreError/configuration(_:)`` if the phases or rounds are invalid.
  @discardableResult
  public mutating func catchUp(to wall: WallInstant) throws(RestoreError) -> Int {
    let plan = try plan()
    var elapsed = max(0, takenAt.duration(to: wall).clampedNanoseconds)
    takenAt = max(takenAt, wall)
    guard state == .running, phaseIndex >= 0, phaseIndex < plan.phaseCount else { return 0 }
    var left = timeLeft?.clampedNanoseconds ?? plan.duration(of: phaseIndex)
    if left < 0 {
      // The phase was due to end before the checkpoint; the next one began at that time.
      elapsed = elapsed.subtractingSaturated(left)
      left = 0
    }
    guard elapsed >= left else {
      timeLeft = .nanoseconds(left - elapsed)
      return 0
    }
    let (next, begin, missed) = plan.phase(after: phaseIndex, endedAt: left, runningAt: elapsed)
    phaseIndex = next
    if next == plan.phaseCount {
      state = .finished
      timeLeft = nil
    } else {
      timeLeft = .nanoseconds(
        begin.addingSaturated(plan.duration(of: next)).subtractingSaturated(elapsed))
    }
    return missed.addingSaturated(1)
  }

  /// Returns the checkpoint after validating its values, which may come from a file. The phase index of a finished
  /// cycle is set to the number of all phases.
  fileprivate func checked() throws(RestoreError) -> Self {
    guard state != .cancelled else { throw .invalidState(state) }
    let plan = try plan()
    var checked = self
    if state == .finished {
      // An endless cycle never finishes.
      guard configuration.rounds != nil else { throw .invalidState(state) }
      checked.phaseIndex = plan.phaseCount
    } else if phaseIndex < 0 || phaseIndex >= plan.phaseCount {
      throw .invalidPhaseIndex(phaseIndex)
    }
    return checked
  }

  private func plan() throws(RestoreError) -> CyclePlan {
    do throws(TimerConfigurationError) { return try CyclePlan(configuration) } catch {
      throw .configuration(error)
    }
  }
}
