/// A ``Stopwatch`` without its storage.
///
/// | Event | idle | running | paused |
/// |---|---|---|---|
/// | start | origin = now, g++ | false | origin = now − elapsed, g++ |
/// | pause | false | elapsed = now − origin, g++ | false |
/// | reset | nothing elapsed, no laps; running (or idle), g++ | same | same |
/// | lap | nil | the time since the last one, to be told | nil |
/// | set alarm | a, g++ | a, d = origin + a, g++ | a, g++ |
/// | alarm, g current, now ≥ d | stale | deliver, once in a run | stale |
///
/// Reset and cancel take back what is being delivered, and the laps that are not delivered yet; a
/// pause does not, for these are facts.
@usableFromInline
struct StopwatchStateMachine: PausableStateMachine {
  private(set) var phase = Stopwatch.State.idle
  /// Running: when nothing had elapsed. Otherwise: what has elapsed.
  private var time: Int64 = 0
  /// The newest time it was told: laps of two threads must not overtake each other.
  private var latest = Int64.min
  private(set) var laps: [Stopwatch.Lap] = []
  /// What has to have elapsed for the alarm.
  private(set) var alarmTime: Int64?
  private(set) var alarmHasFired = false
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var deliveryGeneration: UInt64 = 0
  private var undeliveredLaps: ArraySlice<UndeliveredLap> = []

  private(set) var deliveredCount = 0
  private(set) var staleCount = 0
  private(set) var elapsedWhileStoppedCount = 0

  private struct UndeliveredLap: Sendable {
    var lap: Stopwatch.Lap
    var generation: UInt64
    var at: Int64
  }

  @usableFromInline var status: Stopwatch.State { phase }
  @usableFromInline var isCancelled: Bool { phase == .cancelled }
  @usableFromInline var pendingSince: Int64? { undeliveredLaps.first?.at }

  @usableFromInline var deadline: Int64? {
    guard phase == .running, !alarmHasFired, let alarmTime else { return nil }
    return time.addingSaturated(alarmTime)
  }

  /// When nothing had elapsed, pauses taken out; `nil` unless it is running.
  var origin: Int64? { phase == .running ? time : nil }
  var frozenElapsed: Int64? { phase == .running ? nil : time }

  func elapsed(at now: Int64) -> Int64 {
    phase == .running ? max(now, latest).subtractingSaturated(time) : time
  }
}

// MARK: - Alarms and deliveries
extension StopwatchStateMachine {
  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<Stopwatch.Mark> {
    guard generation == self.generation, let due = deadline, let alarmTime else {
      return rejectStale(generation)
    }
    guard now >= due else { return .nothing }
    alarmHasFired = true
    deliveredCount += 1
    return .deliver(
      .alarm(
        at: .nanoseconds(alarmTime), lateness: .nanoseconds(now.subtractingSaturated(due))))
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<Stopwatch.Mark> {
    guard let first = undeliveredLaps.popFirst() else { return .nothing }
    if undeliveredLaps.isEmpty { undeliveredLaps = [] }
    guard first.generation >= deliveryGeneration else { return rejectStale(first.generation) }
    deliveredCount += 1
    return .deliver(.lap(first.lap))
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {}

  private mutating func rejectStale(_ generation: UInt64) -> Effect<Stopwatch.Mark> {
    staleCount += 1
    return .stale(generation: generation)
  }
}

// MARK: - Controls
extension StopwatchStateMachine {
  mutating func start(at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    guard phase != .running else { return false }
    time = see(now).subtractingSaturated(time)
    enter(.running)
    return true
  }

  mutating func pause(at now: Int64) throws(TimerError) -> Bool {
    try throwIfCancelled()
    guard phase == .running else { return false }
    time = elapsed(at: see(now))
    enter(.paused)
    return true
  }

  mutating func reset(restart: Bool, at now: Int64) throws(TimerError) {
    try throwIfCancelled()
    time = restart ? see(now) : 0
    laps = []
    alarmHasFired = false
    enter(restart ? .running : .idle)
    deliveryGeneration = generation
  }

  mutating func lap(at now: Int64) throws(TimerError) -> Stopwatch.Lap? {
    try throwIfCancelled()
    guard phase == .running else { return nil }
    let now = see(now)
    let total = Duration.nanoseconds(elapsed(at: now))
    let lap = Stopwatch.Lap(
      number: laps.count + 1, time: total - (laps.last?.total ?? .zero), total: total)
    laps.append(lap)
    undeliveredLaps.append(UndeliveredLap(lap: lap, generation: generation, at: now))
    return lap
  }

  mutating func setAlarm(at elapsed: Int64?) throws(TimerError) {
    try throwIfCancelled()
    alarmTime = elapsed
    alarmHasFired = false
    generation += 1
  }

  /// Makes a fresh machine what a checked checkpoint says.
  mutating func restore(_ checkpoint: Stopwatch.Checkpoint, elapsedPeriods: Int, at now: Int64) {
    laps = checkpoint.laps
    alarmTime = checkpoint.alarmTime?.clampedNanoseconds
    alarmHasFired = checkpoint.alarmHasFired
    elapsedWhileStoppedCount = elapsedPeriods
    let elapsed = checkpoint.elapsed.clampedNanoseconds
    time = checkpoint.phase == .running ? see(now).subtractingSaturated(elapsed) : elapsed
    enter(checkpoint.phase)
  }

  mutating func cancel(at now: Int64) -> Bool {
    _ = see(now)
    return cancel()
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard phase != .cancelled else { return false }
    time = elapsed(at: latest)
    enter(.cancelled)
    deliveryGeneration = generation
    return true
  }

  private mutating func see(_ now: Int64) -> Int64 {
    latest = max(latest, now)
    return latest
  }

  private mutating func enter(_ newPhase: Stopwatch.State) {
    phase = newPhase
    generation += 1
  }

  private func throwIfCancelled() throws(TimerError) {
    if phase == .cancelled { throw .cancelled }
  }
}
