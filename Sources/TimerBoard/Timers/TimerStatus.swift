package import TimerKit

extension TimerStatus {
  /// The state. A timer with a pending call is running.
  package var state: TimerState { facts.state }

  /// A Boolean value that indicates whether a fire is being delivered. The end of a run is reported before its last
  /// fire.
  package var isExecuting: Bool { facts.isExecuting }

  package var clock: TimerClock.Kind { facts.clock }

  /// The instant of the next fire on the timer's clock; `nil` if there is none.
  var deadline: TimerClock.Instant? { facts.deadline }

  /// The time left when the timer was paused.
  package var frozenTimeLeft: Duration? { facts.frozenTimeLeft }

  /// Returns the time until the next fire, which does not change while paused; `nil` if there is none.
  func timeLeft(at now: ClockReading) -> Duration? {
    let facts = facts
    if let deadline = facts.deadline { return max(.zero, now[facts.clock].duration(to: deadline)) }
    return facts.frozenTimeLeft
  }

  /// The whole time from the previous fire to the next one; `nil` if there is none.
  package var period: Duration? { facts.period }

  /// False for a countdown or an interval that is paused at its beginning.
  var hasRun: Bool { deliveredCount > 0 || frozenTimeLeft == nil || frozenTimeLeft != period }

  /// The longest time that the timer shows before its next event.
  var longestTime: Duration { content.longestTime }

  /// The mode of a repeater; `nil` for other kinds.
  var mode: Repeater.Mode? {
    if case .repeater(let snapshot) = self { snapshot.configuration.mode } else { nil }
  }

  /// The numbers of iterations left in a run and in all; for a cycle, of rounds.
  package enum Iterations: Hashable, Sendable {
    case counted(left: Int, of: Int)
    case endless
    /// The timer has no runs.
    case none

    init(left: Int?, of count: Int?) {
      guard let left, let count else {
        self = .endless
        return
      }
      // Iterations may have been added during the run.
      self = .counted(left: left, of: max(left, count))
    }
  }

  package var iterations: Iterations { facts.iterations }

  /// The name of the current phase of a cycle; `nil` for other kinds.
  package var phaseName: String? { facts.phase?.name }

  package var deliveredCount: Int { facts.deliveredCount }

  /// The fires that were merged into a later one; `nil` for kinds that cannot miss one.
  package var missedCount: Int? { facts.missedCount }

  package var staleCount: Int { facts.staleCount }

  /// The index of the current phase of a cycle, 0 for every other kind; `nil` unless the timer runs.
  var runningPhase: Int? {
    let facts = facts
    return facts.state == .running ? facts.phase?.index ?? 0 : nil
  }

  /// A Boolean value that indicates whether the timer runs and can be paused.
  var canPause: Bool { content.canPause }
}

extension TimerCheckpoint {
  /// Creates the checkpoint of a timer that begins now, running or paused.
  package init(startOf spec: TimerSpec, at now: ClockReading) {
    self = spec.kind.family.start(of: spec, at: now)
  }

  /// Returns the status of a timer that is restored from the checkpoint.
  package func status(at now: ClockReading) -> TimerStatus { content.status(at: now) }
}
