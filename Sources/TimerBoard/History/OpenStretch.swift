package import TimerKit

/// A stretch of a timer that has not ended.
package struct OpenStretch: Hashable, Sendable {
  /// The maximum number of pauses that are listed; later ones are only counted.
  package static let pauseLimit = 100

  package private(set) var id: UInt64
  package private(set) var start: WallInstant
  /// The number of the phase in the run of a cycle; 0 for other kinds.
  let number: Int
  /// The clock on which the stretch counts.
  private let clock: TimerClock.Kind
  private let phase: String?
  private let round: Int?
  private let planned: Duration?
  /// The time until `since`, without pauses.
  private var activeTime: Duration
  /// The instant up to which `active` counts, or at which the pause began.
  private var since: TimerClock.Instant
  /// The instant at which the pause began; `nil` while the timer runs.
  private var pausedAt: WallInstant?
  private var pauses: [StretchRecord.Pause] = []
  private var interruptions = 0
  private var fires = 0
  private var missed = 0
  private var result: String?

  init(_ id: UInt64, _ segment: StretchSegment, activeTime: Duration = .zero, at now: ClockReading)
  {
    self.id = id
    start = now.wall.advanced(by: .zero - activeTime)
    number = segment.number
    clock = segment.clock
    phase = segment.phase
    round = segment.round
    planned = segment.planned
    self.activeTime = activeTime
    since = now[segment.clock]
  }

  /// Returns a copy under another identifier.
  func copy(_ id: UInt64) -> OpenStretch {
    var copy = self
    copy.id = id
    return copy
  }

  /// Returns true if another version of the stretch was paused as often, and is paused if this one is.
  func hasSamePauses(as other: OpenStretch) -> Bool {
    interruptions == other.interruptions && (pausedAt == nil) == (other.pausedAt == nil)
  }

  mutating func add(_ fire: Fire) {
    addFires(1)
    missed = missed.addingSaturated(fire.missed)
  }

  mutating func setResult(_ text: String) { result = text }

  /// Begins or ends a pause.
  mutating func setPaused(_ isPaused: Bool, at now: ClockReading) {
    guard isPaused != (pausedAt != nil) else { return }
    advance(to: now)
    if isPaused {
      pausedAt = now.wall
      interruptions += 1
    } else {
      endPause(at: now.wall)
    }
  }

  private mutating func advance(to now: ClockReading) {
    if pausedAt == nil { activeTime += max(.zero, since.duration(to: now[clock])) }
    since = now[clock]
  }

  private mutating func endPause(at wall: WallInstant) {
    guard let pausedAt else { return }
    self.pausedAt = nil
    addPause(from: pausedAt, to: wall)
  }

  private mutating func addPause(from begin: WallInstant, to end: WallInstant) {
    guard pauses.count < Self.pauseLimit, end > begin else { return }
    pauses.append(
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
    var record = StretchRecord(
      id: id, timer: timer.label, kind: kind, start: start.milliseconds,
      end: max(start, now.wall).milliseconds, ending: ending,
      activeTime: min(ended.activeTime.milliseconds, StretchRecord.longest))
    (record.phase, record.round) = (phase, round)
    record.planned = planned?.milliseconds
    record.interruptions = interruptions
    record.pauses = ended.pauses
    // A run with one fire may end before that fire is delivered.
    record.fires = kind == .cycle || kind == .once ? (ending == .finished ? 1 : 0) : fires
    record.missed = missed
    record.result = result
    record.note = timer.note
    record.command = timer.spec.command
    return record
  }
}

/// Saving and restoring, and the time in which no process ran the timer.
extension OpenStretch {
  /// Returns the stretch as it is saved.
  package func saved(at now: ClockReading) -> SavedStretch {
    var stretch = self
    stretch.advance(to: now)
    return SavedStretch(
      id: id, start: start.nanosecondsSince1970, number: number, phase: phase,
      round: round, planned: planned?.clampedNanoseconds,
      activeTime: stretch.activeTime.clampedNanoseconds, savedAt: now.wall.nanosecondsSince1970,
      pausedAt: pausedAt?.nanosecondsSince1970, pauses: pauses.flatMap { [$0.start, $0.length] },
      interruptions: interruptions, fires: fires, missed: missed, result: result)
  }

  /// Continues a saved stretch.
  /// - Parameters:
  ///   - clock: The clock of its timer.
  ///   - countsGap: True if the timer has continued since, so that the time counts; otherwise it is a pause.
  init(
    _ saved: SavedStretch, on clock: TimerClock.Kind, countsGap: Bool, at now: ClockReading
  ) {
    self.clock = clock
    id = saved.id
    start = WallInstant(nanosecondsSince1970: saved.start)
    number = saved.number
    phase = saved.phase
    round = saved.round
    planned = saved.planned.map { .nanoseconds($0) }
    activeTime = .nanoseconds(max(0, saved.activeTime))
    since = now[clock]
    pausedAt = saved.pausedAt.map(WallInstant.init(nanosecondsSince1970:))
    pauses = stride(from: 0, to: saved.pauses.count - 1, by: 2).prefix(Self.pauseLimit).map {
      StretchRecord.Pause(start: saved.pauses[$0].bounded, length: saved.pauses[$0 + 1].bounded)
    }
    interruptions = saved.interruptions.boundedCount
    fires = saved.fires.boundedCount
    missed = saved.missed.boundedCount
    result = saved.result
    guard pausedAt == nil else { return }
    let before = WallInstant(nanosecondsSince1970: saved.savedAt)
    if countsGap {
      activeTime += max(.zero, before.duration(to: now.wall))
    } else {
      addPause(from: before, to: now.wall)
    }
  }

  /// Counts fires that were due while no process ran the timer.
  mutating func addFires(_ count: Int) { fires = fires.addingSaturated(count) }
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
