public import Dispatch

/// A ``Debouncer`` for every key: calls for one key do not affect those for another.
///
/// Keys need no registration. The state of a key lasts while something of it is pending, and with a
/// leading edge or `maxWait` until no call has come for the delay; then it is removed.
/// Every keyed debouncer has keys of its own. Handlers of all of them run one at a time.
///
/// You can use everything from any thread and from inside the handler. Deallocating the debouncer cancels
/// it. Keys are hashed, compared and released while it is locked: their own code for that must not use it.
///
/// SwiftTimer has the trailing edge, by identifier, in one dictionary for the whole process.
public final class KeyedDebouncer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (KeyedDebouncer<Key, Value>, Key, Value) -> Void

  @usableFromInline let storage:
    TimerStorage<KeyedDebouncer<Key, Value>, KeyedStateMachine<Key, DebounceStateMachine<Value>>>

  /// Creates a keyed debouncer.
  /// - Parameters:
  ///   - configuration: the delay, the edges and the bounds.
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

  /// Creates a keyed debouncer whose handler runs on the main actor.
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
