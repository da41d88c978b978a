/// A table; also what is not one by name, such as a menu, a list of steps or a histogram.
public struct LabTable: Hashable, Sendable {
  public struct Column: Hashable, Sendable {
    public var title: String
    /// Neighbours with the same group have it as a common title above theirs.
    public var group: String
    public var isNumeric: Bool
    /// The least it takes; a bar is drawn as long as this.
    public var width: Int

    public init(_ title: String, group: String = "", isNumeric: Bool = false, width: Int = 0) {
      self.title = title
      self.group = group
      self.isNumeric = isNumeric
      self.width = width
    }
  }

  public struct Cell: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
      case text(String)
      case sign(LabSign)
      /// 0 to 1 of the column's width.
      case bar(Double)
    }

    public var content: Content
    public var tone: LabTone

    public init(_ text: String, _ tone: LabTone = .plain) {
      content = .text(text)
      self.tone = tone
    }

    public init(_ sign: LabSign) {
      content = .sign(sign)
      tone = .plain
    }

    public init(bar fraction: Double, _ tone: LabTone = .plain) {
      content = .bar(fraction)
      self.tone = tone
    }
  }

  public var columns: [Column]
  public var rows: [[Cell]]
  /// The row that keys work on. Where rows do not fit, those around it are shown.
  public var selected: Int?
  /// Under the table.
  public var notes: [String]

  public init(
    _ columns: [Column], _ rows: [[Cell]], selected: Int? = nil, notes: [String] = []
  ) {
    self.columns = columns
    self.rows = rows
    self.selected = selected
    self.notes = notes
  }
}

/// What a piece of text is to the reader, besides what it says.
public enum LabTone: Hashable, Sendable {
  case plain, faint, strong, good, bad
}

/// A piece of source.
public struct LabCode: Hashable, Sendable {
  public var title: String
  /// An exhibit of what not to do.
  public var isUnsafe: Bool
  public var lines: [String]

  public init(_ title: String, isUnsafe: Bool, lines: [String]) {
    self.title = title
    self.isUnsafe = isUnsafe
    self.lines = lines
  }
}
