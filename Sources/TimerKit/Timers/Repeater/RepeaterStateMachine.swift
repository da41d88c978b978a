/// A ``Repeater`` without its storage: the state table of the design, and nothing else.
///
/// Ground rules:
/// - Every control that changes the schedule takes a new generation, so that an alarm on its way is
///   known to be late. Pause, reset and cancel also begin a new fire deliveryGeneration: the generation from
///   which on fire requests and manual ticks count.
/// - The grid is the current deadline + n · interval, or else the occurrences of the schedule. Waits
///   are never added up, so nothing drifts.
/// - Additions saturate at the farthest instant, which never comes.
@usableFromInline
struct RepeaterStateMachine: PausableStateMachine {
  /// The deliveries of a whole run, and those left in this one; more than there will ever be where
  /// there is no end.
  private let count: Int
  private var remaining: Int
  /// Running: the deadline. Paused: the time left of the interval.
  private var time: Int64 = 0
  /// The deliveries of this run so far.
  private(set) var iteration = 0
  @usableFromInline private(set) var generation: UInt64 = 0
  private(set) var manualFireGeneration: UInt64 = 0
  private(set) var deliveredCount = 0
  private(set) var missedCount = 0
  /// Of the newest delivery; below zero before the first.
  private var lateness: Int64 = -1
  private var coldState = LazyBox<ColdState>()
  private(set) var recurrence: Recurrence
  private let policy: Policy
  private(set) var phase = Repeater.Phase.idle
  /// A delivery is committed and its handlers have not returned.
  private(set) var isExecuting = false
  /// Running under `.delay`, between a tick and its handlers' return: there is no deadline yet.
  private(set) var awaitsDelivery = false
  private let isOnce: Bool
  private let isEndless: Bool

  /// What most timers never have.
  private struct ColdState: Sendable, Defaultable {
    var requests = FIFOQueue<FireRequest>()
    var burst: Burst?
    var burstLimit = 0
    var staleCount = 0
    var elapsedWhileStoppedCount = 0
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

  private init(_ mode: Repeater.Mode, _ recurrence: Recurrence, _ missedTicks: Repeater.MissedTicks) {
    self.recurrence = recurrence
    switch missedTicks {
    case .skip: policy = .skip
    case .delay: policy = .delay
    case .burst(let limit):
      policy = .burst
      coldState.change { $0.burstLimit = limit }
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

  var interval: Int64 { recurrence.interval }

  @usableFromInline var status: Repeater.State { phase.shown(whileExecuting: isExecuting) }
  @usableFromInline var deliveryGeneration: UInt64 { manualFireGeneration }
  @usableFromInline var isCancelled: Bool { phase == .cancelled }

  @usableFromInline var deadline: Int64? {
    phase == .running && !awaitsDelivery ? time : nil
  }

  /// A schedule does not wait for who has paused.
  var frozenTimeLeft: Int64? { phase == .paused && recurrence.schedule == nil ? time : nil }

  @usableFromInline var pendingSince: Int64? {
    if coldState.isUnused { return nil }
    return coldState.value.burst?.scheduled ?? coldState.value.requests.first?.at
  }

  var mode: Repeater.Mode { isOnce ? .once : isEndless ? .infinite : .finite(count) }

  /// The deliveries left in this run; `nil` where there is no end.
  var left: Int? { isEndless ? nil : remaining }

  var missedTicks: Repeater.MissedTicks {
    switch policy {
    case .skip: .skip
    case .delay: .delay
    case .burst: .burst(limit: coldState.value.burstLimit)
    }
  }

  var staleCount: Int { coldState.value.staleCount }
  var elapsedWhileStoppedCount: Int { coldState.value.elapsedWhileStoppedCount }

  /// How late the newest delivery was; `nil` before the first.
  var lastLateness: Int64? { lateness < 0 ? nil : lateness }

  /// Whether no control has taken back this tick, or the schedule it came from.
  func isCurrent(_ tick: Repeater.Tick) -> Bool {
    tick.isManual ? tick.generation >= manualFireGeneration : tick.generation == generation
  }
}

// MARK: - Alarms and deliveries
extension RepeaterStateMachine {
  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<Repeater.Tick> {
    guard phase == .running, !awaitsDelivery, generation == self.generation else {
      return rejectStale(generation)
    }
    guard now >= time else { return .nothing }

    let due = time
    let (passed, next) = recurrence.passed(since: due, at: now)
    let missed = isOnce ? 0 : passed
    switch policy {
    case .skip:
      time = next
      return deliver(scheduled: due, missed: missed, isManual: false, at: now)
    case .delay:
      awaitsDelivery = true
      return deliver(scheduled: due, missed: 0, isManual: false, at: now)
    case .burst:
      time = next
      let more = min(missed, coldState.value.burstLimit - 1, remaining - 1)
      let burst = Burst(scheduled: due, ticks: more + 1, missed: missed - more)
      coldState.change { $0.burst = burst }
      return deliverFromBurst(at: now) ?? .nothing
    }
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<Repeater.Tick> {
    if let tick = deliverFromBurst(at: now) { return tick }
    guard !coldState.isUnused, let request = coldState.change({ $0.requests.popFirst() }) else {
      return .nothing
    }
    guard request.generation >= manualFireGeneration, phase != .finished else {
      return rejectStale(request.generation)
    }
    return deliver(scheduled: request.at, missed: 0, isManual: true, at: now)
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    isExecuting = false
    // A control inside a handler has set the next deadline by itself.
    guard awaitsDelivery else { return }
    awaitsDelivery = false
    let now = now()
    time = (try? recurrence.first(from: now, timeLeft: interval)) ?? .max
  }

  private mutating func deliverFromBurst(at now: Int64) -> Effect<Repeater.Tick>? {
    guard !coldState.isUnused, var rest = coldState.value.burst else { return nil }
    let due = rest.scheduled
    rest.ticks -= 1
    rest.scheduled = recurrence.next(after: due)
    coldState.change { $0.burst = rest.ticks > 0 ? rest : nil }
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
        scheduled: TimerClock.Instant(nanoseconds: scheduled), lateness: .nanoseconds(lateness),
        isManual: isManual, isLast: left == 0))
  }

  private mutating func rejectStale(_ generation: UInt64) -> Effect<Repeater.Tick> {
    coldState.change { $0.staleCount += 1 }
    return .stale(generation: generation)
  }
}

// MARK: - Controls
extension RepeaterStateMachine {
  mutating func start(at now: Int64) throws(TimerError) -> Bool {
    switch phase {
    case .running: return false
    case .cancelled: throw .cancelled
    case .idle: run(until: try recurrence.first(from: now, timeLeft: interval))
    case .paused: run(until: try recurrence.first(from: now, timeLeft: time))
    case .finished:
      let deadline = try recurrence.first(from: now, timeLeft: interval)
      refill()
      run(until: deadline)
    }
    return true
  }

  mutating func pause(at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    guard phase == .running else { return false }
    let timeLeft = max(0, nominalDeadline(at: now).subtractingSaturated(now))
    enter(.paused)
    manualFireGeneration = generation
    time = timeLeft
    return true
  }

  mutating func reset(
    interval newInterval: Int64?, restart: Bool, at now: Int64
  ) throws(TimerError) {
    try throwIfCancelled()
    var newRecurrence = recurrence
    newRecurrence.cancelPending()
    if let newInterval {
      try throwIfScheduled()
      newRecurrence = .interval(newInterval)
    }
    let deadline = restart ? try newRecurrence.first(from: now, timeLeft: newRecurrence.interval) : nil
    recurrence = newRecurrence
    refill()
    if let deadline { run(until: deadline) } else { enter(.idle) }
    manualFireGeneration = generation
  }

  mutating func setInterval(
    _ newInterval: Int64, _ change: Repeater.IntervalChange, at now: Int64
  ) throws(TimerError) {
    try throwIfCancelled()
    try throwIfScheduled()
    let old = interval
    let lastFire = nominalDeadline(at: now).subtractingSaturated(old)
    recurrence = .interval(newInterval)
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
    try throwIfCancelled()
    try throwIfScheduled()
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
    try throwIfCancelled()
    guard count >= 1 else { throw .invalidCount(count) }
    guard case .finite = mode, phase != .finished else { return false }
    remaining = count
    dropBurst()
    return true
  }

  mutating func fire(andPause: Bool, at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    guard phase != .finished else { return false }
    if andPause { _ = try pause(at: now) }
    let request = FireRequest(generation: generation, at: now)
    coldState.change { $0.requests.append(request) }
    return true
  }

  /// Makes a fresh machine what a checked checkpoint says.
  mutating func restore(
    _ checkpoint: Repeater.Checkpoint, elapsedPeriods: Int, at now: Int64
  ) throws(TimerError) {
    if let schedule = recurrence.schedule {
      // What it was waiting for has not been yet; all before that has.
      let deadline = checkpoint.takenAt.advanced(by: checkpoint.timeLeft ?? .zero)
      recurrence = .schedule(schedule, past: deadline.nanoseconds.subtractingSaturated(1))
    }
    let timeLeft = max(0, (checkpoint.timeLeft ?? checkpoint.interval).clampedNanoseconds)
    remaining = checkpoint.remainingIterations ?? .max
    iteration = max(0, count - remaining)
    if elapsedPeriods > 0 { coldState.change { $0.elapsedWhileStoppedCount = elapsedPeriods } }
    switch checkpoint.phase {
    case .running: run(until: try recurrence.first(from: now, timeLeft: timeLeft))
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
    manualFireGeneration = generation
    return true
  }

  /// The deadline of a running timer. While it waits for handlers to return, a whole interval is
  /// still to come.
  private func nominalDeadline(at now: Int64) -> Int64 {
    awaitsDelivery ? now.addingSaturated(interval) : time
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
    awaitsDelivery = false
    dropBurst()
  }

  private mutating func dropBurst() {
    if !coldState.isUnused { coldState.change { $0.burst = nil } }
  }

  private func throwIfCancelled() throws(TimerError) {
    if phase == .cancelled { throw .cancelled }
  }

  private func throwIfScheduled() throws(TimerError) {
    if recurrence.schedule != nil { throw .followsSchedule }
  }
}
