package import TimerKit

// The list of all kinds. A new kind needs a case here, a line in each switch, and a file for its family in this
// folder.

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

/// The status of a timer: the snapshot that TimerKit takes of it. It is indirect because rows are copied more often than
/// their status changes.
package indirect enum TimerStatus: Hashable, Sendable {
  case repeater(Repeater.Snapshot)
  case cycle(Cycle.Snapshot)
  case stopwatch(Stopwatch.Snapshot)
  /// A debouncer, a throttler or a background timer.
  case triggered(CallSnapshot)

  /// The common part of the status. Unlike `content`, it does not allocate.
  var common: CommonStatus {
    switch self {
    case .repeater(let snapshot): snapshot.common
    case .cycle(let snapshot): snapshot.common
    case .stopwatch(let snapshot): snapshot.common
    case .triggered(let snapshot): snapshot.common
    }
  }

  var content: any FamilyStatus {
    switch self {
    case .repeater(let snapshot): snapshot
    case .cycle(let snapshot): snapshot
    case .stopwatch(let snapshot): snapshot
    case .triggered(let snapshot): snapshot
    }
  }
}

/// The state from which undo or a session restores a timer.
package enum TimerCheckpoint: Hashable, Sendable {
  case repeater(Repeater.Checkpoint)
  case cycle(Cycle.Checkpoint)
  case stopwatch(Stopwatch.Checkpoint)
  /// A debouncer, a throttler or a background timer, which has no time to restore.
  case triggered(CallCheckpoint)

  var content: any FamilyCheckpoint {
    get {
      switch self {
      case .repeater(let checkpoint): checkpoint
      case .cycle(let checkpoint): checkpoint
      case .stopwatch(let checkpoint): checkpoint
      case .triggered(let checkpoint): checkpoint
      }
    }
    set { self = newValue.checkpoint }
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
