package import TimerKit

extension Board {
  /// A request to the board, from whatever front.
  package enum Command: Hashable, Sendable {
    /// Adds the timers that were asked for at the start; nothing is reported.
    case start([TimerSpec])
    case add([TimerSpec])
    /// Restores the timers of a session.
    case restore([SavedTimer], RestorePolicy)
    case control(TimerAction, [TimerID])
    /// Pauses everything that runs; where nothing does, resumes exactly what this has paused.
    case pauseAll
    case edit(TimerID, TimerSpec)
    case duplicate([TimerID])
    case delete([TimerID])
    case move(TimerID, to: Int)
    case undo
    case mute(Bool)
    /// Records something that happened outside in the log.
    case record(String)
    /// Ends all alerts.
    case acknowledge
  }

  /// What came of an effect, or happened to a timer.
  package enum Event: Sendable {
    /// An event of a live timer, with the state that the timer was in by then. The events of one timer
    /// come in the order in which they happened.
    case timer(TimerID, TimerEvent, TimerStatus)
    /// A timer could not be created, and the reason.
    case notCreated(TimerID, String)
    /// The outcomes of ``Effect/control(_:_:_:)``.
    case controlled(TimerAction, [ControlOutcome], Cause)
    /// The end of a command that ``Effect/run(_:_:_:_:_:)`` has started, and whether another one of the
    /// same timer runs or waits.
    case commandEnded(TimerID, CommandResult, isRunning: Bool)
  }

  /// An event of a timer, in the words that all kinds share.
  package enum TimerEvent: Hashable, Sendable {
    /// It shows another state.
    case changed
    case fired(Fire)
    /// A fire was rejected, because a control had superseded it.
    case stale
  }

  /// The cause of an action.
  package enum Cause: Hashable, Sendable {
    /// A person's command: it is reported and can be undone.
    case request
    /// A fire, the end of a command, or a command that reports for itself.
    case consequence
  }

  /// What the board asks of the world.
  package enum Effect: Hashable, Sendable {
    /// Creates a timer and starts it, or restores it as it was: it continues with the time that it had
    /// left, or stays paused, idle or finished. A timer of the same identifier ends before, and nothing
    /// of it is applied afterwards.
    case create(TimerID, TimerSpec, restoring: TimerCheckpoint?)
    /// Performs an action on timers; ``Event/controlled(_:_:_:)`` brings the outcomes.
    case control(TimerAction, [TimerID], Cause)
    /// Ends a timer and its commands; nothing of it is applied afterwards.
    case remove(TimerID)
    /// Runs a timer's command, a text for a shell, because of a fire; with it come the timer's
    /// specification and the state it was in by then. ``Event/commandEnded(_:_:isRunning:)`` brings its
    /// end.
    case run(String, TimerID, TimerSpec, Fire, TimerStatus)
    /// Rings the bell once.
    case ring
    /// Repeats the bell from now on, or no longer.
    case repeatBell(Bool)
    case notify(TimerNotification)
    /// Reports what a command did, or why it did nothing.
    case report(Report)
  }
}

/// A timer of a board, for as long as the program runs: a name can change, this does not.
package struct TimerID: Hashable, Sendable {
  package var rawValue: Int

  package init(_ rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// One fire of a timer, whatever its kind.
package struct Fire: Hashable, Sendable {
  /// How late it came; `nil` for a manual fire, which was not due.
  package var lateness: Duration?
  /// Fires that were missed because the timer was late, and are merged into this one.
  package var missed: Int
  /// The instant at which it was due, on the timer's clock; `nil` as for `lateness`.
  package var due: TimerClock.Instant?
  /// The number of the fire in its run, from 1; of a cycle, the round. `nil` for kinds without runs.
  package var iteration: Int?

  package init(
    lateness: Duration?, missed: Int = 0, due: TimerClock.Instant? = nil, iteration: Int? = nil
  ) {
    self.lateness = lateness
    self.missed = missed
    self.due = due
    self.iteration = iteration
  }
}

/// The report of a command: the timer first, then what happened to it.
package struct Report: Hashable, Sendable {
  /// The timer's label, or the number of timers; empty for what concerns the board.
  package var label: String
  package var text: String
  /// The timers it is about.
  package var timers: [TimerID]
  /// A Boolean value that indicates whether the time left belongs after the text.
  package var tellsTimeLeft: Bool
  package var isFailure: Bool

  package init(
    _ text: String, label: String = "", timers: [TimerID] = [], tellsTimeLeft: Bool = false,
    isFailure: Bool = false
  ) {
    self.label = label
    self.text = text
    self.timers = timers
    self.tellsTimeLeft = tellsTimeLeft
    self.isFailure = isFailure
  }
}
