public import Dispatch

/// A timer that debounces the calls for each key separately: see ``Debouncer``.
///
/// Keys need no registration, and are not shared between keyed debouncers. The state of a key is removed
/// when no value is pending for it and, with a leading edge or `maxWait`, no call has come during the delay.
/// The handler runs for one key at a time.
///
/// You can use every member from any thread and from inside the handler. Deallocating the debouncer cancels
/// it. Keys are hashed, compared and released while the debouncer is locked: their `hash(into:)`, `==` and
/// `deinit` must not use it.
///
/// SwiftTimer debounces by an identifier, with the trailing edge only and one dictionary for the whole
/// process.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (KeyedDebouncer<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedDebouncer<Key, Value>, KeyedStateMachine<Key, DebounceStateMachine<Value>>>

  /// Creates a keyed debouncer.
  /// - Parameters:
  ///   - configuration: the delay, the edges, the maximum wait and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the keyed debouncer, the key and the value.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` for a negative delay or `maxWait`, or
  ///   ``TimerConfigurationError/invalidTolerance(_:)``.
  public init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      KeyedStateMachine(try DebounceStateMachine(configuration, clock: clock.kind)), clock: clock,
      queue: queue,
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates a keyed debouncer. The parameters are the properties of ``DebounceConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a keyed debouncer whose handler runs on the main actor. The other parameters are those of
  /// ``init(delay:edges:maxWait:tolerance:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (KeyedDebouncer<Key, Value>, Key, Value) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance, clock: clock,
      queue: .main
    ) { debouncer, key, value in
      MainActor.assumeIsolated { handler(debouncer, key, value) }
    }
  }

  /// Submits a value for a key. The value is delivered at once, or is pending until it is delivered or
  /// replaced by a newer one, or is suppressed.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  /// - Complexity: O(log n) in the number of keys.
  @inlinable @discardableResult
  public func call(_ value: Value, for key: Key) -> Bool {
    // The value that is replaced is released after the mutex has been unlocked.
    var value: Value? = value
    return storage.control(self) { (machine, now) in machine.call(&value, for: key, at: now) }
  }
}

extension KeyedDebouncer: KeyedCallLimiter, KeyedCallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = KeyedCall<Key, Value>
  typealias Limiter = DebounceStateMachine<Value>
  @usableFromInline typealias Machine = KeyedStateMachine<Key, DebounceStateMachine<Value>>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ debouncer: KeyedDebouncer<Key, Value>, _ call: KeyedCall<Key, Value>) {
      handler(debouncer, call.key, call.value)
    }
  }
}
