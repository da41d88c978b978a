package import TimerKit

/// Timers that count up.
struct StopwatchFamily: TimerFamily {
  var keyword: Keyword { .stopwatch }
  var text: String { "stopwatch" }

  func start(of spec: TimerSpec, at now: ClockReading) -> TimerCheckpoint {
    .stopwatch(
      Stopwatch.Checkpoint(
        state: spec.isPaused ? .paused : .running, elapsed: .zero, clock: spec.clock,
        takenAt: now.wall))
  }
}

extension Stopwatch.Snapshot: FamilyStatus {
  var common: CommonStatus {
    CommonStatus(state: state, clock: clock, deliveredCount: deliveredCount, staleCount: staleCount)
  }

  /// Nine hours, whose text is as wide as the widest of all times below ten hours.
  var longestTime: Duration { .hours(9) }

  func command(
    for action: TimerAction, to id: TimerID, at now: ClockReading
  ) throws(ControlRefusal) -> TimerCommand {
    if let command = action.commonCommand(common) { return command }
    guard action == .lap else { throw ControlRefusal("a stopwatch; it never fires") }
    guard state == .running else { throw ControlRefusal("not running; start it first") }
    return .lap
  }

  func checkpoint(at now: ClockReading, intervalBeforeBackoff: Duration?) -> TimerCheckpoint {
    .stopwatch(checkpoint(at: now[clock], wall: now.wall))
  }
}

extension TimerStatus {
  var stopwatch: Stopwatch.Snapshot? {
    if case .stopwatch(let stopwatch) = self { stopwatch } else { nil }
  }

  /// A Boolean value that indicates whether the time counts up from the start, with laps and without an end.
  package var countsUp: Bool { stopwatch != nil }
  package var laps: [Stopwatch.Lap] { stopwatch?.laps ?? [] }
  /// The time that a stopwatch has counted; `nil` while it runs, and for other timers.
  package var elapsedWhenStopped: Duration? { stopwatch?.elapsedWhenStopped }

  /// Returns the time that a stopwatch has counted; `nil` for other timers.
  package func elapsed(at now: ClockReading) -> Duration? { stopwatch?.elapsed(at: now[clock]) }
}

extension Stopwatch.Checkpoint: FamilyCheckpoint {
  var checkpoint: TimerCheckpoint { .stopwatch(self) }

  func status(at now: ClockReading) -> TimerStatus {
    .stopwatch(
      Stopwatch.Snapshot(
        state: state, clock: clock,
        origin: state == .running ? now[clock].advanced(by: .zero - elapsed) : nil,
        elapsedWhenStopped: state == .running ? nil : elapsed, laps: laps, alarmTime: alarmTime,
        alarmHasFired: alarmHasFired))
  }

  mutating func advance(to wall: WallInstant) -> Int {
    catchUp(to: wall)
    return 0
  }

  mutating func elapse(_ time: Duration) {
    if state == .running { elapsed += time }
  }

  func makeTimer(in environment: TimerEnvironment) throws(RestoreError) -> any LiveTimer {
    try Stopwatch(
      restoring: self, policy: .keepTimeLeft, clock: environment.clock, queue: environment.queue
    ) { _, _ in }
  }

  var fields: SavedFields {
    SavedFields(state: state, elapsed: elapsed.seconds, laps: laps.map(\.total.seconds))
  }

  mutating func restore(_ fields: SavedFields, at now: ClockReading) throws(SavedFieldError) {
    state = fields.isActive ? fields.state : .idle
    elapsed = fields.state == .idle ? .zero : Duration(savedSeconds: fields.elapsed ?? 0)
    var before = Duration.zero
    let totals = fields.state == .idle ? [] : fields.laps
    laps = totals.map(Duration.init(savedSeconds:)).enumerated().map { index, total in
      defer { before = max(before, total) }
      return Stopwatch.Lap(number: index + 1, time: max(.zero, total - before), total: total)
    }
  }
}

extension Stopwatch: ObservableLiveTimer {
  package var status: TimerStatus { .stopwatch(snapshot) }

  package func perform(_ command: TimerCommand) -> ControlResult {
    switch command {
    case .lap: lap() == nil ? .unchanged : .changed
    default: control(command)
    }
  }

  // A lap is a command, not a fire.
  package static func event(of lap: Delivery) -> Board.TimerEvent { .changed }
}
