/// The state machine of a ``DeadlineTimer``.
@usableFromInline
struct DeadlineStateMachine: TimerStateMachine {
  @usableFromInline private(set) var deadline: Int64?
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var isCancelled = false

  /// A constant, because the timer has no states to observe.
  @usableFromInline var state: Bool { false }
  @usableFromInline var revocationNumber: UInt64 { generation }
  @usableFromInline var readySince: Int64? { nil }

  mutating func schedule(_ newDeadline: Int64?) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    guard newDeadline != nil || deadline != nil else { return .unchanged }
    deadline = newDeadline
    generation += 1
    return .changed
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    deadline = nil
    generation += 1
    return true
  }

  @usableFromInline
  mutating func handleArmedAlarm(
    generation: UInt64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<TimerClock.Instant> {
    guard generation == self.generation, let due = deadline else {
      return .stale(generation: generation)
    }
    guard now >= due else { return .nothing }
    deadline = nil
    return .deliver(TimerClock.Instant(nanoseconds: due, clock: clock))
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<TimerClock.Instant> {
    .nothing
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {}
}
