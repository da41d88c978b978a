/// A marble diagram: lanes under a common axis. Time runs to the right, and each event is a mark.
package struct LabLanes: Hashable, Sendable {
  /// The unit of the axis.
  package enum Axis: Hashable, Sendable {
    case seconds
    /// Positions, numbered from 1, for events that have an order but no times: an event at n seconds is drawn at
    /// position n + 1.
    case positions
  }

  package var lanes: [LabLane]
  package var axis: Axis
  /// The duration of a cell on a screen of middle width; it is a multiple of this on a narrow one and a fraction on a
  /// wide one.
  package var cellDuration: Duration
  /// The duration that is shown from the start. After it the lanes scroll.
  package var length: Duration
  /// The current time. Nothing is drawn after it.
  package var now: Duration

  package init(
    _ lanes: [LabLane], axis: Axis = .seconds, cellDuration: Duration, length: Duration,
    now: Duration
  ) {
    self.lanes = lanes
    self.axis = axis
    self.cellDuration = cellDuration
    self.length = length
    self.now = now
  }
}

/// The events of one object over time.
package struct LabLane: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    package var at: Duration
    package var kind: LabMarkKind

    package init(at time: Duration, _ kind: LabMarkKind) {
      at = time
      self.kind = kind
    }
  }

  /// A line between marks, from a time on.
  package struct Segment: Hashable, Sendable {
    package var from: Duration
    package var line: LabLine

    package init(from time: Duration, _ line: LabLine) {
      from = time
      self.line = line
    }
  }

  /// A fill level from 0 to 1, from a time on.
  package struct Level: Hashable, Sendable {
    package var from: Duration
    package var fraction: Double

    package init(from time: Duration, _ fraction: Double) {
      from = time
      self.fraction = fraction
    }
  }

  package var label: String
  /// A Boolean value that indicates whether the marks are input from the user or a script.
  package var isInput: Bool
  /// The number of screen rows; more than one for levels.
  package var rows: Int
  package var marks: [Mark]
  package var segments: [Segment]
  /// Levels, which are drawn in place of marks and segments if there are any.
  package var levels: [Level]
  package var levelTone = LabTone.good
  /// The text beside the lane, such as its counters.
  package var note: String

  package init(
    _ label: String, isInput: Bool = false, rows: Int = 1, marks: [Mark] = [],
    segments: [Segment] = [], levels: [Level] = [], note: String = ""
  ) {
    self.label = label
    self.isInput = isInput
    self.rows = rows
    self.marks = marks
    self.segments = segments
    self.levels = levels
    self.note = note
  }
}

/// The kind of a mark. Several equal marks in a cell show as their number.
package enum LabMarkKind: Hashable, Sendable {
  /// An input, or a value that was delivered.
  case character(Character)
  case fired
  /// A period without a tick.
  case missed
  /// A scheduled time.
  case due
  /// A start, a resume, or the renewal of a value that expires.
  case started
  case paused, finished
  /// An end that is not a finish, such as a cancel or an expiration.
  case ended
  /// An event that must not happen.
  case wrong
  /// An event that had no effect, or a read of a value that has expired.
  case ignored
  /// A request that failed.
  case failed
}

/// The kind of a line between two marks.
package enum LabLine: Hashable, Sendable {
  case none
  /// Nothing is pending.
  case idle
  /// Something is pending.
  case waiting
  /// A handler is running.
  case busy
}
