/// A ``CallLimiter`` for every key: ``KeyedDebouncer`` and ``KeyedThrottler``.
///
/// Calls for one key do not touch those for another. Keys need no registration; what is kept for one
/// goes when there is nothing left to do or to remember for it. Each has keys of its own.
///
/// Every control can be called from any thread and from inside a handler. Keys are hashed, compared
/// and released while the timer is locked: their own code for that must not use it.
public protocol KeyedCallLimiter<Key, Value>: ObservableTimer
where State == CallState, Delivery == KeyedCall<Key, Value> {
  /// What tells calls apart: each key has its own time.
  associatedtype Key: Hashable & Sendable
  /// What calls carry, and handlers are given.
  associatedtype Value: Sendable

  /// Takes the value into account: it is delivered for the key, or another one is in its place.
  func call(_ value: Value, for key: Key)

  /// Forgets what is pending for the key, and all its calls and deliveries before. When this has
  /// returned, no handler starts for a call of the key made before.
  /// - Returns: whether anything was pending for it.
  @discardableResult
  func cancel(for key: Key) -> Bool

  /// The same for all keys. It ends nothing: there can be calls again. (To end it, drop it.)
  /// - Returns: whether anything was pending.
  @discardableResult
  func cancelAll() -> Bool

  /// Delivers what is pending for the key without waiting, once.
  /// - Returns: whether anything was pending for it.
  @discardableResult
  func flush(for key: Key) -> Bool

  /// The same for all keys, in the order in which the values were due.
  /// - Returns: whether anything was pending.
  @discardableResult
  func flushAll() -> Bool

  /// Whether a value waits to be delivered for the key.
  func isPending(for key: Key) -> Bool

  /// Whether a value waits to be delivered for any key.
  var isPending: Bool { get }

  /// The keys that something is kept for.
  var keyCount: Int { get }

  /// What became of the calls for all keys together.
  var snapshot: CallSnapshot { get }
}

extension KeyedCallLimiter where Value == Void {
  /// Calls a limiter that has no values.
  public func call(for key: Key) { call((), for: key) }
}

/// What gives a kind of timer its ``KeyedCallLimiter``: see ``ObservableOwner``.
protocol KeyedCallLimiterOwner: ObservableOwner
where Machine == KeyedStateMachine<Key, Limiter> {
  associatedtype Key: Hashable & Sendable
  associatedtype Limiter: CallStateMachine
}

extension KeyedCallLimiterOwner {
  public func call(_ value: Limiter.Delivery, for key: Key) {
    // What it displaces is dropped when the mutex is not held.
    var value: Limiter.Delivery? = value
    storage.control(self) { (machine, now) in machine.call(&value, for: key, at: now) }
  }

  @discardableResult
  public func cancel(for key: Key) -> Bool {
    let dropped = storage.control(self) { (machine, _) in machine.cancelPending(key) }
    return !dropped.isEmpty
  }

  @discardableResult
  public func cancelAll() -> Bool {
    let dropped = storage.control(self) { (machine, _) in machine.cancelAllPending() }
    return dropped.pendingCount > 0
  }

  @discardableResult
  public func flush(for key: Key) -> Bool {
    storage.control(self) { (machine, now) in machine.flush(key, at: now) }
  }

  @discardableResult
  public func flushAll() -> Bool {
    storage.control(self) { (machine, now) in machine.flushAll(at: now) }
  }

  public func isPending(for key: Key) -> Bool { storage.read { $0.isPending(key) } }
  public var isPending: Bool { storage.read(\.isPending) }
  public var keyCount: Int { storage.read(\.keyCount) }
  public var snapshot: CallSnapshot { storage.read(\.snapshot) }
}
