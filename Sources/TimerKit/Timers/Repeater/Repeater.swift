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
/// Modes, remaining iterations, observers and manual fires are those of Daniele Margutti's Repeat, and its states but for
/// `executing`, which is `isExecuting`; changing the interval of a running timer comes from 100mango's SwiftTimer.
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
    let clock = try configuration.resolvedClock(clock)
    storage = TimerStorage(
      try RepeaterStateMachine(configuration, seed: clock.timeSource.seed),
      driver: clock.driver(for: queue),
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates a timer that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - interval: the time between two ticks, and before the first one. Zero is valid for a timer
  ///     that fires once: it is due at once.
  ///   - mode: the number of times it fires before it finishes.
  ///   - startDelay: the time from the start of a run to its first tick, from which the intervals count: `.zero` to fire at
  ///     once. `nil` is one interval.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks whose time has passed.
  ///   - jitter: the maximum of a random delay of each tick, which does not move the later ones: see
  ///     ``Configuration/jitter``. `nil` is none.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value.
  public convenience init(
    interval: Duration, mode: Mode = .infinite, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        .interval(interval), mode: mode, startingAfter: startDelay, tolerance: tolerance,
        missedTicks: missedTicks, jitter: jitter),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a timer that is idle until ``PausableTimer/start()`` and then follows the time of day.
  ///
  /// Occurrences that pass while the machine sleeps, or when the clock is set forward, are missed ticks. If the
  /// clock is set back, no occurrence repeats: the timer still waits for the same occurrence, until
  /// ``PausableTimer/restart()`` starts it with the clock as it is then. Occurrences during a pause are neither
  /// delivered nor counted as missed. One that was due before the pause and not delivered, because of its random delay, a
  /// tolerance or a busy queue, keeps its time left: it comes after the pause, and merges the others that were due.
  /// Controls that change the interval or the time left are refused.
  /// - Parameters:
  ///   - schedule: the times at which it fires. If all of them have passed, starting the timer is refused.
  ///   - mode: the number of times it fires before it finishes; always once for a schedule with one time of day on one
  ///     date. The last occurrence of a schedule that ends is the last tick, whatever the mode is.
  ///   - tolerance: the time by which a tick may be late, so that several timers share a wake-up.
  ///   - missedTicks: the treatment of ticks whose time has passed. With ``MissedTicks/delay``, occurrences
  ///     that come while handlers run are neither delivered nor counted as missed.
  ///   - jitter: the maximum of a random delay of each tick: see ``Configuration/jitter``. `nil` is none.
  ///   - clock: a clock of the kind ``TimerClock/Kind/wall``.
  ///   - queue: the queue on which handlers run; `nil` is a serial queue that all timers without one
  ///     share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value.
  public convenience init(
    schedule: WallSchedule, mode: Mode = .infinite, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        .schedule(schedule), mode: mode, tolerance: tolerance, missedTicks: missedTicks,
        jitter: jitter),
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
    setHandler(storage.onMainActor(self, handler))
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

  // MARK: - Controls
  // The controls that a Repeater shares with other kinds are in PausableTimer.swift.

  /// Resets the timer, changes its interval and starts it: see ``PausableTimer/restart()``.
  /// - Parameter interval: greater than zero; zero is valid for a timer that fires once.
  /// - Returns: ``ControlResult/Refusal/invalid(_:)`` if the interval is invalid.
  @discardableResult
  public func restart(every interval: Duration) -> ControlResult {
    storage.control(self) { (machine, now) in machine.restart(every: interval, at: now) }
  }

  /// Changes the interval, also while the timer runs and for a timer that fires once.
  /// - Parameters:
  ///   - interval: greater than zero; zero is valid for a timer that fires once.
  ///   - start: the time from which the new interval counts. The time left of a paused timer changes in the
  ///     same way.
  /// - Returns: ``ControlResult/Refusal/invalid(_:)`` if the interval is invalid.
  @discardableResult
  public func setInterval(
    _ interval: Duration, counting start: IntervalStart = .fromNow
  ) -> ControlResult {
    storage.control(self) { (machine, now) in
      machine.setInterval(interval, counting: start, at: now)
    }
  }

  /// Defers the next fire, or brings it forward if `change` is negative, but not before now. All later fires
  /// move with it.
  /// - Returns: a refusal if the timer is idle or finished, or follows a schedule.
  @discardableResult
  public func adjustTimeLeft(by change: Duration) -> ControlResult {
    storage.control(self) { (machine, now) in machine.adjustTimeLeft(by: change, at: now) }
  }

  /// Changes the number of deliveries that are left in this run of a finite timer. The mode does not change, and
  /// determines the number of deliveries in the next run.
  /// - Returns: a refusal if the timer is infinite or finished, or if it follows a schedule with one time on one date
  ///   and `count` is not 1; ``ControlResult/Refusal/invalid(_:)`` if `count` is less than 1.
  @discardableResult
  public func setRemainingIterations(_ count: Int) -> ControlResult {
    storage.control(self) { (machine, _) in
      machine.setRemainingIterations(count, as: .remainingIterations)
    }
  }

  /// Requests a tick now, and does not move the next deadline. The manual tick is delivered on the queue,
  /// after a running handler has returned, and uses up an iteration.
  ///
  /// An idle or paused timer also delivers it, and stays idle or paused, unless that was the last iteration. A pause,
  /// reset or cancellation before its delivery makes it stale; a new interval does not.
  /// - Parameter pausing: true to pause the timer before the request, so that the pause does not drop it.
  /// - Returns: ``ControlResult/Refusal/tooManyPending`` if too many manual ticks wait; nothing changes then.
  @discardableResult
  public func fire(pausing: Bool = false) -> ControlResult {
    storage.control(self) { (machine, now) in machine.fire(pausing: pausing, at: now) }
  }

  /// A delivery of a timer.
  public struct Tick: Sendable, Hashable, CustomStringConvertible {
    /// The number of this delivery in its run, from 1.
    public var iteration: Int
    /// The number of deliveries left after this one; `nil` for an infinite timer. It is 0 if the schedule ends with it.
    public var remainingIterations: Int?
    /// The number of missed ticks that were merged into this one.
    public var missedCount: Int
    /// The generation for which it was delivered: see ``Repeater/isCurrent(_:)``.
    public var generation: UInt64
    /// The time at which it was due, on the timer's clock.
    public var deadline: TimerClock.Instant
    /// The time from `deadline` to its delivery; zero for a manual one.
    public var lateness: Duration
    /// True if it was requested by `fire()`.
    public var isManual: Bool
    /// True for the last tick of a run: that of the last iteration, or of the last occurrence of a schedule. With
    /// ``MissedTicks/delay``, a schedule can also end while the handlers of a tick run for which it is false.
    public var isLast: Bool

    /// Creates a tick from its values, for a test or a preview.
    public init(
      iteration: Int, remainingIterations: Int?, missedCount: Int = 0, generation: UInt64 = 0,
      deadline: TimerClock.Instant, lateness: Duration = .zero, isManual: Bool = false,
      isLast: Bool = false
    ) {
      self.iteration = iteration
      self.remainingIterations = remainingIterations
      self.missedCount = missedCount
      self.generation = generation
      self.deadline = deadline
      self.lateness = lateness
      self.isManual = isManual
      self.isLast = isLast
    }

    /// A description for logs: `tick 3, 5 left, 0.0002 seconds late`.
    public var description: String {
      var parts = [isManual ? "manual tick \(iteration)" : "tick \(iteration)"]
      if let remainingIterations { parts.append("\(remainingIterations) left") }
      if missedCount > 0 { parts.append("\(missedCount) missed") }
      if lateness > .zero { parts.append("\(lateness) late") }
      return parts.joined(separator: ", ")
    }
  }
}
