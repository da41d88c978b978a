public import Dispatch

/// Delivers one of many calls: when they have gone quiet, when they begin, or both.
///
/// A *burst* is a run of calls with less than `delay` between any two that follow one another. With
/// a delay of three steps, `-` being one:
///
/// ```
/// calls      a-b-c---------d---------
/// .trailing  -------c---------d------   the newest, a delay after it
/// .leading   a-------------d---------   the first, at once
/// .both      a------c------d---------   both, the second only if there was a second call
/// ```
///
/// A steady stream of calls holds the trailing edge up for ever; `maxWait` bounds that. Here it is
/// five steps:
///
/// ```
/// calls      a-b-c-d-e-f-g-----------
/// no maxWait ---------------g--------
/// maxWait    -----c----f----g--------
/// ```
///
/// `maxWait` counts from the beginning of the burst or the last delivery, as lodash has it. It also
/// makes the leading edge come again in a stream that never goes quiet.
///
/// Everything can be called from any thread and from inside the handler. Handlers run on the queue,
/// one at a time, in the order of the calls; what they are given by a late queue is the newest
/// value. A debouncer that nobody holds is dropped, and what is pending with it.
///
/// The behaviour is that of lodash's `debounce`; SwiftTimer and Repeat have the trailing edge of it.
public final class Debouncer<Value: Sendable>: Sendable {
  /// Called on the timer's queue, one call at a time, and given the timer, so that it need not
  /// capture it.
  public typealias Handler = @Sendable (Debouncer<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<Debouncer<Value>, DebounceStateMachine<Value>>

  /// - Parameters:
  ///   - delay: how long calls must have been quiet for the trailing edge, and before the next
  ///     leading edge. Zero delivers in the queue's next drain.
  ///   - edges: which of the calls of a burst are delivered.
  ///   - maxWait: the longest that a call waits, if it is not delivered before; at least the delay.
  ///     `nil`: as long as it takes.
  ///   - tolerance: how much later than its time a value may be delivered, so that several timers
  ///     share a wake-up.
  ///   - timeline: the clock it follows.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - handler: called with the debouncer and the value.
  /// - Throws: ``TimerError/invalidDelay(_:)`` for a negative delay or `maxWait`,
  ///   ``TimerError/invalidTolerance(_:)``. The longest delays are clamped to 292 years, which is
  ///   never.
  public init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    storage = TimerStorage(
      try DebounceStateMachine(delay: delay, edges: edges, maxWait: maxWait), on: timeline,
      queue: queue, tolerance: try tolerance.checkedTolerance(), handler: Call(handler: handler))
  }

  /// Takes the value into account: it is delivered, or another one is in its place.
  @inlinable
  public func call(_ value: Value) {
    // What it displaces is dropped when the mutex is not held.
    var value: Value? = value
    let now = storage.time.now
    if storage.update({ $0.join(&value, at: now) }) { return }
    storage.control(self) { (machine, now) in machine.call(&value, at: now) }
  }

  /// The same, and changes the delay, from this call on.
  /// - Throws: ``TimerError/invalidDelay(_:)`` if it is negative; nothing has changed then.
  public func call(_ value: Value, newDelay: Duration) throws(TimerError) {
    let nanoseconds = try newDelay.checkedDelay()
    var value: Value? = value
    storage.control(self) { (machine, now) in
      machine.delay = nanoseconds
      machine.call(&value, at: now)
    }
  }

  /// How long calls must have been quiet.
  public var delay: Duration { .nanoseconds(storage.read(\.delay)) }
}

extension Debouncer: CallLimiter, CallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = Value
  @usableFromInline typealias Machine = DebounceStateMachine<Value>

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ debouncer: Debouncer<Value>, _ value: Value) { handler(debouncer, value) }
  }
}

/// Which calls of a burst a ``Debouncer`` delivers.
public enum DebounceEdges: String, Sendable, Hashable, Codable, CaseIterable {
  /// The first, at once.
  case leading
  /// The newest, when the calls have gone quiet.
  case trailing
  /// The first, at once; and the newest, if there was another call, when they have gone quiet.
  case both
}
