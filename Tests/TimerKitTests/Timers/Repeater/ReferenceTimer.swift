import TimerKit

/// A second, simple implementation of the Repeater's state table for property tests: flags in place of
/// generations, explicit lists in place of counts, loops in place of arithmetic.
struct ReferenceTimer: Equatable {
  enum Phase: Equatable {
    case idle
    /// `deadline` is nil between a `.delay` tick and the return of its handlers.
    case running(deadline: Int?)
    case paused(left: Int)
    case finished
    case cancelled
  }

  struct Request: Equatable {
    var isRevoked = false
    var generation: Int
    var at: Int
  }

  struct PendingTick: Equatable {
    var scheduled: Int
    var missed: Int
  }

  struct Running: Equatable {
    var generation: Int
    var isManual: Bool
  }

  enum Outcome: Equatable {
    case nothing
    case tick(Repeater.Tick)
    case stale(Int)
  }

  let mode: Repeater.Mode
  let policy: Repeater.MissedTicks
  let clock: TimerClock
  var interval: Int
  let startDelay: Int?
  /// True until the first scheduled tick of a run with a start delay.
  var awaitsFirstTick = false
  var phase = Phase.idle
  /// The number of deliveries of this run, or `nil` if it is endless.
  var runCount: Int?
  var delivered = 0
  var generation = 0 {
    didSet { for index in sent.indices where !sent[index].isManual { sent[index].counts = false } }
  }
  /// It changes when a delivery is revoked.
  var revocationNumber = 0
  /// The newest three ticks, and whether they are still current.
  var sent: [(isManual: Bool, counts: Bool)] = []
  var requests: [Request] = []
  var burst: [PendingTick] = []
  var executing: Running?
  var totals = (delivered: 0, missed: 0, stale: 0)

  static func == (left: Self, right: Self) -> Bool {
    left.phase == right.phase && left.delivered == right.delivered
      && left.generation == right.generation && left.totals == right.totals
  }

  init(
    mode: Repeater.Mode, policy: Repeater.MissedTicks, interval: Int, startDelay: Int? = nil,
    clock: TimerClock = .suspending
  ) {
    self.startDelay = startDelay
    self.clock = clock
    self.mode = mode
    self.policy = policy
    self.interval = interval
    refill()
  }

  var left: Int? { runCount.map { $0 - delivered } }

  var state: TimerState {
    switch phase {
    case .idle: return .idle
    case .running: return .running
    case .paused: return .paused
    case .finished: return .finished
    case .cancelled: return .cancelled
    }
  }
}

// MARK: - Controls
extension ReferenceTimer {
  mutating func start(_ now: Int) -> ControlResult {
    switch phase {
    case .cancelled: return .refused(.cancelled)
    case .running: return .unchanged
    case .idle: beginRun(now)
    case .paused(let left): run(until: now + left)
    case .finished:
      refill()
      beginRun(now)
    }
    return .changed
  }

  mutating func pause(_ now: Int) -> ControlResult {
    if phase == .cancelled { return .refused(.cancelled) }
    if phase == .idle { return .refused(.idle) }
    if phase == .finished { return .refused(.finished) }
    guard case .running(let deadline) = phase else { return .unchanged }
    let left = deadline.map { $0 > now ? $0 - now : 0 } ?? interval
    phase = .paused(left: left)
    generation += 1
    revokeRequests()
    burst = []
    return .changed
  }

  mutating func restart(every newInterval: Int, _ now: Int) -> ControlResult {
    if phase != .cancelled { interval = newInterval }
    return reset(restart: true, now)
  }

  mutating func reset(restart: Bool, _ now: Int) -> ControlResult {
    if phase == .cancelled { return .refused(.cancelled) }
    if !restart, phase == .idle, delivered == 0, runCount == mode.count,
      requests.allSatisfy(\.isRevoked)
    {
      return .unchanged
    }
    refill()
    if restart {
      beginRun(now)
    } else {
      phase = .idle
      generation += 1
    }
    revokeRequests()
    burst = []
    return .changed
  }

  mutating func setInterval(
    _ newInterval: Int, _ change: Repeater.IntervalStart, _ now: Int
  ) -> ControlResult {
    if phase == .cancelled { return .refused(.cancelled) }
    let oldInterval = interval
    interval = newInterval
    burst = []
    if change == .fromLastFire, awaitsFirstTick { return .changed }
    if change != .fromNextFire { awaitsFirstTick = false }
    switch phase {
    case .running(let deadline):
      if change == .fromNow { run(until: now + newInterval) }
      if change == .fromLastFire {
        let lastFire = (deadline ?? now + oldInterval) - oldInterval
        run(until: lastFire + newInterval < now ? now : lastFire + newInterval)
      }
    case .paused(let left):
      if change == .fromNow { phase = .paused(left: newInterval) }
      if change == .fromLastFire {
        let passed = oldInterval - left
        phase = .paused(left: newInterval < passed ? 0 : newInterval - passed)
      }
    case .idle, .finished, .cancelled: break
    }
    return .changed
  }

  mutating func adjust(_ change: Int, _ now: Int) -> ControlResult {
    switch phase {
    case .cancelled: return .refused(.cancelled)
    case .idle: return .refused(.idle)
    case .finished: return .refused(.finished)
    case .running(let deadline):
      let moved = (deadline ?? now + interval) + change
      run(until: moved < now ? now : moved)
    case .paused(let left):
      phase = .paused(left: left + change < 0 ? 0 : left + change)
    }
    return .changed
  }

  mutating func setRemaining(_ count: Int) -> ControlResult {
    if phase == .cancelled { return .refused(.cancelled) }
    if runCount == nil { return .refused(.notFinite) }
    if phase == .finished { return .refused(.finished) }
    if left == count { return .unchanged }
    runCount = delivered + count
    burst = []
    return .changed
  }

  mutating func fire(pausing: Bool, _ now: Int) -> ControlResult {
    if phase == .cancelled { return .refused(.cancelled) }
    if phase == .finished { return .refused(.finished) }
    if pausing { _ = pause(now) }
    requests.append(Request(generation: generation, at: now))
    return .changed
  }

  mutating func cancel() -> ControlResult {
    if phase == .cancelled { return .unchanged }
    phase = .cancelled
    generation += 1
    revokeRequests()
    burst = []
    return .changed
  }

  private mutating func run(until deadline: Int) {
    phase = .running(deadline: deadline)
    generation += 1
    burst = []
  }

  private mutating func beginRun(_ now: Int) {
    run(until: now + (startDelay ?? interval))
    awaitsFirstTick = startDelay != nil
  }

  private mutating func refill() {
    delivered = 0
    switch mode {
    case .finite(let count): runCount = count
    case .infinite: runCount = nil
    }
  }

  private mutating func revokeRequests() {
    revocationNumber += 1
    for index in requests.indices { requests[index].isRevoked = true }
    for index in sent.indices { sent[index].counts = false }
  }
}

// MARK: - Alarms and deliveries
extension ReferenceTimer {
  mutating func handleArmedAlarm(generation alarmed: Int, _ now: Int) -> Outcome {
    guard case .running(let armed) = phase, let deadline = armed, alarmed == generation else {
      return stale(alarmed)
    }
    if now < deadline { return .nothing }
    awaitsFirstTick = false

    var due: [Int] = []
    var next = deadline
    while next <= now {
      due.append(next)
      next += interval
    }
    if mode.count == 1, left == 1, delivered == 0 { due = [deadline] }
    switch policy {
    case .skip:
      phase = .running(deadline: next)
      return deliver(PendingTick(scheduled: deadline, missed: due.count - 1), false, now)
    case .delay:
      phase = .running(deadline: nil)
      return deliver(PendingTick(scheduled: deadline, missed: 0), false, now)
    case .burst(let limit):
      phase = .running(deadline: next)
      let count = [due.count, limit, left ?? due.count].min() ?? 0
      burst = due.prefix(count).map { PendingTick(scheduled: $0, missed: 0) }
      burst[count - 1].missed = due.count - count
      return deliver(burst.removeFirst(), false, now)
    }
  }

  var isReady: Bool { !burst.isEmpty || !requests.isEmpty }

  mutating func takeReady(_ now: Int) -> Outcome {
    if !burst.isEmpty { return deliver(burst.removeFirst(), false, now) }
    if requests.isEmpty { return .nothing }
    let request = requests.removeFirst()
    if request.isRevoked || phase == .finished || phase == .cancelled {
      return stale(request.generation)
    }
    return deliver(PendingTick(scheduled: request.at, missed: 0), true, now)
  }

  mutating func deliveryFinished(_ now: Int) {
    if let executing, policy == .delay, !executing.isManual, executing.generation == generation,
      case .running = phase
    {
      phase = .running(deadline: now + interval)
    }
    executing = nil
  }

  private mutating func deliver(_ tick: PendingTick, _ isManual: Bool, _ now: Int) -> Outcome {
    delivered += 1
    totals.delivered += 1
    totals.missed += tick.missed
    if left == 0 {
      phase = .finished
      generation += 1
      burst = []
    }
    sent = sent.suffix(2) + [(isManual, true)]
    executing = Running(generation: generation, isManual: isManual)
    return .tick(
      Repeater.Tick(
        iteration: delivered, remainingIterations: left, missedCount: tick.missed,
        generation: UInt64(generation),
        deadline: clock.instant(nanoseconds: Int64(tick.scheduled)),
        lateness: isManual ? .zero : .nanoseconds(now - tick.scheduled), isManual: isManual,
        isLast: left == 0))
  }

  private mutating func stale(_ generation: Int) -> Outcome {
    totals.stale += 1
    return .stale(generation)
  }
}
