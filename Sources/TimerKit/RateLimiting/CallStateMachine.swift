/// The state machine of a timer that limits calls.
///
/// The conforming types select the values and the times of their delivery; the protocol extension handles
/// alarms, deliveries, flush and cancellation.
@usableFromInline
protocol CallStateMachine: TimerStateMachine where Status == CallState {
  var queue: CallQueue<Delivery> { get set }

  /// The time until which past calls affect the next one if nothing is pending; `nil` if they do not.
  var expiresAt: Int64? { get }

  /// Submits a value. Afterward, `value` is the value to release, if any: one that was replaced or suppressed.
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
  @inlinable var status: CallState {
    if queue.isExecuting { return .executing }
    if queue.isCancelled { return .cancelled }
    return queue.isPending ? .pending : .idle
  }

  @inlinable var generation: UInt64 { queue.generation }
  @inlinable var deliveryGeneration: UInt64 { queue.generation }
  @inlinable var isCancelled: Bool { queue.isCancelled }
  @inlinable var pendingSince: Int64? { queue.ready.first?.since }

  @usableFromInline
  mutating func alarm(
    generation: UInt64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<Delivery> {
    guard generation == queue.generation else {
      queue.staleCount += 1
      return .stale(generation: generation)
    }
    guard let deadline, now >= deadline else { return .nothing }
    deadlineReached()
    return deliver(queue.popNext(), at: now)
  }

  @usableFromInline
  mutating func next(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    deliver(queue.ready.popFirst()?.value, at: now)
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    queue.isExecuting = false
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !queue.isCancelled else { return false }
    queue.isCancelled = true
    queue.generation += 1
    return true
  }

  /// Drops the pending values.
  /// - Returns: the values to release.
  mutating func cancelPending() -> [Delivery] {
    queue.generation += 1
    resetHistory()
    return queue.removeAll()
  }

  mutating func flush(at now: Int64) -> Bool {
    let isPending = queue.isPending
    var waiting = queue.waiting.take()
    queue.admit(&waiting, at: now)
    return isPending
  }

  func snapshot(on clock: ClockIdentity) -> CallSnapshot {
    CallSnapshot(
      state: status, pendingCount: queue.pendingCount, callCount: queue.callCount,
      deliveredCount: queue.deliveredCount, staleCount: Int(queue.staleCount),
      deadline: queue.waiting == nil
        ? nil : deadline.map { TimerClock.Instant(nanoseconds: $0, clock: clock) })
  }

  private mutating func deliver(_ value: Delivery?, at now: Int64) -> Effect<Delivery> {
    guard let value else { return .nothing }
    queue.isExecuting = true
    queue.deliveredCount += 1
    delivered(at: now)
    return .deliver(value)
  }
}
