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

/// The implementation of the members that a ``BackgroundTimer`` shares with the limiters.
protocol PendingStorageOwner: ObservableStorageOwner where Machine: PendingStateMachine {}

extension PendingStorageOwner {
  /// Ends the timer permanently, and drops the pending values in the same step.
  func endDroppingPending() -> ControlResult {
    .changed(if: storage.end(self) { $0.cancelPending() }.didEnd)
  }

  /// Drops the pending values.
  func dropPending() -> ControlResult {
    let dropped = controlUnlessClosed { (machine, _) in
      (wasPending: machine.isPending, values: machine.cancelPending())
    }
    return .changed(if: dropped?.wasPending)
  }

  var callSnapshot: CallSnapshot { storage.snapshot { $0.snapshot($1) } }
}

extension PendingStateMachine {
  func snapshot(_ context: SnapshotContext) -> CallSnapshot {
    CallSnapshot(
      state: state, isExecuting: context.isExecuting, pendingCount: pendingCount,
      callCount: callCount, deliveredCount: deliveredValueCount ?? context.deliveredCount,
      discardedCount: context.discardedCount,
      staleCount: context.staleCount, deadline: context.instant(firstDeadline))
  }
}

/// The implementation of the members that ``CallLimiter`` and ``KeyedCallLimiter`` share, for timer types that have a
/// ``TimerStorage``: see ``ObservableStorageOwner``.
protocol LimiterStorageOwner: PendingStorageOwner where Machine: LimiterStateMachine {}

extension LimiterStorageOwner {
  @discardableResult
  public func cancel() -> ControlResult { endDroppingPending() }

  @discardableResult
  public func cancelPending() -> ControlResult { dropPending() }

  @discardableResult
  public func flush() -> ControlResult {
    .changed(if: controlUnlessClosed { (machine, now) in machine.flush(at: now) })
  }

  public var isPending: Bool { storage.readMachine { $0.isPending } }

  public var snapshot: CallSnapshot { callSnapshot }
}

/// The handler of a ``Debouncer`` or a ``Throttler``. Both are generic in the type of the value, so that the closure needs
/// no wrapper here: see ``TimerHandler``.
@usableFromInline
struct CallHandler<Timer: AnyObject & Sendable, Value: Sendable>: TimerHandler {
  let handler: @Sendable (Timer, Value) -> Void

  @usableFromInline
  func callAsFunction(_ timer: Timer, _ value: Value) { handler(timer, value) }
}

/// The state of a ``Debouncer`` or ``Throttler``, of their keyed forms, of a ``Batcher``, or of a ``BackgroundTimer``.
public enum CallState: String, Sendable, Hashable, CustomStringConvertible {
  /// No value waits to be delivered.
  case idle
  /// A value waits to be delivered.
  case pending
  /// Ended permanently.
  case cancelled

  public var description: String { rawValue }
}

/// The number of calls of a limiter, a ``Batcher`` or a ``BackgroundTimer`` by their outcome, in one consistent value.
///
/// The counts begin when the timer is created. Every call is delivered, dropped or pending, so that the numbers of
/// these add up to the number of calls. A value that was delivered may still not reach an asynchronous operation:
/// ``discardedCount``.
public struct CallSnapshot: Sendable, Hashable, CustomStringConvertible {
  /// The state.
  public var state: CallState
  /// True while the handler or observers run for a delivery.
  public var isExecuting: Bool
  /// The number of values that wait for their time or for the queue.
  public var pendingCount: Int
  /// The number of calls. Calls after the cancellation of the timer are not counted.
  public var callCount: Int
  /// The number of values that were delivered to the handler, the operation and the observers.
  public var deliveredCount: Int
  /// The number of delivered values with which the asynchronous operation has not begun, nor will: its
  /// ``Repeater/Overlap`` has skipped them or replaced them by a newer one while it ran, or a control has revoked them. 0
  /// without an operation.
  ///
  /// They are among those of ``deliveredCount``. A value with which a run has begun is not counted, also if
  /// ``Repeater/Overlap/cancelPrevious`` has cancelled that run.
  public var discardedCount: Int
  /// The number of fires that were rejected because a control had superseded them.
  public var staleCount: Int
  /// The time at which the next value is due, on the timer's clock; `nil` if no value waits for its time.
  public var deadline: TimerClock.Instant?

  /// Creates a snapshot from its values, for a test or a preview.
  public init(
    state: CallState, isExecuting: Bool = false, pendingCount: Int, callCount: Int,
    deliveredCount: Int, discardedCount: Int = 0, staleCount: Int, deadline: TimerClock.Instant?
  ) {
    self.state = state
    self.isExecuting = isExecuting
    self.pendingCount = pendingCount
    self.callCount = callCount
    self.deliveredCount = deliveredCount
    self.discardedCount = discardedCount
    self.staleCount = staleCount
    self.deadline = deadline
  }

  /// The number of calls that are neither delivered nor pending: dropped at once, replaced by a newer call, or
  /// cancelled. What the overlap of an operation discards is in ``discardedCount``.
  public var droppedCount: Int { callCount - deliveredCount - pendingCount }

  /// A description for logs: `pending, 5 calls: 2 delivered, 1 pending, 2 dropped`; or `2 delivered (1 discarded)` if the
  /// operation has not received all of them.
  public var description: String {
    let state = isExecuting ? "\(state), executing" : "\(state)"
    let discarded = discardedCount > 0 ? " (\(discardedCount) discarded)" : ""
    return """
      \(state), \(callCount) calls: \(deliveredCount) delivered\(discarded), \(pendingCount) pending, \
      \(droppedCount) dropped
      """
  }
}
