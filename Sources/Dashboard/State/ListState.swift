import TerminalCore
import TimerBoard
import TimerKit

/// The filter, the order and the marks of the rows on the board.
struct ListState: Hashable, Sendable {
  /// Only rows that match its text are shown.
  var filter = LineEditor.forFilter
  /// The text that "next match" searches for: the latest filter, even if it was cleared.
  var latestSearch = ""
  /// The row to which the selection returns when the filter changes.
  var selectionToRestore: TimerID?
  var order = RowOrder()
  var marks: Set<TimerID> = []
  /// A Boolean value that indicates whether the filter hides every row.
  var hidesAll = false
}

/// The order of rows. It does not change as time passes.
struct RowOrder: Hashable, Sendable {
  /// The sort columns, in the order in which "cycle sort column" selects them.
  static let columns: [TableColumns.Column] = [
    .name, .kind, .state, .time, .iterations, .late, .note,
  ]

  /// The sort column; `nil` for the board's own order.
  var column: TableColumns.Column?
  var isReversed = false

  /// Returns the next of the shown columns, and after the last one the board's own order.
  func next(among shown: TableColumns) -> RowOrder {
    let index = column.flatMap(Self.columns.firstIndex).map { $0 + 1 } ?? 0
    return RowOrder(column: Self.columns[index...].first { shown[$0] != nil })
  }
}

/// The rows that match the filter, in the chosen order, by their positions in the board's own order.
struct FilteredRows {
  let positions: [Int]
  /// The number of rows at the end that share one line: on the timeline, those that wait for their first trigger.
  private let readyCount: Int
  private let isIdentity: Bool

  /// The rows with a line of their own, and those without.
  var lanes: ArraySlice<Int> { positions.dropLast(readyCount) }
  var ready: ArraySlice<Int> { positions.suffix(readyCount) }

  init(of dashboard: Dashboard) {
    let listState = dashboard.listState
    let rows = dashboard.rows
    let query = SearchQuery(listState.filter.text)
    var positions = Array(0..<rows.count)
    if !query.isEmpty { positions.removeAll { !rows.all[$0].matches(query) } }
    if let column = listState.order.column {
      let keys = positions.map {
        OrderKey(of: rows.all[$0], by: column, position: $0, at: dashboard.now)
      }
      positions = keys.sorted { $0.precedes($1, isReversed: listState.order.isReversed) }
        .map(\.position)
    } else if listState.order.isReversed {
      positions.reverse()
    }
    var ready: [Int] = []
    if dashboard.view == .timeline, dashboard.size.height >= Self.leastHeightForReady {
      ready = positions.filter { rows.all[$0].awaitsFirstTrigger }
      if !ready.isEmpty { positions.removeAll { rows.all[$0].awaitsFirstTrigger } }
    }
    readyCount = ready.count
    isIdentity = query.isEmpty && listState.order == RowOrder() && ready.isEmpty
    self.positions = positions + ready
  }

  private static let leastHeightForReady = 8

  /// Returns the number of rows that are shown, without ordering them.
  static func count(of dashboard: Dashboard) -> Int {
    let query = SearchQuery(dashboard.listState.filter.text)
    return query.isEmpty ? dashboard.rows.count : dashboard.rows.all.count { $0.matches(query) }
  }

  /// Returns the index of a row among those that are shown.
  func index(of position: Int) -> Int? {
    if isIdentity { return positions.indices.contains(position) ? position : nil }
    return positions.firstIndex(of: position)
  }

  /// Returns the shown row that is nearest to a hidden one: the next, or else the last.
  func nearest(to position: Int) -> Int? {
    positions.filter { $0 >= position }.min() ?? positions.max()
  }
}

extension BoardTimer {
  /// A Boolean value that indicates whether nothing has happened to a timer that waits for triggers.
  fileprivate var awaitsFirstTrigger: Bool {
    machine.calls?.callCount == 0 && state == .idle && alert == nil
      && recentActivity.fires.elements.isEmpty
  }
}

/// The sort key of a row. Rows without a value come last in both directions.
private struct OrderKey {
  let position: Int
  private var rank = 0
  private var number: Int64 = 0
  private var text = ""

  init(of row: BoardTimer, by column: TableColumns.Column, position: Int, at now: ClockReading) {
    self.position = position
    switch column {
    case .name: text = row.searchText.naturalOrderKey  // It begins with the label, in lower case.
    case .kind: text = row.kindAndSuccessorText.naturalOrderKey
    case .state:
      // What needs attention comes first.
      let index = TimerState.displayOrder.firstIndex(of: row.state) ?? 0
      number = row.needsAttention ? -1 : Int64(index)
    case .time:
      // Running timers are sorted by the instant of their fire, which does not change with time.
      if let deadline = row.machine.deadline {
        number = now.duration(to: deadline).clampedNanoseconds
      } else if let left = row.machine.pausedTimeLeft {
        (rank, number) = (1, left.clampedNanoseconds)
      } else {
        rank = 2
      }
    case .iterations:
      switch row.machine.iterations {
      // A timer with one fire shows no number.
      case .counted(_, of: 1), .none: rank = 2
      case .counted(let left, _): number = Int64(left)
      case .endless: rank = 1
      }
    case .late:
      rank = row.lateness == nil ? 1 : 0
      number = row.lateness?.clampedNanoseconds ?? 0
    case .note:
      rank = row.note == nil ? 1 : 0
      text = row.note ?? ""
    case .mark, .bar, .plan, .missed, .stale, .queue, .place: break
    }
  }

  func precedes(_ other: OrderKey, isReversed: Bool) -> Bool {
    if rank != other.rank { return rank < other.rank }
    if number != other.number { return (number < other.number) != isReversed }
    if text != other.text { return (text < other.text) != isReversed }
    return position < other.position
  }
}

extension String {
  /// A text whose order is the natural one of this text: `t2` comes before `t10`. Each number begins with its length.
  var naturalOrderKey: String {
    var key = String.UnicodeScalarView()
    let scalars = unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      guard ("0"..."9").contains(scalars[index]) else {
        key.append(scalars[index])
        index = scalars.index(after: index)
        continue
      }
      let digits = scalars[index...].prefix { ("0"..."9").contains($0) }
      let number = digits.drop { $0 == "0" }
      // Shorter numbers are smaller, and all of them stand where digits do.
      let length = UInt32(min(number.count, 9_999))
      key.append("0")
      key.append(Unicode.Scalar(0x100 + length) ?? "0")
      key.append(contentsOf: number)
      index = digits.endIndex
    }
    return String(key)
  }
}

extension Action {
  /// Returns the number of entries by which the action moves in a list, negative for up; `nil` if it does not move.
  /// - Parameters:
  ///   - line: The number of entries in a line.
  ///   - page: The number of entries in a page.
  func scrollDistance(line: Int = 1, page: Int, length: Int) -> Int? {
    switch self {
    case .up: -line
    case .down: line
    case .pageUp: -page
    case .pageDown: page
    case .halfPageUp: -max(1, page / 2)
    case .halfPageDown: max(1, page / 2)
    case .top: -length
    case .bottom: length
    default: nil
    }
  }
}
