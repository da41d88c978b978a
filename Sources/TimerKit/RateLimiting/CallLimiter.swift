/// A timer that receives calls and delivers only some of their values: ``Debouncer`` and ``Throttler``.
///
/// You can call every control from any thread and, except the blocking `cancelAndWait()`, from inside a handler. A
/// cancelled limiter ignores calls, and refuses every control except ``ObservableTimer/cancel()``.
public protocol CallLimiter<Delivery>: ObservableTimer where State == CallState {
  /// Submits a value. The value is delivered at once, is dropped, or is pending until it is delivered or replaced by a
  /// newer one.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is dropped.
  @discardableResult
  func call(_ value: Delivery) -> Bool

  /// Drops the pending values and resets the history, so that the next call is treated as the first one.
  ///
  /// After this method has returned, no handler starts for an earlier call. A handler that is already running on
  /// another thread continues. On the timer's serial queue, no handler runs on another thread while you call this
  /// method.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  func cancelPending() -> ControlResult

  /// Makes the pending value due now: it is delivered as soon as the queue is free.
  ///
  /// It does not end the burst of a ``Debouncer``. A ``Throttler`` in the mode ``ThrottleMode/fromDelivery`` begins an interval with this
  /// delivery; with ``ThrottleMode/deferred``, the next call begins one.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  func flush() -> ControlResult

  /// True while a value waits to be delivered.
  var isPending: Bool { get }

  /// The number of calls by their outcome, in one consistent value.
  var snapshot: CallSnapshot { get }
}

extension CallLimiter where Delivery == Void {
  /// Submits a call without a value.
  /// - Returns: true if the call is delivered without waiting; false if it waits, or is dropped.
  @inlinable @discardableResult
  public func call() -> Bool { call(()) }
}

/// The implementation of ``CallLimiter`` for timer types that have a ``TimerStorage``: see ``ObservableStorageOwner``.
protocol CallLimiterStorageOwner: ObservableStorageOwner where Machine: CallStateMachine {}

extension CallLimiterStorageOwner {
  @discardableResult
  public func cancelPending() -> ControlResult {
    let dropped = controlUnlessCancelled { (machine, _) in machine.cancelPending() }
    return .changed(if: dropped.map { !$0.isEmpty })
  }

  @discardableResult
  public func flush() -> ControlResult {
    .changed(if: controlUnlessCancelled { (machine, now) in machine.flush(at: now) })
  }

  @discardableResult
  public func cancel() -> ControlResult {
    .changed(if: storage.end(self) { $0.cancelPending() }.didEnd)
  }

  public var isPending: Bool { storage.readMachine(\.calls.isPending) }

  public var snapshot: CallSnapshot {
    let identity = storage.timeSource.identity
    return storage.readMachine { $0.snapshot(on: identity) }
  }
}
