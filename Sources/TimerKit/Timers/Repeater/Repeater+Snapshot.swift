public import Dispatch

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
    /// continues during a pause, unless the pause keeps an occurrence that was due and not delivered.
    public var pausedTimeLeft: Duration?
    /// The random delay that ``deadline`` or ``pausedTimeLeft`` includes: see ``Configuration/jitter``.
    public var jitterDelay: Duration
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
    /// The progress along the schedule; `nil` unless a pause has kept an occurrence.
    var progress: Recurrence.Progress?

    /// Creates a snapshot from its values, for a test or a preview.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      isExecuting: Bool = false, remainingIterations: Int?, deadline: TimerClock.Instant? = nil,
      pausedTimeLeft: Duration? = nil, jitterDelay: Duration = .zero, generation: UInt64 = 0,
      deliveredCount: Int = 0, missedCount: Int = 0, staleCount: Int = 0,
      deadlinesPassedBeforeRestore: Int = 0,
      lastLateness: Duration? = nil
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.isExecuting = isExecuting
      self.remainingIterations = remainingIterations
      self.deadline = deadline
      self.pausedTimeLeft = pausedTimeLeft
      self.jitterDelay = jitterDelay
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
      // Not clamped to zero: it is negative if the fire is due but not delivered.
      let timeLeft = deadline.map { now.duration(to: $0) } ?? pausedTimeLeft
      let gridTimeLeft = timeLeft.map { $0 - jitterDelay }
      return Checkpoint(
        configuration: configuration, clock: clock, state: state,
        remainingIterations: remainingIterations, timeLeft: gridTimeLeft,
        pendingMissedCount: gridTimeLeft.flatMap { pendingMissedCount(timeLeft: $0, at: now) },
        takenAt: wall)
    }

    /// Returns the number of occurrences that the next tick merges; `nil` if it is not due, or merges none.
    private func pendingMissedCount(timeLeft: Duration, at now: TimerClock.Instant) -> Int? {
      guard timeLeft <= .zero, let schedule = configuration.schedule else { return nil }
      let progress = progress ?? Recurrence.Progress()
      let due = (now + timeLeft).nanoseconds
      // A pause has counted them.
      let begin = state == .paused ? now.nanoseconds : max(due, progress.firedUpTo)
      let count = progress.missedCount(of: schedule, since: begin, at: now.nanoseconds)
      return count > 0 ? count : nil
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

  /// The values from which a timer can be restored, also in another process.
  public struct Checkpoint: Sendable, Hashable, Codable {
    /// The configuration, with the current interval.
    public var configuration: Configuration
    /// The kind of clock it followed.
    public var clock: TimerClock.Kind
    /// The state. If it is cancelled, restoring the timer throws ``RestoreError/invalidState(_:)``.
    public var state: TimerState
    /// The number of deliveries left in this run; `nil` for an infinite timer.
    public var remainingIterations: Int?
    /// The time until the next fire, without its random delay. If it is zero or negative, the fire was due before the
    /// checkpoint was taken, and only its random delay can be left. With ``RestorePolicy/keepTimeLeft``, a running timer
    /// then fires as soon as it is restored, with that lateness; with ``RestorePolicy/catchUp``, that fire is counted and
    /// not delivered. A time left that is greater than zero has no meaning for a schedule.
    ///
    /// It is `nil` if the snapshot had neither a ``Repeater/Snapshot/deadline`` nor a
    /// ``Repeater/Snapshot/pausedTimeLeft``; for a timer with an interval, the whole interval then counts as the
    /// time left.
    public var timeLeft: Duration?
    /// The number of occurrences of a schedule that the fire merges, which was due before the checkpoint was taken: they are
    /// its missed ticks. `nil` for none.
    public var pendingMissedCount: Int?
    /// The date and time at which the checkpoint was taken.
    public var takenAt: WallInstant

    /// Creates a checkpoint from its values.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      remainingIterations: Int?, timeLeft: Duration?, pendingMissedCount: Int? = nil,
      takenAt: WallInstant
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.remainingIterations = remainingIterations
      self.timeLeft = timeLeft
      self.pendingMissedCount = pendingMissedCount
      self.takenAt = takenAt
    }
  }

  /// A checkpoint of the current state of the timer. While handlers run, their tick counts as delivered.
  public var checkpoint: Checkpoint { storage.checkpoint }

  /// Creates a timer from a checkpoint, and starts it if it was running.
  /// - Parameters:
  ///   - checkpoint: the state to restore.
  ///   - policy: the treatment of the time since the checkpoint if the timer was running. The next fire of a
  ///     schedule is always computed from the schedule, unless it was due before the checkpoint and not delivered.
  ///   - clock: the clock it follows, whose ``TimerClock/wallNow`` determines the time since the checkpoint.
  ///     `nil` is the system clock of the kind that the timer followed.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called for every tick.
  /// - Throws: ``RestoreError`` if the checkpoint is invalid, or if a running timer is restored with
  ///   ``RestorePolicy/keepTimeLeft`` and its schedule has no further occurrence.
  /// - Complexity: O(1) for an interval; for a schedule, O(n) in the number of occurrences since the checkpoint.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    let (checkpoint, passedDeadlines) = try checkpoint.checked(policy, at: clock.wallNow)
    do throws(TimerConfigurationError) {
      try self.init(checkpoint.configuration, clock: clock, queue: queue, handler: handler)
    } catch {
      throw .configuration(error)
    }
    try storage.restore(self, checkpoint, passedDeadlines: passedDeadlines)
  }
}

extension TimerStorage where Machine == RepeaterStateMachine {
  var snapshot: Repeater.Snapshot { snapshot { $0.snapshot($1) } }

  var checkpoint: Repeater.Checkpoint {
    snapshot.checkpoint(at: timeSource.currentInstant, wall: timeSource.wallNow)
  }

  func restore(
    _ timer: Timer, _ checkpoint: Repeater.Checkpoint, passedDeadlines: Int
  ) throws(RestoreError) {
    let isRestored = restore(timer, passedDeadlines: passedDeadlines) { (machine, now) in
      machine.restore(checkpoint, at: now)
    }
    if !isRestored { throw .noOccurrence }
  }
}

extension Repeater.Checkpoint {
  /// Advances the checkpoint of a running timer from ``takenAt`` to `wall`. Each deadline that
  /// passed uses up an iteration; the timer finishes when none is left, or when its schedule has no further occurrence. For a timer
  /// that was not running, only ``takenAt`` changes.
  ///
  /// The next fire of a schedule is computed from the schedule at `wall` and not from the time left, because
  /// the clock may have been set since, and the process may be in another time zone.
  /// - Returns: the number of deadlines that passed, limited to the remaining iterations.
  /// - Complexity: O(1) for an interval; for a schedule, O(n) in the number of occurrences since then.
  @discardableResult
  public mutating func catchUp(to wall: WallInstant) -> Int {
    let begin = takenAt
    let schedule = configuration.schedule
    takenAt = schedule == nil ? max(takenAt, wall) : wall
    // The grid has no random delays.
    var configuration = configuration
    configuration.jitter = nil
    guard state == .running, var machine = try? RepeaterStateMachine(configuration) else {
      return 0
    }
    // What was due at a time that has not come again, because the clock was set back, is computed anew.
    if schedule != nil, begin > takenAt { timeLeft = nil }
    // A schedule needs the date; an interval has the whole range of a clock.
    let start = schedule == nil ? 0 : min(begin, takenAt).nanosecondsSince1970
    let now =
      schedule == nil
      ? begin.duration(to: takenAt).clampedNanoseconds : takenAt.nanosecondsSince1970
    if !machine.restore(self, at: start) { machine.finish() }
    let passedDeadlines = machine.catchUp(to: now, leaving: 0)
    state = machine.state
    pendingMissedCount = nil
    remainingIterations = remainingIterations.map { _ in machine.remaining }
    timeLeft = machine.deadline.map { .nanoseconds($0.subtractingSaturated(now)) }
    return passedDeadlines
  }

  /// Returns the checkpoint after validating its state and its remaining iterations, which may come from a file. The
  /// remaining iterations of an infinite timer are set to `nil`, those of a finished timer to 0. If those of a finite
  /// timer are missing, they are set to the number of its mode. A schedule with one time on one
  /// date has at most one.
  func checked() throws(RestoreError) -> Self {
    guard state != .cancelled else { throw .invalidState(state) }
    var checked = self
    let occursOnce = configuration.schedule?.occursOnce ?? false
    let count = occursOnce ? 1 : configuration.mode.count
    let limit = occursOnce ? 1 : Int.max
    checked.remainingIterations = count.map { min(remainingIterations ?? $0, limit) }
    if state == .finished { checked.remainingIterations = count.map { _ in 0 } }
    if let left = checked.remainingIterations, left < (state == .finished ? 0 : 1) {
      throw .configuration(.invalidCount(left, parameter: .remainingIterations))
    }
    return checked
  }
}
