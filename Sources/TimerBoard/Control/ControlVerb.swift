import TimerKit

/// A control of timers, from a key, the command palette or `carillon ctl`. The raw value is the name in `ctl`.
package enum ControlVerb: String, CaseIterable, Hashable, Sendable {
  case start, pause, toggle, resume, restart, reset, fire, skip, lap, delete
  case more, less, interval
  case rename, note
  case add
  case undo, redo, mute, acknowledge

  /// The targets of a control.
  package enum Target: Hashable, Sendable {
    case timers, oneTimer
    /// The whole board: the control takes no names.
    case board
  }

  /// The argument after the names of timers.
  package enum Argument: String, Sendable {
    case none, duration, text
    /// New timers, in the timer syntax.
    case timer
  }

  /// The targets and the argument of a control, its action, and its texts.
  package struct Form {
    package let target: Target
    package let argument: Argument
    /// The action of live timers without an argument; `nil` if they do not perform the control, or not without one.
    package let action: TimerAction?
    /// The texts: in the help of `ctl`; beside a key and in the palette, in at most five words; and what follows the
    /// name in an example of the palette.
    package let (help, brief, example): (String, String, String)

    init(
      _ help: String, _ brief: String, _ action: TimerAction? = nil, on target: Target = .timers,
      takes argument: Argument = .none, example: String = "tea"
    ) {
      (self.target, self.argument, self.action) = (target, argument, action)
      (self.help, self.brief, self.example) = (help, brief, example)
    }
  }

  /// The words of other programs and of people for a command of `carillon ctl`, each with that command.
  package static let synonyms: [String: String] = [
    "stop": pause.rawValue, "hold": pause.rawValue, "halt": pause.rawValue,
    "cancel": delete.rawValue, "kill": delete.rawValue, "remove": delete.rawValue,
    "rm": delete.rawValue, "del": delete.rawValue,
    "run": start.rawValue, "begin": start.rawValue, "play": start.rawValue,
    "continue": resume.rawValue,
    "trigger": fire.rawValue, "next": skip.rawValue,
    // The footer of the board calls it so.
    "snooze": more.rawValue, "extend": more.rawValue,
    "new": add.rawValue, "create": add.rawValue, "ack": acknowledge.rawValue,
    "ls": "list", "show": "list", "exit": "quit",
  ]

  package var form: Form {
    switch self {
    case .start: Form("Start, resume or restart timers.", "start / resume / restart", .start)
    case .pause: Form("Pause timers.", "pause", .pause)
    case .toggle:
      Form(
        "Pause running timers; start or resume others.", "start / pause / resume / restart", .toggle
      )
    case .resume: Form("Resume paused timers.", "resume", .start)
    case .restart: Form("Restart timers from the beginning.", "restart", .reset(restart: true))
    case .reset:
      Form("Reset timers to the beginning and stop them.", "reset and stop", .reset(restart: false))
    case .fire:
      Form("Fire timers now, or trigger them.", "fire / trigger now", .fire(pausing: false))
    case .skip: Form("Skip to the next phase of cycles.", "skip to the next phase", .skip)
    case .lap: Form("Take a lap of stopwatches.", "take a lap", .lap)
    case .delete: Form("Delete timers.", "delete timer")
    case .more:
      Form(
        "Add time to timers.", "add time (1m, 10s or 1s)", .adjustTime(.more), takes: .duration,
        example: "tea 1m, more 1m")
    case .less:
      Form(
        "Remove time from timers.", "remove time (same steps)", .adjustTime(.less),
        takes: .duration, example: "tea 1m, less 1m")
    case .interval:
      Form(
        "Change the interval of timers.", "set the interval", takes: .duration, example: "sets 30s")
    case .rename:
      Form("Rename a timer.", "rename timer", on: .oneTimer, takes: .text, example: "tea chai")
    case .note:
      Form(
        "Change the note of a timer.", "change the note", on: .oneTimer, takes: .text,
        example: "tea two bags")
    case .add: Form("Add timers.", "add timers", on: .board, takes: .timer, example: "tea=3m")
    case .undo: Form("Undo the last change.", "undo last change", on: .board)
    case .redo: Form("Redo the change that was undone last.", "redo last undone change", on: .board)
    case .mute: Form("Turn bell and notifications off or on.", "mute / unmute", on: .board)
    case .acknowledge:
      Form(
        "Acknowledge all alerts; timers that wait for a start still do.", "acknowledge alerts",
        on: .board)
    }
  }

  /// Returns the command of the control.
  /// - Parameters:
  ///   - ids: The timers; ignored by a control of the board.
  ///   - value: The text of the argument.
  /// - Returns: `nil` for `add`, whose timers are not on the board yet.
  package func command(
    on ids: [TimerID], _ value: String, of board: Board
  ) throws(ControlRefusal) -> Board.Command? {
    switch self {
    case .delete: .delete(ids)
    case .more: .control(.adjustTime(.exactly(try Self.duration(value))), ids)
    case .less: .control(.adjustTime(.exactly(.zero - (try Self.duration(value)))), ids)
    case .interval: .control(.setInterval(try Self.duration(value), .fromLastFire), ids)
    case .rename, .note: try edit(of: ids, value, on: board)
    case .undo: .undo
    case .redo: .redo
    case .mute: .mute(!board.isMuted)
    case .acknowledge: .acknowledge
    default: form.action.map { .control($0, ids) }
    }
  }

  private func edit(
    of ids: [TimerID], _ text: String, on board: Board
  ) throws(ControlRefusal) -> Board.Command {
    guard ids.count == 1, let timer = board.timers[ids[0]] else {
      throw ControlRefusal("\(rawValue) applies to one timer (\(ids.count) given)")
    }
    var spec = timer.spec
    if self == .rename, let problem = TimerSpec.problem(ofName: text) {
      throw ControlRefusal(problem)
    }
    if self == .rename { spec.name = text } else { spec.note = text.isEmpty ? nil : text }
    // The session stores the text of the timer.
    guard spec.roundTripsAsText else {
      throw ControlRefusal("invalid \(self == .rename ? "name" : "note") '\(text)'")
    }
    return .edit(timer.id, spec)
  }

  private static func duration(_ text: String) throws(ControlRefusal) -> Duration {
    do throws(TimeSyntaxError) {
      // `more tea +1m`
      return try DurationText.parse(words: text.hasPrefix("+") ? String(text.dropFirst()) : text)
    } catch {
      throw ControlRefusal("'\(text)': \(error.message)")
    }
  }
}
