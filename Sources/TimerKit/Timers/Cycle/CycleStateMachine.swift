/// The state machine of a ``Cycle``. In the table, "–" stands for a control that changes nothing.
///
/// | Event | idle | running | paused | finished |
/// |---|---|---|---|---|
/// | start | running, d = now + D, g++ | – | running, d = now + r, g++ | first phase, running, g++ |
/// | pause | refused | r = max(0, d − now), g++ | – | refused |
/// | reset (or restart) | first phase; idle (or running), g++; no reset at the start of a run | same | same | same |
/// | adjust Δ | refused | d = max(now, d + Δ), g++ | r = max(0, r + Δ) | refused |
/// | skip | request queued | request queued | request queued | refused |
/// | a skip is delivered | next phase | next phase, d = time of the request + D, g++ | next phase, r = D | stale |
/// | alarm, now ≥ d | – | deliver, next phase that ends after now, d = its end | – | – |
///
/// After the last phase, the cycle is finished, g++. Here d is the deadline, r the time left, g the
/// generation, and D the duration of the phase. Pause, reset and cancel revoke the delivery in progress and
/// the skips that have not been delivered.
@usableFromInline
struct CycleStateMachine: PausableStateMachine, Hashable {
  let plan: CyclePlan
  @usableFromInline var runState = RunState()
  /// The index of the phase in the run; the number of all phases if the cycle is finished.
  private(set) var phaseIndex = 0
  /// Running: the deadline. Paused: the time left.
  private var deadlineOrTimeLeft: Int64 = 0
  /// The oldest generation whose skips are valid. Older skips were revoked, or are for phases of an earlier run.
  private var oldestValidSkipGeneration: UInt64 = 0
  /// The requests to end one phase, and no other. If that phase has ended by itself meanwhile, the request is
  /// stale, and the next phase is not shortened.
  private var requests = FIFOQueue<Request>()

  private(set) var missedCount = 0
  private(set) var lastTick: Cycle.Tick?

  private struct Request: Hashable {
    let phaseIndex: Int
    let generation: UInt64
    let at: Int64
  }

  init(_ plan: CyclePlan) {
    self.plan = plan
  }

  @usableFromInline var deadline: Int64? { state == .running ? deadlineOrTimeLeft : nil }
  @usableFromInline var readySince: Int64? { requests.first?.at }

  @usableFromInline var maximumTolerance: Int64 { plan.duration(of: phaseIndex) / 2 }

  var pausedTimeLeft: Int64? { state == .paused ? deadlineOrTimeLeft : nil }

  func timeLeft(at now: Int64) -> Int64? {
    deadline.map { max(0, $0.subtractingSaturated(now)) } ?? pausedTimeLeft
  }

  /// The current phase; `nil` after the last one.
  var position: Cycle.Position? { phaseIndex < plan.phaseCount ? plan[phaseIndex] : nil }

  /// Returns a Boolean value that indicates whether no control has revoked the tick or its deadline.
  func isCurrent(_ tick: Cycle.Tick) -> Bool {
    tick.isManual ? !runState.isRevoked(tick.generation) : tick.generation == generation
  }

  // MARK: - Alarms and deliveries

  @usableFromInline
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<Cycle.Tick> {
    guard let due = deadline, now >= due else { return .nothing }
    let (next, begin, missed) = plan.phase(after: phaseIndex, endedAt: due, runningAt: now)
    deadlineOrTimeLeft = begin.addingSaturated(plan.duration(of: next))
    return deliver(next: next, due: due, missed: missed, isManual: false, at: now, on: clock)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Cycle.Tick> {
    guard let request = requests.popFirst() else { return .nothing }
    guard request.generation >= oldestValidSkipGeneration, request.phaseIndex == phaseIndex else {
      return .stale(generation: request.generation)
    }
    let next = phaseIndex + 1
    if next < plan.phaseCount {
      let duration = plan.duration(of: next)
      if state == .running { run(until: request.at.addingSaturated(duration)) }
      if state == .paused { deadlineOrTimeLeft = duration }
    }
    return deliver(next: next, due: request.at, missed: 0, isManual: true, at: now, on: clock)
  }

  private mutating func deliver(
    next: Int, due: Int64, missed: Int, isManual: Bool, at now: Int64,
    on clock: ClockIdentity
  ) -> Effect<Cycle.Tick> {
    missedCount = missedCount.addingSaturated(missed)
    let ended = plan[phaseIndex]
    phaseIndex = next
    if next == plan.phaseCount { runState.enter(.finished) }
    let tick = Cycle.Tick(
      ended: ended, begun: position,
      remainingRounds: plan.remainingRounds(from: next), missedCount: missed,
      generation: generation,
      deadline: TimerClock.Instant(nanoseconds: due, clock: clock),
      lateness: isManual ? .zero : .nanoseconds(now.subtractingSaturated(due)),
      isManual: isManual)
    lastTick = tick
    return .deliver(tick)
  }

  // MARK: - Controls

  mutating func start(at now: Int64) -> ControlResult {
    switch state {
    case .running: return .unchanged
    case .cancelled: return .refused(.cancelled)
    case .paused: run(until: now.addingSaturated(deadlineOrTimeLeft))
    case .idle: run(until: now.addingSaturated(plan.duration(of: phaseIndex)))
    case .finished:
      phaseIndex = 0
      run(until: now.addingSaturated(plan.duration(of: 0)))
      oldestValidSkipGeneration = generation
    }
    return .changed
  }

  mutating func pause(at now: Int64) -> ControlResult {
    if let refusal = state.refusal { return refusal }
    guard state == .running else { return .unchanged }
    deadlineOrTimeLeft = max(0, deadlineOrTimeLeft.subtractingSaturated(now))
    runState.enter(.paused)
    revokePending()
    return .changed
  }

  mutating func reset(restart: Bool, at now: Int64) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    phaseIndex = 0
    runState.enter(restart ? .running : .idle)
    deadlineOrTimeLeft = now.addingSaturated(plan.duration(of: 0))
    revokePending()
    return .changed
  }

  var isReset: Bool {
    state == .idle && phaseIndex == 0
      && requests.last.map { $0.generation < oldestValidSkipGeneration } ?? true
  }

  mutating func adjustTimeLeft(by change: Int64, at now: Int64) -> ControlResult {
    if let refusal = state.refusal { return refusal }
    if state == .running {
      run(until: max(now, deadlineOrTimeLeft.addingSaturated(change)))
    } else {
      deadlineOrTimeLeft = max(0, deadlineOrTimeLeft.addingSaturated(change))
    }
    return .changed
  }

  mutating func skip(at now: Int64) -> ControlResult {
    if isCancelled { return .refused(.cancelled) }
    var target = phaseIndex
    if let last = requests.last, last.generation >= oldestValidSkipGeneration {
      target = max(target, last.phaseIndex + 1)
    }
    guard target < plan.phaseCount else {
      return state == .finished ? .refused(.finished) : .unchanged
    }
    guard requests.count < ControlResult.Refusal.pendingLimit else {
      return .refused(.tooManyPending)
    }
    requests.append(Request(phaseIndex: target, generation: generation, at: now))
    return .changed
  }

  mutating func adjustTimeLeft(by change: Duration, at now: Int64) -> ControlResult {
    adjustTimeLeft(by: change.clampedNanoseconds, at: now)
  }

  mutating func catchUp(to now: Int64, leaving left: Int) -> Int {
    guard let due = deadline, due < .max, now >= due else { return 0 }
    let running = plan.phase(after: phaseIndex, endedAt: due, runningAt: now)
    let count = (running.phaseIndex - phaseIndex).subtractingSaturated(max(0, left))
    guard count > 0 else { return 0 }
    let next = phaseIndex + count
    deadlineOrTimeLeft = due.addingSaturated(
      plan.length(of: phaseIndex + 1..<next.addingSaturated(1)))
    phaseIndex = next
    if next == plan.phaseCount { runState.enter(.finished) }
    return count
  }

  func end(by limit: Int64) -> Int64? {
    guard plan.configuration.rounds != nil, let deadline else { return nil }
    let end = deadline.addingSaturated(plan.length(of: phaseIndex + 1..<plan.phaseCount))
    return end < .max && end <= limit ? end : nil
  }

  func snapshot(_ context: SnapshotContext) -> Cycle.Snapshot {
    var configuration = plan.configuration
    configuration.tolerance = .nanoseconds(context.tolerance)
    return Cycle.Snapshot(
      configuration: configuration, clock: context.clock.kind, state: state,
      isExecuting: context.isExecuting, position: position, phaseIndex: phaseIndex,
      remainingRounds: plan.remainingRounds(from: phaseIndex),
      deadline: context.instant(deadline),
      pausedTimeLeft: pausedTimeLeft.map(Duration.nanoseconds(_:)), generation: generation,
      deliveredCount: context.deliveredCount, missedCount: missedCount,
      staleCount: context.staleCount,
      deadlinesPassedBeforeRestore: context.deadlinesPassedBeforeRestore, lastTick: lastTick)
  }

  /// Sets the state of a new machine from a validated checkpoint.
  mutating func restore(_ checkpoint: Cycle.Checkpoint, at now: Int64) {
    phaseIndex = checkpoint.phaseIndex
    let timeLeft = checkpoint.timeLeft?.clampedNanoseconds ?? plan.duration(of: phaseIndex)
    switch checkpoint.state {
    case .running: run(until: now.addingSaturated(timeLeft))
    case .paused:
      runState.enter(.paused)
      deadlineOrTimeLeft = max(0, timeLeft)
    default: runState = RunState(checkpoint.state)
    }
  }

  @usableFromInline
  mutating func cancel() {
    runState.enter(.cancelled)
    revokePending()
  }

  private mutating func run(until deadline: Int64) {
    runState.enter(.running)
    deadlineOrTimeLeft = deadline
  }

  private mutating func revokePending() {
    runState.revokeDeliveries()
    oldestValidSkipGeneration = generation
  }
}
