public import Dispatch

/// Delivers at most one of many calls in an interval.
///
/// With an interval of four steps, `-` being one:
///
/// ```
/// calls                          a-bc---d----------e---------
/// .fixed                         a---c---d---------e---------   the first at once
///  … keeping .first              a---b---d---------e---------
/// .fixed(immediateFire: false)   ----c---d-------------e-----   the first after an interval
/// .deferred                      ----c------d----------e-----   each after an interval of its own
/// ```
///
/// The intervals of a fixed throttler begin with its deliveries; so a late one never brings the next
/// one closer. Those of a deferred one begin with the first call that waits; later calls do not put
/// it off, so a steady stream does not starve. With an interval of zero all calls are delivered.
///
/// Everything can be called from any thread and from inside the handler. Handlers run on the queue,
/// one at a time, in the order of the calls. A throttler that nobody holds is dropped, and what is
/// pending with it.
///
/// The modes are those of Repeat's throttler; `keeping` is the `latest` of Combine and
/// AsyncAlgorithms. (For lodash's throttle without a trailing edge take a ``Debouncer`` with the
/// ``DebounceEdges/leading`` edge, and `maxWait` as long as its delay.)
public final class Throttler<Value: Sendable>: Sendable {
  /// Called on the timer's queue, one call at a time, and given the timer, so that it need not
  /// capture it.
  public typealias Handler = @Sendable (Throttler<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<Throttler<Value>, ThrottleStateMachine<Value>>

  /// - Parameters:
  ///   - interval: the least time between two deliveries. Zero delivers every call.
  ///   - mode: when the interval begins.
  ///   - kept: which of the values is delivered that come while it is closed.
  ///   - tolerance: how much later than its time a value may be delivered, so that several timers
  ///     share a wake-up.
  ///   - timeline: the clock it follows.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called with the throttler and the value.
  /// - Throws: ``TimerError/invalidDelay(_:)`` for a negative interval,
  ///   ``TimerError/invalidTolerance(_:)``. The longest intervals are clamped to 292 years, which is
  ///   never.
  public init(
    interval: Duration, mode: ThrottleMode = .fixed, keeping kept: ThrottledValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    storage = TimerStorage(
      try ThrottleStateMachine(interval: interval, mode: mode, keeps: kept), on: timeline,
      queue: queue, tolerance: try tolerance.checkedTolerance(), handler: Call(handler: handler))
  }

  /// Takes the value into account: it is delivered, or another one is in its place.
  @inlinable
  public func call(_ value: Value) {
    // What it displaces is dropped when the mutex is not held.
    var value: Value? = value
    if storage.update({ $0.join(&value) }) { return }
    storage.control(self) { (machine, now) in machine.call(&value, at: now) }
  }

  /// The least time between two deliveries.
  public var interval: Duration { .nanoseconds(storage.read(\.interval)) }
}

extension Throttler: CallLimiter, CallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = Value
  @usableFromInline typealias Machine = ThrottleStateMachine<Value>

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ throttler: Throttler<Value>, _ value: Value) { handler(throttler, value) }
  }
}

/// When the intervals of a ``Throttler`` begin.
public enum ThrottleMode: Sendable, Hashable, Codable {
  /// With a delivery. The first call is delivered at once, or else when it has waited an interval.
  case fixed(immediateFire: Bool)
  /// With the first call that waits: every delivery comes an interval after that.
  case deferred

  /// With a delivery; the first call is delivered at once.
  public static var fixed: ThrottleMode { .fixed(immediateFire: true) }
}

/// Which of the values a ``Throttler`` delivers that come while it is closed.
public enum ThrottledValue: String, Sendable, Hashable, Codable, CaseIterable {
  /// The oldest.
  case first
  /// The newest.
  case latest
}
