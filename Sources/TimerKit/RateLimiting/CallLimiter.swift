/// A timer that delivers some of the calls it receives, later: ``Debouncer`` and ``Throttler``.
///
/// You can call every control from any thread and from inside a handler. A call to a cancelled limiter
/// is ignored.
public protocol CallLimiter<Delivery>: ObservableTimer where State == CallState {
  /// Submits a value: it is delivered, or another one in its place.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  @discardableResult
  func call(_ value: Delivery) -> Bool

  /// Drops what is pending, and resets the history: the next call is as the first.
  ///
  /// When this has returned, no handler starts for a call made before; on the timer's queue, none is
  /// called.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  func cancelPending() -> ControlResult

  /// Delivers what is pending without waiting, once. That does not make the next call the first: it
  /// belongs to the same burst or interval.
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

  /// True while a value waits to be delivered.
  var isPending: Bool { get }

  /// The calls by their outcome.
  var snapshot: CallSnapshot { get }
}

extension CallLimiter where Delivery == Void {
  /// Calls a limiter that has no values.
  @inlinable @discardableResult
  public func call() -> Bool { call(()) }
}

/// The conformance to ``CallLimiter`` of a kind with storage: see ``ObservableOwner``.
protocol CallLimiterOwner: ObservableOwner where Machine: CallStateMachine {}

extension CallLimiterOwner {
  @discardableResult
  public func cancelPending() -> ControlResult {
    let dropped = storage.control(self) { (machine, _) in machine.cancelPending() }
    return .changed(if: !dropped.isEmpty)
  }

  @discardableResult
  public func flush() -> ControlResult {
    .changed(if: storage.control(self) { (machine, now) in machine.flush(at: now) })
  }

  @discardableResult
  public func cancel() -> ControlResult {
    .changed(if: storage.end(self) { $0.cancelPending() }.hasEnded)
  }

  public func cancelAndWait() {
    cancel()
    storage.cancelAndWait(self)
  }

  public func cancelAndWait() async {
    cancel()
    await storage.cancelAndWait(self)
  }

  public var isPending: Bool { storage.read(\.queue.isPending) }

  public var snapshot: CallSnapshot {
    let identity = storage.time.identity
    return storage.read { $0.snapshot(on: identity) }
  }
}
