/// A ``Repeater`` without its shell: the state table of the design, and nothing else.
///
/// Ground rules:
/// - Every control that changes the schedule takes a new generation, so that an alarm on its way is
///   known to be late. Pause, reset and cancel also begin a new fire epoch: the generation from
///   which on fire requests and manual ticks count.
/// - The grid is the current deadline + n · interval, or else the occurrences of the schedule. Waits
///   are never added up, so nothing drifts.
/// - Additions saturate at the farthest instant, which never comes.
@usableFromInline
struct RepeaterMachine: PausableMachine {
  /// The deliveries of a whole run, and those left in this one; more than there will ever be where
  /// there is no end.
  private let count: Int
  private var remaining: Int
  /// Running: the deadline. Paused: the time left of the interval.
  private var time: Int64 = 0
  /// The deliveries of this run so far.
  private(set) var iteration = 0
  @usableFromInline private(set) var generation: UInt64 = 0
  private(set) var fireEpoch: UInt64 = 0
  private(set) var deliveredCount = 0
  private(set) var missedCount = 0
  /// Of the newest delivery; below zero before the first.
  private var lateness: Int64 = -1
  private var rare = Seldom<Rare>()
  private(set) var rhythm: Rhythm
  private let policy: Policy
  private(set) var phase = Repeater.Phase.idle
  /// A delivery is committed and its handlers have not returned.
  private(set) var isExecuting = false
  /// Running under `.delay`, between a tick and its handlers' return: there is no deadline yet.
  private(set) var awaitsReturn = false
  private let isOnce: Bool
  private let isEndless: Bool

  /// What most timers never have.
  private struct Rare: Sendable, Defaultable {
    var requests = Backlog<FireRequest>()
    var burst: Burst?
    var burstLimit = 0
    var staleCount = 0
    var wentByCount = 0
  }

  /// What becomes of missed ticks; the limit of a burst is kept elsewhere.
  private enum Policy: Sendable { case skip, delay, burst }

  private struct FireRequest: Sendable {
    var generation: UInt64
    var at: Int64
  }

  /// The ticks of a burst that are still to be delivered.
  private struct Burst: Sendable {
    var scheduled: Int64
    var ticks: Int
    var missed: Int
  }

  private init(_ mode: Repeater.Mode, _ rhythm: Rhythm, _ missedTicks: Repeater.MissedTicks) {
    self.rhythm = rhythm
    switch missedTicks {
    case .skip: policy = .skip
    case .delay: policy = .delay
    case .burst(let limit):
      policy = .burst
      rare.change { $0.burstLimit = limit }
    }
    isOnce = mode == .once
    isEndless = mode == .infinite
    count = mode.count ?? .max
    remaining = count
  }

  init(mode: Repeater.Mode, interval: Int64, missedTicks: Repeater.MissedTicks) {
    self.init(mode, .interval(interval), missedTicks)
  }

  /// The machine of a timer as it is asked for.
  init(
    _ mode: Repeater.Mode, every interval: Duration, _ missedTicks: Repeater.MissedTicks
  ) throws(TimerError) {
    try Self.check(mode, missedTicks)
    self.init(mode, .interval(try interval.checkedInterval()), missedTicks)
  }

  /// The machine of a timer that follows a schedule. One date comes only once.
  init(
    _ mode: Repeater.Mode, on schedule: WallSchedule, _ missedTicks: Repeater.MissedTicks
  ) throws(TimerError) {
    try Self.check(mode, missedTicks)
    self.init(
      schedule.date == nil ? mode : .once, .schedule(schedule, past: .min), missedTicks)
  }

  private static func check(
    _ mode: Repeater.Mode, _ missedTicks: Repeater.MissedTicks
  ) throws(TimerError) {
    if let count = mode.count, count < 1 { throw .invalidCount(count) }
    if case .burst(let limit) = missedTicks, limit < 1 { throw .invalidCount(limit) }
  }

  var interval: Int64 { rhythm.interval }

  @usableFromInline var status: Repeater.State { phase.shown(whileExecuting: isExecuting) }
  @usableFromInline var epoch: UInt64 { fireEpoch }
  @usableFromInline var isCancelled: Bool { phase == .cancelled }

  @usableFromInline var deadline: Int64? {
    phase == .running && !awaitsReturn ? time : nil
  }

  /// A schedule does not wait for who has paused.
  var frozenTimeLeft: Int64? { phase == .paused && rhythm.schedule == nil ? time : nil }

  @usableFromInline var readyAt: Int64? {
    if rare.isUntouched { return nil }
    return rare.value.burst?.scheduled ?? rare.value.requests.first?.at
  }

  var mode: Repeater.Mode { isOnce ? .once : isEndless ? .infinite : .finite(count) }

  /// The deliveries left in this run; `nil` where there is no end.
  var left: Int? { isEndless ? nil : remaining }

  var missedTicks: Repeater.MissedTicks {
    switch policy {
    case .skip: .skip
    case .delay: .delay
    case .burst: .burst(limit: rare.value.burstLimit)
    }
  }

  var staleCount: Int { rare.value.staleCount }
  var wentByCount: Int { rare.value.wentByCount }

  /// How late the newest delivery was; `nil` before the first.
  var lastLateness: Int64? { lateness < 0 ? nil : lateness }

  /// Whether no control has taken back this tick, or the schedule it came from.
  func isCurrent(_ tick: Repeater.Tick) -> Bool {
    tick.isManual ? tick.generation >= fireEpoch : tick.generation == generation
  }
}

// MARK: - Alarms and deliveries
extension RepeaterMachine {
  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<Repeater.Tick> {
    guard phase == .running, !awaitsReturn, generation == self.generation else {
      return refuse(generation)
    }
    guard now >= time else { return .nothing }

    let due = time
    let (passed, next) = rhythm.passed(since: due, at: now)
    let missed = isOnce ? 0 : passed
    switch policy {
    case .skip:
      time = next
      return deliver(scheduled: due, missed: missed, isManual: false, at: now)
    case .delay:
      awaitsReturn = true
      return deliver(scheduled: due, missed: 0, isManual: false, at: now)
    case .burst:
      time = next
      let more = min(missed, rare.value.burstLimit - 1, remaining - 1)
      let burst = Burst(scheduled: due, ticks: more + 1, missed: missed - more)
      rare.change { $0.burst = burst }
      return deliverFromBurst(at: now) ?? .nothing
    }
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<Repeater.Tick> {
    if let tick = deliverFromBurst(at: now) { return tick }
    guard !rare.isUntouched, let request = rare.change({ $0.requests.popFirst() }) else {
      return .nothing
    }
    guard request.generation >= fireEpoch, phase != .finished else {
      return refuse(request.generation)
    }
    return deliver(scheduled: request.at, missed: 0, isManual: true, at: now)
  }

  @usableFromInline
  mutating func handlersReturned(at now: () -> Int64) {
    isExecuting = false
    // A control inside a handler has set the next deadline by itself.
    guard awaitsReturn else { return }
    awaitsReturn = false
    let now = now()
    time = (try? rhythm.first(from: now, timeLeft: interval)) ?? .max
  }

  private mutating func deliverFromBurst(at now: Int64) -> Effect<Repeater.Tick>? {
    guard !rare.isUntouched, var rest = rare.value.burst else { return nil }
    let due = rest.scheduled
    rest.ticks -= 1
    rest.scheduled = rhythm.next(after: due)
    rare.change { $0.burst = rest.ticks > 0 ? rest : nil }
    return deliver(
      scheduled: due, missed: rest.ticks > 0 ? 0 : rest.missed, isManual: false, at: now)
  }

  private mutating func deliver(
    scheduled: Int64, missed: Int, isManual: Bool, at now: Int64
  ) -> Effect<Repeater.Tick> {
    isExecuting = true
    iteration += 1
    deliveredCount += 1
    missedCount = missedCount.addingSaturated(missed)
    remaining -= 1
    if remaining == 0 { enter(.finished) }
    lateness = isManual ? 0 : max(0, now.subtractingSaturated(scheduled))
    return .deliver(
      Repeater.Tick(
        iteration: iteration, remainingIterations: left, missed: missed, generation: generation,
        scheduled: TimelineInstant(nanoseconds: scheduled), lateness: .nanoseconds(lateness),
        isManual: isManual, isLast: left == 0))
  }

  private mutating func refuse(_ generation: UInt64) -> Effect<Repeater.Tick> {
    rare.change { $0.staleCount += 1 }
    return .stale(generation: generation)
  }
}

// MARK: - Controls
extension RepeaterMachine {
  mutating func start(at now: Int64) throws(TimerError) -> Bool {
    switch phase {
    case .running: return false
    case .cancelled: throw .cancelled
    case .idle: run(until: try rhythm.first(from: now, timeLeft: interval))
    case .paused: run(until: try rhythm.first(from: now, timeLeft: time))
    case .finished:
      let deadline = try rhythm.first(from: now, timeLeft: interval)
      refill()
      run(until: deadline)
    }
    return true
  }

  mutating func pause(at now: Int64) throws(TimerError) -> Bool {
    try refuseIfCancelled()
    guard phase == .running else { return false }
    let timeLeft = max(0, nominalDeadline(at: now).subtractingSaturated(now))
    enter(.paused)
    fireEpoch = generation
    time = timeLeft
    return true
  }

  mutating func reset(
    interval newInterval: Int64?, restart: Bool, at now: Int64
  ) throws(TimerError) {
    try refuseIfCancelled()
    var newRhythm = rhythm
    newRhythm.forget()
    if let newInterval {
      try refuseIfScheduled()
      newRhythm = .interval(newInterval)
    }
    let deadline = restart ? try newRhythm.first(from: now, timeLeft: newRhythm.interval) : nil
    rhythm = newRhythm
    refill()
    if let deadline { run(until: deadline) } else { enter(.idle) }
    fireEpoch = generation
  }

  mutating func setInterval(
    _ newInterval: Int64, _ change: Repeater.IntervalChange, at now: Int64
  ) throws(TimerError) {
    try refuseIfCancelled()
    try refuseIfScheduled()
    let old = interval
    let lastFire = nominalDeadline(at: now).subtractingSaturated(old)
    rhythm = .interval(newInterval)
    dropBurst()
    switch (phase, change) {
    case (.running, .fromNow):
      run(until: now.addingSaturated(newInterval))
    case (.running, .fromLastFire):
      run(until: max(now, lastFire.addingSaturated(newInterval)))
    case (.paused, .fromNow):
      time = newInterval
    case (.paused, .fromLastFire):
      time = max(0, newInterval.subtractingSaturated(old.subtractingSaturated(time)))
    default: break
    }
  }

  mutating func adjustTimeLeft(by change: Int64, at now: Int64) throws(TimerError) -> Bool {
    try refuseIfCancelled()
    try refuseIfScheduled()
    switch phase {
    case .running:
      run(until: max(now, nominalDeadline(at: now).addingSaturated(change)))
    case .paused:
      time = max(0, time.addingSaturated(change))
    default: return false
    }
    return true
  }

  mutating func setRemainingIterations(_ count: Int) throws(TimerError) -> Bool {
    try refuseIfCancelled()
    guard count >= 1 else { throw .invalidCount(count) }
    guard case .finite = mode, phase != .finished else { return false }
    remaining = count
    dropBurst()
    return true
  }

  mutating func fire(andPause: Bool, at now: Int64) throws(TimerError) -> Bool {
    try refuseIfCancelled()
    guard phase != .finished else { return false }
    if andPause { _ = try pause(at: now) }
    let request = FireRequest(generation: generation, at: now)
    rare.change { $0.requests.append(request) }
    return true
  }

  /// Makes a fresh machine what a checked checkpoint says.
  mutating func restore(
    _ checkpoint: Repeater.Checkpoint, wentBy: Int, at now: Int64
  ) throws(TimerError) {
    let timeLeft = max(0, (checkpoint.timeLeft ?? checkpoint.interval).clampedNanoseconds)
    remaining = checkpoint.remainingIterations ?? .max
    iteration = max(0, count - remaining)
    if wentBy > 0 { rare.change { $0.wentByCount = wentBy } }
    switch checkpoint.phase {
    case .running: run(until: try rhythm.first(from: now, timeLeft: timeLeft))
    case .paused:
      enter(.paused)
      time = timeLeft
    case .idle, .finished, .cancelled: phase = checkpoint.phase
    }
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard phase != .cancelled else { return false }
    enter(.cancelled)
    fireEpoch = generation
    return true
  }

  /// The deadline of a running timer. While it waits for handlers to return, a whole interval is
  /// still to come.
  private func nominalDeadline(at now: Int64) -> Int64 {
    awaitsReturn ? now.addingSaturated(interval) : time
  }

  private mutating func refill() {
    remaining = count
    iteration = 0
  }

  private mutating func run(until deadline: Int64) {
    enter(.running)
    time = deadline
  }

  private mutating func enter(_ newPhase: Repeater.Phase) {
    phase = newPhase
    generation += 1
    awaitsReturn = false
    dropBurst()
  }

  private mutating func dropBurst() {
    if !rare.isUntouched { rare.change { $0.burst = nil } }
  }

  private func refuseIfCancelled() throws(TimerError) {
    if phase == .cancelled { throw .cancelled }
  }

  private func refuseIfScheduled() throws(TimerError) {
    if rhythm.schedule != nil { throw .followsSchedule }
  }
}
