public import Dispatch

/// A ``Throttler`` for every key: calls for one key do not affect those for another.
///
/// Keys need no registration. The state of a key lasts until an interval after its last delivery; then
/// it is removed. Every keyed throttler has keys of its own. The handlers of all keys run one at a time.
///
/// **A rate limiter** for each user, address or topic is a keyed throttler that keeps
/// ``ThrottledValue/none``: `call` returns true if the call passes, and a call that does not is dropped.
/// It needs no handler, and no clean-up of users who have left.
///
/// <!-- snippet
/// let user = 7
/// -->
/// ```swift
/// let limiter = try KeyedThrottler<Int, Void>(interval: .seconds(1), keeping: .none)
/// let isAllowed = limiter.call(for: user)  // false: too many requests
/// ```
///
/// A key's throttle opens on the timer's queue: while a handler keeps that busy, it stays closed.
///
/// You can use everything from any thread and from inside the handler. Deallocating the throttler cancels
/// it. Keys are hashed, compared and released while it is locked: their own code for that must not use it.
///
/// SwiftTimer's by-identifier throttle is ``ThrottleMode/deferred``, keeping
/// ``ThrottledValue/first``, in one dictionary for the whole process.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (KeyedThrottler<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedThrottler<Key, Value>, KeyedStateMachine<Key, ThrottleStateMachine<Value>>>

  /// Creates a keyed throttler.
  /// - Parameters:
  ///   - configuration: the interval, its beginning and the value to keep.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the keyed throttler, the key and the value.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` for a negative interval, or
  ///   ``TimerConfigurationError/invalidTolerance(_:)``.
  public init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      KeyedStateMachine(try ThrottleStateMachine(configuration, clock: clock.kind)), clock: clock,
      queue: queue,
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates a keyed throttler. The parameters are the properties of ``ThrottleConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fixed, keeping: ThrottledValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler = { _, _, _ in }
  ) throws(TimerConfigurationError) {
    try self.init(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a keyed throttler whose handler runs on the main actor.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fixed, keeping: ThrottledValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (KeyedThrottler<Key, Value>, Key, Value) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      interval: interval, mode: mode, keeping: keeping, tolerance: tolerance, clock: clock,
      queue: .main
    ) { throttler, key, value in
      MainActor.assumeIsolated { handler(throttler, key, value) }
    }
  }

  /// Submits a value for a key: it is delivered, or another one in its place.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  /// - Complexity: O(log n) in the number of keys.
  @inlinable @discardableResult
  public func call(_ value: Value, for key: Key) -> Bool {
    // A value that it displaces is released when the mutex is not held.
    var value: Value? = value
    return storage.control(self) { (machine, now) in machine.call(&value, for: key, at: now) }
  }
}

extension KeyedThrottler: KeyedCallLimiter, KeyedCallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = KeyedCall<Key, Value>
  typealias Limiter = ThrottleStateMachine<Value>
  @usableFromInline typealias Machine = KeyedStateMachine<Key, ThrottleStateMachine<Value>>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ throttler: KeyedThrottler<Key, Value>, _ call: KeyedCall<Key, Value>) {
      handler(throttler, call.key, call.value)
    }
  }
}
