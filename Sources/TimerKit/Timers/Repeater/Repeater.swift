public import Dispatch

/// A timer that fires once, a fixed number of times, or repeatedly until you cancel it.
///
/// ```swift
/// let heartbeat = try Repeater.every(.seconds(30), tolerance: .seconds(3)) { timer, tick in
///   print("ping \(tick.iteration)")
/// }
/// heartbeat.pause()
/// ```
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside a handler. The
/// handler and the observers run on the timer's queue, one at a time, in the order they were added. Timers on the same
/// queue share a thread: a slow handler delays the others, and each tick reports its delay in ``Tick/lateness``.
///
/// After `cancel()`, `pause()` or `reset()` has returned, no handler for an old deadline starts. A handler that
/// is already running on another thread continues; with ``isCurrent(_:)`` it can find out that its tick was revoked. If
/// you call the control on the timer's serial queue, no handler is running on another thread. A timer without
/// references is deallocated, which cancels it.
///
/// The deadlines form a grid: the current deadline plus multiples of the interval. They do not drift, even if
/// handlers are late. ``MissedTicks`` determines the treatment of ticks whose time has passed.
///
/// Modes, states, remaining iterations, observers and manual fires are those of Daniele
/// Margutti's Repeat; changing the interval of a running timer comes from 100mango's SwiftTimer.
public final class Repeater: Sendable {
  /// A closure called for every tick, on the timer's queue. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (Repeater, Tick) -> Void

  @usableFromInline let storage: TimerStorage<Repeater, RepeaterStateMachine>

  /// Creates a timer that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - configuration: the times at which it fires, and the number of ticks.
  ///   - clock: the clock it follows; `nil` is ``TimerClock/wall`` for a schedule, and otherwise
  ///     ``TimerClock/suspending``.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value of the configuration, or for a schedule on a
  ///   clock that is not of the kind ``TimerClock/Kind/wall``. Intervals have a resolution of one nanosecond; an
  ///   interval of more than 292 years is clamped to one that never elapses.
  public init(
    _ configuration: Configuration, clock: TimerClock? = nil, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      try RepeaterStateMachine(configuration), clock: try configuration.resolvedClock(clock),
      queue: queue, tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates an idle timer from validated values.
  init(
    _ machine: RepeaterStateMachine, driver: AlarmDriver, tolerance: Int64,
    handler: @escaping Handler
  ) {
    storage = TimerStorage(
      machine, driver: driver, tolerance: tolerance, handler: HandlerBox(handler: handler))
  }

  /// Creates a timer that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - interval: the time between two ticks, and before the first one. Zero is valid for a timer
  ///     that fires once: it is due at once.
  ///   - mode: the number of times it fires before it finishes.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks whose time has passed.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value.
  public convenience init(
    interval: Duration, mode: Mode = .infinite, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        .interval(interval), mode: mode, tolerance: tolerance, missedTicks: missedTicks),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a timer that is idle until ``PausableTimer/start()`` and then follows the time of day.
  ///
  /// Occurrences that pass while the machine sleeps, or when the clock is set forward, are missed ticks. If the
  /// clock is set back, no occurrence repeats: the timer still waits for the same occurrence, until
  /// ``PausableTimer/restart()`` starts it with the clock as it is then. Occurrences during a pause are neither
  /// delivered nor counted as missed. Controls that change the interval or the time left are refused.
  /// - Parameters:
  ///   - schedule: the times at which it fires. If all of them have passed, starting the timer is refused.
  ///   - mode: the number of times it fires before it finishes; always once for a schedule on one date.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks whose time has passed. With ``MissedTicks/delay``, occurrences
  ///     that come while handlers run are neither delivered nor counted as missed.
  ///   - clock: a clock of the kind ``TimerClock/Kind/wall``.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value.
  public convenience init(
    schedule: WallSchedule, mode: Mode = .infinite, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, clock: TimerClock = .wall, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        .schedule(schedule), mode: mode, tolerance: tolerance, missedTicks: missedTicks),
      clock: clock, queue: queue, handler: handler)
  }
}

extension Repeater: PausableTimer, PausableStorageOwner {
  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  ///
  /// If the timer runs an asynchronous operation, as with ``init(_:clock:overlap:operation:)``, this also replaces the
  /// operation, and cancels it if it is running. The timer keeps its queue.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler by one that runs on the main actor.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The timer must run on the main queue, for example because it was created
  ///     with `isolation:`; otherwise the call traps.
  ///   - handler: called for every tick.
  public func setHandler(
    isolation: MainActor, _ handler: @escaping MainActorHandler
  ) {
    storage.requireMainQueue(self)
    setHandler(onMainActor(handler))
  }

  public typealias State = TimerState
  public typealias Delivery = Tick
  @usableFromInline typealias Machine = RepeaterStateMachine

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ timer: Repeater, _ tick: Tick) { handler(timer, tick) }
  }
}
