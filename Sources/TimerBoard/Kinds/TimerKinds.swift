import TimerKit

// The list of all kinds. A new kind needs a case here and in ``TimerMachine``, a line in each switch, and a file for its
// family in this folder.

extension TimerSpec {
  /// The kind of a timer: its family, with the settings. The family has a constructor for each word of the grammar.
  package enum Kind: Hashable, Sendable {
    case repeater(RepeaterFamily)
    case cycle(CycleFamily)
    case stopwatch
    /// Waits for triggers.
    case triggered(TriggeredFamily)

    var family: any TimerFamily {
      switch self {
      case .repeater(let family): family
      case .cycle(let family): family
      case .stopwatch: StopwatchFamily()
      case .triggered(let family): family
      }
    }
  }
}

/// The words with which a kind begins.
enum Keyword: String, CaseIterable {
  case once, every, at, daily, weekdays, cycle, stopwatch, debounce, throttle, coalesce, idle
}

extension TimerParser {
  /// Parses the kind that begins with a keyword at the current position.
  mutating func kind(_ keyword: Keyword) throws(TimerSyntaxError) -> TimerSpec.Kind {
    switch keyword {
    case .once: return try once(duration(after: "once", inMinutes: true))
    case .every: return try every()
    case .at:
      position += 1
      return try moment(after: "at")
    case .daily: return try daily(on: .all, after: "daily")
    case .weekdays: return try daily(on: .mondayToFriday, after: "weekdays")
    case .cycle:
      position += 1
      return .cycle(try phases(after: "cycle"), rounds: nil)
    case .stopwatch:
      position += 1
      return .stopwatch
    case .debounce: return try debounce()
    case .throttle: return try throttle()
    case .coalesce: return .coalesce(try duration(after: "coalesce"))
    case .idle: return .idle(try duration(after: "idle"))
    }
  }
}
