package import TimerKit

extension Board {
  /// A command to the board, from any front end.
  package enum Command: Hashable, Sendable {
    /// Adds the timers that were requested at launch. Only names that were already in use are reported.
    case start([TimerSpec])
    case add([TimerSpec])
    /// Restores the timers of a session, which no process was running.
    case restore(RestoredBoard, RestorePolicy)
    /// Continues the board of another process.
    case takeOver(RestoredBoard)
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
    case log(String, label: String = "")
    /// Ends all alerts except those of timers that stand ready, which only a start or ``dismiss(_:)`` ends.
    case acknowledge
    /// Leaves a timer paused that stands ready.
    case dismiss(TimerID)
    /// Stops the bell; the alerts stay.
    case silence
  }
}

/// The changes of a board in one call, and the requests that follow from them.
package struct Change: Sendable {
  /// A change of a timer, with the requests that follow from it.
  package struct Step: Sendable {
    /// `nil` for requests that follow from none, such as the end of the bell.
    package var transition: Transition?
    package var requests: [Request] = []

    /// Returns the step without its transition and the start of its command: only bell and notifications are left.
    package var withoutFire: Step {
      Step(requests: requests.filter { if case .run = $0 { false } else { true } })
    }
  }

  /// A request to the owner of the board.
  package enum Request: Hashable, Sendable {
    /// Runs the command of a timer with `/bin/sh` because of the fire of the step. Its end is reported to
    /// ``Board/commandEnded(_:_:isRunning:at:)``.
    case run(String)
    /// Drops the commands of a timer that was removed which have not begun. One that has begun goes on, and its end is
    /// reported as usual; if none has, the owner calls ``Board/forgetCommand(ofDeleted:)``.
    case dropWaitingCommands(TimerID)
    /// Rings the bell once, but not twice within a second.
    case ringOnce
    /// Starts or stops repeating the bell.
    case repeatBell(Bool)
    case notify(TimerNotification)
  }

  /// The transitions and the requests, in order.
  package var steps: [Step] = []
  package var reports: [Report] = []
  /// The lines of the history, for runs that have ended.
  package var history: [HistoryLine] = []
  /// A Boolean value that indicates whether a saved session differs from the board.
  package var needsSave = false
  /// A Boolean value that indicates whether only fires have changed the board.
  package var isOnlyFires = true

  package init() {}

  package var transitions: [Transition] { steps.compactMap(\.transition) }
  package var requests: [Request] { steps.flatMap(\.requests) }

  /// True if nothing has happened.
  package var isEmpty: Bool {
    steps.isEmpty && reports.isEmpty && history.isEmpty && !needsSave
  }

  /// Adds a later change.
  package mutating func append(_ later: Change) {
    isOnlyFires = isEmpty ? later.isOnlyFires : isOnlyFires && (later.isOnlyFires || later.isEmpty)
    steps += later.steps
    reports += later.reports
    history += later.history
    needsSave = needsSave || later.needsSave
  }

  mutating func add(_ transition: Transition) {
    steps.append(Step(transition: transition))
  }

  /// Adds a request that follows from the newest transition.
  mutating func add(_ request: Request) {
    if steps.isEmpty { steps.append(Step()) }
    steps[steps.count - 1].requests.append(request)
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

  /// Returns the report of a failure of the board.
  package static func failure(_ text: String) -> Report { Report(text: text, isFailure: true) }
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
    init?(from before: TimerMachine, to after: TimerMachine) {
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
  /// The timer after the change.
  package var machine: TimerMachine
  /// The fire; `nil` for an event that is not one.
  package var fire: Fire?
}

extension Transition {
  init(_ event: Event, of timer: BoardTimer, _ fire: Fire? = nil) {
    self.init(event: event, id: timer.id, spec: timer.spec, machine: timer.machine, fire: fire)
  }

  /// Returns the time left as a board shows it; `nil` if there is none.
  package func timeLeftText(at now: ClockReading) -> String? {
    machine.countsUp ? nil : machine.timeText(at: now)
  }
}
