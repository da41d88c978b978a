import TerminalCore
import TimerBoard
import TimerKit

/// The next fires of all timers on a common scale. It changes only at display steps.
struct UpcomingPane {
  /// The height without the horizontal rule above it.
  static let height = 2

  /// The lengths of the scale in minutes, with their names.
  private static let scales: [(minutes: Int64, name: String)] = [
    (10, "10 minutes"), (60, "hour"), (360, "6 hours"), (1440, "day"), (10_080, "week"),
  ]

  /// A fire with its label, or a range of fires that are too close for the label to fit between them.
  private struct Item: Hashable {
    /// The column, counted from now.
    var column: Int
    var width: Int
    var label: String
    var role: Role
    var isDense = false

    /// Returns true if there is no cell between the two.
    func touches(_ other: Item) -> Bool {
      column <= other.column + other.width && other.column <= column + width
    }
  }

  let title: String
  /// The fires on each line.
  private let lines: [[Item]]
  private let width: Int

  init(_ frame: Frame, width: Int, height: Int) {
    self.width = width
    let rows = frame.dashboard.rows.all
    let start = frame.stepStart.nanoseconds
    // By position, because a copy of every timer would cost more than all the rest.
    let nearest = Self.nearest(of: rows)
    let next = nearest.compactMap { rows[$0].due?.nanoseconds }.min() ?? start
    // The shortest scale that shows the next fire, or the shortest of all if none shows it.
    let scale =
      Self.scales.first { next < start.addingSaturated($0.minutes * 60_000_000_000) }
      ?? Self.scales[0]
    title = "next \(scale.name)"
    let cellDuration = scale.minutes * 60_000_000_000 / Int64(max(1, width))
    let itemLists = nearest.map {
      Self.items(of: rows[$0], from: start, cellDuration: cellDuration, width: width)
    }.filter { !$0.isEmpty }
      .sorted { ($0[0].isDense ? 1 : 0, $0[0].column) < ($1[0].isDense ? 1 : 0, $1[0].column) }
    lines = itemLists.reduce(into: Array(repeating: [], count: height)) { lines, items in
      // The fires of a timer are in one line.
      guard
        let line = lines.indices.first(where: { line in
          !lines[line].contains { $0.touches(items[0]) }
        })
      else { return }
      for item in items where !lines[line].contains(where: { $0.touches(item) }) {
        lines[line].append(item)
      }
    }
  }

  /// The maximum number of timers with a period below a minute, and of others, for which a place is searched.
  private static let limit = 24

  /// Returns the timers that are due next: at most ``limit`` with a period below a minute and at most ``limit`` others.
  private static func nearest(of rows: [BoardTimer]) -> [Int] {
    let sorted = rows.indices.compactMap { index in rows[index].due.map { (index, due: $0) } }
      .sorted { $0.due < $1.due }.map(\.0)
    func isShort(_ index: Int) -> Bool {
      rows[index].status.period.map { $0 < .minutes(1) } ?? false
    }
    return Array(sorted.lazy.filter { !isShort($0) }.prefix(limit))
      + Array(sorted.lazy.filter(isShort).prefix(limit))
  }

  /// Returns the fires of a timer that fit, the next one with its label. An overdue timer fires at once.
  private static func items(
    of row: BoardTimer, from start: Int64, cellDuration: Int64, width: Int
  ) -> [Item] {
    guard let due = row.due?.nanoseconds else { return [] }
    let lane = Lane(of: row, from: start, count: width, cellDuration: cellDuration)
    let first = max(0, lane.index(of: due))
    guard first < width else { return [] }
    var (label, role) = (row.label, Role.running)
    if case .cycle(let cycle) = row.status {
      label += row.status.nextPhase.map { " \($0.name)" } ?? ""
      role = cycle.position.map { Role(phase: $0.index + 1) } ?? .running
    }
    let later = lane.contents.indices.filter {
      $0 > first && [.future, .dense].contains(lane.contents[$0])
    }
    var items = [Item(column: first, width: 1 + label.cellWidth, label: label, role: role)]
    if let next = later.first, let last = later.last, next - first < label.cellWidth + 3 {
      // The label does not fit between two fires.
      items[0].width = last + 1 - first
      items[0].isDense = true
    } else {
      items += later.map { Item(column: $0, width: 1, label: "", role: role) }
    }
    return items.filter { $0.column + $0.width <= width }
  }

  func draw(on canvas: inout Canvas, in area: Rect, _ frame: Frame) {
    let symbols = frame.symbols
    for (line, items) in lines.enumerated() where line == 0 || !items.isEmpty {
      let y = area.y + line
      func fill(_ x: Int, _ width: Int, with symbol: Unicode.Scalar) {
        canvas.fill(
          Rect(x: area.x + x, y: y, width: width, height: 1), with: symbol,
          style: frame.theme[.track])
      }
      fill(0, width, with: symbols.timeline.line)
      for item in items {
        let x = area.x + item.column
        if item.isDense {
          fill(item.column, item.width, with: symbols.timeline.dense)
          if item.width >= item.label.cellWidth + 6 {
            canvas.write(" \(item.label) ", x: x + 2, y: y)
          }
        } else {
          canvas.write(symbols.future, x: x, y: y, style: frame.theme[item.role])
          canvas.write(item.label, x: x + 1, y: y)
        }
      }
    }
    if lines.allSatisfy(\.isEmpty), area.height > 0 {
      canvas.write(" nothing is due ", x: area.x + 2, y: area.y, style: frame.theme[.faint])
    }
  }
}
