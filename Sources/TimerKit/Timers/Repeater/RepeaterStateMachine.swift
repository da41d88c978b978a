/// The state machine of a ``Repeater`` and a ``Countdown``.
///
/// Ground rules:
/// - Every control that changes the deadline increments the generation, so that an alarm that was armed for
///   the old deadline is rejected as stale. Pause, reset and cancel also make manual fires of earlier
///   generations stale.
/// - The grid is the current deadline + n · interval, or the occurrences of the schedule. After a tick, the next
///   deadline is computed from the previous one and not from the time of the delivery, so the timer does not
///   drift. With `.delay`, it is computed from the time at which the handlers returned.
/// - Jitter is not part of the grid: the alarm comes at the deadline on the grid plus its random delay. A pause keeps
///   both, so that it moves the grid only by its own duration.
/// - A schedule can end: then there is no further deadline, and the last tick that is still to be delivered ends the
///   run.
/// - A pause keeps an occurrence of a schedule that is due and not delivered. Otherwise a schedule continues during a
///   pause.
/// - Additions saturate at the latest instant, which never comes.
@usableFromInline
struct RepeaterStateMachine: PausableStateMachine, Hashable {
  /// The number of deliveries in a run; `Int.max` if the timer is infinite.
  let count: Int
  /// The number of deliveries left in this run.
  var remaining: Int
  /// Running: the deadline on the grid. Paused: the time left until then; negative, if only a part of ``jitterDelay`` is
  /// left. For a schedule, that has a meaning only if the pause keeps an occurrence.
  var deadlineOrTimeLeft: Int64 = 0
  /// The random delay of the next tick.
  var jitterDelay: Int64 = 0
  /// The number of deliveries in this run so far.
  var iteration = 0
  private(set) var missedCount = 0
  /// The lateness of the newest delivery; negative before the first one.
  private var lateness: Int64 = -1
  var coldState: LazyBox<ColdState>
  var recurrence: Recurrence
  private let policy: Policy
  @usableFromInline var runState = RunState()
  private(set) var wait = Wait.forDeadline
  /// True until the first scheduled tick of a run that began with a start delay.
  var awaitsFirstTick = false
  let isInfinite: Bool

  /// The event for which a running timer waits.
  enum Wait: Sendable {
    case forDeadline
    /// A tick with the policy `.delay` waits for its handlers to return: there is no deadline until then.
    case forHandlers
    /// The schedule has ended: there is no deadline, and the run ends with the last tick of a burst.
    case forLastTick
  }

  /// State that most timers never have.
  struct ColdState: Hashable, Sendable, Defaultable {
    var requests = FIFOQueue<Request>()
    var burst: Burst?
    fileprivate var burstLimit = 0
    fileprivate var startDelay: Int64?
    fileprivate var jitter: Int64 = 0
    fileprivate var generator = SeededGenerator(seed: 0)

    fileprivate mutating func nextJitterDelay(limit: Int64) -> Int64 {
      let bound = min(jitter, limit)
      return bound > 0 ? .random(in: 0...bound, using: &generator) : 0
    }
  }

  /// The treatment of missed ticks. The limit of a burst is stored in ``ColdState``.
  private enum Policy: Sendable { case skip, delay, burst }

  /// A request for a manual tick.
  struct Request: Hashable, Sendable {
    let generation: UInt64
    let at: Int64
  }

  /// The ticks of a burst that are still to be delivered.
  struct Burst: Hashable, Sendable {
    var due: Int64
    var ticks: Int
    var missed: Int
    /// The time after which the deadline of the second tick is. For a schedule, that of the first one does not tell: it
    /// includes a random delay, or a pause.
    var begin: Int64
  }

  // Properties are assigned after all values are validated. If an initializer throws after the last
  // assignment, the compiler copies and destroys the complete value.
  /// - Parameter seed: the seed of the random delays. It is read only if there are any.
  init(
    _ configuration: Repeater.Configuration, seed: @autoclosure () -> UInt64 = 0
  ) throws(TimerConfigurationError) {
    let mode = configuration.mode
    if let count = mode.count, count < 1 { throw .invalidCount(count, parameter: .count) }
    let recurrence: Recurrence =
      switch configuration.timing {
      case .interval(let interval):
        .interval(try interval.checked(mode == .once ? .oneShotInterval : .interval))
      case .schedule(let schedule): .schedule(schedule, Recurrence.Progress())
      }
    var coldState = LazyBox<ColdState>()
    let policy: Policy
    switch configuration.missedTicks {
    case .skip: policy = .skip
    case .delay: policy = .delay
    case .burst(let limit):
      if limit < 1 { throw .invalidCount(limit, parameter: .burstLimit) }
      policy = .burst
      coldState.change { $0.burstLimit = limit }
    }
    let startDelay = try configuration.startDelay?.checked(.startDelay)
    if startDelay != nil, recurrence.isSchedule { throw .startDelayOfSchedule }
    let jitter = try configuration.jitter?.checked(.jitter) ?? 0
    if startDelay != nil || jitter > 0 {
      let generator = SeededGenerator(seed: seed())
      coldState.change {
        ($0.startDelay, $0.jitter, $0.generator) = (startDelay, jitter, generator)
      }
    }
    let count = recurrence.occursOnce ? 1 : mode.count ?? .max
    isInfinite = mode == .infinite && count > 1
    self.count = count
    remaining = count
    self.recurrence = recurrence
    self.policy = policy
    self.coldState = coldState
  }

  var interval: Int64 { recurrence.interval }

  @usableFromInline var deadline: Int64? {
    guard state == .running, wait == .forDeadline else { return nil }
    return deadlineOrTimeLeft.addingSaturated(jitterDelay)
  }

  @usableFromInline var maximumTolerance: Int64 {
    if nextTickIsOnlyOneOfRun { return .max }
    return (awaitsFirstTick ? startDelay ?? 0 : recurrence.shortestPeriod) / 2
  }

  /// The time left of a paused timer; `nil` with a schedule, which continues during a pause, unless that keeps an
  /// occurrence.
  var pausedTimeLeft: Int64? {
    guard state == .paused, !recurrence.isSchedule || recurrence.keepsOccurrence else { return nil }
    return deadlineOrTimeLeft.addingSaturated(jitterDelay)
  }

  @usableFromInline var readySince: Int64? {
    if coldState.isUnused { return nil }
    return coldState.value.burst?.due ?? coldState.value.requests.first?.at
  }

  /// True if the mode is `.once` and the next tick is the only one of the run, which therefore cannot be missed. A
  /// control can have given such a timer more ticks.
  private var nextTickIsOnlyOneOfRun: Bool { count == 1 && remaining <= 1 && iteration == 0 }

  var mode: Repeater.Mode { isInfinite ? .infinite : .finite(count) }

  /// The number of deliveries left in this run; `nil` if the timer is infinite.
  var remainingIterations: Int? { isInfinite ? nil : remaining }

  var missedTicks: Repeater.MissedTicks {
    switch policy {
    case .skip: .skip
    case .delay: .delay
    case .burst: .burst(limit: coldState.value.burstLimit)
    }
  }

  /// The rest of a burst; `nil` if no burst is being delivered.
  var pendingBurst: Burst? { coldState.isUnused ? nil : coldState.value.burst }

  var startDelay: Int64? { coldState.isUnused ? nil : coldState.value.startDelay }

  /// The maximum of the random delays; `nil` if there is none.
  var jitter: Int64? {
    coldState.isUnused || coldState.value.jitter == 0 ? nil : coldState.value.jitter
  }

  /// The lateness of the newest delivery; `nil` before the first.
  var lastLateness: Int64? { lateness < 0 ? nil : lateness }

  /// Returns a Boolean value that indicates whether no control has revoked the tick or its deadline.
  func isCurrent(_ tick: Repeater.Tick) -> Bool {
    tick.isManual ? !runState.isRevoked(tick.generation) : tick.generation == generation
  }

  // MARK: - Alarms and deliveries

  @usableFromInline
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<Repeater.Tick> {
    guard let due = deadline, now >= due else { return .nothing }
    let passed = recurrence.advancePastDeadlines(
      since: deadlineOrTimeLeft, at: now.subtractingSaturated(jitterDelay))
    awaitsFirstTick = false
    let missed = nextTickIsOnlyOneOfRun || policy == .delay ? 0 : passed.count
    if policy == .delay { jitterDelay = 0 } else { drawJitterDelay() }
    endWait(until: passed.next)
    if policy == .delay, wait == .forDeadline { wait = .forHandlers }
    if policy == .burst {
      let more = min(missed, coldState.value.burstLimit - 1, remaining - 1)
      let burst = Burst(
        due: due, ticks: more + 1, missed: missed - more,
        begin: recurrence.isSchedule ? passed.begin : due)
      coldState.change { $0.burst = burst }
      return deliverFromBurst(merging: passed.keptMissedCount, at: now, on: clock) ?? .nothing
    }
    return deliver(
      due: due, missed: missed.addingSaturated(passed.keptMissedCount), isManual: false, at: now,
      on: clock)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Repeater.Tick> {
    if let effect = deliverFromBurst(at: now, on: clock) { return effect }
    guard !coldState.isUnused, let request = coldState.change({ $0.requests.popFirst() }) else {
      return .nothing
    }
    guard !runState.isRevoked(request.generation), state != .finished else {
      return .stale(generation: request.generation)
    }
    return deliver(due: request.at, missed: 0, isManual: true, at: now, on: clock)
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    // There is no deadline to set without `.delay`, after a manual tick or the last one, or if a control has set or
    // removed the deadline meanwhile.
    guard wait == .forHandlers else { return }
    guard let next = recurrence.start(at: now(), after: interval) else { return finish() }
    wait = .forDeadline
    deadlineOrTimeLeft = next
    drawJitterDelay()
  }

  /// Ends the wait for a deadline.
  /// - Parameter next: the next deadline; `nil` if the schedule has ended.
  mutating func endWait(until next: Int64?) {
    if let next {
      deadlineOrTimeLeft = next
    } else {
      wait = .forLastTick
      jitterDelay = 0
    }
  }

  /// Ends the run.
  mutating func finish() {
    remaining = 0
    enter(.finished)
  }

  mutating func enter(_ newState: TimerState) {
    runState.enter(newState)
    wait = .forDeadline
    dropBurst()
  }

  mutating func dropBurst() {
    if !coldState.isUnused { coldState.change { $0.burst = nil } }
  }

  /// Chooses the random delay of the next tick.
  mutating func drawJitterDelay() {
    if coldState.isUnused { return }
    let limit = recurrence.shortestPeriod
    jitterDelay = coldState.change { $0.nextJitterDelay(limit: limit) }
  }

  /// - Parameter keptMissedCount: the occurrences before a pause that the tick merges.
  private mutating func deliverFromBurst(
    merging keptMissedCount: Int = 0, at now: Int64, on clock: ClockIdentity
  ) -> Effect<Repeater.Tick>? {
    guard var rest = pendingBurst else { return nil }
    let due = rest.due
    rest.ticks -= 1
    let next = rest.ticks > 0 ? recurrence.next(after: rest.begin) : nil
    rest.due = next ?? due
    rest.begin = rest.due
    coldState.change { $0.burst = next == nil ? nil : rest }
    let missed = (rest.ticks > 0 ? 0 : rest.missed).addingSaturated(keptMissedCount)
    return deliver(due: due, missed: missed, isManual: false, at: now, on: clock)
  }

  private mutating func deliver(
    due: Int64, missed: Int, isManual: Bool, at now: Int64, on clock: ClockIdentity
  ) -> Effect<Repeater.Tick> {
    iteration += 1
    missedCount = missedCount.addingSaturated(missed)
    remaining -= 1
    let scheduleHasEnded = wait == .forLastTick && pendingBurst == nil
    if remaining == 0 || scheduleHasEnded { finish() }
    lateness = isManual ? 0 : max(0, now.subtractingSaturated(due))
    return .deliver(
      Repeater.Tick(
        iteration: iteration, remainingIterations: remainingIterations, missedCount: missed,
        generation: generation,
        deadline: TimerClock.Instant(nanoseconds: due, clock: clock),
        lateness: .nanoseconds(lateness), isManual: isManual, isLast: remaining == 0))
  }
}
