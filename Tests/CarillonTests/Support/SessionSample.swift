import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// A sample session with every kind of timer.
enum SessionSample {
  static let wall = WallInstant(nanosecondsSince1970: 1_795_260_946_250_000_000)

  static let words = """
    tea=3m note 'two bags' run 'notify-send "$CARILLON_NAME"' ring
    sets=every 45s x8 missed burst 3 tolerance 1s then tea
    pomodoro=cycle work 25m/rest 5m x4
    sw=stopwatch
    standup=weekdays 09:55
    save=debounce 2s max 10s both
    '$(touch pwned) \u{1B}]52;c;x\u{7}\u{1}日本'=1h
    poll=every 5s run true backoff 5m
    """
}

extension Board {
  /// Creates a board with timers that begin at a time.
  init(_ specs: [TimerSpec], at now: ClockReading) {
    self.init()
    _ = perform(.start(specs), at: now)
  }

  /// Creates a board with timers that have begun at a time, and that no process has run since.
  init(_ words: String, startedAt start: ClockReading, at now: ClockReading) throws {
    self.init(try TimerSpec.parse(arguments: [words]), at: start)
    _ = advance(to: now, .unattended)
  }
}

extension SessionFile {
  /// Creates the file of timers that begin at a time. It has no readings of the clocks since the boot.
  init(_ specs: [TimerSpec], at wall: WallInstant) {
    let now = ClockReading(wall: wall)
    self.init(Board(specs, at: now), at: now)
    continuousNs = nil
    suspendingNs = nil
    bootID = nil
  }

  var bytes: [UInt8] { jsonLine }

  /// The timers as they were saved.
  func timers() throws(Fault) -> [BoardTimer] {
    try restored(at: ClockReading(wall: WallInstant(savedSeconds: savedAt))).timers
  }
}

extension HistoryLine {
  /// The line without its end.
  var json: String { String(decoding: bytes.dropLast(), as: UTF8.self) }
}
