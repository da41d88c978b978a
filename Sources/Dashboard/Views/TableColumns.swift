import TerminalCore

/// The columns of the table that fit, with their positions. They depend on the width and on the texts of the
/// timers, not on the time.
struct TableColumns: Hashable {
  enum Column: CaseIterable {
    case mark, name, time, state, bar, plan, note
    /// Columns for sorting that are not shown.
    case kind, iterations, late

    var title: String {
      switch self {
      case .mark: ""
      case .name: "NAME"
      case .time: "TIME"
      case .state: "STATE"
      case .bar: "PROGRESS"
      case .plan: "PLAN"
      case .note: "NOTE"
      case .kind: "KIND"
      case .iterations: "LEFT"
      case .late: "LATE"
      }
    }

    var isRightAligned: Bool { self == .time }
  }

  struct Placed: Hashable {
    var column: Column
    var x: Int
    var width: Int
  }

  private(set) var placed: [Placed] = []
  /// A Boolean value that indicates whether the state column has words beside its symbols.
  private(set) var hasStateWords = false

  /// - Parameter hasSecondLine: True if plan and remarks are on a second line.
  init(
    width: Int, widths: RowWidths, timeWidth: Int, hasTitles: Bool, hasSecondLine: Bool
  ) {
    let margin = width >= 40 ? 1 : 0
    let gap = width >= 32 ? 2 : 1
    let nameIdeal = min(max(widths.label, 4), 24)
    let nameLeast = min(nameIdeal, width >= 60 ? 12 : width >= 24 ? 8 : 6)
    var columnWidths: [Column: Int] = [
      .mark: width >= 40 ? 2 : 1,
      .time: max(timeWidth, hasTitles ? Column.time.title.count : 0),
    ]
    // The mark is followed by one blank, whatever the gap is.
    let fixed = (columnWidths[.mark] ?? 0) + 1 + gap + (columnWidths[.time] ?? 0) + margin
    columnWidths[.name] = min(nameLeast, max(1, width - fixed))
    var room = width - fixed - (columnWidths[.name] ?? 0)

    let plan = min(max(widths.plan, 4), 28)
    let stateSymbol = 1
    let stateWord = 11
    let bar = 8
    var additions: [(Column, Int)] = [
      (.state, stateSymbol + gap), (.bar, bar + gap), (.state, stateWord - stateSymbol),
    ]
    let note = hasSecondLine ? 0 : widths.remarks
    if !hasSecondLine { additions += [(.plan, plan + gap), (.bar, 8)] }
    if note > 0 { additions.append((.note, min(note, 12) + gap)) }
    for (column, needed) in additions {
      guard needed <= room else { break }
      room -= needed
      columnWidths[column] = columnWidths[column].map { $0 + needed } ?? needed - gap
    }
    hasStateWords = columnWidths[.state] == stateWord

    let widestBar = hasSecondLine ? 80 : 36
    for (column, most) in [(Column.name, nameIdeal), (.bar, 24), (.note, note), (.bar, widestBar)] {
      guard let width = columnWidths[column] else { continue }
      let more = min(room, max(0, most - width))
      columnWidths[column] = width + more
      room -= more
    }

    var x = 0
    for column in Column.allCases {
      guard let width = columnWidths[column] else { continue }
      placed.append(Placed(column: column, x: x, width: width))
      x += width + (column == .mark ? 1 : gap)
    }
  }

  subscript(column: Column) -> Placed? { placed.first { $0.column == column } }
}
