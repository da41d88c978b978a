public import Dispatch

/// A timer that debounces the calls for each key separately: see ``Debouncer``.
///
/// Keys need no registration, and are not shared between keyed debouncers. The state of a key is removed
/// when no value is pending for it and, with a leading edge or `maxWait`, the delay has passed since its last
/// call. The handler runs for one key at a time.
///
/// Name the types of the keys and values, `KeyedDebouncer<String, Int>`: the compiler infers them only from a body that
/// determines them, such as `save(user, count)`, and not from `print(user, count)`.
///
/// You can use every member from any thread and, except the blocking `cancelAndWait()`, from inside the handler.
/// Deallocating the debouncer cancels it. Keys are hashed, compared and destroyed while the debouncer is locked: their
/// `hash(into:)`, `==` and `deinit` must not use it.
///
/// 100mango's SwiftTimer debounces by an identifier, with the trailing edge only and one dictionary for the
/// whole process.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (KeyedDebouncer<Key, Value>, Key, Value) -> Void
  /// A closure called on the main actor, one call at a time.
  public typealias MainActorHandler = @MainActor (KeyedDebouncer<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedDebouncer<Key, Value>, KeyedStateMachine<Key, DebounceStateMachine<Value>>>

  /// Creates a keyed debouncer.
  /// - Parameters:
  ///   - configuration: the delay, the edges, the maximum wait and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the keyed debouncer, the key and the value. You can add it later, or use observers
  ///     instead: see ``setHandler(_:)``.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay, `maxWait` or tolerance.
  public init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      KeyedStateMachine(try DebounceStateMachine(configuration, clock: clock.kind)),
      driver: clock.driver(for: queue), tolerance: try configuration.tolerance.checkedTolerance(),
      handler: handler.map(HandlerBox.init))
  }

  /// Creates a keyed debouncer. The parameters are the properties of ``DebounceConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a keyed debouncer whose handler runs on the main actor. The other parameters are those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a keyed debouncer whose handler runs on the main actor. The other parameters are those of
  /// ``init(delay:edges:maxWait:tolerance:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance, clock: clock,
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

  /// Changes the delay of all keys. A pending value is then due when the new delay has passed since its call.
  /// - Returns: ``ControlResult/unchanged`` if the delay is the same;
  ///   ``ControlResult/Refusal/invalid(_:)`` if the delay is negative.
  /// - Complexity: O(n log n) in the number of keys.
  @discardableResult
  public func setDelay(_ delay: Duration) -> ControlResult {
    storage.control(self, try delay.checked(.delay)) { (machine, nanoseconds, now) in
      .changed(if: machine.isClosed ? nil : machine.setDelay(nanoseconds, at: now))
    }
  }

  /// The configuration. Its durations are rounded to nanoseconds.
  public var configuration: DebounceConfiguration {
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
  ///   - isolation: `MainActor.shared`. The debouncer must have been created with it, or with the main queue;
  ///     otherwise the call traps.
  ///   - handler: the new handler.
  public func setHandler(isolation: MainActor, _ handler: @escaping MainActorHandler) {
    setHandler(storage.onMainActor(self, handler))
  }
}

extension KeyedDebouncer: KeyedCallLimiter, KeyedLimiterStorageOwner {
  public typealias State = CallState
  public typealias Delivery = KeyedCall<Key, Value>
  typealias KeyMachine = DebounceStateMachine<Value>
  @usableFromInline typealias Machine = KeyedStateMachine<Key, DebounceStateMachine<Value>>
  @usableFromInline typealias HandlerBox = KeyedCallHandler<KeyedDebouncer<Key, Value>, Key, Value>
}
