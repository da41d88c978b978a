/// A control of timers, from a key, the command palette or `carillon ctl`. The raw value is the name in `ctl`.
package enum ControlVerb: String, CaseIterable, Hashable, Sendable {
  case start, pause, toggle, resume, restart, reset, fire, skip, lap, delete
  case more, less, interval
  case rename, note
  case add
  case undo, redo, mute, acknowledge

  /// The argument after the names of timers.
  package enum Argument: Hashable, Sendable {
    case none, duration, text
  }

  package var argument: Argument {
    switch self {
    case .more, .less, .interval: .duration
    case .rename, .note: .text
    default: .none
    }
  }

  /// A Boolean value that indicates whether the control applies to the whole board and takes no names.
  package var appliesToBoard: Bool {
    switch self {
    case .add, .undo, .redo, .mute, .acknowledge: true
    default: false
    }
  }

  /// The description in a help text.
  package var help: String {
    switch self {
    case .start: "Start, resume or restart timers."
    case .pause: "Pause timers."
    case .toggle: "Pause running timers; start or resume others."
    case .resume: "Resume paused timers."
    case .restart: "Restart timers from the beginning."
    case .reset: "Reset timers to the beginning and stop them."
    case .fire: "Fire timers now, or trigger them."
    case .skip: "Skip to the next phase of cycles."
    case .lap: "Take a lap of stopwatches."
    case .delete: "Delete timers."
    case .more: "Add time to timers."
    case .less: "Remove time from timers."
    case .interval: "Change the interval of timers."
    case .rename: "Rename a timer."
    case .note: "Change the note of a timer."
    case .add: "Add timers."
    case .undo: "Undo the last change."
    case .redo: "Redo the change that was undone last."
    case .mute: "Turn bell and notifications off or on."
    case .acknowledge: "Acknowledge all alerts; timers that wait for a start still do."
    }
  }
}
