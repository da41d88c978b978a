public import Dispatch

/// A timer that counts down a number of steps to 0 and then finishes.
///
/// ```swift
/// let launch = try Countdown(from: 10, every: .seconds(1)) { _, remainingSteps in
///   print(remainingSteps == 0 ? "lift-off" : "\(remainingSteps)")
/// }
/// launch.start()  // 9, 8 … 1, lift-off
/// ```
///
/// ```
/// from 3:  start ──interval── 2 ──interval── 1 ──interval── 0, finished
/// ```
///
/// Every number is delivered once and in order. If the times follow a ``WallSchedule`` that ends before the steps do, the
/// last occurrence is the last step, with 0. The policy for missed steps determines only the time: with
/// ``Repeater/MissedTicks/burst(limit:)``, a late countdown delivers the missed steps right after one another and ends in
/// time; with the other policies, it ends later.
///
/// It works like a finite ``Repeater``, with the same states, ticks, snapshots and checkpoints, but its handler
/// receives the number of steps left. You can call every control from any thread and, except the
/// blocking `cancelAndWait()`, from inside a handler. The handler runs on the timer's queue, one call at a time.
/// Deallocating the timer cancels it.
///
/// It corresponds to the countdown timer of 100mango's SwiftTimer.
public final class Countdown: Sendable {
  /// One step, as observers receive it: see ``Repeater/Tick``.
  public typealias Tick = Repeater.Tick
  /// The state of a countdown at one moment: see ``Repeater/Snapshot``. The steps left are its remaining
  /// iterations.
  public typealias Snapshot = Repeater.Snapshot
  /// The values from which a countdown can be restored: see ``Repeater/Checkpoint``. Its mode is finite.
  public typealias Checkpoint = Repeater.Checkpoint
  /// A closure called at every step, on the timer's queue, with the number of steps left: one less than the
  /// count at the first call, 0 at the last.
  public typealias Handler = @Sendable (Countdown, _ remainingSteps: Int) -> Void

  @usableFromInline let storage: TimerStorage<Countdown, RepeaterStateMachine>

  /// Creates a countdown that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - configuration: the times of the steps, and a finite mode, whose count is the number of steps.
  ///   - clock: the clock it follows; `nil` is ``TimerClock/wall`` for a schedule, and otherwise
  ///     ``TimerClock/suspending``.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called at every step.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value of the configuration, or for a schedule on a
  ///   clock that is not of the kind ``TimerClock/Kind/wall``; ``TimerConfigurationError/infiniteCountdown`` if its
  ///   mode is infinite.
  public init(
    _ configuration: Repeater.Configuration, clock: TimerClock? = nil,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    guard let steps = configuration.mode.count else { throw .infiniteCountdown }
    guard steps >= 1 else { throw .invalidCount(steps, parameter: .steps) }
    let clock = try configuration.resolvedClock(clock)
    storage = TimerStorage(
      try RepeaterStateMachine(configuration, seed: clock.timeSource.seed),
      driver: clock.driver(for: queue),
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates a countdown that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - steps: the number of steps; at least 1.
  ///   - interval: the time between two steps, and before the first one; greater than zero.
  ///   - startDelay: the time from the start of a run to its first step, from which the intervals count; `nil` is one
  ///     interval.
  ///   - tolerance: the time by which a step may be late, so that several timers share a wake-up.
  ///   - missedSteps: the treatment of steps whose time has passed.
  ///   - jitter: the maximum of a random delay of each step: see ``Repeater/Configuration/jitter``. `nil` is none.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called at every step.
  /// - Throws: ``TimerConfigurationError`` for an invalid number of steps, interval, tolerance or burst limit.
  public convenience init(
    from steps: Int, every interval: Duration, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedSteps: Repeater.MissedTicks = .skip,
    jitter: Duration? = nil, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      Repeater.Configuration(
        .interval(interval), mode: .finite(steps), startingAfter: startDelay,
        tolerance: tolerance, missedTicks: missedSteps, jitter: jitter),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a countdown whose handler runs on the main actor. The parameters and errors are those of
  /// ``init(_:clock:queue:handler:)`` and
  /// ``init(from:every:startingAfter:tolerance:missedSteps:jitter:clock:isolation:handler:)``.
  public convenience init(
    _ configuration: Repeater.Configuration, clock: TimerClock? = nil, isolation: MainActor,
    handler: @escaping @MainActor (Countdown, _ remainingSteps: Int) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a countdown whose handler runs on the main actor. The errors are those of
  /// ``init(from:every:startingAfter:tolerance:missedSteps:jitter:clock:queue:handler:)``.
  /// - Parameters:
  ///   - steps: the number of steps; at least 1.
  ///   - interval: the time between two steps, and before the first one; greater than zero.
  ///   - startDelay: the time from the start of a run to its first step, from which the intervals count; `nil` is one
  ///     interval.
  ///   - tolerance: the time by which a step may be late, so that several timers share a wake-up.
  ///   - missedSteps: the treatment of steps whose time has passed.
  ///   - jitter: the maximum of a random delay of each step: see ``Repeater/Configuration/jitter``. `nil` is none.
  ///   - clock: the clock it follows.
  ///   - isolation: `MainActor.shared`. If the clock is that of a ``VirtualClock``, advance it on the main actor:
  ///     elsewhere the handler traps.
  ///   - handler: called at every step.
  public convenience init(
    from steps: Int, every interval: Duration, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedSteps: Repeater.MissedTicks = .skip,
    jitter: Duration? = nil, clock: TimerClock = .suspending,
    isolation: MainActor, handler: @escaping @MainActor (Countdown, _ remainingSteps: Int) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      from: steps, every: interval, startingAfter: startDelay, tolerance: tolerance,
      missedSteps: missedSteps, jitter: jitter, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }

  /// Creates a countdown from a checkpoint, and starts it if it was running. The parameters are those of
  /// ``Repeater/init(restoring:policy:clock:queue:handler:)``.
  /// - Throws: ``RestoreError``, as that initializer does; for a checkpoint of an infinite timer,
  ///   ``RestoreError/configuration(_:)`` with ``TimerConfigurationError/infiniteCountdown``.
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

  /// Creates a countdown from a checkpoint, and starts it if it was running. Its handler runs on the main actor.
  /// The parameters and errors are those of ``init(restoring:policy:clock:queue:handler:)`` and
  /// ``init(from:every:startingAfter:tolerance:missedSteps:jitter:clock:isolation:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, isolation: MainActor,
    handler: @escaping @MainActor (Countdown, _ remainingSteps: Int) -> Void
  ) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: policy, clock: clock, queue: .main,
      handler: onMainActor(handler))
  }
}

extension Countdown: PausableTimer, PausableStorageOwner {
  public typealias State = TimerState
  public typealias Delivery = Tick
  @usableFromInline typealias Machine = RepeaterStateMachine

  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler by one that runs on the main actor.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The countdown must run on the main queue, for example because it was created
  ///     with `isolation:`; otherwise the call traps.
  ///   - handler: called at every step.
  public func setHandler(
    isolation: MainActor, _ handler: @escaping @MainActor (Countdown, _ remainingSteps: Int) -> Void
  ) {
    setHandler(storage.onMainActor(self, handler))
  }

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ countdown: Countdown, _ tick: Tick) {
      handler(countdown, tick.remainingIterations ?? 0)
    }
  }

  // MARK: - Controls
  // The controls that a Countdown shares with other kinds are in PausableTimer.swift.

  /// Changes the time between two steps, also while the countdown runs.
  /// - Parameters:
  ///   - interval: the new interval, greater than zero.
  ///   - start: the time from which the new interval counts.
  /// - Returns: ``ControlResult/Refusal/invalid(_:)`` if the interval is not greater than zero.
  @discardableResult
  public func setInterval(
    _ interval: Duration, counting start: Repeater.IntervalStart = .fromNow
  ) -> ControlResult {
    storage.control(self, try interval.checked(.interval)) { (machine, nanoseconds, now) in
      machine.setInterval(nanoseconds, counting: start, at: now)
    }
  }

  /// Defers the next step, or brings it forward if `change` is negative, but not before now. All later steps
  /// move with it.
  /// - Returns: a refusal if the countdown is idle or finished, or follows a ``WallSchedule``.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    storage.control(self) { (machine, now) in machine.adjustTimeLeft(by: change, at: now) }
  }

  /// Changes the number of steps that are left in this run. ``PausableTimer/reset()`` restores the number with
  /// which the countdown was created.
  /// - Returns: a refusal if the countdown is finished, or if it follows a ``WallSchedule`` with one time on one
  ///   date and `steps` is not 1;
  ///   ``ControlResult/Refusal/invalid(_:)`` if `steps` is less than 1.
  @discardableResult
  public func setRemainingSteps(_ steps: Int) -> ControlResult {
    storage.control(self) { (machine, _) in machine.setRemainingIterations(steps, as: .steps) }
  }

  /// Requests the next step now. The next scheduled step does not move.
  /// - Parameter pausing: true to pause the countdown before the request, so that the pause does not drop it.
  /// - Returns: ``ControlResult/Refusal/tooManyPending`` if too many such steps wait; nothing changes then.
  @discardableResult
  public func step(pausing: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(pausing: pausing, at: now) }
  }

  /// The number of steps that are left in this run.
  public var remainingSteps: Int { storage.readMachine { $0.remainingIterations ?? 0 } }

  /// The time until the next step, which does not change during a pause; `nil` unless the countdown is running
  /// or paused: see ``Repeater/Snapshot/timeLeft(at:)``.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.timeSource.currentInstant) }

  /// Returns a Boolean value that indicates whether a tick is still valid: see ``Repeater/isCurrent(_:)``.
  public func isCurrent(_ tick: Tick) -> Bool { storage.readMachine { $0.isCurrent(tick) } }

  /// The current state of the countdown, in one consistent value. The steps left are its remaining
  /// iterations.
  public var snapshot: Snapshot { storage.snapshot }

  /// A checkpoint of the current state of the countdown.
  public var checkpoint: Checkpoint { storage.checkpoint }
}
