package import TimerKit

extension TimerStatus {
  /// The state. A timer with a pending call is running.
  package var state: TimerState {
    // Without the rest, because each frame reads it many times for each row.
    switch self {
    case .repeater(let snapshot): snapshot.state
    case .cycle(let snapshot): snapshot.state
    case .stopwatch(let snapshot): snapshot.state
    case .triggered: common.state
    }
  }

  /// A Boolean value that indicates whether a fire is being delivered. The end of a run is reported before its last
  /// fire.
  package var isExecuting: Bool { common.isExecuting }

  package var clock: TimerClock.Kind { common.clock }

  /// The instant of the next fire on the timer's clock; `nil` if there is none.
  var deadline: TimerClock.Instant? { common.deadline }

  /// The time left when the timer was paused.
  package var pausedTimeLeft: Duration? { common.pausedTimeLeft }

  /// Returns the time until the next fire, which does not change while paused; `nil` if there is none.
  package func timeLeft(at now: ClockReading) -> Duration? {
    let common = common
    if let deadline = common.deadline {
      return max(.zero, now[common.clock].duration(to: deadline))
    }
    return common.pausedTimeLeft
  }

  /// The whole time from the previous fire to the next one; `nil` if there is none.
  package var period: Duration? { common.period }

  /// False for a countdown, an interval, a cycle or a stopwatch that is paused at its beginning.
  package var hasRun: Bool {
    if let stopwatch { return stopwatch.elapsedWhenStopped != .zero }
    var (left, whole) = (pausedTimeLeft, period)
    if case .repeater(let timer) = self {
      left = left.map { $0 - timer.jitterDelay }
      whole = timer.configuration.startDelay ?? whole
    }
    return deliveredCount > 0 || left == nil || left != whole
  }

  /// The longest time that the timer shows before its next event.
  var longestTime: Duration { content.longestTime }

  /// The numbers of iterations left in a run and in all; for a cycle, of rounds.
  package enum Iterations: Hashable, Sendable {
    case counted(left: Int, of: Int)
    case endless
    /// The timer has no runs.
    case none

    init(left: Int?, of count: Int?) {
      // Iterations may have been added during the run.
      self = if let left, let count { .counted(left: left, of: max(left, count)) } else { .endless }
    }
  }

  package var iterations: Iterations { common.iterations }

  /// The mode: `once`, `finite` or `infinite`; `nil` for a timer without runs.
  package var modeName: String? {
    switch iterations {
    case .counted(_, of: 1): "once"
    case .counted: "finite"
    case .endless: "infinite"
    case .none: nil
    }
  }

  /// The name of the current phase of a cycle; `nil` for other kinds.
  package var phaseName: String? { common.phase?.name }

  package var deliveredCount: Int { common.deliveredCount }

  /// The fires that were merged into a later one; `nil` for kinds that cannot miss one.
  package var missedCount: Int? { common.missedCount }

  var activity: RecentActivity.Activity {
    let common = common
    guard common.state == .running else { return .notRunning }
    return common.phase.map { .phase($0.index) } ?? .running
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

  /// Returns the instant of the last fire of the run; `nil` if the timer does not run or the run has no end.
  package func lastFire(by now: WallInstant) -> WallInstant? { content.lastFire(by: now) }
}

/// The fires of a timer since it was added, including those of earlier live timers and processes.
package struct FireCounts: Hashable, Sendable {
  package var delivered = 0
  package var missed = 0
  package var stale = 0

  static func + (left: FireCounts, right: FireCounts) -> FireCounts {
    FireCounts(
      delivered: left.delivered.addingSaturated(right.delivered),
      missed: left.missed.addingSaturated(right.missed),
      stale: left.stale.addingSaturated(right.stale))
  }
}

extension TimerStatus {
  /// Returns the part of the interval or of the phase that has passed, from 0 to 1: 0 without one.
  /// - Parameters:
  ///   - period: The whole time from the previous fire to the next one.
  ///   - left: The time until the next fire, also of a paused timer.
  package func progress(in period: Duration?, left: Duration?) -> Double {
    // An alarm has no period once it is over.
    if state == .finished { return 1 }
    guard let period, period > .zero, let left, state != .idle else { return 0 }
    return min(1, max(0, (period - left) / period))
  }
}

extension Cycle.Phase {
  /// The name with the duration: `rest 5m`.
  package var text: String { "\(name) \(DurationText.text(duration))" }
}
