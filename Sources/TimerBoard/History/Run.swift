package import TimerKit

/// A run of a timer that has not ended: see ``StretchRecord`` for what counts as one. A session file contains it; its times
/// are in nanoseconds, except the pauses.
package struct Run: JSONFields, Hashable, Sendable {
  /// The maximum number of pauses that are listed; later ones are only counted.
  package static let pauseLimit = 100

  private(set) var id: UInt64 = 0
  private var startedAt: Int64 = 0
  /// The number of the phase in the run of a cycle; 0 for other kinds.
  private(set) var number = 0
  private var phase: String?
  private var round: Int?
  private var planned: Int64?
  /// The time until `since`, or until the pause began, without pauses.
  private var activeTime: Int64 = 0
  /// The time of the save of a run in a file.
  private var savedAt: Int64 = 0
  /// The time at which the pause began; `nil` while the timer runs.
  private var pausedAt: Int64?
  private var pauses: [StretchRecord.Pause] = []
  private var interruptions = 0
  private(set) var fires = 0
  private var missed = 0
  private var result: String?
  /// The instant on the timer's clock up to which the active time counts.
  private var since = TimerClock.continuous.instant(nanoseconds: 0)

  package init() {}

  /// - Parameter activeTime: The time for which the run has been active already.
  init(
    _ id: UInt64, of machine: TimerMachine, activeTime: Duration = .zero, at now: ClockReading
  ) {
    self.id = id
    number = machine.runNumber
    phase = machine.phaseName
    round = machine.round
    planned = machine.plannedTime?.clampedNanoseconds
    startedAt = now.wall.advanced(by: .zero - activeTime).nanosecondsSince1970
    self.activeTime = activeTime.clampedNanoseconds
    since = now[machine.clock]
  }

  package var start: WallInstant { WallInstant(nanosecondsSince1970: startedAt) }

  mutating func setID(_ id: UInt64) { self.id = id }

  mutating func add(_ fire: Fire) {
    addFires(1)
    missed = missed.addingSaturated(fire.missed)
  }

  /// Counts fires, also those that were due while no process ran the timer.
  mutating func addFires(_ count: Int) { fires = fires.addingSaturated(count) }

  /// Takes over what has happened in a later state of the same run.
  mutating func keepFacts(of later: Run) {
    fires = later.fires
    missed = later.missed
    result = later.result
  }

  mutating func setResult(_ text: String) { result = text }

  /// Begins or ends a pause.
  mutating func setPaused(_ isPaused: Bool, at now: ClockReading) {
    guard isPaused != (pausedAt != nil) else { return }
    advance(to: now)
    if isPaused {
      pausedAt = now.wall.nanosecondsSince1970
      interruptions = interruptions.addingSaturated(1)
    } else {
      endPause(at: now.wall)
    }
  }

  private mutating func advance(to now: ClockReading) {
    if pausedAt == nil {
      let time = now[since.clockKind]
      activeTime = activeTime.addingSaturated(max(0, since.duration(to: time).clampedNanoseconds))
    }
    since = now[since.clockKind]
  }

  private mutating func endPause(at wall: WallInstant) {
    guard let begin = pausedAt else { return }
    pausedAt = nil
    addPause(from: WallInstant(nanosecondsSince1970: begin), to: wall)
  }

  private mutating func addPause(from begin: WallInstant, to end: WallInstant) {
    guard pauses.count < Self.pauseLimit, end > begin else { return }
    pauses.append(
      StretchRecord.Pause(
        start: max(0, start.duration(to: begin).milliseconds),
        length: begin.duration(to: end).milliseconds))
  }

  /// Lets a time pass in which the timer did not exist, which is a pause that nobody made.
  /// - Parameter before: The reading at which that time began.
  mutating func skipTime(since before: ClockReading, to now: ClockReading) {
    if pausedAt == nil {
      advance(to: before)
      addPause(from: before.wall, to: now.wall)
    }
    since = now[since.clockKind]
  }

  /// Returns the record of the run if it ends now.
  func record(
    of timer: BoardTimer, _ kind: StretchRecord.Kind, _ ending: StretchRecord.Ending,
    at now: ClockReading
  ) -> StretchRecord {
    var ended = self
    ended.advance(to: now)
    ended.endPause(at: now.wall)
    return StretchRecord(
      id: id, timer: timer.label, kind: kind, phase: phase, round: round,
      start: start.milliseconds, end: max(start, now.wall).milliseconds, ending: ending,
      planned: planned.map { $0 / 1_000_000 },
      activeTime: min(ended.activeTime / 1_000_000, StretchRecord.longest),
      interruptions: interruptions, pauses: ended.pauses,
      fires: kind == .cycle || kind == .once ? (ending == .finished ? 1 : 0) : fires,
      missed: missed, result: result, note: timer.note, command: timer.spec.command)
  }

  // MARK: Saving and restoring

  /// Visits the members. Numbers of a file are clamped to ranges in which sums do not overflow.
  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("id", &id)
    try field("start", &startedAt)
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
    if pauses.count > Self.pauseLimit { pauses = Array(pauses[..<Self.pauseLimit]) }
    interruptions = interruptions.boundedCount
    fires = fires.boundedCount
    missed = missed.boundedCount
  }

  /// Returns the run as it is saved.
  func saved(at now: ClockReading) -> Run {
    var run = self
    run.advance(to: now)
    run.savedAt = now.wall.nanosecondsSince1970
    // No file contains instants.
    run.since = Run().since
    return run
  }

  /// Returns a run of a file as it was when it was saved.
  /// - Parameters:
  ///   - clock: The clock of its timer.
  ///   - saved: The reading of the save.
  func restored(on clock: TimerClock.Kind, at saved: ClockReading) -> Run {
    var run = self
    run.since = saved[clock]
    return run
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

/// The properties of a timer that the history needs.
extension TimerMachine {
  /// The kind of its runs; `nil` for a kind of timer that has none.
  var runKind: StretchRecord.Kind? {
    switch self {
    case .repeater where interval == nil: nil
    case .repeater: mode == .once ? .once : .every
    case .cycle: .cycle
    case .stopwatch: .stopwatch
    case .triggered: nil
    }
  }

  /// The number of the phase in the run of a cycle, each of which is a run of its own; 0 for other kinds.
  var runNumber: Int { cycle?.phaseIndex ?? 0 }

  /// A Boolean value that indicates whether the timer runs or is paused.
  var isInRun: Bool { state == .running || state == .paused }

  /// The planned time of the run; `nil` for a stopwatch and for an endless `every`.
  var plannedTime: Duration? {
    if let repeater {
      guard let interval = repeater.configuration.interval else { return nil }
      return repeater.configuration.mode.count.map { interval.multiplied(by: $0) }
    }
    return cycle?.position?.phase.duration
  }

  /// Returns the time of the run that has elapsed if it was never paused or changed; zero for a stopwatch and for an
  /// endless `every`.
  func elapsedInRun(at now: ClockReading) -> Duration {
    guard let plannedTime, let left = timeLeft(at: now) else { return .zero }
    let iterationsAfter = max(0, (repeater?.remainingIterations ?? 1) - 1)
    return max(.zero, plannedTime - left - (interval ?? .zero).multiplied(by: iterationsAfter))
  }
}
