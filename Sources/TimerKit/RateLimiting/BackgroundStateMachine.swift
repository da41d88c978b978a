/// The state machine of a ``BackgroundTimer``.
///
/// A new deadline begins a new generation, and so does a cancellation. Alarms of earlier generations are stale. An
/// alarm before the deadline has no effect.
///
/// | Event | no work pending | work pending |
/// |---|---|---|
/// | submit, `.coalesce` | deadline = now + delay | deadline = min(deadline, now + delay); the newest work |
/// | submit, `.delay` | deadline = now + delay | deadline = now + delay; the newest work |
/// | cancelPending | a new generation | no work pending, a new generation |
/// | alarm of the current generation, at the deadline or later | stale | the work runs, no work pending |
/// | alarm of an earlier generation | stale | stale |
///
/// It does not destroy work but returns it, because destroying it can run any code and the mutex is locked.
@usableFromInline
struct BackgroundStateMachine<Work: Sendable>: TimerStateMachine {
  let behavior: BackgroundBehavior
  private(set) var pending: Work?
  /// The work that is about to run, unless it is revoked.
  private var dueWork: Work?
  /// The deadline of the pending work. It has no meaning if none is pending.
  private var pendingDeadline: Int64 = 0
  private var isExecuting = false
  @usableFromInline private(set) var isCancelled = false
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var revocationNumber: UInt64 = 0

  /// The number of calls that were merged into the pending work.
  private var mergedCallCount = 0
  private(set) var callCount = 0
  private(set) var deliveredCount = 0
  private(set) var staleCount = 0

  init(_ behavior: BackgroundBehavior) {
    self.behavior = behavior
  }

  @usableFromInline var state: CallState {
    if isCancelled { return .cancelled }
    return pending == nil ? .idle : .pending
  }

  @usableFromInline var deadline: Int64? { pending == nil || isCancelled ? nil : pendingDeadline }
  @usableFromInline var readySince: Int64? { nil }

  @usableFromInline
  mutating func handleArmedAlarm(
    generation: UInt64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<BackgroundRun> {
    guard generation == self.generation, let due = deadline else {
      staleCount += 1
      return .stale(generation: generation)
    }
    guard now >= due else { return .nothing }
    dueWork = pending.take()
    isExecuting = true
    deliveredCount += 1
    let run = BackgroundRun(
      callCount: mergedCallCount, generation: generation,
      deadline: TimerClock.Instant(nanoseconds: due, clock: clock),
      lateness: .nanoseconds(now.subtractingSaturated(due)))
    mergedCallCount = 0
    return .deliver(run)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<BackgroundRun> {
    .nothing
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    isExecuting = false
  }
}

// MARK: - Controls
extension BackgroundStateMachine {
  /// Submits work to a timer that is not cancelled. Afterward, `work` is the work that it replaced, if any.
  mutating func submit(_ work: inout Work?, after delay: Int64, at now: Int64) {
    let requested = now.addingSaturated(delay)
    if pending == nil || behavior == .delay || requested < pendingDeadline {
      pendingDeadline = requested
      generation += 1
    }
    callCount += 1
    mergedCallCount += 1
    swap(&pending, &work)
  }

  /// Removes and returns the work to run now.
  mutating func takeDueWork() -> Work? { dueWork.take() }

  /// Drops the pending work.
  /// - Returns: the work to destroy, and true if any was pending.
  mutating func cancelPending() -> (dropped: [Work], wasPending: Bool) {
    let wasPending = pending != nil
    let dropped = [pending.take(), dueWork.take()].compactMap(\.self)
    mergedCallCount = 0
    generation += 1
    revocationNumber += 1
    return (dropped, wasPending)
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    generation += 1
    revocationNumber += 1
    return true
  }

  func snapshot(on clock: ClockIdentity) -> CallSnapshot {
    CallSnapshot(
      state: state, isExecuting: isExecuting, pendingCount: pending == nil ? 0 : 1,
      callCount: callCount, deliveredCount: deliveredCount, staleCount: staleCount,
      deadline: deadline.map { TimerClock.Instant(nanoseconds: $0, clock: clock) })
  }
}
