/// The columns of the table that fit, with their positions. They depend on the width and on the texts of the
/// timers, not on the time.
struct TableColumns: Hashable {
  enum Column: CaseIterable {
    case mark, name, time, state, iterations, bar, plan, note
    /// Columns of the timers of another process; on the own board, rows can be sorted by two of them.
    case late, missed, stale, queue, place, kind

    var title: String {
      switch self {
      case .mark: ""
      case .name: "NAME"
      case .time: "TIME"
      case .state: "STATE"
      case .iterations: "LEFT"
      case .bar: "PROGRESS"
      case .plan: "PLAN"
      case .note: "NOTE"
      case .late: "LATE"
      case .missed: "MISSED"
      case .stale: "STALE"
      case .queue: "QUEUE"
      case .place: "PLACE"
      case .kind: "KIND"
      }
    }

    var isRightAligned: Bool {
      [.time, .iterations, .late, .missed, .stale].contains(self)
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

  private static let stateSymbol = 1
  private static let stateWord = 11
  private static let leastBar = 8

  /// - Parameters:
  ///   - hasSecondLine: True if plan and remarks are on a second line.
  ///   - isOfProcess: True for the timers of another process.
  init(
    width: Int, widths: RowWidths, timeWidth: Int, hasTitles: Bool, hasSecondLine: Bool,
    isOfProcess: Bool = false
  ) {
    let margin = width >= 40 ? 1 : 0
    let gap = width >= 32 ? 2 : 1
    let nameIdeal = min(max(widths.label, 4), 24)
    let nameLeast = min(nameIdeal, width >= 60 ? 12 : width >= 24 ? 8 : 6)
    let least: [Column: Int] = [
      .mark: width >= 40 ? 2 : 1, .time: max(timeWidth, hasTitles ? Column.time.title.count : 0),
    ]
    // The mark is followed by one blank, whatever the gap is.
    let fixed = (least[.mark] ?? 0) + 1 + gap + (least[.time] ?? 0) + margin
    let name = min(nameLeast, max(1, width - fixed))
    let note = hasSecondLine ? 0 : widths.remarks
    let left = max(widths.iterations, hasTitles ? Column.iterations.title.count : 0)
    // In the order in which they get room: LEFT gives way only to name, time and state.
    var additions: [(Column, Int)] = [
      (.state, Self.stateSymbol), (.iterations, left), (.bar, Self.leastBar),
      (.state, Self.stateWord),
    ]
    // The last bar takes the rest, so that it ends where the boxes do.
    var growth = [(Column.name, nameIdeal), (.bar, 24), (.note, note), (.bar, 120)]
    if isOfProcess {
      // What such a table is opened for comes first.
      additions.insert((.late, 8), at: 1)
      additions += [(.missed, 6), (.stale, 5), (.queue, 12), (.place, 18), (.kind, 10)]
      growth = [(.name, nameIdeal), (.bar, 16), (.place, 28), (.queue, 20), (.bar, 120)]
    } else if !hasSecondLine {
      additions += [(.plan, min(max(widths.plan, 4), 28)), (.bar, 2 * Self.leastBar)]
      if note > 0 { additions.append((.note, min(note, 12))) }
    }
    let columns = Self.fit(
      additions, growth, into: width - fixed - name, gap: gap,
      least.merging([.name: name]) { $1 })
    hasStateWords = columns[.state] == Self.stateWord
    var x = 0
    for column in Column.allCases {
      guard let width = columns[column] else { continue }
      placed.append(Placed(column: column, x: x, width: width))
      x += width + (column == .mark ? 1 : gap)
    }
  }

  /// Returns the widths of the columns that fit.
  /// - Parameters:
  ///   - additions: Columns with the widths that they get at least, in the order in which they get room. The first that
  ///     does not fit ends the list. One that is there already is widened.
  ///   - growth: The columns that share the rest in this order, with their maximum widths.
  ///   - room: The cells beside the columns that are there in any case.
  private static func fit(
    _ additions: [(Column, Int)], _ growth: [(Column, Int)], into room: Int, gap: Int,
    _ least: [Column: Int]
  ) -> [Column: Int] {
    var (widths, room) = (least, room)
    for (column, width) in additions {
      let needed = widths[column].map { max(0, width - $0) } ?? width + gap
      guard needed <= room else { break }
      room -= needed
      widths[column] = max(width, widths[column] ?? 0)
    }
    for (column, most) in growth {
      guard let width = widths[column] else { continue }
      let more = min(room, max(0, most - width))
      widths[column] = width + more
      room -= more
    }
    return widths
  }

  subscript(column: Column) -> Placed? { placed.first { $0.column == column } }
}
