/// A ``CallLimiter`` for every key: ``KeyedDebouncer`` and ``KeyedThrottler``.
///
/// Calls for one key do not affect those for another. Keys need no registration; the state of a key is
/// removed when there is nothing left to do or to remember for it.
///
/// You can call every control from any thread and from inside a handler. Keys are hashed, compared and
/// released while the limiter is locked: their own code for that must not use it. A call to a
/// cancelled limiter is ignored.
public protocol KeyedCallLimiter<Key, Value>: ObservableTimer
where State == CallState, Delivery == KeyedCall<Key, Value> {
  /// The key that separates calls: each key has its own time.
  associatedtype Key: Hashable & Sendable
  /// The value that calls carry and handlers receive.
  associatedtype Value: Sendable

  /// Submits a value for a key: it is delivered, or another one in its place.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  /// - Complexity: O(log n) in the number of keys.
  @discardableResult
  func call(_ value: Value, for key: Key) -> Bool

  /// Drops what is pending for the key, and resets its history. When this has returned, no handler
  /// starts for a call of the key made before.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending for it.
  @discardableResult
  func cancelPending(for key: Key) -> ControlResult

  /// Drops what is pending for all keys, and resets their history.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  func cancelPending() -> ControlResult

  /// Delivers what is pending for the key without waiting, once.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending for it.
  @discardableResult
  func flush(for key: Key) -> ControlResult

  /// Delivers what is pending for all keys without waiting, in the order in which the values were due.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  func flush() -> ControlResult

  /// Ends the limiter for good, drops what is pending, releases its handler and observers, and ends
  /// their streams. No handler starts after this has returned. Deallocating the limiter does the same.
  @discardableResult
  func cancel() -> ControlResult

  /// Cancels, and blocks until a handler that runs has returned. To call it on the timer's own queue
  /// is a programming error: it would wait for itself.
  func cancelAndWait()

  /// Cancels, and suspends until a handler that runs has returned. It blocks no thread.
  func cancelAndWait() async

  /// True while a value waits to be delivered for the key.
  func isPending(for key: Key) -> Bool

  /// True while a value waits to be delivered for any key.
  var isPending: Bool { get }

  /// The number of keys that have a state.
  var keyCount: Int { get }

  /// The calls for all keys by their outcome.
  var snapshot: CallSnapshot { get }
}

extension KeyedCallLimiter where Value == Void {
  /// Calls a limiter that has no values.
  @inlinable @discardableResult
  public func call(for key: Key) -> Bool { call((), for: key) }
}

/// The conformance to ``KeyedCallLimiter`` of a kind with storage: see ``ObservableOwner``.
protocol KeyedCallLimiterOwner: ObservableOwner
where Machine == KeyedStateMachine<Key, Limiter> {
  associatedtype Key: Hashable & Sendable
  associatedtype Limiter: CallStateMachine
}

extension KeyedCallLimiterOwner {
  @discardableResult
  public func cancelPending(for key: Key) -> ControlResult {
    let dropped = storage.control(self) { (machine, _) in machine.cancelPending(key) }
    return .changed(if: !dropped.isEmpty)
  }

  @discardableResult
  public func cancelPending() -> ControlResult {
    let dropped = storage.control(self) { (machine, _) in machine.cancelAllPending() }
    return .changed(if: dropped.pendingCount > 0)
  }

  @discardableResult
  public func flush(for key: Key) -> ControlResult {
    .changed(if: storage.control(self) { (machine, now) in machine.flush(key, at: now) })
  }

  @discardableResult
  public func flush() -> ControlResult {
    .changed(if: storage.control(self) { (machine, now) in machine.flushAll(at: now) })
  }

  @discardableResult
  public func cancel() -> ControlResult {
    .changed(if: storage.end(self) { $0.cancelAllPending() }.hasEnded)
  }

  public func cancelAndWait() {
    cancel()
    storage.cancelAndWait(self)
  }

  public func cancelAndWait() async {
    cancel()
    await storage.cancelAndWait(self)
  }

  public func isPending(for key: Key) -> Bool { storage.read { $0.isPending(key) } }
  public var isPending: Bool { storage.read(\.isPending) }
  public var keyCount: Int { storage.read(\.keyCount) }

  public var snapshot: CallSnapshot {
    let identity = storage.time.identity
    return storage.read { $0.snapshot(on: identity) }
  }
}
