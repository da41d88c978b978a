/// Marble lanes under a common axis: time runs to the right, each event is a mark.
public struct LabLanes: Hashable, Sendable {
  /// What the axis counts.
  public enum Axis: Hashable, Sendable {
    case seconds
    /// Numbered from 1, a second each: what has an order and no fixed time.
    case steps
  }

  public var lanes: [LabLane]
  public var axis: Axis
  /// The time of one cell where there is room; where there is not, a cell is a multiple of it.
  public var cell: Duration
  /// How much time is shown from the start on; later the picture scrolls.
  public var length: Duration
  /// Nothing is drawn after it.
  public var now: Duration

  public init(
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
public struct LabLane: Hashable, Sendable {
  public struct Mark: Hashable, Sendable {
    public var at: Duration
    public var sign: LabSign

    public init(at time: Duration, _ sign: LabSign) {
      at = time
      self.sign = sign
    }
  }

  /// What lies between the marks, from a moment on.
  public struct Stretch: Hashable, Sendable {
    public var from: Duration
    public var line: LabLine

    public init(from time: Duration, _ line: LabLine) {
      from = time
      self.line = line
    }
  }

  /// How full something is, from a moment on: 0 to 1.
  public struct Level: Hashable, Sendable {
    public var from: Duration
    public var fraction: Double

    public init(from time: Duration, _ fraction: Double) {
      from = time
      self.fraction = fraction
    }
  }

  public var label: String
  /// Its marks are what a person, or a script, put in.
  public var isInput: Bool
  /// Rows of the screen; more than one for levels.
  public var rows: Int
  public var marks: [Mark]
  public var stretches: [Stretch]
  /// Where there are any, they are drawn in place of marks and stretches.
  public var levels: [Level]
  /// Its counters.
  public var note: String

  public init(
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
public enum LabSign: Hashable, Sendable {
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
public enum LabLine: Hashable, Sendable {
  case none
  /// Nothing is pending.
  case idle
  /// Something is on its way.
  case waiting
  /// At work.
  case busy
}
