extension Repeater {
  /// The state of a timer at one moment, in one consistent value.
  public struct Snapshot: Sendable, Hashable {
    /// The configuration, with the current interval.
    public var configuration: Configuration
    /// The kind of clock it follows.
    public var clock: TimerClock.Kind
    /// The state; inside a handler, that after the tick.
    public var state: TimerState
    /// True while handlers run.
    public var isExecuting: Bool
    /// The number of deliveries left in this run; `nil` for an infinite timer.
    public var remainingIterations: Int?
    /// The time of the next fire, on the timer's clock; `nil` unless it is running. With
    /// ``Repeater/MissedTicks/delay``, it is also `nil` while the handlers of a tick run, unless the tick is
    /// manual or a control has set a new deadline meanwhile.
    public var deadline: TimerClock.Instant?
    /// The time left of a paused timer; `nil` unless it is paused. It is also `nil` for a timer with a schedule, which
    /// continues during a pause.
    public var pausedTimeLeft: Duration?
    /// A number that increases when a control changes the deadline, and when the timer finishes: see
    /// ``Repeater/isCurrent(_:)``.
    public var generation: UInt64
    /// The number of deliveries since the timer was created, manual ones included.
    public var deliveredCount: Int
    /// The number of ticks that were merged into others.
    public var missedCount: Int
    /// The number of fires that were rejected because a control or the end of the run had superseded them.
    public var staleCount: Int
    /// The number of periods that elapsed between the checkpoint and the restoration: see ``RestorePolicy/catchUp``.
    public var deadlinesPassedBeforeRestore: Int
    /// The lateness of the newest delivery, zero for a manual one; `nil` before the first.
    public var lastLateness: Duration?

    /// Creates a snapshot from its values, for a test or a preview.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      isExecuting: Bool = false, remainingIterations: Int?, deadline: TimerClock.Instant? = nil,
      pausedTimeLeft: Duration? = nil, generation: UInt64 = 0, deliveredCount: Int = 0,
      missedCount: Int = 0, staleCount: Int = 0, deadlinesPassedBeforeRestore: Int = 0,
      lastLateness: Duration? = nil
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.isExecuting = isExecuting
      self.remainingIterations = remainingIterations
      self.deadline = deadline
      self.pausedTimeLeft = pausedTimeLeft
      self.generation = generation
      self.deliveredCount = deliveredCount
      self.missedCount = missedCount
      self.staleCount = staleCount
      self.deadlinesPassedBeforeRestore = deadlinesPassedBeforeRestore
      self.lastLateness = lastLateness
    }

    /// Returns the time until the next fire, which does not change during a pause; zero if it is due, `nil` if
    /// there is neither a ``deadline`` nor a ``pausedTimeLeft``.
    /// - Parameter now: the current time of the timer's clock.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      if let deadline { return max(.zero, now.duration(to: deadline)) }
      return pausedTimeLeft
    }

    /// Returns a checkpoint of the timer.
    /// - Parameters:
    ///   - now: the current time of the timer's clock.
    ///   - wall: the current date and time.
    public func checkpoint(at now: TimerClock.Instant, wall: WallInstant) -> Checkpoint {
      Checkpoint(
        configuration: configuration, clock: clock, state: state,
        remainingIterations: remainingIterations,
        // Not clamped to zero: it is negative if the fire is due but not delivered.
        timeLeft: deadline.map { now.duration(to: $0) } ?? pausedTimeLeft, takenAt: wall)
    }
  }

  /// The current state of the timer, in one consistent value.
  public var snapshot: Snapshot { storage.snapshot }

  /// The time until the next fire, which does not change during a pause; `nil` unless the timer is running or
  /// paused: see ``Repeater/Snapshot/timeLeft(at:)``.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.timeSource.currentInstant) }

  /// Returns a Boolean value that indicates whether a tick is still valid. A control that changes the deadline ends
  /// its validity; for a manual tick, only a pause, a reset, a restart or the cancellation does.
  ///
  /// Call it under the mutex that guards the state that the handler changes, and make the change only if the
  /// result is true. If you call controls under the same mutex, a late handler has no effect after a control:
  /// see <doc:GuardingYourOwnState>. This is the generation count of Matt Gallagher's "Design patterns for safe
  /// timer usage".
  /// - Parameter tick: a tick of this timer. A tick does not know its timer, so the result for a tick of another timer
  ///   has no meaning.
  public func isCurrent(_ tick: Tick) -> Bool { storage.readMachine { $0.isCurrent(tick) } }
}

extension TimerStorage where Machine == RepeaterStateMachine {
  var snapshot: Repeater.Snapshot {
    let timeSource = timeSource
    return readGuardedState { state in
      let machine = state.machine
      let timing: Repeater.Timing =
        machine.recurrence.schedule.map { .schedule($0) }
        ?? .interval(.nanoseconds(machine.interval))
      return Repeater.Snapshot(
        configuration: Repeater.Configuration(
          timing, mode: machine.mode, tolerance: .nanoseconds(state.tolerance),
          missedTicks: machine.missedTicks),
        clock: timeSource.kind, state: machine.state, isExecuting: machine.isExecuting,
        remainingIterations: machine.remainingIterations,
        deadline: machine.deadline.map(timeSource.instant(nanoseconds:)),
        pausedTimeLeft: machine.pausedTimeLeft.map(Duration.nanoseconds(_:)),
        generation: machine.generation, deliveredCount: machine.deliveredCount,
        missedCount: machine.missedCount, staleCount: machine.staleCount,
        deadlinesPassedBeforeRestore: machine.deadlinesPassedBeforeRestore,
        lastLateness: machine.lastLateness.map(Duration.nanoseconds(_:)))
    }
  }

  var checkpoint: Repeater.Checkpoint {
    snapshot.checkpoint(at: timeSource.currentInstant, wall: timeSource.wallNow)
  }
}
