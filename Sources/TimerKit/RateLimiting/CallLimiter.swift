/// A timer that delivers some of the calls it gets, later: ``Debouncer`` and ``Throttler``.
///
/// Every control can be called from any thread and from inside a handler.
public protocol CallLimiter<Delivery>: ObservableTimer where State == CallState {
  /// Takes the value into account: it is delivered, or another one is in its place.
  func call(_ value: Delivery)

  /// Forgets what is pending, and all calls and deliveries before: the next call is as the first.
  ///
  /// It ends nothing: there can be calls again. (To end it, drop it.) When this has returned, no
  /// handler starts for a call made before; on the timer's queue, none is called.
  /// - Returns: whether anything was pending.
  @discardableResult
  func cancel() -> Bool

  /// Cancels, and waits for a handler that runs. Calling it on the timer's own queue is a
  /// programming error.
  /// - Returns: whether anything was pending.
  @discardableResult
  func cancelAndWait() -> Bool

  /// Delivers what is pending without waiting, once. That does not make the next call the first: in
  /// its burst, or after an interval.
  /// - Returns: whether anything was pending.
  @discardableResult
  func flush() -> Bool

  /// Whether a value waits to be delivered.
  var isPending: Bool { get }

  /// What became of the calls.
  var snapshot: CallSnapshot { get }
}

extension CallLimiter where Delivery == Void {
  /// Calls a limiter that has no values.
  @inlinable
  public func call() { call(()) }
}

/// What gives a kind of timer its ``CallLimiter``: see ``ObservableOwner``.
protocol CallLimiterOwner: ObservableOwner where Machine: CallStateMachine {}

extension CallLimiterOwner {
  @discardableResult
  public func cancel() -> Bool {
    let dropped = storage.control(self) { (machine, _) in machine.cancelPending() }
    return !dropped.isEmpty
  }

  @discardableResult
  public func cancelAndWait() -> Bool {
    var dropped: [Machine.Delivery] = []
    storage.cancelAndWait(self) { dropped = $0.cancelPending() }
    return !dropped.isEmpty
  }

  @discardableResult
  public func flush() -> Bool {
    storage.control(self) { (machine, now) in machine.flush(at: now) }
  }

  public var isPending: Bool { storage.read(\.queue.isPending) }
  public var snapshot: CallSnapshot { storage.read(\.snapshot) }
}
