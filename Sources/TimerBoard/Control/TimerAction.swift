package import TimerKit

/// The intent of a command to timers. The state of each timer decides what command that is.
package enum TimerAction: Hashable, Sendable {
  /// Pauses what runs; where nothing does, starts, resumes or restarts.
  case toggle
  /// Pauses what runs; where nothing does, resumes those of `resuming` that are paused.
  case toggleAll(resuming: Set<TimerID>)
  /// Also resumes, and restarts a finished timer.
  case start
  case pause
  case reset(restart: Bool)
  /// Starts from the beginning, or triggers a timer that waits for it, because another timer has finished:
  /// no person has requested that, so it is neither reported nor undone.
  case startAsSuccessor
  /// Triggers a timer that waits for it; skips to the next phase of a cycle.
  case fire(andPause: Bool)
  /// Adds time, or takes it for a negative amount.
  case adjustTime(TimeStep)
  /// Goes to the next interval of a fixed series. A timer whose command fails has another interval than
  /// its usual one: those are in `usual`.
  case stepInterval(longer: Bool, usual: [TimerID: Duration])
  case setInterval(Duration, Repeater.IntervalChange)
  case adjustIterations(by: Int)
  /// Ends the phase of a cycle.
  case skip
  /// Takes a lap of a stopwatch.
  case lap

  /// An amount of time to add or to take.
  package enum TimeStep: Hashable, Sendable {
    /// A minute, ten seconds below five minutes, one below thirty seconds.
    case more, less
    case exactly(Duration)
  }
}

/// A command that a timer can perform.
package enum TimerCommand: Hashable, Sendable {
  case start
  case pause
  case reset(restart: Bool)
  case fire(andPause: Bool)
  case adjustTimeLeft(Duration)
  case setInterval(Duration, Repeater.IntervalChange)
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
  case noPhases
  case noLaps
  case datePast
  /// It follows the time of day.
  case timeFixed
  /// A cycle: its phases have their own times.
  case hasPhases
  /// A stopwatch.
  case neverFires
  case notRunning
  /// A debouncer, a throttler or a background timer.
  case isTriggered
  /// Any other reason, such as a setting that the timer cannot have.
  case other(String)

  /// The reason as it stands after the timer's name.
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

/// The outcome of an action for one timer: the timer's answer.
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
