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
  package enum Argument: Hashable, Sendable {
    case none, duration, text
  }

  package var target: Target { row.target }
  package var argument: Argument { row.argument }
  /// The description in a help text.
  package var help: String { row.help }

  /// The action is that of a control without an argument that live timers perform; `nil` for others.
  private var row: (target: Target, argument: Argument, action: TimerAction?, help: String) {
    switch self {
    case .start: (.timers, .none, .start, "Start, resume or restart timers.")
    case .pause: (.timers, .none, .pause, "Pause timers.")
    case .toggle: (.timers, .none, .toggle, "Pause running timers; start or resume others.")
    case .resume: (.timers, .none, .start, "Resume paused timers.")
    case .restart: (.timers, .none, .reset(restart: true), "Restart timers from the beginning.")
    case .reset:
      (.timers, .none, .reset(restart: false), "Reset timers to the beginning and stop them.")
    case .fire: (.timers, .none, .fire(pausing: false), "Fire timers now, or trigger them.")
    case .skip: (.timers, .none, .skip, "Skip to the next phase of cycles.")
    case .lap: (.timers, .none, .lap, "Take a lap of stopwatches.")
    case .delete: (.timers, .none, nil, "Delete timers.")
    case .more: (.timers, .duration, nil, "Add time to timers.")
    case .less: (.timers, .duration, nil, "Remove time from timers.")
    case .interval: (.timers, .duration, nil, "Change the interval of timers.")
    case .rename: (.oneTimer, .text, nil, "Rename a timer.")
    case .note: (.oneTimer, .text, nil, "Change the note of a timer.")
    case .add: (.board, .none, nil, "Add timers.")
    case .undo: (.board, .none, nil, "Undo the last change.")
    case .redo: (.board, .none, nil, "Redo the change that was undone last.")
    case .mute: (.board, .none, nil, "Turn bell and notifications off or on.")
    case .acknowledge:
      (.board, .none, nil, "Acknowledge all alerts; timers that wait for a start still do.")
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
    default: row.action.map { .control($0, ids) }
    }
  }

  private func edit(
    of ids: [TimerID], _ text: String, on board: Board
  ) throws(ControlRefusal) -> Board.Command {
    guard ids.count == 1, let timer = board.timers[ids[0]] else {
      throw ControlRefusal("\(rawValue) applies to one timer (\(ids.count) given)")
    }
    var spec = timer.spec
    if self == .rename { spec.name = text } else { spec.note = text.isEmpty ? nil : text }
    // The session stores the text of the timer.
    guard spec.roundTripsAsText else {
      throw ControlRefusal("invalid \(self == .rename ? "name" : "note") '\(text)'")
    }
    return .edit(timer.id, spec)
  }

  private static func duration(_ text: String) throws(ControlRefusal) -> Duration {
    do throws(TimeSyntaxError) {
      return try DurationText.parse(text)
    } catch {
      throw ControlRefusal("'\(text)': \(error.message)")
    }
  }
}
