package import TimerKit

extension TimerStatus {
  /// The state, in the terms that all kinds share: a timer with a pending call runs.
  package var state: TimerState { facts.state }

  /// A Boolean value that indicates whether a fire is being delivered. The event of a run's end comes
  /// after that of its last fire.
  package var isExecuting: Bool { facts.isExecuting }

  package var clock: TimerClock.Kind { facts.clock }

  /// The instant of the next fire, on its clock; `nil` unless one is to come.
  var deadline: TimerClock.Instant? { facts.deadline }

  /// The time that was left when it was paused.
  package var frozenTimeLeft: Duration? { facts.frozenTimeLeft }

  /// The time until the next fire, frozen while paused; `nil` where none is to come.
  func timeLeft(at now: ClockReading) -> Duration? {
    let facts = facts
    if let deadline = facts.deadline { return max(.zero, now[facts.clock].duration(to: deadline)) }
    return facts.frozenTimeLeft
  }

  /// The whole time that ``timeLeft(at:)`` is a part of; `nil` where it has none.
  package var period: Duration? { facts.period }

  /// The longest time that it shows until its next event.
  var longestTime: Duration { content.longestTime }

  /// The mode of a repeater; `nil` for other kinds.
  var mode: Repeater.Mode? {
    if case .repeater(let snapshot) = self { snapshot.configuration.mode } else { nil }
  }

  /// The iterations of a run that are left, and how many it has in all; of a cycle, the rounds.
  package enum Iterations: Hashable, Sendable {
    case counted(left: Int, of: Int)
    case endless
    /// It has no runs.
    case none

    init(left: Int?, of count: Int?) {
      guard let left, let count else {
        self = .endless
        return
      }
      // A run can have got more than its usual count.
      self = .counted(left: left, of: max(left, count))
    }
  }

  package var iterations: Iterations { facts.iterations }

  /// The name of the phase that a cycle is in; `nil` for other kinds.
  package var phaseName: String? { facts.phase?.name }

  package var deliveredCount: Int { facts.deliveredCount }

  /// The fires that were merged into a later one; `nil` for kinds that cannot miss one.
  package var missedCount: Int? { facts.missedCount }

  package var staleCount: Int { facts.staleCount }

  /// The index of the phase that a cycle runs in, 0 for every other kind; `nil` unless it runs.
  var runningPhase: Int? {
    let facts = facts
    return facts.state == .running ? facts.phase?.index ?? 0 : nil
  }

  /// A Boolean value that indicates whether the timer runs and can be paused.
  var canPause: Bool { content.canPause }
}

extension TimerCheckpoint {
  /// The checkpoint of a timer that begins now: it runs, unless it is to be paused.
  package init(startOf spec: TimerSpec, at now: ClockReading) {
    self = spec.kind.family.start(of: spec, at: now)
  }

  /// Returns the status of a timer that is restored from it.
  package func status(at now: ClockReading) -> TimerStatus { content.status(at: now) }
}
