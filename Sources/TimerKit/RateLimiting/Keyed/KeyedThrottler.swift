public import Dispatch

/// A timer that throttles the calls for each key separately: see ``Throttler``.
///
/// Keys need no registration, and are not shared between keyed throttlers. The state of a key is removed an interval
/// after its last delivery; with ``ThrottleMode/deferred``, with the delivery. The handler runs for one key at a time.
///
/// To limit the rate of each user, address or topic, use a ``KeyedRateLimiter``: it needs no queue, and tells when the
/// next call is allowed.
///
/// <!-- snippet
/// let send: @Sendable (String, Double) -> Void = { _, _ in }
/// -->
/// ```swift
/// let progress = try KeyedThrottler<String, Double>(interval: .milliseconds(100)) { _, file, fraction in
///   send(file, fraction)
/// }
/// progress.call(0.5, for: "a.txt")
/// ```
///
/// An interval ends when the timer's queue handles its end: if the queue is busy then, calls for the key still wait.
/// With ``KeptValue/nothing``, an interval ends at its time, but begins only when the queue delivers the call. Without a
/// handler, observers and streams, no call depends on the queue: intervals begin and end at their times.
///
/// Name the types of the keys and values, `KeyedThrottler<String, Double>`: the compiler infers them only from a body that
/// determines them, such as `show(file, progress)`, and not from `print(file, progress)`.
///
/// You can use every member from any thread and, except the blocking `cancelAndWait()`, from inside the handler.
/// Deallocating the throttler cancels it. Keys are hashed, compared and destroyed while the throttler is locked: their
/// `hash(into:)`, `==` and `deinit` must not use it.
///
/// 100mango's SwiftTimer throttles by an identifier, with the mode ``ThrottleMode/deferred``, keeping
/// ``KeptValue/first``, and one dictionary for the whole process.
public final class KeyedThrottler<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (KeyedThrottler<Key, Value>, Key, Value) -> Void
  /// A closure called on the main actor, one call at a time.
  public typealias MainActorHandler = @MainActor (KeyedThrottler<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedThrottler<Key, Value>, KeyedStateMachine<Key, ThrottleStateMachine<Value>>>

  /// Creates a keyed throttler.
  /// - Parameters:
  ///   - configuration: the interval, the mode, the value to keep and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the keyed throttler, the key and the value. You can add it later, or use observers
  ///     instead: see ``setHandler(_:)``.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      KeyedStateMachine(try ThrottleStateMachine(configuration, clock: clock.kind)),
      driver: clock.driver(for: queue), tolerance: try configuration.tolerance.checkedTolerance(),
      handler: handler.map(HandlerBox.init))
  }

  /// Creates a keyed throttler. The parameters are the properties of ``ThrottleConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a keyed throttler whose handler runs on the main actor. The other parameters are those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a keyed throttler whose handler runs on the main actor. The other parameters are those of
  /// ``init(interval:mode:keeping:tolerance:clock:queue:handler:)``.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      interval: interval, mode: mode, keeping: keeping, tolerance: tolerance, clock: clock,
      queue: .main, handler: onMainActor(handler))
  }

  /// Submits a value for a key. The value is delivered at once, is dropped, or is pending until it is delivered
  /// or replaced by a newer one.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is dropped.
  /// - Complexity: O(log n) in the number of keys, amortized.
  @inlinable @discardableResult
  public func call(_ value: Value, for key: Key) -> Bool {
    // The value that is replaced is destroyed after the mutex has been unlocked.
    var value: Value? = value
    return storage.control(self) { (machine, now) in machine.call(&value, for: key, at: now) }
  }

  /// The configuration. Its durations are rounded to nanoseconds.
  public var configuration: ThrottleConfiguration {
    storage.readGuardedState {
      $0.machine.prototype.configuration(tolerance: .nanoseconds($0.tolerance))
    }
  }

  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler with one that runs on the main actor: see ``setHandler(_:)``.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The throttler must have been created with it, or with the main queue;
  ///     otherwise the call traps.
  ///   - handler: the new handler.
  public func setHandler(isolation: MainActor, _ handler: @escaping MainActorHandler) {
    setHandler(storage.onMainActor(self, handler))
  }
}

extension KeyedThrottler: KeyedCallLimiter, KeyedLimiterStorageOwner {
  public typealias State = CallState
  public typealias Delivery = KeyedCall<Key, Value>
  typealias KeyMachine = ThrottleStateMachine<Value>
  @usableFromInline typealias Machine = KeyedStateMachine<Key, ThrottleStateMachine<Value>>
  @usableFromInline typealias HandlerBox = KeyedCallHandler<KeyedThrottler<Key, Value>, Key, Value>
}
