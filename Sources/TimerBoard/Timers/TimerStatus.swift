package import TimerKit

/// What a timer tells of itself, whatever its kind: its own snapshot, whole.
package enum TimerStatus: Hashable, Sendable {
  case repeater(Repeater.Snapshot)
  case cycle(Cycle.Snapshot)
  case stopwatch(Stopwatch.Snapshot)
  /// A debouncer, a throttler or a background timer, on the suspending clock.
  case calls(CallSnapshot)

  /// Where it stands, in the words that all kinds share: one that has a call pending runs.
  package var state: TimerState {
    switch self {
    case .repeater(let snapshot): snapshot.state
    case .cycle(let snapshot): snapshot.state
    case .stopwatch(let snapshot): snapshot.state
    case .calls(let snapshot):
      switch snapshot.state {
      case .idle: .idle
      case .pending: .running
      case .executing: snapshot.deadline == nil ? .idle : .running
      case .cancelled: .cancelled
      }
    }
  }

  /// A fire is being told of. What tells of its end comes after the fire itself.
  package var isExecuting: Bool {
    switch self {
    case .repeater(let snapshot): snapshot.isExecuting
    case .cycle(let snapshot): snapshot.isExecuting
    case .stopwatch: false
    case .calls(let snapshot): snapshot.state == .executing
    }
  }

  package var clock: TimerClock.Kind {
    switch self {
    case .repeater(let snapshot): snapshot.clock
    case .cycle(let snapshot): snapshot.clock
    case .stopwatch(let snapshot): snapshot.clock
    case .calls: .suspending
    }
  }

  /// When it fires next, on its clock; `nil` unless a fire is on its way.
  var deadline: TimerClock.Instant? {
    switch self {
    case .repeater(let snapshot): snapshot.deadline
    case .cycle(let snapshot): snapshot.deadline
    case .stopwatch: nil
    case .calls(let snapshot): snapshot.deadline
    }
  }

  /// What was left when it was paused.
  package var frozenTimeLeft: Duration? {
    switch self {
    case .repeater(let snapshot): snapshot.frozenTimeLeft
    case .cycle(let snapshot): snapshot.frozenTimeLeft
    case .stopwatch, .calls: nil
    }
  }

  /// The time until the next fire, frozen while paused; `nil` where none is to come.
  func timeLeft(at now: ClockReading) -> Duration? {
    if let deadline { return max(.zero, now[clock].duration(to: deadline)) }
    return frozenTimeLeft
  }

  /// The whole time that ``timeLeft(at:)`` is a part of; `nil` where it has none.
  package var period: Duration? {
    switch self {
    case .repeater(let snapshot): snapshot.configuration.interval
    case .cycle(let snapshot):
      (snapshot.position?.phase ?? snapshot.configuration.phases.first)?.duration
    case .stopwatch, .calls: nil
    }
  }

  /// The longest time it shows until it tells of itself anew.
  var longestTime: Duration {
    switch self {
    case .repeater(let snapshot): snapshot.configuration.interval ?? .zero
    case .cycle(let snapshot): snapshot.configuration.phases.map(\.duration).max() ?? .zero
    // Ten hours before the column would have to grow.
    case .stopwatch: .hours(9)
    case .calls: .zero
    }
  }

  /// How often a repeater delivers; `nil` for other kinds.
  var mode: Repeater.Mode? {
    if case .repeater(let snapshot) = self { snapshot.configuration.mode } else { nil }
  }

  /// What a run has left and how much it is in all: iterations, or the rounds of a cycle.
  package enum Iterations: Hashable, Sendable {
    case counted(left: Int, of: Int)
    case endless
    /// It has no runs.
    case none
  }

  package var iterations: Iterations {
    let (left, count): (Int?, Int?)
    switch self {
    case .repeater(let snapshot):
      (left, count) = (snapshot.remainingIterations, snapshot.configuration.mode.count)
    case .cycle(let snapshot):
      (left, count) = (snapshot.remainingRounds, snapshot.configuration.rounds)
    case .stopwatch, .calls: return .none
    }
    guard let left, let count else { return .endless }
    // A run can have got more than its usual count.
    return .counted(left: left, of: max(left, count))
  }

  package var deliveredCount: Int {
    switch self {
    case .repeater(let snapshot): snapshot.deliveredCount
    case .cycle(let snapshot): snapshot.deliveredCount
    case .stopwatch(let snapshot): snapshot.deliveredCount
    case .calls(let snapshot): snapshot.deliveredCount
    }
  }

  /// Fires that another one stood for; `nil` for kinds that cannot miss one.
  package var missedCount: Int? {
    switch self {
    case .repeater(let snapshot): snapshot.missedCount
    case .cycle(let snapshot): snapshot.missedCount
    case .stopwatch, .calls: nil
    }
  }

  package var staleCount: Int {
    switch self {
    case .repeater(let snapshot): snapshot.staleCount
    case .cycle(let snapshot): snapshot.staleCount
    case .stopwatch(let snapshot): snapshot.staleCount
    case .calls(let snapshot): snapshot.staleCount
    }
  }

  /// Which of a cycle's phases it runs in, 0 for every other kind; `nil` unless it runs.
  var runningPhase: Int? {
    guard state == .running else { return nil }
    if case .cycle(let snapshot) = self { return snapshot.position?.index ?? 0 }
    return 0
  }
}
