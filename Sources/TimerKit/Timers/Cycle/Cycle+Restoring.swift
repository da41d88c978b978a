public import Dispatch

extension Cycle {
  /// The values that a cycle can be restored from, in another process as well.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// The configuration it was created with.
    public var configuration: Configuration
    /// The kind of clock it followed.
    public var clock: TimerClock.Kind
    /// The state; neither cancelled nor executing.
    public var state: TimerState
    /// The number of the phase in the run, from 0.
    public var phaseNumber: Int
    /// The time that was left of that phase; `nil` where none ran.
    public var timeLeft: Duration?
    /// The time of day at which it was taken.
    public var takenAt: WallInstant

    /// Creates a checkpoint from its values.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      phaseNumber: Int, timeLeft: Duration?, takenAt: WallInstant
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.phaseNumber = phaseNumber
      self.timeLeft = timeLeft
      self.takenAt = takenAt
    }
  }

  /// A checkpoint of the cycle as it is now. While it executes, that is as it will be when its handlers
  /// have returned.
  public var checkpoint: Checkpoint {
    let time = storage.time
    return snapshot.checkpoint(at: time.instant, takenAt: time.wallNow)
  }

  /// Creates a cycle from a checkpoint. It runs if it was running. The parameters are those of
  /// ``Repeater/init(restoring:_:clock:queue:handler:)``.
  /// - Throws: ``RestoreError``.
  public convenience init(
    restoring checkpoint: Checkpoint, _ policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    var checkpoint = try checkpoint.checked()
    let elapsedPeriods = policy == .catchUp ? try checkpoint.catchUp(to: clock.wallNow) : 0
    do throws(TimerConfigurationError) {
      try self.init(checkpoint.configuration, clock: clock, queue: queue, handler: handler)
    } catch {
      throw .configuration(error)
    }
    storage.control(self) { [checkpoint] (machine, now) in
      machine.restore(checkpoint, elapsedPeriods: elapsedPeriods, at: now)
    }
  }
}

extension Cycle.Checkpoint {
  /// Advances the checkpoint of a running cycle from ``takenAt`` to `wall`, along the grid of the phases.
  /// The cycle finishes when they are used up. A cycle that was not running does not change.
  /// - Returns: the number of phases that ended.
  /// - Throws: ``RestoreError/configuration(_:)`` if the phases or rounds are not valid.
  @discardableResult
  public mutating func catchUp(to wall: WallInstant) throws(RestoreError) -> Int {
    let plan = try plan()
    let elapsed = max(0, takenAt.duration(to: wall).clampedNanoseconds)
    takenAt = max(takenAt, wall)
    guard state == .running, phaseNumber >= 0, phaseNumber < plan.phaseCount else { return 0 }
    let left = max(0, timeLeft?.clampedNanoseconds ?? plan.duration(of: phaseNumber))
    guard elapsed >= left else {
      timeLeft = .nanoseconds(left - elapsed)
      return 0
    }
    let (next, begin, missed) = plan.walk(from: phaseNumber, endedAt: left, to: elapsed)
    phaseNumber = next
    if next == plan.phaseCount {
      state = .finished
      timeLeft = nil
    } else {
      timeLeft = .nanoseconds(
        begin.addingSaturated(plan.duration(of: next)).subtractingSaturated(elapsed))
    }
    return missed.addingSaturated(1)
  }

  /// The same checkpoint, if a cycle can be restored from it: it may come from a file.
  fileprivate func checked() throws(RestoreError) -> Self {
    guard state != .cancelled, state != .executing else { throw .invalidState(state) }
    let plan = try plan()
    var checked = self
    if state == .finished {
      // A cycle without end never finishes.
      guard configuration.rounds != nil else { throw .invalidState(state) }
      checked.phaseNumber = plan.phaseCount
    } else if phaseNumber < 0 || phaseNumber >= plan.phaseCount {
      throw .invalidPhaseNumber(phaseNumber)
    }
    return checked
  }

  private func plan() throws(RestoreError) -> CyclePlan {
    do throws(TimerConfigurationError) { return try CyclePlan(configuration) } catch {
      throw .configuration(error)
    }
  }
}
