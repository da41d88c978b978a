/// The state machine of a timer that receives calls: a limiter, its keyed form, or a ``BackgroundTimer``.
@usableFromInline
protocol PendingStateMachine: TimerStateMachine where State == CallState {
  /// Pending values that were dropped. The caller destroys them after the mutex has been unlocked.
  associatedtype Dropped: Sendable

  var isPending: Bool { get }
  var pendingCount: Int { get }
  var callCount: Int { get }
  /// The number of values that were delivered; `nil` if each delivery is one value.
  var deliveredValueCount: Int? { get }
  /// The delay or interval, for an inspector; `nil` if each value has its own.
  var pendingInterval: Int64? { get }

  /// The time at which the first value that waits for its time is due; `nil` if none waits.
  var firstDeadline: Int64? { get }

  /// Drops the pending values.
  mutating func cancelPending() -> Dropped
}

extension PendingStateMachine {
  @inlinable static var deliversToNobodyAtOnce: Bool { true }
  @usableFromInline var deliveredValueCount: Int? { nil }
  @usableFromInline var firstDeadline: Int64? { deadline }
  @inlinable var state: CallState { isCancelled ? .cancelled : isPending ? .pending : .idle }
}

/// The state machine of a limiter, with or without keys.
@usableFromInline
protocol LimiterStateMachine: PendingStateMachine {
  /// Makes the pending values due now.
  /// - Returns: false if nothing was pending.
  mutating func flush(at now: Int64) -> Bool
}

/// The state machine of a timer that limits calls.
///
/// The conforming types select the values and the times of their delivery; the protocol extension handles
/// alarms, deliveries, flush and cancellation.
@usableFromInline
protocol CallStateMachine: LimiterStateMachine where Dropped == [Delivery] {
  var calls: CallStorage<Delivery> { get set }

  /// The time until which past calls affect the next one; `nil` if they do not. It has a meaning only while there is
  /// neither a pending value nor a deadline.
  var historyExpiresAt: Int64? { get }

  /// Submits a value. Afterward, `value` is the one that was replaced or dropped, if any; the caller destroys it after the
  /// mutex has been unlocked.
  /// - Returns: true if the value is to be delivered without waiting.
  mutating func call(_ value: inout Delivery?, at now: Int64) -> Bool

  /// Handles the deadline, before anything is delivered for it.
  mutating func deadlineReached()

  /// Handles the delivery of a value.
  mutating func delivered(at now: Int64)

  /// Resets the times of past calls and deliveries.
  mutating func resetHistory()
}

extension CallStateMachine {
  @inlinable var isPending: Bool { calls.isPending }
  @inlinable var pendingCount: Int { calls.pendingCount }
  @inlinable var callCount: Int { calls.callCount }
  @inlinable var firstDeadline: Int64? { calls.waiting == nil ? nil : deadline }
  @inlinable var generation: UInt64 { calls.generation }
  @inlinable var isCancelled: Bool { calls.phase.isCancelled }
  @inlinable var isClosed: Bool { calls.phase.isClosed }
  @inlinable var readySince: Int64? { calls.ready.first?.since }

  @usableFromInline
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    guard let deadline, now >= deadline else { return .nothing }
    deadlineReached()
    return deliver(calls.popNext(), at: now)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    deliver(calls.ready.popFirst()?.value, at: now)
  }

  @usableFromInline
  mutating func cancel() {
    calls.phase = .cancelled
    calls.generation += 1
  }

  @usableFromInline
  mutating func cancelPending() -> [Delivery] {
    calls.generation += 1
    resetHistory()
    return calls.removeAll()
  }

  @usableFromInline
  mutating func flush(at now: Int64) -> Bool {
    let isPending = calls.isPending
    var waiting = calls.waiting.take()
    calls.makeReady(&waiting, at: now)
    return isPending
  }

  private mutating func deliver(_ value: Delivery?, at now: Int64) -> Effect<Delivery> {
    guard let value else { return .nothing }
    delivered(at: now)
    return .deliver(value)
  }
}

/// The values of calls that wait for their delivery, and the number of all calls.
///
/// It does not destroy values but returns them, because destroying a value can run any code and the mutex may
/// be locked.
@usableFromInline
struct CallStorage<Value: Sendable>: Sendable {
  /// The value that waits for its time; a later call may replace it.
  @usableFromInline var waiting: Value?
  @usableFromInline var phase = LifePhase.open
  @usableFromInline var callCount = 0
  @usableFromInline var generation: UInt64 = 0
  /// The values that wait only for the next drain, and the time since which they do.
  @usableFromInline var ready = FIFOQueue<Ready>()

  @usableFromInline
  struct Ready: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let since: Int64

    @inlinable
    init(value: Value, since: Int64) {
      self.value = value
      self.since = since
    }
  }

  @inlinable var isPending: Bool { waiting != nil || !ready.isEmpty }

  @inlinable var pendingCount: Int { ready.count + (waiting == nil ? 0 : 1) }

  /// Moves `value` to the ready values, so that it is delivered without waiting for its time.
  @inlinable
  mutating func makeReady(_ value: inout Value?, at now: Int64) {
    if let admitted = value.take() { ready.append(Ready(value: admitted, since: now)) }
  }

  /// Removes and returns the first ready value, or the value that waits for its time if none is ready.
  mutating func popNext() -> Value? { ready.popFirst()?.value ?? waiting.take() }

  mutating func removeAll() -> [Value] {
    var removed: [Value] = []
    while let next = popNext() { removed.append(next) }
    return removed
  }
}

extension CallStorage: Equatable where Value: Equatable {}
extension CallStorage: Hashable where Value: Hashable {}
extension CallStorage.Ready: Equatable where Value: Equatable {}
extension CallStorage.Ready: Hashable where Value: Hashable {}
