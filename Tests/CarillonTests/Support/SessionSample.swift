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

extension SessionFile {
  init(_ timers: [SavedTimer], at wall: WallInstant) {
    self.init()
    savedAt = Double(wall.nanosecondsSince1970) / 1e9
    board.timers = timers.numbered.map { SavedFields($0) }
  }

  var bytes: [UInt8] { jsonLine }
}

extension [SavedTimer] {
  /// The timers with identifiers from 1.
  var numbered: [SavedTimer] {
    zip(self, 1...).map { timer, number in
      var timer = timer
      timer.id = TimerID(number)
      return timer
    }
  }
}

extension HistoryLine {
  /// The line without its end.
  var json: String { String(decoding: bytes.dropLast(), as: UTF8.self) }
}
