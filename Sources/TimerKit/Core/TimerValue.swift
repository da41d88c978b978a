/// A timer as a value: it has no queue, no clock and no handler. You say what time it is, and it returns what is due.
///
/// ```swift
/// let clock = TimerClock.suspending
/// var sets = try Repeater.Value(interval: .seconds(45), mode: .finite(8))
/// sets.start(at: clock.now)
/// print(sets.wakeUp as Any)  // the time at which to call again
/// while let tick = sets.advance(to: clock.now) { print(tick) }  // what is due, one delivery a call
/// ```
///
/// A value has the behavior of the live timer of its kind, because both have the same state machine. A copy of it is
/// independent: it is an undo step, or a simulation of the future. Two values are equal if they have the same future, and
/// the same counts and generation.
///
/// All instants must belong to the clock with which the value was created. An instant of another one, also of another
/// virtual clock, is a programming error and traps. A time that is earlier than that of the call before it is none: nothing
/// is due at it that was not due before.
public protocol TimerValue: Sendable {
  /// A delivery of the timer.
  associatedtype Delivery: Sendable

  /// The time at which to call ``advance(to:)`` again: from the time of the next delivery, which for a manual fire is that
  /// of its request, to the time by which its tolerance allows to be late. `nil` if nothing is to come.
  ///
  /// A wake-up need not deliver: that at the end of an interval of a throttle only lets the next call through.
  var wakeUp: ClosedRange<TimerClock.Instant>? { get }

  /// Returns the next delivery that is due at `now`; `nil` if there is none. Call it until it returns `nil`.
  ///
  /// Deadlines and requests are delivered in the order of their times, a deadline first if they are equal. A late
  /// delivery follows the rules of the live timer, such as ``Repeater/MissedTicks``.
  mutating func advance(to now: TimerClock.Instant) -> Delivery?
}

/// A timer as a value that starts, pauses and resumes: ``Repeater/Value``, ``Cycle/Value`` and ``Stopwatch/Value``.
///
/// The controls are those of ``PausableTimer``, with the time as an argument, and so are their results. No control
/// delivers anything; call ``TimerValue/advance(to:)`` first if what is due at that time is to be delivered before it.
public protocol PausableTimerValue: TimerValue, Hashable {
  /// The state, which is never ``TimerState/cancelled``.
  var state: TimerState { get }

  /// The kind of the clock of all its instants.
  var clock: TimerClock.Kind { get }

  /// The time of the next delivery that no request causes; `nil` unless the timer is running, and waits for one.
  var deadline: TimerClock.Instant? { get }

  /// Returns the time until ``deadline``, which does not change during a pause; zero if it is due, `nil` if the live timer has
  /// none either.
  func timeLeft(at now: TimerClock.Instant) -> Duration?

  /// Starts the timer, resumes it, or starts a new run of a finished one: see ``PausableTimer/start()``.
  @discardableResult
  mutating func start(at now: TimerClock.Instant) -> ControlResult

  /// Pauses the timer and keeps the time left: see ``PausableTimer/pause()``.
  @discardableResult
  mutating func pause(at now: TimerClock.Instant) -> ControlResult

  /// Makes the timer idle, at the start of a run: see ``PausableTimer/reset()``.
  @discardableResult
  mutating func reset(at now: TimerClock.Instant) -> ControlResult

  /// Resets the timer and starts it: see ``PausableTimer/restart()``.
  @discardableResult
  mutating func restart(at now: TimerClock.Instant) -> ControlResult

  /// Passes the deadlines of a running timer up to `now` without delivering them, as ``RestorePolicy/catchUp`` does. Each
  /// uses up an iteration, and the timer finishes after the last one. The later deadlines do not move. Requests, such as that
  /// of a manual fire, still wait for their delivery.
  /// - Parameters:
  ///   - now: the time up to which deadlines pass.
  ///   - left: the number of deadlines not to pass: the last ones that are due, which ``TimerValue/advance(to:)``
  ///     then delivers.
  /// - Returns: the number of deadlines passed.
  /// - Complexity: O(1); for a schedule, O(n) in the number of days that have passed.
  @discardableResult
  mutating func catchUp(to now: TimerClock.Instant, leaving left: Int) -> Int

  /// Returns the time of the last deadline of this run, if no control changes it; `nil` if that is after `limit`, or if
  /// the timer is not running or does not finish by itself. It does not count requests that wait for their delivery, nor
  /// the random delays after the next deadline.
  /// - Complexity: O(1); for a schedule, O(n) in the number of days until `limit`.
  func end(by limit: TimerClock.Instant) -> TimerClock.Instant?
}

extension PausableTimerValue {
  /// Passes all deadlines of a running timer up to `now`: see ``catchUp(to:leaving:)``.
  @discardableResult
  public mutating func catchUp(to now: TimerClock.Instant) -> Int { catchUp(to: now, leaving: 0) }
}
