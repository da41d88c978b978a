/// The state machine of a ``Stopwatch``. In the table, "–" stands for a control that changes nothing.
///
/// | Event | idle | running | paused |
/// |---|---|---|---|
/// | start | origin = now, g++ | – | origin = now − elapsed, g++ |
/// | pause | refused | elapsed = now − origin, g++ | – |
/// | reset (or restart) | nothing elapsed, no laps; idle (or running), g++ | same | same |
/// | lap, unless too many wait for their delivery | nil | the time since the last lap, to be delivered | nil |
/// | set alarm, if its time changes or it has fired | a is set, g++ | a is set, d = origin + a, g++ | a is set, g++ |
/// | the driver wakes the timer, now ≥ d | – | deliver, once in a run | – |
///
/// Here d is the deadline, g the generation, and a the elapsed time of the alarm. Reset and cancel revoke the
/// delivery in progress and the laps that have not been delivered. A pause does not, because a lap remains
/// valid.
@usableFromInline
struct StopwatchStateMachine: PausableStateMachine, Hashable {
  @usableFromInline var runState = RunState()
  /// Running: the instant from which the elapsed time counts. Otherwise: the elapsed time.
  private var originOrElapsed: Int64 = 0
  /// The latest time passed to ``advance(to:)``, so that the totals of laps from several threads never decrease.
  private var latestTime = Int64.min
  private(set) var laps: [Stopwatch.Lap] = []
  /// The elapsed time at which the alarm fires.
  private(set) var alarmTime: Int64?
  private(set) var alarmHasFired = false
  /// Open or draining. Whether it is cancelled is in its state.
  var phase = LifePhase.open
  private(set) var undeliveredLaps = FIFOQueue<UndeliveredLap>()

  struct UndeliveredLap: Hashable {
    let lap: Stopwatch.Lap
    let generation: UInt64
    let at: Int64
  }

  @usableFromInline var readySince: Int64? { undeliveredLaps.first?.at }
  /// Without callbacks, no lap waits for a queue.
  @usableFromInline static var deliversToNobodyAtOnce: Bool { true }

  @usableFromInline var deadline: Int64? {
    // An alarm at the longest time never fires, even if the origin is clamped.
    guard state == .running, !alarmHasFired, !isClosed, let alarmTime, alarmTime < .max else {
      return nil
    }
    return originOrElapsed.addingSaturated(alarmTime)
  }

  /// The instant from which the elapsed time counts; `nil` unless it is running.
  var origin: Int64? { state == .running ? originOrElapsed : nil }
  var elapsedWhenStopped: Int64? { state == .running ? nil : originOrElapsed }

  /// Returns the time for which it must run until the alarm, as ``Stopwatch/Snapshot/timeLeft(at:)`` does.
  func timeLeft(at now: Int64) -> Int64? {
    guard let alarmTime, !alarmHasFired else { return nil }
    let elapsed = origin.map { max(0, now.subtractingSaturated($0)) } ?? originOrElapsed
    return max(0, alarmTime.subtractingSaturated(elapsed))
  }

  func elapsed(at now: Int64) -> Int64 {
    state == .running ? max(now, latestTime).subtractingSaturated(originOrElapsed) : originOrElapsed
  }

  // MARK: - Wake-ups and deliveries

  /// Handles the driver's armed alarm, which wakes the timer when the stopwatch's own alarm is due.
  @usableFromInline
  mutating func handleArmedAlarm(
    at now: Int64, on clock: ClockIdentity
  ) -> Effect<Stopwatch.Delivery> {
    guard let due = deadline, let alarmTime, now >= due else { return .nothing }
    alarmHasFired = true
    return .deliver(
      .alarm(
        at: .nanoseconds(alarmTime), lateness: .nanoseconds(now.subtractingSaturated(due))))
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Stopwatch.Delivery> {
    guard let first = undeliveredLaps.popFirst() else { return .nothing }
    if runState.isRevoked(first.generation) { return .stale(generation: first.generation) }
    return .deliver(.lap(first.lap))
  }

  // MARK: - Controls

  mutating func start(at now: Int64) -> ControlResult {
    if isClosed { return .refused(.cancelled) }
    guard state != .running else { return .unchanged }
    originOrElapsed = advance(to: now).subtractingSaturated(originOrElapsed)
    runState.enter(.running)
    return .changed
  }

  mutating func pause(at now: Int64) -> ControlResult {
    if isClosed { return .refused(.cancelled) }
    if let refusal = state.refusal { return refusal }
    guard state == .running else { return .unchanged }
    originOrElapsed = elapsed(at: advance(to: now))
    runState.enter(.paused)
    return .changed
  }

  mutating func reset(restart: Bool, at now: Int64) -> ControlResult {
    if isClosed { return .refused(.cancelled) }
    originOrElapsed = restart ? advance(to: now) : 0
    laps = []
    alarmHasFired = false
    runState.enter(restart ? .running : .idle)
    runState.revokeDeliveries()
    return .changed
  }

  var isReset: Bool { state == .idle && originOrElapsed == 0 && laps.isEmpty && !alarmHasFired }

  mutating func lap(at now: Int64) -> Stopwatch.Lap? {
    guard state == .running, !isClosed, undeliveredLaps.count < ControlResult.Refusal.pendingLimit
    else {
      return nil
    }
    let total = Duration.nanoseconds(elapsed(at: advance(to: now)))
    let lap = Stopwatch.Lap(
      number: laps.count + 1, time: total - (laps.last?.total ?? .zero), total: total)
    laps.append(lap)
    undeliveredLaps.append(UndeliveredLap(lap: lap, generation: generation, at: now))
    return lap
  }

  mutating func setAlarm(at elapsed: Duration?) -> ControlResult {
    .refusingInvalid(try elapsed?.checked(.alarmTime)) { setAlarm(at: $0) }
  }

  mutating func setAlarm(at elapsed: Int64?) -> ControlResult {
    if isClosed { return .refused(.cancelled) }
    if alarmTime == elapsed, !alarmHasFired { return .unchanged }
    alarmTime = elapsed
    alarmHasFired = false
    runState.supersedeAlarm()
    return .changed
  }

  mutating func catchUp(to now: Int64, leaving left: Int) -> Int {
    guard left < 1, let deadline, deadline < .max, now >= deadline else { return 0 }
    alarmHasFired = true
    return 1
  }

  func end(by limit: Int64) -> Int64? { nil }

  func snapshot(_ context: SnapshotContext) -> Stopwatch.Snapshot {
    Stopwatch.Snapshot(
      state: state, clock: context.clock.kind, origin: context.instant(origin),
      elapsedWhenStopped: elapsedWhenStopped.map(Duration.nanoseconds(_:)), laps: laps,
      alarmTime: alarmTime.map(Duration.nanoseconds(_:)), alarmHasFired: alarmHasFired,
      generation: generation, deliveredCount: context.deliveredCount,
      staleCount: context.staleCount,
      deadlinesPassedBeforeRestore: context.deadlinesPassedBeforeRestore)
  }

  /// Sets the state of a new machine from a validated checkpoint.
  mutating func restore(_ checkpoint: Stopwatch.Checkpoint, at now: Int64) {
    laps = checkpoint.laps
    alarmTime = checkpoint.alarmTime?.clampedNanoseconds
    alarmHasFired = checkpoint.alarmHasFired
    let elapsed = checkpoint.elapsed.clampedNanoseconds
    originOrElapsed =
      checkpoint.state == .running ? advance(to: now).subtractingSaturated(elapsed) : elapsed
    runState.enter(checkpoint.state)
  }

  @usableFromInline
  mutating func cancel() {
    originOrElapsed = elapsed(at: latestTime)
    runState.enter(.cancelled)
    runState.revokeDeliveries()
  }

  @discardableResult
  mutating func advance(to now: Int64) -> Int64 {
    latestTime = max(latestTime, now)
    return latestTime
  }
}
