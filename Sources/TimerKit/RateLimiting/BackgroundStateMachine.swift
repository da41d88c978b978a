/// The state machine of a ``BackgroundTimer``.
///
/// A new deadline begins a new generation, and so does a cancellation. An alarm before the deadline has no effect.
///
/// | Event | no work pending | work pending |
/// |---|---|---|
/// | submit, `.coalesce` | deadline = now + delay | deadline = min(deadline, now + delay); the newest work |
/// | submit, `.delay` | deadline = now + delay | deadline = now + delay; the newest work |
/// | cancelPending | a new generation | no work pending, a new generation |
/// | alarm, at the deadline or later | – | the work runs, no work pending |
///
/// It does not destroy work but returns it, because destroying it can run any code and the mutex is locked.
@usableFromInline
struct BackgroundStateMachine<Work: Sendable>: PendingStateMachine {
  let behavior: BackgroundBehavior
  private(set) var pending: Work?
  /// The work that is about to run, unless it is revoked.
  private var dueWork: Work?
  /// The deadline of the pending work. It has no meaning if none is pending.
  private var pendingDeadline: Int64 = 0
  @usableFromInline var phase = LifePhase.open
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var revocationNumber: UInt64 = 0

  /// The number of calls that were merged into the pending work.
  private var mergedCallCount = 0
  @usableFromInline private(set) var callCount = 0

  init(_ behavior: BackgroundBehavior) {
    self.behavior = behavior
  }

  @usableFromInline var isCancelled: Bool { phase.isCancelled }
  @usableFromInline var isClosed: Bool { phase.isClosed }
  @usableFromInline var isPending: Bool { pending != nil }
  @usableFromInline var pendingCount: Int { isPending ? 1 : 0 }
  @usableFromInline var deadline: Int64? { isPending && !isClosed ? pendingDeadline : nil }
  @usableFromInline var readySince: Int64? {
    isPending && isClosed && !isCancelled ? pendingDeadline : nil
  }

  @usableFromInline
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<BackgroundRun> {
    guard let due = deadline, now >= due else { return .nothing }
    return deliver(dueAt: due, at: now, on: clock)
  }

  /// Delivers the work of a timer that drains.
  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<BackgroundRun> {
    guard let due = readySince else { return .nothing }
    return deliver(dueAt: due, at: now, on: clock)
  }

  private mutating func deliver(
    dueAt due: Int64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<BackgroundRun> {
    dueWork = pending.take()
    let run = BackgroundRun(
      callCount: mergedCallCount, generation: generation,
      deadline: TimerClock.Instant(nanoseconds: due, clock: clock),
      lateness: .nanoseconds(now.subtractingSaturated(due)))
    mergedCallCount = 0
    return .deliver(run)
  }

  // MARK: - Controls

  /// Submits work to a timer that is not cancelled, once or several times at the same time. Afterward, `work` is the work
  /// that it replaced, if any.
  mutating func submit(_ work: inout Work?, times: Int = 1, after delay: Int64, at now: Int64) {
    let requested = now.addingSaturated(delay)
    if pending == nil || behavior == .delay || requested < pendingDeadline {
      pendingDeadline = requested
      generation += 1
    }
    callCount = callCount.addingSaturated(times)
    mergedCallCount = mergedCallCount.addingSaturated(times)
    swap(&pending, &work)
  }

  /// Makes the pending work due now.
  /// - Returns: false if none is pending.
  mutating func flush(at now: Int64) -> Bool {
    guard isPending else { return false }
    if now < pendingDeadline {
      pendingDeadline = now
      generation += 1
    }
    return true
  }

  /// Removes and returns the work to run now.
  mutating func takeDueWork() -> Work? { dueWork.take() }

  @usableFromInline
  mutating func cancelPending() -> [Work] {
    mergedCallCount = 0
    generation += 1
    revocationNumber += 1
    return [pending.take(), dueWork.take()].compactMap(\.self)
  }

  @usableFromInline
  mutating func cancel() {
    phase = .cancelled
    generation += 1
    revocationNumber += 1
  }
}

extension BackgroundStateMachine: Equatable where Work: Equatable {}
extension BackgroundStateMachine: Hashable where Work: Hashable {}
