package import TimerKit

/// A stretch of a timer that has not ended.
package struct OpenStretch: Hashable, Sendable {
  /// The maximum number of pauses that are listed; later ones are only counted.
  package static let pauseLimit = 100

  /// The counts until `since`.
  private var counted: SavedStretch
  /// The clock on which the stretch counts.
  private let clock: TimerClock.Kind
  /// The instant up to which the active time counts, or at which the pause began.
  private var since: TimerClock.Instant

  package var id: UInt64 { counted.id }
  package var start: WallInstant { WallInstant(nanosecondsSince1970: counted.start) }
  /// The number of the phase in the run of a cycle; 0 for other kinds.
  var number: Int { counted.number }

  init(_ id: UInt64, _ segment: StretchSegment, activeTime: Duration = .zero, at now: ClockReading)
  {
    counted = segment.stretch
    counted.id = id
    counted.start = now.wall.advanced(by: .zero - activeTime).nanosecondsSince1970
    counted.activeTime = activeTime.clampedNanoseconds
    clock = segment.clock
    since = now[segment.clock]
  }

  /// Returns true if another version of the stretch was paused as often, and is paused if this one is.
  func hasSamePauses(as other: OpenStretch) -> Bool {
    counted.interruptions == other.counted.interruptions
      && (counted.pausedAt == nil) == (other.counted.pausedAt == nil)
  }

  mutating func add(_ fire: Fire) {
    addFires(1)
    counted.missed = counted.missed.addingSaturated(fire.missed)
  }

  /// Counts fires, also those that were due while no process ran the timer.
  mutating func addFires(_ count: Int) {
    counted.fires = counted.fires.addingSaturated(count)
  }

  mutating func setID(_ id: UInt64) { counted.id = id }

  mutating func setResult(_ text: String) { counted.result = text }

  /// Begins or ends a pause.
  mutating func setPaused(_ isPaused: Bool, at now: ClockReading) {
    guard isPaused != (counted.pausedAt != nil) else { return }
    advance(to: now)
    if isPaused {
      counted.pausedAt = now.wall.nanosecondsSince1970
      counted.interruptions = counted.interruptions.addingSaturated(1)
    } else {
      endPause(at: now.wall)
    }
  }

  private mutating func advance(to now: ClockReading) {
    if counted.pausedAt == nil { addActiveTime(since.duration(to: now[clock])) }
    since = now[clock]
  }

  private mutating func addActiveTime(_ time: Duration) {
    counted.activeTime = counted.activeTime.addingSaturated(max(0, time.clampedNanoseconds))
  }

  private mutating func endPause(at wall: WallInstant) {
    guard let begin = counted.pausedAt else { return }
    counted.pausedAt = nil
    addPause(from: WallInstant(nanosecondsSince1970: begin), to: wall)
  }

  private mutating func addPause(from begin: WallInstant, to end: WallInstant) {
    guard counted.pauses.count < Self.pauseLimit, end > begin else { return }
    counted.pauses.append(
      StretchRecord.Pause(
        start: max(0, start.duration(to: begin).milliseconds),
        length: begin.duration(to: end).milliseconds))
  }

  /// Returns the record of the stretch if it ends now.
  func record(
    of timer: BoardTimer, _ kind: StretchRecord.Kind, _ ending: StretchRecord.Ending,
    at now: ClockReading
  ) -> StretchRecord {
    var ended = self
    ended.advance(to: now)
    ended.endPause(at: now.wall)
    let counted = ended.counted
    return StretchRecord(
      id: id, timer: timer.label, kind: kind, phase: counted.phase, round: counted.round,
      start: start.milliseconds, end: max(start, now.wall).milliseconds, ending: ending,
      planned: counted.planned.map { $0 / 1_000_000 },
      activeTime: min(counted.activeTime / 1_000_000, StretchRecord.longest),
      interruptions: counted.interruptions, pauses: counted.pauses,
      // A run with one fire may end before that fire is delivered.
      fires: kind == .cycle || kind == .once ? (ending == .finished ? 1 : 0) : counted.fires,
      missed: counted.missed, result: counted.result, note: timer.note, command: timer.spec.command)
  }

  // MARK: Saving and restoring, and the time in which no process ran the timer

  /// Returns the stretch as it is saved.
  package func saved(at now: ClockReading) -> SavedStretch {
    var stretch = self
    stretch.advance(to: now)
    stretch.counted.savedAt = now.wall.nanosecondsSince1970
    return stretch.counted
  }

  /// Continues a saved stretch.
  /// - Parameters:
  ///   - clock: The clock of its timer.
  ///   - countsGap: True if the timer has continued since, so that the time counts; otherwise it is a pause.
  init(_ saved: SavedStretch, on clock: TimerClock.Kind, countsGap: Bool, at now: ClockReading) {
    self.clock = clock
    counted = saved
    since = now[clock]
    guard saved.pausedAt == nil else { return }
    let before = WallInstant(nanosecondsSince1970: saved.savedAt)
    if countsGap {
      addActiveTime(before.duration(to: now.wall))
    } else {
      addPause(from: before, to: now.wall)
    }
  }
}

extension Duration {
  var milliseconds: Int64 { clampedNanoseconds / 1_000_000 }
}

extension WallInstant {
  package var milliseconds: Int64 { nanosecondsSince1970 / 1_000_000 }
}

extension Int64 {
  /// The number of milliseconds from a file, clamped to a range in which sums do not overflow.
  package var bounded: Int64 { Swift.min(Swift.max(0, self), 1 << 52) }
}

extension Int {
  /// The count from a file, clamped to a range in which sums do not overflow.
  package var boundedCount: Int { Swift.min(Swift.max(0, self), 1 << 40) }
}

/// A stretch that has not ended, as a session file stores it. All times are in nanoseconds, except the pauses.
package struct SavedStretch: JSONFields, Hashable, Sendable {
  var id: UInt64 = 0
  var start: Int64 = 0
  /// The number of the phase in the run of a cycle; 0 for other kinds.
  var number = 0
  var phase: String?
  var round: Int?
  var planned: Int64?
  /// The time until the save, or until the pause began, without pauses.
  var activeTime: Int64 = 0
  var savedAt: Int64 = 0
  /// The time at which the pause began; `nil` while the timer runs.
  var pausedAt: Int64?
  var pauses: [StretchRecord.Pause] = []
  var interruptions = 0
  var fires = 0
  var missed = 0
  var result: String?

  package init() {}

  /// Visits the members. Numbers of a file are clamped to ranges in which sums do not overflow.
  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("id", &id)
    try field("start", &start)
    try field("number", &number, default: 0)
    try field("phase", &phase)
    try field("round", &round)
    try field("planned", &planned)
    try field("active", &activeTime)
    try field("savedAt", &savedAt)
    try field("pausedAt", &pausedAt)
    try field("pauses", &pauses, default: [])
    try field("interruptions", &interruptions, default: 0)
    try field("fires", &fires, default: 0)
    try field("missed", &missed, default: 0)
    try field("result", &result)
    activeTime = max(0, activeTime)
    if pauses.count > OpenStretch.pauseLimit { pauses = Array(pauses[..<OpenStretch.pauseLimit]) }
    interruptions = interruptions.boundedCount
    fires = fires.boundedCount
    missed = missed.boundedCount
  }

  /// Moves the time at which it was saved.
  mutating func move(by time: Duration) {
    savedAt = WallInstant(nanosecondsSince1970: savedAt).advanced(by: time).nanosecondsSince1970
  }
}

/// The part of a timer's status that decides which stretch it is in.
struct StretchSegment {
  /// True if the timer runs or is paused.
  var isActive: Bool
  var isPaused: Bool
  /// The stretch that begins with it, with its phase and its planned time.
  var stretch = SavedStretch()
  /// The time of the stretch that has elapsed if it was never paused or changed; zero for a stopwatch and for an
  /// endless `every`.
  var elapsed = Duration.zero
  var kind: StretchRecord.Kind
  /// The clock on which the stretch counts.
  var clock: TimerClock.Kind
  /// A number that increases when a control changes the schedule of the live timer, and when a run ends.
  var generation: UInt64

  /// - Returns: `nil` for a kind of timer that has no stretches.
  init?(_ status: TimerStatus, at now: ClockReading) {
    isActive = status.state == .running || status.state == .paused
    isPaused = status.state == .paused
    clock = status.clock
    switch status {
    case .repeater(let repeater):
      guard let interval = repeater.configuration.interval else { return nil }
      generation = repeater.generation
      kind = repeater.configuration.mode == .once ? .once : .every
      let planned = repeater.configuration.mode.count.map { interval.multiplied(by: $0) }
      stretch.planned = planned?.clampedNanoseconds
      if let planned, let left = status.timeLeft(at: now), let count = repeater.remainingIterations
      {
        elapsed = max(.zero, planned - left - interval.multiplied(by: max(0, count - 1)))
      }
    case .cycle(let cycle):
      generation = cycle.generation
      kind = .cycle
      let planned = cycle.position?.phase.duration
      stretch.number = cycle.phaseIndex
      stretch.phase = cycle.position?.phase.name
      stretch.round = cycle.position?.round
      stretch.planned = planned?.clampedNanoseconds
      if let planned, let left = status.timeLeft(at: now) { elapsed = max(.zero, planned - left) }
    case .stopwatch(let stopwatch):
      generation = stopwatch.generation
      kind = .stopwatch
    case .triggered: return nil
    }
  }
}
