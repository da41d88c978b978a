public import Dispatch

/// A ``Throttler`` for every key: calls for one key do not touch those for another.
///
/// Keys need no registration. What is kept for one is there until an interval after its last
/// delivery; then it is gone. Every keyed throttler has keys of its own. Handlers of all of them run
/// one at a time.
///
/// Everything can be called from any thread and from inside the handler. A keyed throttler that
/// nobody holds is dropped, and what is pending with it. Keys are hashed, compared and released
/// while it is locked: their own code for that must not use it.
///
/// SwiftTimer's by-identifier throttle is ``ThrottleMode/deferred``, keeping
/// ``ThrottledValue/first``, in one dictionary for the whole process.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Called on the timer's queue, one call at a time, and given the timer, so that it need not
  /// capture it.
  public typealias Handler = @Sendable (KeyedThrottler<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedThrottler<Key, Value>, KeyedStateMachine<Key, ThrottleStateMachine<Value>>>

  /// The parameters are those of ``Throttler/init(interval:mode:keeping:tolerance:on:queue:handler:)``,
  /// for each key; the handler is given the key as well.
  public init(
    interval: Duration, mode: ThrottleMode = .fixed, keeping kept: ThrottledValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerError) {
    let machine = KeyedStateMachine<Key, ThrottleStateMachine<Value>>(
      try ThrottleStateMachine(interval: interval, mode: mode, keeps: kept))
    storage = TimerStorage(
      machine, on: timeline, queue: queue, tolerance: try tolerance.checkedTolerance(),
      handler: Call(handler: handler))
  }
}

extension KeyedThrottler: KeyedCallLimiter, KeyedCallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = KeyedCall<Key, Value>
  typealias Limiter = ThrottleStateMachine<Value>
  @usableFromInline typealias Machine = KeyedStateMachine<Key, ThrottleStateMachine<Value>>

  @usableFromInline
  struct Call: TimerCall {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ throttler: KeyedThrottler<Key, Value>, _ call: KeyedCall<Key, Value>) {
      handler(throttler, call.key, call.value)
    }
  }
}
