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

  /// A fire, or a range of fires that are too close for the label to fit between them.
  private struct Item: Hashable {
    var at: Int64
    var isDense = false
    var end = Int64.max
    var label: String
    var role: Role
  }

  private struct Placed: Hashable {
    var column: Int
    var width: Int
    var item: Item

    /// Returns true if there is no cell between the two.
    func touches(_ other: Placed) -> Bool {
      column <= other.column + other.width && other.column <= column + width
    }
  }

  /// The title, and the fires on each line, with columns counted from now.
  private struct Layout: Hashable {
    var title: String
    var lines: [[Placed]]
  }

  var title: String { layout.title }
  private let layout: Layout
  private let width: Int

  init(_ frame: Frame, width: Int, height: Int) {
    self.width = width
    let rows = frame.dashboard.rows.all
    // By position, because a copy of every timer would cost more than all the rest.
    layout = Self.layout(
      Self.nearest(of: rows), of: rows, in: Size(width: width, height: height),
      from: frame.stepStart.nanoseconds)
  }

  /// The maximum number of timers with a period below a minute, and of others, for which a place is searched.
  private static let limit = 24

  /// Returns the timers that are due next: at most ``limit`` with a period below a minute and at most ``limit`` others,
  /// in time linear in the number of timers.
  private static func nearest(of rows: [BoardTimer]) -> [Int] {
    typealias Due = (index: Int, due: TimerClock.Instant)
    var shortPeriods: [Due] = []
    var others: [Due] = []
    func insert(_ index: Int, _ due: TimerClock.Instant, into list: inout [Due]) {
      if list.count == limit {
        guard due < list[limit - 1].due else { return }
        list.removeLast()
      }
      list.insert((index, due), at: list.firstIndex { due < $0.due } ?? list.count)
    }
    for index in rows.indices {
      guard let due = rows[index].due else { continue }
      if let period = rows[index].status.period, period < .minutes(1) {
        insert(index, due, into: &shortPeriods)
      } else {
        insert(index, due, into: &others)
      }
    }
    return (others + shortPeriods).map(\.index)
  }

  /// Returns the shortest scale that shows the next fire, or the shortest of all if none shows it.
  private static func scale(
    _ nearest: [Int], of rows: [BoardTimer], from start: Int64
  ) -> (minutes: Int64, name: String) {
    let next = nearest.compactMap { due(of: rows[$0], from: start) }.min() ?? start
    return scales.first { next - start < $0.minutes * 60_000_000_000 } ?? scales[0]
  }

  private static func layout(
    _ nearest: [Int], of rows: [BoardTimer], in size: Size, from start: Int64
  ) -> Layout {
    let scale = scale(nearest, of: rows, from: start)
    let cellDuration = scale.minutes * 60_000_000_000 / Int64(max(1, size.width))
    let (sum, overflow) = start.addingReportingOverflow(cellDuration * Int64(size.width))
    let end = overflow ? .max : sum
    let itemLists = nearest.map {
      items(of: rows[$0], from: start, until: end, cellDuration: cellDuration)
    }.filter { !$0.isEmpty }
      .sorted { ($0[0].isDense ? 1 : 0, $0[0].at) < ($1[0].isDense ? 1 : 0, $1[0].at) }
    var lines = [[Placed]](repeating: [], count: size.height)
    for items in itemLists {
      let placed = items.compactMap {
        place($0, from: start, cellDuration: cellDuration, width: size.width)
      }
      // The fires of a timer are in one line.
      guard let first = placed.first,
        let line = lines.indices.first(where: { line in
          !lines[line].contains { $0.touches(first) }
        })
      else { continue }
      for item in placed where !lines[line].contains(where: { $0.touches(item) }) {
        lines[line].append(item)
      }
    }
    return Layout(title: "next \(scale.name)", lines: lines)
  }

  private static func place(
    _ item: Item, from start: Int64, cellDuration: Int64, width: Int
  ) -> Placed? {
    let column = Int(max(0, item.at - start) / cellDuration)
    let needed: Int
    if item.isDense {
      needed = min(width, Int(max(0, item.end - start) / cellDuration) + 1) - column
    } else {
      needed = 1 + item.label.cellWidth
    }
    return needed > 0 && column + needed <= width
      ? Placed(column: column, width: needed, item: item) : nil
  }

  /// Returns the instant at which a timer is due, or `start` if that is later: a timer that is overdue fires at once.
  private static func due(of row: BoardTimer, from start: Int64) -> Int64? {
    row.due.map { max(start, $0.nanoseconds) }
  }

  private static func items(
    of row: BoardTimer, from start: Int64, until end: Int64, cellDuration: Int64
  ) -> [Item] {
    guard let due = due(of: row, from: start), due < end else { return [] }
    let single = Item(at: due, label: row.label, role: .running)
    switch row.status {
    case .cycle(let cycle):
      let name = row.nextPhase.map { " \($0.name)" } ?? ""
      let role = cycle.position.map { Role(phase: $0.index + 1) } ?? .running
      return [Item(at: due, label: row.label + name, role: role)]
    case .repeater(let snapshot):
      guard row.wallOccurrences == nil,
        let interval = snapshot.configuration.interval?.clampedNanoseconds,
        snapshot.configuration.mode != .once, interval > 0
      else { return [single] }
      let left = snapshot.remainingIterations.map { Int64($0) } ?? .max
      let shown = min(left, (end - due) / interval + 1)
      // If the label does not fit between two fires, all fires are one dense item.
      if left > 1, interval < cellDuration * Int64(row.label.cellWidth + 3) {
        let last = shown < left ? .max : due + (left - 1) * interval
        return [Item(at: due, isDense: true, end: last, label: row.label, role: .faint)]
      }
      return (0..<shown).map { number in
        Item(at: due + number * interval, label: number == 0 ? row.label : "", role: .running)
      }
    case .stopwatch, .triggered: return [single]
    }
  }

  func draw(on canvas: inout Canvas, in area: Rect, _ frame: Frame) {
    for (line, items) in layout.lines.enumerated() {
      let y = area.y + line
      guard line == 0 || !items.isEmpty else { continue }
      canvas.fill(
        Rect(x: area.x, y: y, width: width, height: 1), with: frame.symbols.timeline.line,
        style: frame.theme[.track])
      for placed in items { draw(placed, on: &canvas, x: area.x + placed.column, y: y, frame) }
    }
    if layout.lines.allSatisfy(\.isEmpty), area.height > 0 {
      canvas.write(" nothing is due ", x: area.x + 2, y: area.y, style: frame.theme[.faint])
    }
  }

  private func draw(
    _ placed: Placed, on canvas: inout Canvas, x: Int, y: Int, _ frame: Frame
  ) {
    let (item, width) = (placed.item, placed.width)
    guard item.isDense else {
      canvas.write(frame.symbols.future, x: x, y: y, style: frame.theme[item.role])
      canvas.write(item.label, x: x + 1, y: y)
      return
    }
    canvas.fill(
      Rect(x: x, y: y, width: width, height: 1), with: frame.symbols.timeline.dense,
      style: frame.theme[.track])
    guard width >= item.label.cellWidth + 6 else { return }
    canvas.write(" \(item.label) ", x: x + 2, y: y)
  }
}
