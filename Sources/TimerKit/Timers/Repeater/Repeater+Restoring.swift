public import Dispatch

extension Repeater {
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
    /// The time until the next fire. If it is negative, the fire was due before the checkpoint was taken. With
    /// ``RestorePolicy/keepTimeLeft``, a running timer with an interval then fires as soon as it is restored, with that
    /// lateness; with ``RestorePolicy/catchUp``, that fire is counted and not delivered.
    ///
    /// It is `nil` if the snapshot had neither a ``Repeater/Snapshot/deadline`` nor a
    /// ``Repeater/Snapshot/pausedTimeLeft``; for a timer with an interval, the whole interval then counts as the
    /// time left.
    public var timeLeft: Duration?
    /// The date and time at which the checkpoint was taken.
    public var takenAt: WallInstant

    /// Creates a checkpoint from its values.
    public init(
      configuration: Configuration, clock: TimerClock.Kind = .suspending, state: TimerState,
      remainingIterations: Int?, timeLeft: Duration?, takenAt: WallInstant
    ) {
      self.configuration = configuration
      self.clock = clock
      self.state = state
      self.remainingIterations = remainingIterations
      self.timeLeft = timeLeft
      self.takenAt = takenAt
    }
  }

  /// A checkpoint of the current state of the timer. While handlers run, their tick counts as delivered.
  public var checkpoint: Checkpoint { storage.checkpoint }

  /// Creates a timer from a checkpoint, and starts it if it was running.
  /// - Parameters:
  ///   - checkpoint: the state to restore.
  ///   - policy: the treatment of the time since the checkpoint if the timer was running. The next fire of a
  ///     schedule is always computed from the schedule.
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
    var checkpoint = try checkpoint.checked()
    let passedDeadlines = policy == .catchUp ? checkpoint.catchUp(to: clock.wallNow) : 0
    do throws(TimerConfigurationError) {
      try self.init(checkpoint.configuration, clock: clock, queue: queue, handler: handler)
    } catch {
      throw .configuration(error)
    }
    try storage.restore(self, checkpoint, passedDeadlines: passedDeadlines)
  }
}

extension TimerStorage where Machine == RepeaterStateMachine {
  func restore(
    _ timer: Timer, _ checkpoint: Repeater.Checkpoint, passedDeadlines: Int
  ) throws(RestoreError) {
    let isRestored = control(timer) { (machine, now) in
      machine.restore(checkpoint, passedDeadlines: passedDeadlines, at: now)
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
    takenAt = configuration.schedule == nil ? max(takenAt, wall) : wall
    guard state == .running else { return 0 }
    let (deadlines, left) =
      switch configuration.timing {
      case .schedule(let schedule): deadlinesPassed(along: schedule, since: begin)
      case .interval(let interval): deadlinesPassed(every: interval, since: begin)
      }
    guard let left, remainingIterations.map({ $0 > deadlines }) ?? true else {
      let passedDeadlines = min(deadlines, remainingIterations ?? deadlines)
      state = .finished
      remainingIterations = remainingIterations.map { _ in 0 }
      timeLeft = nil
      return passedDeadlines
    }
    remainingIterations = remainingIterations.map { $0 - deadlines }
    timeLeft = left
    return deadlines
  }

  private func deadlinesPassed(
    along schedule: WallSchedule, since begin: WallInstant
  ) -> (deadlines: Int, timeLeft: Duration?) {
    let (count, next) = schedule.occurrencesPassed(
      since: min(begin, takenAt).nanosecondsSince1970, at: takenAt.nanosecondsSince1970)
    // An occurrence that was due when the checkpoint was taken has not been delivered.
    let isDue = timeLeft.map { $0 <= .zero } ?? false
    return (
      isDue && begin <= takenAt ? count + 1 : count,
      next == .max ? nil : takenAt.duration(to: WallInstant(nanosecondsSince1970: next))
    )
  }

  private func deadlinesPassed(
    every interval: Duration, since begin: WallInstant
  ) -> (deadlines: Int, timeLeft: Duration?) {
    let elapsed = begin.duration(to: takenAt).clampedNanoseconds
    let period = max(1, interval.clampedNanoseconds)
    let overdue = elapsed.subtractingSaturated((timeLeft ?? interval).clampedNanoseconds)
    guard overdue >= 0 else { return (0, .nanoseconds(-overdue)) }
    let deadlines = Int(overdue / period).addingSaturated(1)
    return (deadlines, .nanoseconds(period - overdue % period))
  }

  /// Returns the checkpoint after validating its state and its remaining iterations, which may come from a file. The
  /// remaining iterations of an infinite timer are set to `nil`, those of a finished timer to 0. If those of a finite
  /// timer are missing, they are set to the number of its mode. A schedule on one date has at most one.
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
