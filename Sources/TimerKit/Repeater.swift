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
  public typealias Handler = @Sendable (Repeater, Tick) -> Void

  @usableFromInline let shell: Shell<Repeater, RepeaterMachine>

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
    missed missedTicks: MissedTicks = .skip, on timeline: any Timeline = SystemTimeline.uptime,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    let machine = try RepeaterMachine(mode, every: interval, missedTicks)
    shell = Shell(
      machine, on: timeline, queue: queue, tolerance: try tolerance.checkedTolerance(),
      callback: .handler(handler))
  }
}

extension Repeater: PausableTimer, PausableOwner {
  public typealias Delivery = Tick
  @usableFromInline typealias Machine = RepeaterMachine
}

extension Repeater: Equatable, Identifiable {
  public static func == (left: Repeater, right: Repeater) -> Bool { left === right }
}
