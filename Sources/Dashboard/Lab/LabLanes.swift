/// Marble lanes under a common axis: time runs to the right, each event is a mark.
package struct LabLanes: Hashable, Sendable {
  /// What the axis counts.
  package enum Axis: Hashable, Sendable {
    case seconds
    /// Numbered from 1, a second each: what has an order and no fixed time.
    case steps
  }

  package var lanes: [LabLane]
  package var axis: Axis
  /// The time of one cell where there is room; where there is not, a cell is a multiple of it.
  package var cell: Duration
  /// How much time is shown from the start on; later the picture scrolls.
  package var length: Duration
  /// Nothing is drawn after it.
  package var now: Duration

  package init(
    _ lanes: [LabLane], axis: Axis = .seconds, cell: Duration, length: Duration, now: Duration
  ) {
    self.lanes = lanes
    self.axis = axis
    self.cell = cell
    self.length = length
    self.now = now
  }
}

/// What happened to one thing, from left to right.
package struct LabLane: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    package var at: Duration
    package var sign: LabSign

    package init(at time: Duration, _ sign: LabSign) {
      at = time
      self.sign = sign
    }
  }

  /// What lies between the marks, from a moment on.
  package struct Stretch: Hashable, Sendable {
    package var from: Duration
    package var line: LabLine

    package init(from time: Duration, _ line: LabLine) {
      from = time
      self.line = line
    }
  }

  /// How full something is, from a moment on: 0 to 1.
  package struct Level: Hashable, Sendable {
    package var from: Duration
    package var fraction: Double

    package init(from time: Duration, _ fraction: Double) {
      from = time
      self.fraction = fraction
    }
  }

  package var label: String
  /// Its marks are what a person, or a script, put in.
  package var isInput: Bool
  /// Rows of the screen; more than one for levels.
  package var rows: Int
  package var marks: [Mark]
  package var stretches: [Stretch]
  /// Where there are any, they are drawn in place of marks and stretches.
  package var levels: [Level]
  /// Its counters.
  package var note: String

  package init(
    _ label: String, isInput: Bool = false, rows: Int = 1, marks: [Mark] = [],
    stretches: [Stretch] = [], levels: [Level] = [], note: String = ""
  ) {
    self.label = label
    self.isInput = isInput
    self.rows = rows
    self.marks = marks
    self.stretches = stretches
    self.levels = levels
    self.note = note
  }
}

/// What a mark stands for. Several equal ones in a cell show as their number.
package enum LabSign: Hashable, Sendable {
  /// An input, or the value that was delivered.
  case letter(Character)
  case fired
  /// A tick whose time went by.
  case missed
  /// When something is due by plan.
  case due
  case started, paused, finished, cancelled
  /// What should not have happened.
  case wrong
  /// What came too late and did no harm.
  case ignored
  /// What was asked for and could not be.
  case refused
}

/// What lies between two marks.
package enum LabLine: Hashable, Sendable {
  case none
  /// Nothing is pending.
  case idle
  /// Something is on its way.
  case waiting
  /// At work.
  case busy
}
