package import TimerKit

/// An action on timers. The state of each timer determines the command that is performed.
package enum TimerAction: Hashable, Sendable {
  /// Pauses the running timers; if none is running, starts, resumes or restarts them.
  case toggle
  /// Pauses the running timers; if none is running, resumes those that this action has paused.
  case toggleAll
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
  /// Changes the interval to the next one of a fixed series.
  case stepInterval(longer: Bool)
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

/// The command that an action resolves to for a timer in its state.
enum TimerCommand: Hashable, Sendable {
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

/// The reason for which a timer refuses an action, or the board a control.
package struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason; that of a timer as shown after its name.
  package var description: String

  package init(_ description: String) {
    self.description = description
  }

  static let finished = ControlRefusal("finished; restart it first")
  static let notStarted = ControlRefusal("not started; start it first")
  static let noIterations = ControlRefusal("no count of iterations to change")
  static let longestInterval = ControlRefusal("already the longest step; edit it for more")
  static let shortestInterval = ControlRefusal("already the shortest step; edit it for less")
  static let mostIterations = ControlRefusal("at the largest number of iterations")
  static let noLaps = ControlRefusal("no laps; only a stopwatch has them")
}
