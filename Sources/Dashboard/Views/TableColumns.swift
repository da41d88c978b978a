import TerminalCore

/// The columns of the table that fit, with their positions. They depend on the width and on the texts of the
/// timers, not on the time.
struct TableColumns: Hashable {
  enum Column: CaseIterable {
    case mark, name, kind, state, time, iterations, bar, late, note

    var title: String {
      switch self {
      case .mark: ""
      case .name: "NAME"
      case .kind: "KIND"
      case .state: "STATE"
      case .time: "NEXT IN"
      case .iterations: "LEFT"
      case .bar: "PROGRESS"
      case .late: "LATE"
      case .note: "NOTE"
      }
    }

    var isRightAligned: Bool {
      switch self {
      case .time, .iterations, .late: true
      default: false
      }
    }
  }

  struct Placed: Hashable {
    var column: Column
    var x: Int
    var width: Int
  }

  private(set) var placed: [Placed] = []
  /// A Boolean value that indicates whether the state column has words beside its symbols.
  private(set) var hasStateWords = false
  /// The number of cells right of the last column.
  private let margin: Int

  init(width: Int, widths: RowMetrics, hasTitles: Bool) {
    margin = width >= 40 ? 1 : 0
    let gap = width >= 32 ? 2 : 1
    let nameIdeal = min(max(widths.label.widest, 4), 24)
    let nameLeast = min(nameIdeal, width >= 60 ? 12 : width >= 24 ? 8 : 6)
    var cells: [Column: Int] = [
      .mark: width >= 40 ? 2 : 1,
      .time: max(widths.time.widest, hasTitles ? Column.time.title.count : 0),
    ]
    // The mark is followed by one blank, whatever the gap is.
    let fixed = (cells[.mark] ?? 0) + 1 + gap + (cells[.time] ?? 0) + margin
    cells[.name] = min(nameLeast, max(1, width - fixed))
    var room = width - fixed - (cells[.name] ?? 0)

    let iterations = max(widths.iterations.widest, hasTitles ? Column.iterations.title.count : 0)
    let kind = min(max(widths.kind.widest, 4), 22)
    let stateSymbol = 1
    let stateWord = 11
    let bar = 8
    var offers: [(Column, Int)] = [
      (.state, stateSymbol + gap), (.iterations, iterations + gap),
      (.state, stateWord - stateSymbol), (.bar, bar + gap), (.kind, kind + gap), (.late, 7 + gap),
    ]
    let note = widths.note.widest
    if note > 0 { offers += [(.bar, 8), (.note, min(note, 12) + gap)] }
    for (column, cost) in offers {
      guard cost <= room else { break }
      room -= cost
      cells[column] = cells[column].map { $0 + cost } ?? cost - gap
    }
    hasStateWords = cells[.state] == stateWord

    for (column, most) in [(Column.name, nameIdeal), (.note, note), (.bar, 60)] {
      guard let width = cells[column] else { continue }
      let more = min(room, max(0, most - width))
      cells[column] = width + more
      room -= more
    }

    var x = 0
    for column in Column.allCases {
      guard let width = cells[column] else { continue }
      placed.append(Placed(column: column, x: x, width: width))
      x += width + (column == .mark ? 1 : gap)
    }
  }

  subscript(column: Column) -> Placed? { placed.first { $0.column == column } }
}
