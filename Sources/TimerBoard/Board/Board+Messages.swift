package import TimerKit

extension Board {
  /// A command to the board, from any front end.
  package enum Command: Hashable, Sendable {
    /// Adds the timers that were requested at launch. Only names that were already in use are reported.
    case start([TimerSpec])
    case add([TimerSpec])
    /// Restores the timers of a session.
    case restore([SavedTimer], RestorePolicy)
    /// Continues the board of another process, after the time in which no process ran the timers.
    case takeOver([SavedTimer], SavedBoard, after: Duration)
    case control(TimerAction, [TimerID])
    /// Pauses all running timers; if none is running, resumes the timers that this command has paused.
    case pauseAll
    case edit(TimerID, TimerSpec)
    case duplicate([TimerID])
    case delete([TimerID])
    case move(TimerID, to: Int)
    case undo
    case redo
    case mute(Bool)
    /// Adds a text to the log.
    case log(String)
    /// Ends all alerts except those of timers that stand ready, which only a start or ``dismiss(_:)`` ends.
    case acknowledge
    /// Leaves a timer paused that stands ready.
    case dismiss(TimerID)
    /// Stops the bell; the alerts stay.
    case silence
  }

  /// The result of an effect, or an event of a timer.
  package enum Event: Sendable {
    /// An event of a live timer, with the timer's status at that time. The events of one timer arrive in the
    /// order in which they occurred.
    case timer(TimerID, TimerEvent, TimerStatus)
    /// A timer could not be created, for a reason.
    case notCreated(TimerID, String)
    /// The outcomes of ``Effect/control(_:_:_:)``.
    case controlled(TimerAction, [ControlOutcome], Cause)
    /// The end of a command that ``Effect/run(_:_:_:_:_:)`` has started. `isRunning` is true if another
    /// command of the same timer is running or waiting.
    case commandEnded(TimerID, CommandResult, isRunning: Bool)
  }

  /// An event of a timer of any kind.
  package enum TimerEvent: Hashable, Sendable {
    /// The status has changed.
    case changed
    case fired(Fire)
    /// A fire was rejected because a control had superseded it.
    case stale
  }

  /// The cause of an action.
  package enum Cause: Hashable, Sendable {
    /// A command of the user: it is reported and can be undone.
    case request
    /// A command of the user that has done something else to another timer: it joins that timer's undo step, and a
    /// refusal is not reported.
    case rest(of: TimerID)
    /// A fire, the end of a timer's command, or a ``Command`` with a report of its own.
    case consequence
  }

  /// An effect of the board, which its caller performs.
  package enum Effect: Hashable, Sendable {
    /// Creates a timer and starts it, or restores it from a checkpoint: it continues with the time that it had
    /// left, or stays paused, idle or finished. An existing timer with the same identifier is removed first,
    /// and its events are no longer applied.
    ///
    /// Indirect, as is ``run(_:_:_:_:_:)``: otherwise every effect would have the size of these two, and lists of
    /// thousands of effects are copied several times.
    indirect case create(TimerID, TimerSpec, restoring: TimerCheckpoint)
    /// Performs an action on timers; its outcomes are the event ``Event/controlled(_:_:_:)``.
    case control(TimerAction, [TimerID], Cause)
    /// Ends a timer and its commands; its events are no longer applied.
    case remove(TimerID)
    /// Runs the command of a timer with `/bin/sh` because of a fire. Its end is the event
    /// ``Event/commandEnded(_:_:isRunning:)``.
    indirect case run(String, Transition)
    /// Rings the bell once, but not twice within a second.
    case ringOnce
    /// Starts or stops repeating the bell.
    case repeatBell(Bool)
    case notify(TimerNotification)
    /// Shows the report of a command.
    case report(Report)
  }
}

/// The identifier of a timer on a board. Unlike the name, it does not change.
package struct TimerID: Hashable, Sendable {
  package var rawValue: Int

  package init(_ rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Reads a reference: `#12`.
  package init?(reference: String) {
    guard reference.hasPrefix("#"), let number = Int(reference.dropFirst()) else { return nil }
    rawValue = number
  }

  /// The text by which requests refer to a timer without a name: `#12`.
  package var reference: String { "#\(rawValue)" }
}

/// One fire of a timer of any kind.
package struct Fire: Hashable, Sendable {
  /// The time from the due instant to the fire; `nil` for a fire that was not scheduled, which is a manual or a
  /// triggered one, and for fires that were missed while no process ran the timer.
  package var lateness: Duration?
  /// The number of missed fires that are merged into this one.
  package var missed = 0
  /// The due instant on the timer's clock; `nil` if ``lateness`` is `nil`.
  package var due: TimerClock.Instant?
  /// The number of the fire in its run, from 1; for a cycle, the round. `nil` for kinds without runs.
  package var iteration: Int?
}

/// The report of a command: the timer first, then what happened to it.
package struct Report: Hashable, Sendable {
  /// The timer's label, or the number of timers; empty for a report about the board.
  package var label = ""
  package var text: String
  /// The timers that the report is about.
  package var timers: [TimerID] = []
  /// A Boolean value that indicates whether the time left is shown after the text.
  package var includesTimeLeft = false
  package var isFailure = false
}

/// A change of a timer, which is reported to hooks, and to clients that watch, in the order of the changes.
package struct Transition: Hashable, Sendable {
  package enum Event: String, CaseIterable, Hashable, Sendable {
    case added, started, paused, resumed, restarted, reset
    /// Its time left, its interval, its iterations, its laps, its name or another setting changed.
    case changed
    case fired
    /// Another phase of a cycle began.
    case phase
    /// The last fire of a run, or its end without one.
    case finished
    case deleted
    /// Fires were due while no process ran the timer.
    case missed
    case acknowledged

    /// Returns the event of a change of state without a fire; `nil` if there is none.
    init?(from before: TimerStatus, to after: TimerStatus) {
      switch (before.state, after.state) {
      case (let old, let new) where old == new: return nil
      case (.paused, .running): self = .resumed
      case (_, .running): self = .started
      case (_, .paused): self = .paused
      case (_, .idle): self = .reset
      default: return nil
      }
    }
  }

  package var event: Event
  package var id: TimerID
  package var spec: TimerSpec
  /// The status after the change.
  package var status: TimerStatus
  /// The fire; `nil` for an event that is not one.
  package var fire: Fire?
}

extension Transition {
  init(_ event: Event, of timer: BoardTimer, _ fire: Fire? = nil) {
    self.init(event: event, id: timer.id, spec: timer.spec, status: timer.status, fire: fire)
  }

  /// Returns the time left as a board shows it; `nil` if there is none.
  package func timeLeftText(at now: ClockReading) -> String? {
    if status.countsUp { return nil }
    let checkpoint = status.content.checkpoint(at: now, intervalBeforeBackoff: nil)
    return SavedTimer(spec, checkpoint).timeText(at: now)
  }
}
