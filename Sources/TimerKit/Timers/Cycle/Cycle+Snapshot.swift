public import Dispatch

extension Cycle {
  /// The state of a cycle at one moment, in one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// The configuration of the cycle.
    public var configuration: Configuration
    /// The kind of clock it follows.
    public var clock: TimerClock.Kind
    /// The state; inside a handler, that after the tick.
    public var state: TimerState
    /// True while handlers run.
    public var isExecuting: Bool
    /// The current phase, or the phase with which an idle cycle will start; `nil` if the cycle is finished.
    public var position: Position?
    /// The index of that phase in the run, from 0; the number of all phases if the cycle is finished.
    public var phaseIndex: Int
    /// The number of rounds that have not ended; `nil` for an endless cycle.
    public var remainingRounds: Int?
    /// The time at which the phase ends, on the timer's clock; `nil` unless it is running.
    public var deadline: TimerClock.Instant?
    /// The time left of the phase of a paused cycle; `nil` unless it is paused.
    public var pausedTimeLeft: Duration?
    /// A number that increases when a control changes the deadline, and when the cycle finishes: see
    /// ``Cycle/isCurrent(_:)``.
    public var generation: UInt64
    /// The number of deliveries since the timer was created, skips included.
    public var deliveredCount: Int
    /// The number of phases that passed without their own tick because the timer was late.
    public var missedCount: Int
    /// The number of fires and skips that were rejected because a control or the end of a phase had superseded them.
    public var staleCount: Int
    /// The number of phases that ended between the checkpoint and the restoration of the timer: see
    /// ``RestorePolicy/catchUp``.
    public var deadlinesPassedBeforeRestore: Int
    /// The newest delivery; `nil` before the first.
    public var lastTick: Tick?

    /// Creates a snapshot from its values, for a test or a preview.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      isExecuting: Bool = false, position: Position?, phaseIndex: Int, remainingRounds: Int?,
      deadline: TimerClock.Instant? = nil, pausedTimeLeft: Duration? = nil,
      generation: UInt64 = 0, deliveredCount: Int = 0, missedCount: Int = 0, staleCount: Int = 0,
      deadlinesPassedBeforeRestore: Int = 0, lastTick: Tick? = nil
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.isExecuting = isExecuting
      self.position = position
      self.phaseIndex = phaseIndex
      self.remainingRounds = remainingRounds
      self.deadline = deadline
      self.pausedTimeLeft = pausedTimeLeft
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.missedCount = missedCount
      self.staleCount = staleCount
      self.deadlinesPassedBeforeRestore = deadlinesPassedBeforeRestore
      self.lastTick = lastTick
    }

    /// Returns the time until the phase ends, which does not change during a pause; zero if the end is due,
    /// `nil` if the cycle is neither running nor paused.
    /// - Parameter now: the current time of the timer's clock.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      if let deadline { return max(.zero, now.duration(to: deadline)) }
      return pausedTimeLeft
    }

    /// Returns a checkpoint of the cycle.
    /// - Parameters:
    ///   - now: the current time of the timer's clock.
    ///   - wall: the current date and time.
    public func checkpoint(at now: TimerClock.Instant, wall: WallInstant) -> Checkpoint {
      Checkpoint(
        configuration: configuration, clock: clock, state: state, phaseIndex: phaseIndex,
        // Not clamped to zero: it is negative if the end is due but not delivered.
        timeLeft: deadline.map { now.duration(to: $0) } ?? pausedTimeLeft, takenAt: wall)
    }
  }

  /// The current state of the cycle, in one consistent value.
  public var snapshot: Snapshot { storage.snapshot { $0.snapshot($1) } }

  /// The time until the phase ends, which does not change during a pause; `nil` if the cycle is neither
  /// running nor paused.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.timeSource.currentInstant) }

  /// Returns a Boolean value that indicates whether a tick is still valid. A control that changes the deadline ends
  /// its validity; for the tick of a skip, only a pause, a reset, a restart or the cancellation does. See
  /// ``Repeater/isCurrent(_:)``.
  public func isCurrent(_ tick: Tick) -> Bool { storage.readMachine { $0.isCurrent(tick) } }

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
    let (checkpoint, endedPhases) = try checkpoint.checked(policy, at: clock.wallNow)
    do throws(TimerConfigurationError) {
      try self.init(checkpoint.configuration, clock: clock, queue: queue, handler: handler)
    } catch {
      throw .configuration(error)
    }
    storage.restore(self, passedDeadlines: endedPhases) { (machine, now) in
      machine.restore(checkpoint, at: now)
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
    let elapsed = max(0, takenAt.duration(to: wall).clampedNanoseconds)
    takenAt = max(takenAt, wall)
    guard state == .running, phaseIndex >= 0, phaseIndex < plan.phaseCount else { return 0 }
    var machine = CycleStateMachine(plan)
    machine.restore(self, at: 0)
    let endedPhases = machine.catchUp(to: elapsed, leaving: 0)
    state = machine.state
    phaseIndex = machine.phaseIndex
    timeLeft = machine.deadline.map { .nanoseconds($0.subtractingSaturated(elapsed)) }
    return endedPhases
  }

  /// Returns the checkpoint after validating its values, which may come from a file. The phase index of a finished
  /// cycle is set to the number of all phases.
  func checked() throws(RestoreError) -> Self {
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
