public import Dispatch

/// A timer that delivers once, a number of times, or until it is told to stop.
///
/// All controls can be called from any thread and from inside a handler. Handlers run on the timer's
/// queue, one at a time, in the order they were registered and never inside one another; timers on one
/// queue share it, so that a slow handler delays its neighbours, who say so in ``Tick/lateness``.
///
/// After `cancel()`, `pause()` or `reset()` no handler of the old schedule starts; called on the
/// timer's queue, none is called at all. Handlers that run elsewhere at that moment can ask
/// ``isCurrent(_:)``. A timer that nobody holds is dropped, and dropping it cancels it.
///
/// Deadlines are those of a grid, the current one + n · interval: they do not drift, however late a
/// handler is. What becomes of those that went by is a matter of ``MissedTicks``.
///
/// Modes, states, remaining iterations, observers and `fire(andPause:)` are as in Repeat; the live
/// change of the interval is SwiftTimer's; the generations behind ``isCurrent(_:)`` are Gallagher's.
public final class Repeater: Sendable {
  /// Called on the timer's queue, one call at a time, and given the timer, so that it need not
  /// capture it.
  public typealias Handler = @Sendable (Repeater, Tick) -> Void

  @usableFromInline let storage: TimerStorage<Repeater, RepeaterStateMachine>

  /// Makes a timer that is idle until ``PausableTimer/start()``.
  /// - Parameters:
  ///   - interval: the time between two ticks, and before the first one.
  ///   - mode: how often it delivers before it finishes.
  ///   - tolerance: how much later than its time a tick may be, so that several timers share a
  ///     wake-up. It never adds up.
  ///   - missedTicks: what becomes of ticks whose time went by.
  ///   - timeline: the clock it follows.
  ///   - queue: where handlers run; `nil` is a serial queue that all timers without one share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerError/invalidInterval(_:)``, ``TimerError/invalidCount(_:)`` or
  ///   ``TimerError/invalidTolerance(_:)``. Intervals are kept to the nanosecond; the longest are
  ///   clamped to 292 years, which is never.
  public init(
    every interval: Duration, mode: Mode = .infinite, tolerance: Duration = .zero,
    missed missedTicks: MissedTicks = .skip, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    let machine = try RepeaterStateMachine(mode, every: interval, missedTicks)
    storage = TimerStorage(
      machine, on: timeline, queue: queue, tolerance: try tolerance.checkedTolerance(),
      handler: Call(handler: handler))
  }

  /// Makes a timer that is idle until ``PausableTimer/start()`` and then follows the time of day, in
  /// place of an interval.
  ///
  /// Occurrences that went by while the machine slept or the clock was set forward are missed ticks.
  /// The clock set back never repeats an occurrence: the timer waits for the one it was waiting for.
  /// (``reset(interval:restart:)`` makes it begin anew, by the clock as it is then.) While it is paused
  /// occurrences go by uncounted. ``setInterval(_:_:)`` and ``adjustTimeLeft(by:)`` throw
  /// ``TimerError/followsSchedule``.
  /// - Parameters:
  ///   - schedule: when it is due. Starting it throws ``TimerError/noOccurrence`` when that is past.
  ///   - mode: how often it delivers before it finishes; for a schedule of one date that is once.
  ///   - tolerance: how much later than its time a tick may be, so that several timers share a
  ///     wake-up.
  ///   - missedTicks: what becomes of ticks whose time went by. With ``MissedTicks/delay`` those that
  ///     come while handlers run are passed over.
  ///   - timeline: a clock of kind ``TimerClock.Kind/wall``.
  ///   - queue: where handlers run; `nil` is a serial queue that all timers without one share.
  ///   - handler: called for every tick.
  /// - Throws: ``TimerError/needsWallClock``, ``TimerError/invalidCount(_:)`` or
  ///   ``TimerError/invalidTolerance(_:)``.
  public init(
    on schedule: WallSchedule, mode: Mode = .infinite, tolerance: Duration = .zero,
    missed missedTicks: MissedTicks = .skip, timeline: TimerClock = .wall,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    guard timeline.kind == .wall else { throw .needsWallClock }
    let machine = try RepeaterStateMachine(mode, on: schedule, missedTicks)
    storage = TimerStorage(
      machine, on: timeline, queue: queue, tolerance: try tolerance.checkedTolerance(),
      handler: Call(handler: handler))
  }
}

extension Repeater: PausableTimer, PausableOwner {
  public typealias Delivery = Tick
  @usableFromInline typealias Machine = RepeaterStateMachine

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ timer: Repeater, _ tick: Tick) { handler(timer, tick) }
  }
}

extension Repeater: Equatable, Identifiable {
  public static func == (left: Repeater, right: Repeater) -> Bool { left === right }
}
