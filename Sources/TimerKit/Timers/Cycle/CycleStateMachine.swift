/// A ``Cycle`` without its storage.
///
/// | Event | idle | running | paused | finished |
/// |---|---|---|---|---|
/// | start | running, d = now + D, g++ | false | running, d = now + r, g++ | first stage, running, g++ |
/// | pause | false | r = max(0, d − now), g++ | false | false |
/// | reset | first stage; running (or idle), g++ | same | same | same |
/// | adjust Δ | false | d = max(now, d + Δ), g++ | r = max(0, r + Δ) | false |
/// | skip | request queued | request queued | request queued | false |
/// | a skip is delivered | next stage | next stage, d = asked + D, g++ | next stage, r = D | dropped, stale |
/// | alarm, g current, now ≥ d | stale | deliver, on along the grid | stale | stale |
///
/// Behind the last stage it is finished, g++. D is the duration of the stage. Pause, reset and
/// cancel take back what is being delivered and the skips that are not delivered yet.
@usableFromInline
struct CycleStateMachine: PausableStateMachine {
  let plan: CyclePlan
  private(set) var phase = Repeater.Phase.idle
  /// A delivery is committed and its handlers have not returned.
  private(set) var isExecuting = false
  /// The number of the stage, from 0; that of all stages when it is finished.
  private(set) var stage = 0
  /// Running: the deadline. Paused: the time left.
  private var time: Int64 = 0
  @usableFromInline private(set) var generation: UInt64 = 0
  private(set) var manualFireGeneration: UInt64 = 0
  /// The generation from which on skips count: they are for stages of this run.
  private var skipGeneration: UInt64 = 0
  private var requests: ArraySlice<SkipRequest> = []

  private(set) var deliveredCount = 0
  private(set) var missedCount = 0
  private(set) var staleCount = 0
  private(set) var elapsedWhileStoppedCount = 0
  private(set) var lastTick: Cycle.Tick?

  /// Asks for the end of one stage, and of no other: if that has ended by itself meanwhile, the
  /// request is stale and the next stage is not cut short.
  private struct SkipRequest: Sendable {
    var stage: Int
    var generation: UInt64
    var at: Int64
  }

  init(_ plan: CyclePlan) {
    self.plan = plan
  }

  @usableFromInline var status: Repeater.State { phase.shown(whileExecuting: isExecuting) }
  @usableFromInline var deliveryGeneration: UInt64 { manualFireGeneration }
  @usableFromInline var isCancelled: Bool { phase == .cancelled }
  @usableFromInline var deadline: Int64? { phase == .running ? time : nil }
  @usableFromInline var pendingSince: Int64? { requests.first?.at }

  var frozenTimeLeft: Int64? { phase == .paused ? time : nil }

  /// The stage that runs, or is to run; `nil` behind the last one.
  var current: Cycle.Stage? { stage < plan.stageCount ? plan[stage] : nil }

  /// Whether no control has taken back this tick, or the schedule it came from.
  func isCurrent(_ tick: Cycle.Tick) -> Bool {
    tick.isManual ? tick.generation >= manualFireGeneration : tick.generation == generation
  }
}

// MARK: - Alarms and deliveries
extension CycleStateMachine {
  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<Cycle.Tick> {
    guard phase == .running, generation == self.generation else { return rejectStale(generation) }
    guard now >= time else { return .nothing }
    let due = time
    let (next, begin, missed) = plan.walk(from: stage, endedAt: due, to: now)
    time = begin.addingSaturated(plan.duration(of: next))
    return deliver(next: next, scheduled: due, missed: missed, isManual: false, at: now)
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<Cycle.Tick> {
    guard let request = requests.popFirst() else { return .nothing }
    if requests.isEmpty { requests = [] }
    guard request.generation >= skipGeneration, request.stage == stage else {
      return rejectStale(request.generation)
    }
    let next = stage + 1
    if next < plan.stageCount {
      let duration = plan.duration(of: next)
      if phase == .running { run(until: request.at.addingSaturated(duration)) }
      if phase == .paused { time = duration }
    }
    return deliver(next: next, scheduled: request.at, missed: 0, isManual: true, at: now)
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    isExecuting = false
  }

  private mutating func deliver(
    next: Int, scheduled: Int64, missed: Int, isManual: Bool, at now: Int64
  ) -> Effect<Cycle.Tick> {
    isExecuting = true
    deliveredCount += 1
    missedCount += missed
    let ended = plan[stage]
    stage = next
    if next == plan.stageCount { enter(.finished) }
    let tick = Cycle.Tick(
      ended: ended, begun: current,
      remainingRounds: plan.remainingRounds(from: next), missed: missed, generation: generation,
      scheduled: TimerClock.Instant(nanoseconds: scheduled),
      lateness: isManual ? .zero : .nanoseconds(now.subtractingSaturated(scheduled)),
      isManual: isManual)
    lastTick = tick
    return .deliver(tick)
  }

  private mutating func rejectStale(_ generation: UInt64) -> Effect<Cycle.Tick> {
    staleCount += 1
    return .stale(generation: generation)
  }
}

// MARK: - Controls
extension CycleStateMachine {
  mutating func start(at now: Int64) throws(TimerError) -> Bool {
    switch phase {
    case .running: return false
    case .cancelled: throw .cancelled
    case .paused: run(until: now.addingSaturated(time))
    case .idle: run(until: now.addingSaturated(plan.duration(of: stage)))
    case .finished:
      stage = 0
      run(until: now.addingSaturated(plan.duration(of: 0)))
      skipGeneration = generation
    }
    return true
  }

  mutating func pause(at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    guard phase == .running else { return false }
    time = max(0, time.subtractingSaturated(now))
    enter(.paused)
    takeBack()
    return true
  }

  mutating func reset(restart: Bool, at now: Int64) throws(TimerError) {
    try throwIfCancelled()
    stage = 0
    if restart { run(until: now.addingSaturated(plan.duration(of: 0))) } else { enter(.idle) }
    takeBack()
  }

  mutating func adjustTimeLeft(by change: Int64, at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    switch phase {
    case .running: run(until: max(now, time.addingSaturated(change)))
    case .paused: time = max(0, time.addingSaturated(change))
    case .idle, .finished, .cancelled: return false
    }
    return true
  }

  mutating func skip(at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    var target = stage
    if let last = requests.last, last.generation >= skipGeneration {
      target = max(target, last.stage + 1)
    }
    guard target < plan.stageCount else { return false }
    requests.append(SkipRequest(stage: target, generation: generation, at: now))
    return true
  }

  /// Makes a fresh machine what a checked checkpoint says.
  mutating func restore(_ checkpoint: Cycle.Checkpoint, elapsedPeriods: Int, at now: Int64) {
    stage = checkpoint.stageNumber
    elapsedWhileStoppedCount = elapsedPeriods
    let timeLeft = max(0, checkpoint.timeLeft?.clampedNanoseconds ?? plan.duration(of: stage))
    switch checkpoint.runPhase {
    case .running: run(until: now.addingSaturated(timeLeft))
    case .paused:
      enter(.paused)
      time = timeLeft
    case .idle, .finished, .cancelled: phase = checkpoint.runPhase
    }
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard phase != .cancelled else { return false }
    enter(.cancelled)
    takeBack()
    return true
  }

  private mutating func run(until deadline: Int64) {
    enter(.running)
    time = deadline
  }

  private mutating func enter(_ newPhase: Repeater.Phase) {
    phase = newPhase
    generation += 1
  }

  private mutating func takeBack() {
    manualFireGeneration = generation
    skipGeneration = generation
  }

  private func throwIfCancelled() throws(TimerError) {
    if phase == .cancelled { throw .cancelled }
  }
}
