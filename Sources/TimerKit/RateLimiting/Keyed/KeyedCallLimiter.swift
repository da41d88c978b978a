/// A timer that limits the calls for each key separately: ``KeyedDebouncer`` and ``KeyedThrottler``.
///
/// Calls for one key do not affect the calls for another one. Keys need no registration; the state of a key
/// is removed when nothing is pending for it and no past call affects its next one.
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside a handler. Keys
/// are hashed, compared and destroyed while the limiter is locked: their `hash(into:)`, `==` and `deinit` must not use
/// the limiter. A cancelled limiter ignores calls, and refuses every control except ``ObservableTimer/cancel()``.
public protocol KeyedCallLimiter<Key, Value>: ObservableTimer
where State == CallState, Delivery == KeyedCall<Key, Value> {
  /// The key of a call. A delay or interval of one key does not affect the others.
  associatedtype Key: Hashable & Sendable
  /// The value that calls carry and handlers receive.
  associatedtype Value: Sendable

  /// Submits a value for a key. The value is delivered at once, is dropped, or is pending until it is delivered
  /// or replaced by a newer one.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is dropped.
  /// - Complexity: O(log n) in the number of keys, amortized.
  @discardableResult
  func call(_ value: Value, for key: Key) -> Bool

  /// Drops the pending values of a key and resets its history. After it has returned, no handler starts for
  /// an earlier call for the key.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending for it.
  /// - Complexity: O(log n) in the number of keys, amortized.
  @discardableResult
  func cancelPending(for key: Key) -> ControlResult

  /// Drops the pending values of all keys and resets their history.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  /// - Complexity: O(n) in the number of keys.
  @discardableResult
  func cancelPending() -> ControlResult

  /// Makes the pending value of a key due now: it is delivered as soon as the queue is free.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending for it.
  /// - Complexity: O(log n) in the number of keys, amortized.
  @discardableResult
  func flush(for key: Key) -> ControlResult

  /// Makes the pending values of all keys due now: they are delivered as soon as the queue is free, in the order in
  /// which they were due.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  /// - Complexity: O(n log n) in the number of keys.
  @discardableResult
  func flush() -> ControlResult

  /// Returns true if a value for the key waits to be delivered.
  func isPending(for key: Key) -> Bool

  /// True while a value for any key waits to be delivered.
  var isPending: Bool { get }

  /// The number of keys with pending values, or with past calls that affect the next one.
  var keyCount: Int { get }

  /// The number of calls for all keys by their outcome, in one consistent value.
  /// - Complexity: O(n) in the number of keys.
  var snapshot: CallSnapshot { get }
}

extension KeyedCallLimiter where Value == Void {
  /// Submits a call without a value for a key.
  /// - Returns: true if the call is delivered without waiting; false if it waits, or is dropped.
  @inlinable @discardableResult
  public func call(for key: Key) -> Bool { call((), for: key) }
}

/// The implementation of the members of ``KeyedCallLimiter`` for one key: see ``LimiterStorageOwner``.
protocol KeyedLimiterStorageOwner: LimiterStorageOwner
where Machine == KeyedStateMachine<Key, KeyMachine> {
  associatedtype Key: Hashable & Sendable
  associatedtype KeyMachine: CallStateMachine
}

extension KeyedLimiterStorageOwner {
  @discardableResult
  public func cancelPending(for key: Key) -> ControlResult {
    let dropped = controlUnlessClosed { (machine, _) in machine.cancelPending(key) }
    storage.operationRunner?.revokeRuns(in: key)
    return .changed(if: dropped.map { !$0.isEmpty })
  }

  @discardableResult
  public func flush(for key: Key) -> ControlResult {
    .changed(if: controlUnlessClosed { (machine, now) in machine.flush(key, at: now) })
  }

  public func isPending(for key: Key) -> Bool { storage.readMachine { $0.isPending(key) } }
  public var keyCount: Int { storage.readMachine { $0.keyCount } }
}

/// The handler of a ``KeyedDebouncer`` or a ``KeyedThrottler``: see ``CallHandler``.
@usableFromInline
struct KeyedCallHandler<Timer, Key, Value>: TimerHandler
where Timer: AnyObject & Sendable, Key: Sendable, Value: Sendable {
  let handler: @Sendable (Timer, Key, Value) -> Void

  @usableFromInline
  func callAsFunction(_ timer: Timer, _ call: KeyedCall<Key, Value>) {
    handler(timer, call.key, call.value)
  }
}

/// A value that a ``KeyedDebouncer`` or a ``KeyedThrottler`` delivers, and its key.
public struct KeyedCall<Key: Sendable, Value: Sendable>: Sendable {
  /// The key of the call.
  public var key: Key
  /// The value of the call.
  public var value: Value

  /// Creates a keyed call from its values, for a test or a preview.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedCall: Equatable where Key: Equatable, Value: Equatable {}
extension KeyedCall: Hashable where Key: Hashable, Value: Hashable {}
