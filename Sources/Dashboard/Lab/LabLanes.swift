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
  /// A mark, a line or a level, at a time or from it on.
  package struct At<Value: Hashable & Sendable>: Hashable, Sendable {
    package var time: Duration
    package var value: Value

    package init(_ time: Duration, _ value: Value) {
      self.time = time
      self.value = value
    }
  }

  package var label: String
  /// A Boolean value that indicates whether the marks are input from the user or a script.
  package var isInput: Bool
  /// The number of screen rows; more than one for levels.
  package var rows: Int
  package var marks: [At<LabMarkKind>]
  /// The lines between marks.
  package var segments: [At<LabLine>]
  /// Fill levels from 0 to 1, which are drawn in place of marks and segments if there are any.
  package var levels: [At<Double>]
  package var levelRole = Role.good
  /// The text beside the lane, such as its counters.
  package var note: String

  package init(
    _ label: String, isInput: Bool = false, rows: Int = 1, marks: [At<LabMarkKind>] = [],
    segments: [At<LabLine>] = [], levels: [At<Double>] = [], note: String = ""
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

/// The characters for marks, lines and bars.
extension Symbols {
  /// The fill levels of a cell, from empty to full.
  var levels: [String] {
    isASCII ? [" ", ".", ".", ".", ":", ":", ":", "#", "#"] : " ▁▂▃▄▅▆▇█".map(String.init)
  }

  /// A cell of a horizontal bar. It is less tall than a row of text, so that bars in two rows do not touch.
  var horizontalBar: String { isASCII ? "#" : "▆" }

  subscript(kind: LabMarkKind) -> String {
    switch kind {
    case .character(let letter): letter.isASCII || !isASCII ? String(letter) : "?"
    case .fired: fired
    case .missed: isASCII ? "x" : "×"
    case .due: scrollBar.track
    case .started: self[Role.running]
    case .paused: self[Role.paused]
    case .finished: self[Role.finished]
    case .ended: isASCII ? "/" : "■"
    case .wrong: isASCII ? "X" : "✗"
    case .ignored: self[Role.idle]
    case .failed: alert
    }
  }

  subscript(line: LabLine) -> String {
    switch line {
    case .none: " "
    case .idle: rule
    case .waiting: isASCII ? "." : "┄"
    case .busy: isASCII ? "#" : "▒"
    }
  }

  /// Returns the text of a playback state: `▶ running`, `‖ paused` or `■ end`.
  func text(of playback: LabPage.Status.Playback) -> String {
    switch playback {
    case .running: "\(self[Role.running]) running"
    case .paused: "\(self[Role.paused]) paused"
    case .ended: isASCII ? "# end" : "■ end"
    }
  }
}

extension LabMarkKind {
  func role(inInputLane isInput: Bool) -> Role {
    switch self {
    case .character: isInput ? .key : .good
    case .fired, .finished: .good
    case .started: .key
    case .paused: .paused
    case .missed: .warning
    case .wrong, .failed: .error
    case .due, .ignored, .ended: .faint
    }
  }

  /// The weight of a mark: of two marks in one cell, the heavier one is drawn.
  var weight: Int {
    switch self {
    case .due: 0
    case .ignored: 1
    case .missed: 2
    case .character: 3
    case .fired: 4
    case .started, .paused: 5
    case .finished, .ended: 6
    case .failed: 7
    case .wrong: 8
    }
  }
}
