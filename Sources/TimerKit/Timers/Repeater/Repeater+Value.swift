extension Repeater {
  /// A ``Repeater`` as a value, without a queue, a clock and a handler: see ``TimerValue``. It can also be a
  /// ``Countdown``, whose steps are its iterations.
  ///
  /// Its handlers take no time: with ``MissedTicks/delay``, the next interval counts from the time of the delivery.
  public struct Value: PausableTimerValue, ValueStorageOwner {
    public typealias Delivery = Tick
    var storage: ValueStorage<RepeaterStateMachine>

    /// Creates an idle timer.
    /// - Parameters:
    ///   - configuration: the times at which it fires, and the number of ticks.
    ///   - clock: the clock of all its instants; `nil` is ``TimerClock/wall`` for a schedule, and otherwise
    ///     ``TimerClock/suspending``. The timer never reads it.
    ///   - seed: the number that determines the random delays, if there is a ``Configuration/jitter``. Timers with the same
    ///     seed have the same delays.
    /// - Throws: the errors of ``Repeater/init(_:clock:queue:handler:)``.
    public init(
      _ configuration: Configuration, clock: TimerClock? = nil, seed: UInt64 = 0
    ) throws(TimerConfigurationError) {
      storage = ValueStorage(
        try RepeaterStateMachine(configuration, seed: seed),
        clock: try configuration.resolvedClock(clock),
        tolerance: try configuration.tolerance.checkedTolerance())
    }

    /// Creates an idle timer with an interval. The parameters are those of
    /// ``Repeater/init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)`` and
    /// ``init(_:clock:seed:)``.
    public init(
      interval: Duration, mode: Mode = .infinite, startingAfter startDelay: Duration? = nil,
      tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
      clock: TimerClock = .suspending, seed: UInt64 = 0
    ) throws(TimerConfigurationError) {
      try self.init(
        Configuration(
          .interval(interval), mode: mode, startingAfter: startDelay, tolerance: tolerance,
          missedTicks: missedTicks, jitter: jitter),
        clock: clock, seed: seed)
    }

    /// Creates an idle timer that follows the time of day when it runs. The parameters are those of
    /// ``Repeater/init(schedule:mode:tolerance:missedTicks:jitter:clock:queue:handler:)`` and ``init(_:clock:seed:)``.
    ///
    /// The deadlines of a schedule without a time zone depend on that of the process, at the time of each call.
    public init(
      schedule: WallSchedule, mode: Mode = .infinite, tolerance: Duration = .zero,
      missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
      seed: UInt64 = 0
    ) throws(TimerConfigurationError) {
      try self.init(
        Configuration(
          .schedule(schedule), mode: mode, tolerance: tolerance, missedTicks: missedTicks,
          jitter: jitter),
        clock: clock, seed: seed)
    }

    /// Creates a timer from a checkpoint. It runs if the checkpoint was taken of a running one.
    /// - Parameters:
    ///   - checkpoint: the state to restore, of a value or a live timer.
    ///   - policy: the treatment of the time since the checkpoint if the timer was running.
    ///   - clock: the clock of all its instants; `nil` is the system clock of the kind that the timer followed.
    ///   - now: the current time of that clock.
    ///   - wall: the current date and time, which determines the time since the checkpoint.
    ///   - seed: the number that determines the random delays. A checkpoint contains none.
    /// - Throws: the errors of ``Repeater/init(restoring:policy:clock:queue:handler:)``.
    /// - Complexity: O(1) for an interval; for a schedule, O(n) in the number of days since the checkpoint.
    public init(
      restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp, clock: TimerClock? = nil,
      at now: TimerClock.Instant, wall: WallInstant, seed: UInt64 = 0
    ) throws(RestoreError) {
      let (checkpoint, passedDeadlines) = try checkpoint.checked(policy, at: wall)
      let configuration = checkpoint.configuration
      do throws(TimerConfigurationError) {
        storage = ValueStorage(
          try RepeaterStateMachine(configuration, seed: seed),
          clock: try configuration.resolvedClock(clock ?? TimerClock(checkpoint.clock)),
          tolerance: try configuration.tolerance.checkedTolerance(),
          deadlinesPassedBeforeRestore: passedDeadlines)
      } catch {
        throw .configuration(error)
      }
      guard control(at: now, { $0.restore(checkpoint, at: $1) }) else { throw .noOccurrence }
    }

    // MARK: - Controls
    // The controls that it shares with other kinds are in ValueStorage.swift.

    /// Resets the timer, changes its interval and starts it: see ``Repeater/restart(every:)``.
    @discardableResult
    public mutating func restart(
      every interval: Duration, at now: TimerClock.Instant
    ) -> ControlResult {
      control(at: now) { (machine, now) in machine.restart(every: interval, at: now) }
    }

    /// Changes the interval: see ``Repeater/setInterval(_:counting:)``.
    @discardableResult
    public mutating func setInterval(
      _ interval: Duration, counting start: IntervalStart = .fromNow, at now: TimerClock.Instant
    ) -> ControlResult {
      control(at: now) { (machine, now) in
        machine.setInterval(interval, counting: start, at: now)
      }
    }

    /// Defers the next fire, or brings it forward: see ``Repeater/adjustTimeLeft(by:)``.
    @discardableResult
    public mutating func adjustTimeLeft(
      by change: Duration, at now: TimerClock.Instant
    ) -> ControlResult {
      control(at: now) { (machine, now) in machine.adjustTimeLeft(by: change, at: now) }
    }

    /// Changes the number of deliveries that are left in this run: see ``Repeater/setRemainingIterations(_:)``.
    @discardableResult
    public mutating func setRemainingIterations(_ count: Int) -> ControlResult {
      storage.machine.setRemainingIterations(count, as: .remainingIterations)
    }

    /// Requests a tick, which ``TimerValue/advance(to:)`` then returns: see ``Repeater/fire(pausing:)``.
    @discardableResult
    public mutating func fire(
      pausing: Bool = false, at now: TimerClock.Instant
    ) -> ControlResult {
      control(at: now) { (machine, now) in machine.fire(pausing: pausing, at: now) }
    }

    // MARK: - Reading

    /// The number of deliveries left in this run; `nil` for an infinite timer.
    public var remainingIterations: Int? { storage.machine.remainingIterations }

    /// The state of the timer, as a live timer reports it. It executes nothing, and has no stale fires.
    public var snapshot: Snapshot { storage.machine.snapshot(storage.snapshotContext) }

    /// Returns a checkpoint of the timer.
    /// - Parameters:
    ///   - now: the current time of the timer's clock.
    ///   - wall: the current date and time.
    public func checkpoint(at now: TimerClock.Instant, wall: WallInstant) -> Checkpoint {
      snapshot.checkpoint(at: now, wall: wall)
    }
  }
}
