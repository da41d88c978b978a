package import TimerKit

/// An action on timers. The state of each timer determines the command that is performed.
package enum TimerAction: Hashable, Sendable {
  /// Pauses the running timers; if none is running, starts, resumes or restarts them.
  case toggle
  /// Pauses the running timers; if none is running, resumes the paused ones among `resuming`.
  case toggleAll(resuming: Set<TimerID>)
  /// Starts or resumes a timer, or restarts a finished one.
  case start
  case pause
  case reset(restart: Bool)
  /// Restarts a timer, or triggers one that waits for triggers, because another timer has finished. It causes
  /// neither a ``Report`` nor an undo step, since no user has requested it.
  case startAsSuccessor
  /// Fires a timer, triggers one that waits for triggers, or skips to the next phase of a cycle.
  case fire(pausing: Bool)
  /// Adds or removes time.
  case adjustTime(TimeStep)
  /// Changes the interval to the next one of a fixed series. `intervalsBeforeBackoff` has the base intervals of timers with
  /// back-off.
  case stepInterval(longer: Bool, intervalsBeforeBackoff: [TimerID: Duration])
  case setInterval(Duration, Repeater.IntervalStart)
  case adjustIterations(by: Int)
  /// Ends the phase of a cycle.
  case skip
  /// Takes a lap of a stopwatch.
  case lap

  /// An amount of time to add or to remove.
  package enum TimeStep: Hashable, Sendable {
    /// The step of ``timeStep(for:)``.
    case more, less
    case exactly(Duration)
  }
}

/// A command that a timer can perform.
package enum TimerCommand: Hashable, Sendable {
  case start
  case pause
  case reset(restart: Bool)
  case fire(pausing: Bool)
  case adjustTimeLeft(Duration)
  case setInterval(Duration, Repeater.IntervalStart)
  case setRemainingIterations(Int)
  case skip
  case lap
}

/// The reason for which an action does not apply to a timer.
package enum TimerRefusal: Error, Hashable, Sendable {
  case finished
  case notStarted
  case noTimeLeft
  case longestInterval
  case shortestInterval
  case noIterations
  case lastIteration
  case mostIterations
  /// The timer is a countdown, whose interval is its time.
  case firesOnce
  case noPhases
  case noLaps
  case datePast
  /// The timer follows the time of day.
  case timeFixed
  /// The timer is a cycle, whose phases have their own durations.
  case hasPhases
  /// The timer is a stopwatch.
  case neverFires
  case notRunning
  /// The timer is a debouncer, a throttler or a background timer.
  case isTriggered
  /// Any other reason, such as a setting that the timer cannot have.
  case other(String)

  /// The reason, as shown after the timer's name.
  package var text: String {
    switch self {
    case .finished: "finished; restart it first"
    case .notStarted: "not started; start it first"
    case .noTimeLeft: "no time left to remove"
    case .longestInterval: "already the longest step; edit it for more"
    case .shortestInterval: "already the shortest step; edit it for less"
    case .noIterations: "no count of iterations to change"
    case .lastIteration: "at its last iteration"
    case .mostIterations: "at the largest number of iterations"
    case .firesOnce: "fires once; add or remove time instead"
    case .noPhases: "no phases to skip"
    case .noLaps: "no laps; only a stopwatch has them"
    case .datePast: "its date is past; edit it"
    case .timeFixed: "follows the time of day; edit it"
    case .hasPhases: "a cycle; edit its phases and rounds"
    case .neverFires: "a stopwatch; it never fires"
    case .notRunning: "not running; start it first"
    case .isTriggered: "waits for triggers; it can only be triggered and reset"
    case .other(let reason): reason
    }
  }
}

/// The outcome of an action for one timer.
package struct ControlOutcome: Sendable {
  package enum Result: Hashable, Sendable {
    case changed(TimerCommand)
    /// There was nothing to do.
    case unchanged(TimerCommand)
    case refused(TimerRefusal)
  }

  package var id: TimerID
  package var result: Result
  package var before: TimerStatus
  package var after: TimerStatus

  package init(id: TimerID, result: Result, before: TimerStatus, after: TimerStatus) {
    self.id = id
    self.result = result
    self.before = before
    self.after = after
  }
}
