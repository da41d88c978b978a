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

  private var row: (target: Target, argument: Argument, help: String) {
    switch self {
    case .start: (.timers, .none, "Start, resume or restart timers.")
    case .pause: (.timers, .none, "Pause timers.")
    case .toggle: (.timers, .none, "Pause running timers; start or resume others.")
    case .resume: (.timers, .none, "Resume paused timers.")
    case .restart: (.timers, .none, "Restart timers from the beginning.")
    case .reset: (.timers, .none, "Reset timers to the beginning and stop them.")
    case .fire: (.timers, .none, "Fire timers now, or trigger them.")
    case .skip: (.timers, .none, "Skip to the next phase of cycles.")
    case .lap: (.timers, .none, "Take a lap of stopwatches.")
    case .delete: (.timers, .none, "Delete timers.")
    case .more: (.timers, .duration, "Add time to timers.")
    case .less: (.timers, .duration, "Remove time from timers.")
    case .interval: (.timers, .duration, "Change the interval of timers.")
    case .rename: (.oneTimer, .text, "Rename a timer.")
    case .note: (.oneTimer, .text, "Change the note of a timer.")
    case .add: (.board, .none, "Add timers.")
    case .undo: (.board, .none, "Undo the last change.")
    case .redo: (.board, .none, "Redo the change that was undone last.")
    case .mute: (.board, .none, "Turn bell and notifications off or on.")
    case .acknowledge:
      (.board, .none, "Acknowledge all alerts; timers that wait for a start still do.")
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
    case .start, .resume: .control(.start, ids)
    case .pause: .control(.pause, ids)
    case .toggle: .control(.toggle, ids)
    case .restart: .control(.reset(restart: true), ids)
    case .reset: .control(.reset(restart: false), ids)
    case .fire: .control(.fire(pausing: false), ids)
    case .skip: .control(.skip, ids)
    case .lap: .control(.lap, ids)
    case .delete: .delete(ids)
    case .more: .control(.adjustTime(.exactly(try Self.duration(value))), ids)
    case .less: .control(.adjustTime(.exactly(.zero - (try Self.duration(value)))), ids)
    case .interval: .control(.setInterval(try Self.duration(value), .fromLastFire), ids)
    case .rename, .note: try edit(of: ids, value, on: board)
    case .add: nil
    case .undo: .undo
    case .redo: .redo
    case .mute: .mute(!board.isMuted)
    case .acknowledge: .acknowledge
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

/// The reason for which a control is refused.
package struct ControlRefusal: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
