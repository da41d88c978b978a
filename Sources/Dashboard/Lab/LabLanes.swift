/// A marble diagram: lanes under a common axis. Time runs to the right, and each event is a mark.
package struct LabLanes: Hashable, Sendable {
  /// The unit of the axis.
  package enum Axis: Hashable, Sendable {
    case seconds
    /// Steps, numbered from 1, for events that have an order but no times: an event at n seconds is drawn at
    /// step n + 1.
    case steps
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
    /// The text in it or beside it, where there is room; empty for none.
    package var word: String

    package init(_ time: Duration, _ value: Value, word: String = "") {
      self.time = time
      self.value = value
      self.word = word
    }
  }

  package var label: String
  /// A Boolean value that indicates whether the marks are input from the user or a script.
  package var isInput: Bool
  package var marks: [At<LabMarkKind>] = []
  /// The lines and planes between marks.
  package var segments: [At<LabLine>]
  /// Fill levels from 0 to 1, which are drawn in place of marks and segments if there are any.
  package var levels: [At<Double>] = []
  package var levelRole = Role.good
  /// The part of the levels that is in use, from 0 to 1; empty if all of it is.
  package var used: [At<Double>] = []
  /// The value at the top of the levels, with its unit.
  package var scale = ""
  /// The text beside the lane: the number that shows the fault, or its absence.
  package var note = ""
  /// A Boolean value that indicates whether the outcome is good; `nil` while it is not known.
  package var isGood: Bool?

  package init(_ label: String, isInput: Bool = false, segments: [At<LabLine>] = []) {
    self.label = label
    self.isInput = isInput
    self.segments = segments
  }
}

/// The kind of a mark.
package enum LabMarkKind: Hashable, Sendable {
  /// An input, or a value that was delivered.
  case character(Character)
  case fired
  /// A press, a tick or a value that was not delivered, which is often right.
  case dropped
  /// A scheduled time.
  case due
  /// A start or a resume.
  case started
  case paused
  /// An end that is not a finish, such as a cancel or an expiration.
  case ended
  /// An event that must not happen.
  case wrong
  /// An event that had no effect.
  case ignored
}

/// The kind of a line, or of a plane with a word in it, between two marks.
package enum LabLine: Hashable, Sendable {
  case none
  /// Nothing is pending.
  case idle
  /// Something is pending.
  case waiting
  /// An object or a value exists: a plane with its word, and a heavy line after it.
  case held
  /// A handler is running.
  case busy
  /// Work of others, or a machine that sleeps.
  case other
  /// A change by the user.
  case change
  /// The phases of a cycle.
  case work, rest
  /// A handler that does what must not happen.
  case mistake

  /// The color of the plane; `nil` for a line.
  var plane: Role? {
    switch self {
    case .none, .idle, .waiting: nil
    case .held: .good
    case .busy: .warning
    case .other: .track
    case .change: .key
    case .work: .work
    case .rest: .rest
    case .mistake: .error
    }
  }
}

/// The characters for marks and lines.
extension Symbols {
  /// The fill levels of a cell, from empty to full.
  var levels: [String] {
    isASCII ? [" ", ".", ".", ".", ":", ":", ":", "#", "#"] : " ▁▂▃▄▅▆▇█".map(String.init)
  }

  /// A cell of a level that is not in use.
  var unused: String { isASCII ? "%" : "░" }

  /// The cells at both ends of a plane.
  var planeEnds: (left: String, right: String) { isASCII ? ("[", "]") : ("▐", "▌") }

  subscript(verdict: LabPage.Verdict) -> String {
    switch verdict {
    case .right: self[Role.finished]
    case .limited: "~"
    case .wrong: self[LabMarkKind.wrong]
    }
  }

  subscript(kind: LabMarkKind) -> String {
    switch kind {
    case .character(let letter): letter.isASCII || !isASCII ? String(letter) : "?"
    case .fired: fired
    case .dropped, .ignored: self[Role.idle]
    case .due: scrollBar.track
    case .started: self[Role.running]
    case .paused: self[Role.paused]
    case .ended: isASCII ? "/" : "■"
    case .wrong: isASCII ? "X" : "✗"
    }
  }

  /// The character of a line, or of a plane that is too narrow for its word.
  subscript(line: LabLine) -> String {
    switch line {
    case .none: " "
    case .idle: rule
    case .waiting: isASCII ? "." : "┄"
    case .held: isASCII ? "=" : "━"
    case .busy, .change: isASCII ? "#" : "▒"
    case .work: String(timeline.evenPhase)
    case .rest: String(timeline.oddPhase)
    case .other: isASCII ? ":" : "░"
    case .mistake: isASCII ? "X" : "▓"
    }
  }
}

extension LabPage.Verdict {
  var role: Role {
    switch self {
    case .right: .good
    case .limited: .warning
    case .wrong: .error
    }
  }
}

extension LabMarkKind {
  func role(inInputLane isInput: Bool) -> Role {
    if isInput, case .character = self { return .key }
    return appearance.role
  }

  /// The weight of a mark: of two marks in one cell, the heavier one is drawn.
  var weight: Int { appearance.weight }

  private var appearance: (weight: Int, role: Role) {
    switch self {
    case .due: (0, .faint)
    case .ignored: (1, .faint)
    case .dropped: (2, .warning)
    case .character: (3, .good)
    case .fired: (4, .good)
    case .started: (5, .key)
    case .paused: (5, .paused)
    case .ended: (6, .faint)
    case .wrong: (7, .error)
    }
  }
}
