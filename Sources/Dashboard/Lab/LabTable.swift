/// A table, which is also used for menus and histograms.
package struct LabTable: Hashable, Sendable {
  package struct Column: Hashable, Sendable {
    package var title: String
    package var isNumeric: Bool
    /// The minimum width, if there is room for it.
    package var width: Int

    package init(_ title: String, isNumeric: Bool = false, width: Int = 0) {
      self.title = title
      self.isNumeric = isNumeric
      self.width = width
    }
  }

  package struct Cell: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case text(String)
      case mark(LabMarkKind)
      /// A bar from 0 to 1 of the column's width.
      case bar(Double)
    }

    package var content: Content
    package var tone: LabTone

    package init(_ text: String, _ tone: LabTone = .plain) {
      content = .text(text)
      self.tone = tone
    }

    package init(_ kind: LabMarkKind) {
      content = .mark(kind)
      tone = .plain
    }

    package init(bar fraction: Double, _ tone: LabTone = .plain) {
      content = .bar(fraction)
      self.tone = tone
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]
  /// The selected row. If not all rows fit, those around it are shown.
  package var selected: Int?

  package init(_ columns: [Column], _ rows: [[Cell]], selected: Int? = nil) {
    self.columns = columns
    self.rows = rows
    self.selected = selected
  }
}

/// The emphasis of a text.
package enum LabTone: Hashable, Sendable {
  case plain, faint, strong, good, bad
}

/// A piece of source code.
package struct LabCode: Hashable, Sendable {
  package var title: String
  /// A Boolean value that indicates whether the code shows what not to do.
  package var isCounterexample: Bool
  package var lines: [String]

  package init(_ title: String, isCounterexample: Bool, lines: [String]) {
    self.title = title
    self.isCounterexample = isCounterexample
    self.lines = lines
  }
}
