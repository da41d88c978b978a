/// The state machine of a timer that limits calls.
///
/// The conforming types select the values and the times of their delivery; the protocol extension handles
/// alarms, deliveries, flush and cancellation.
@usableFromInline
protocol CallStateMachine: TimerStateMachine where State == CallState {
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
  @inlinable static var deliversToNobodyAtOnce: Bool { true }

  @inlinable var state: CallState {
    if calls.isCancelled { return .cancelled }
    return calls.isPending ? .pending : .idle
  }

  @inlinable var generation: UInt64 { calls.generation }
  @inlinable var revocationNumber: UInt64 { calls.generation }
  @inlinable var isCancelled: Bool { calls.isCancelled }
  @inlinable var readySince: Int64? { calls.ready.first?.since }

  @usableFromInline
  mutating func handleArmedAlarm(
    generation: UInt64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<Delivery> {
    guard generation == calls.generation else {
      calls.staleCount += 1
      return .stale(generation: generation)
    }
    guard let deadline, now >= deadline else { return .nothing }
    deadlineReached()
    return deliver(calls.popNext(), at: now)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    deliver(calls.ready.popFirst()?.value, at: now)
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    calls.isExecuting = false
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !calls.isCancelled else { return false }
    calls.isCancelled = true
    calls.generation += 1
    return true
  }

  /// Drops the pending values.
  /// - Returns: the values, which the caller destroys after the mutex has been unlocked.
  mutating func cancelPending() -> [Delivery] {
    calls.generation += 1
    resetHistory()
    return calls.removeAll()
  }

  mutating func flush(at now: Int64) -> Bool {
    let isPending = calls.isPending
    var waiting = calls.waiting.take()
    calls.makeReady(&waiting, at: now)
    return isPending
  }

  func snapshot(on clock: ClockIdentity) -> CallSnapshot {
    CallSnapshot(
      state: state, isExecuting: calls.isExecuting, pendingCount: calls.pendingCount,
      callCount: calls.callCount, deliveredCount: calls.deliveredCount,
      staleCount: Int(calls.staleCount),
      deadline: calls.waiting == nil
        ? nil : deadline.map { TimerClock.Instant(nanoseconds: $0, clock: clock) })
  }

  private mutating func deliver(_ value: Delivery?, at now: Int64) -> Effect<Delivery> {
    guard let value else { return .nothing }
    calls.isExecuting = true
    calls.deliveredCount += 1
    delivered(at: now)
    return .deliver(value)
  }
}

/// The values of calls that wait for their delivery, and the counts of all calls and deliveries.
///
/// It does not destroy values but returns them, because destroying a value can run any code and the mutex may
/// be locked.
@usableFromInline
struct CallStorage<Value: Sendable>: Sendable {
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

  /// The value that waits for its time; a later call may replace it.
  @usableFromInline var waiting: Value?
  @usableFromInline var isExecuting = false
  @usableFromInline var isCancelled = false
  var staleCount: UInt32 = 0
  @usableFromInline var callCount = 0
  var deliveredCount = 0
  @usableFromInline var generation: UInt64 = 0
  /// The values that wait only for the next drain.
  @usableFromInline var ready = FIFOQueue<Ready>()

  init() {}

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
