package import TimerKit

/// Timers that count up.
struct StopwatchFamily: TimerFamily {
  var keyword: Keyword { .stopwatch }
  var text: String { "stopwatch" }

  func start(of spec: TimerSpec, seed: UInt64, at now: ClockReading) -> TimerMachine {
    var value = Stopwatch.Value(clock: TimerClock(spec.clock))
    value.start(at: now[spec.clock])
    if spec.isPaused { value.pause(at: now[spec.clock]) }
    return .stopwatch(value)
  }

  func restore(
    _ fields: SavedFields, of spec: TimerSpec, seed: UInt64, at now: ClockReading
  ) throws(SavedFieldError) -> TimerMachine {
    let isIdle = fields.state == .idle
    var before = Duration.zero
    let laps = (isIdle ? [] : fields.laps.map(Duration.init(savedSeconds:))).enumerated().map {
      index, total in
      defer { before = max(before, total) }
      return Stopwatch.Lap(number: index + 1, time: max(.zero, total - before), total: total)
    }
    let checkpoint = Stopwatch.Checkpoint(
      state: fields.isActive ? fields.state : .idle,
      elapsed: isIdle ? .zero : Duration(savedSeconds: fields.elapsed ?? 0), laps: laps,
      clock: spec.clock, takenAt: now.wall)
    return try .stopwatch(
      SavedFieldError.ofTimer { () throws(RestoreError) in
        try Stopwatch.Value(restoring: checkpoint, at: now)
      })
  }
}

extension Stopwatch.Value {
  /// Restores a stopwatch with the time that it had counted.
  init(restoring checkpoint: Stopwatch.Checkpoint, at now: ClockReading) throws(RestoreError) {
    try self.init(
      restoring: checkpoint, policy: .keepTimeLeft, clock: TimerClock(checkpoint.clock),
      at: now[checkpoint.clock], wall: now.wall)
  }

  func command(of action: TimerAction) throws(ControlRefusal) -> TimerCommand {
    if let command = action.commonCommand(in: state) { return command }
    guard action == .lap else { throw ControlRefusal("a stopwatch; it never fires") }
    guard state == .running else { throw ControlRefusal("not running; start it first") }
    return .lap
  }

  mutating func perform(_ command: TimerCommand, at now: TimerClock.Instant) -> ControlResult {
    switch command {
    case .start: start(at: now)
    case .pause: pause(at: now)
    case .reset(let restart): restart ? self.restart(at: now) : reset(at: now)
    case .lap: takeLap(at: now)
    case .fire, .adjustTimeLeft, .setInterval, .setRemainingIterations, .skip: .unchanged
    }
  }

  private mutating func takeLap(at now: TimerClock.Instant) -> ControlResult {
    guard lap(at: now) != nil else { return .unchanged }
    // A lap is a command, not a fire.
    while advance(to: now) != nil {}
    return .changed
  }

  /// The state as a file stores it.
  func fields(at now: ClockReading) -> SavedFields {
    let checkpoint = checkpoint(at: now[clock], wall: now.wall)
    return SavedFields(
      state: checkpoint.state, elapsed: checkpoint.elapsed.seconds,
      laps: checkpoint.laps.map(\.total.seconds))
  }
}

extension TimerMachine {
  private var stopwatch: Stopwatch.Snapshot? {
    if case .stopwatch(let value) = self { value.snapshot } else { nil }
  }

  /// A Boolean value that indicates whether the time counts up from the start, with laps and without an end.
  package var countsUp: Bool { if case .stopwatch = self { true } else { false } }
  package var laps: [Stopwatch.Lap] { stopwatch?.laps ?? [] }
  /// The instant on the stopwatch's clock from which it counts, without pauses; `nil` unless it runs.
  package var origin: TimerClock.Instant? { stopwatch?.origin }
  /// The time that a stopwatch has counted; `nil` while it runs, and for other timers.
  package var elapsedWhenStopped: Duration? { stopwatch?.elapsedWhenStopped }

  /// Returns the time that a stopwatch has counted; `nil` for other timers.
  package func elapsed(at now: ClockReading) -> Duration? {
    stopwatch.map { $0.elapsed(at: now[$0.clock]) }
  }
}
