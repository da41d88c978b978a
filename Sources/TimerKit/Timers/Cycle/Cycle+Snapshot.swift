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
  public var snapshot: Snapshot {
    let timeSource = storage.timeSource
    return storage.readGuardedState { state in
      let machine = state.machine
      let plan = machine.plan
      return Snapshot(
        configuration: plan.configuration(tolerance: .nanoseconds(state.tolerance)),
        clock: timeSource.kind, state: machine.state, isExecuting: machine.isExecuting,
        position: machine.position, phaseIndex: machine.phaseIndex,
        remainingRounds: plan.remainingRounds(from: machine.phaseIndex),
        deadline: machine.deadline.map(timeSource.instant(nanoseconds:)),
        pausedTimeLeft: machine.pausedTimeLeft.map(Duration.nanoseconds(_:)),
        generation: machine.generation, deliveredCount: machine.deliveredCount,
        missedCount: machine.missedCount, staleCount: machine.staleCount,
        deadlinesPassedBeforeRestore: machine.deadlinesPassedBeforeRestore,
        lastTick: machine.lastTick
      )
    }
  }

  /// The time until the phase ends, which does not change during a pause; `nil` if the cycle is neither
  /// running nor paused.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.timeSource.currentInstant) }

  /// Returns a Boolean value that indicates whether a tick is still valid. A control that changes the deadline ends
  /// its validity; for the tick of a skip, only a pause, a reset, a restart or the cancellation does. See
  /// ``Repeater/isCurrent(_:)``.
  public func isCurrent(_ tick: Tick) -> Bool { storage.readMachine { $0.isCurrent(tick) } }
}
