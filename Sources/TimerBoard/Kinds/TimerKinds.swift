package import TimerKit

// The list of all kinds. A new kind needs a case here, a line in each switch, and a file for its family in this
// folder.

extension TimerSpec {
  /// The kind of a timer, with its settings.
  package enum Kind: Hashable, Sendable {
    case once(Duration)
    /// Repeatedly; endless without a count.
    case every(Duration, count: Int?)
    /// Once, on its date or, without a date, at the next occurrence of its time of day.
    case at(WallSchedule)
    /// Every day or on some days of the week; endless without a count.
    case daily(WallSchedule, count: Int?)
    /// Phases in turn; endless without a number of rounds.
    case cycle([Cycle.Phase], rounds: Int?)
    case stopwatch
    /// Triggered: fires at the edges of a burst of triggers, and after the maximum wait within one.
    case debounce(Duration, maxWait: Duration?, edges: DebounceEdges)
    /// Triggered: fires at most once in each interval.
    case throttle(Duration, mode: ThrottleMode, keeps: KeptValue)
    /// Triggered: fires a delay after the first trigger; later ones do not change the time.
    case coalesce(Duration)
    /// Triggered: fires a delay after the last trigger; each one defers it.
    case idle(Duration)

    var family: any TimerFamily {
      switch self {
      case .once(let interval):
        RepeaterFamily(timing: .interval(interval), isOnce: true, fireCount: 1)
      case .every(let interval, let count):
        RepeaterFamily(timing: .interval(interval), fireCount: count)
      case .at(let schedule):
        RepeaterFamily(timing: .schedule(schedule), isOnce: true, fireCount: 1)
      case .daily(let schedule, let count):
        RepeaterFamily(timing: .schedule(schedule), fireCount: count)
      case .cycle(let phases, let rounds): CycleFamily(phases: phases, rounds: rounds)
      case .stopwatch: StopwatchFamily()
      case .debounce(let delay, let maxWait, let edges):
        TriggeredFamily(behavior: .debounce(maxWait: maxWait, edges), interval: delay)
      case .throttle(let interval, let mode, let kept):
        TriggeredFamily(behavior: .throttle(mode, kept), interval: interval)
      case .coalesce(let delay): TriggeredFamily(behavior: .coalesce, interval: delay)
      case .idle(let delay): TriggeredFamily(behavior: .idle, interval: delay)
      }
    }
  }
}

/// The status of a timer: the snapshot that TimerKit takes of it.
package enum TimerStatus: Hashable, Sendable {
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
    case .once: .once(try duration(after: "once", inMinutes: true))
    case .every: try every()
    case .at: try at()
    case .daily: try daily(on: .all, after: "daily")
    case .weekdays: try daily(on: .mondayToFriday, after: "weekdays")
    case .cycle: try cycle()
    case .stopwatch: stopwatch()
    case .debounce: try debounce()
    case .throttle: try throttle()
    case .coalesce: .coalesce(try duration(after: "coalesce"))
    case .idle: .idle(try duration(after: "idle"))
    }
  }
}
