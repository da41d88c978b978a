import TerminalCore
import TimerBoard
import TimerKit

extension DashboardView {
  static let board = DashboardView(
    scope: .board, key: "1", action: .showBoard, bindings: Bindings.board,
    hasTimerRows: true, listsTimers: true, place: { $0.placeBoard(of: $1) },
    draw: { frame in
      if let wall = frame.layout.wall { return frame.draw(wall) }
      frame.drawTable()
      frame.drawPanes()
    },
    nextChange: { $0.nextBoardChange },
    perform: { $0.performOnBoard($1, at: $2) })
}

extension Frame {
  func drawTable() {
    if let titles = layout.titles {
      for column in columns.placed {
        drawTitle(of: column, y: titles.y)
      }
    }
    drawScrollBar(
      of: layout.body, first: visible.startIndex, shown: layout.rowCount, count: matchCount)
    var joinsAbove = false
    var y = layout.body.y
    for (index, (position, row)) in rows.enumerated() {
      let joinsBelow = index + 1 < rows.count && row.isJoined(to: rows[index + 1].row)
      if let name = columns[.name], name.x >= 3 {
        drawBracket(
          joinsAbove: joinsAbove, joinsBelow: joinsBelow, x: name.x - 1, y: y,
          height: layout.rowHeight)
      }
      draw(row, at: position, y: y)
      joinsAbove = joinsBelow
      y += layout.rowHeight
    }
  }

  private func draw(_ row: Row, at position: Int, y: Int) {
    let isBand = isBand(row)
    for column in columns.placed {
      func write(_ text: String, _ style: Style) {
        self.write(text, in: column, y: y, style: style)
      }
      switch column.column {
      case .bar where isBand, .plan where isBand, .note where isBand: break
      case .mark:
        drawRowSymbols(of: row, at: position, x: column.x + column.width - 1, y: y)
      case .name: write(row.label.truncated(to: column.width), theme[row.labelRole])
      case .time: write(row.time.text ?? "–", timeStyle(of: row))
      case .state:
        let word = columns.hasStateWords ? " \(row.state.word)" : ""
        let text = row.state.symbol + word.truncated(to: column.width - 1)
        write(text, theme[row.state.role])
      case .bar:
        write(row.triggerText(in: column.width) ?? "", theme[.faint])
        drawBar(of: row, x: column.x, width: column.width, y: y)
      case .plan: write(row.plan.text.truncated(to: column.width), .plain)
      case .note: write(row.remarkText.cutAtWord(to: column.width), theme[row.remarkRole])
      case .kind, .iterations, .late: break
      }
    }
    if layout.rowHeight > 1 { drawSecondLine(of: row, at: position, y: y + 1) }
    highlight(
      row, at: position,
      Rect(x: 0, y: y, width: layout.body.width, height: min(2, layout.rowHeight)))
    if isBand { drawBand(of: row, y: y) }
  }

  /// Paints a row as the band of the newest alert. Its words stand in place of the bar and what follows, its keys beside
  /// or below them.
  private func drawBand(of row: Row, y: Int) {
    let state = columns.placed.last { $0.column == .state || $0.column == .time }
    let x = columns[.bar]?.x ?? state.map { $0.x + $0.width + 2 } ?? inset
    let area = Rect(x: 0, y: y, width: layout.body.width, height: min(2, layout.rowHeight))
    guard area.height > 1, y + 1 < layout.body.maxY else {
      return drawBand(area, x: x, [(bandText(of: row), false)] + bandKeys)
    }
    canvas.write(bandText(of: row), x: x, y: y, limit: max(0, area.maxX - x))
    drawBand(area, x: x, Array(bandKeys.dropFirst()))
  }

  /// Draws the kind of a row below its name, and its plan and remarks below its bar, without what the kind says.
  private func drawSecondLine(of row: Row, at position: Int, y: Int) {
    guard let name = columns[.name], y < layout.body.maxY else { return }
    let kind = row.links.name == nil && !isBand(row) ? "" : row.kind
    let plan = row.plan.text.split(separator: ", ").filter { !kind.contains($0) }
    let parts = ([plan.joined(separator: ", ")] + row.remarks).filter { !kind.contains($0) }
    let x = columns[.bar]?.x ?? name.x + kind.cellWidth + 2
    write(
      kind.cutAtWord(to: max(0, min(x - 2, layout.body.width - 1) - name.x)), .faint, x: name.x,
      y: y)
    if !isBand(row) {
      write(
        parts.joined(separator: " · ").cutAtWord(to: max(0, layout.body.width - x - 1)),
        row.remarkRole, x: x, y: y)
    }
    if position == dashboard.selected {
      drawRowSymbols(of: row, at: position, x: name.x - 2, y: y, showsMark: false)
    }
  }

  /// Draws the title of a column, with an arrow if the rows are sorted by it.
  private func drawTitle(of column: TableColumns.Placed, y: Int) {
    let order = dashboard.listState.order
    let isOrder = column.column == order.column
    write(column.column.title, in: column, y: y, style: theme[isOrder ? .title : .faint])
    guard isOrder else { return }
    let width = column.column.isRightAligned ? column.width : column.column.title.count
    write(
      order.isReversed ? symbols.descending : symbols.ascending, .key, x: column.x + width, y: y)
  }

  private func write(_ text: String, in column: TableColumns.Placed, y: Int, style: Style) {
    let space = column.column.isRightAligned ? max(0, column.width - text.cellWidth) : 0
    canvas.write(text, x: column.x + space, y: y, style: style, limit: column.width - space)
  }
}

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

    // The last bar takes the rest, so that it ends where the boxes do.
    for (column, most) in [(Column.name, nameIdeal), (.bar, 24), (.note, note), (.bar, 120)] {
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

/// The widths of the texts in a row, in cells. They depend on the timer but not on the time, so that columns do not move
/// as time passes.
struct RowWidths: Hashable, Sendable {
  var label = 0
  var plan = 0
  var time = 0
  var remarks = 0

  private static let limit = 40
  /// The width reserved for the result of a command, so that no column moves when it ends.
  private static let resultWidth = 24

  init() {}

  init(of timer: BoardTimer, _ displaySteps: DisplaySteps) {
    label = min(Self.limit, timer.label.cellWidth)
    plan = min(Self.limit, timer.planWidth)
    remarks = min(Self.limit, max(timer.remarkWidth, timer.hasCommand ? Self.resultWidth : 0))
    // The time shown is at most one unit more than the time left.
    time = displaySteps.text(displaySteps.units(in: timer.longestTime) + 1).utf8.count
  }

  mutating func widen(to other: RowWidths) {
    label = max(label, other.label)
    plan = max(plan, other.plan)
    time = max(time, other.time)
    remarks = max(remarks, other.remarks)
  }
}

/// The widths of each row, and the largest of all rows.
struct RowMetrics: Sendable {
  private(set) var widest = RowWidths()
  /// The revision of the timers that were measured.
  private(set) var revision = 0
  private var rows: [TimerID: RowWidths] = [:]

  /// Measures the rows that have changed, and forgets those that were removed.
  mutating func update(
    with changed: some Sequence<TimerID>, in timers: TimerList, _ displaySteps: DisplaySteps
  ) {
    revision = timers.revision
    var isChanged = false
    for id in changed {
      let widths = timers[id].map { RowWidths(of: $0, displaySteps) }
      isChanged = isChanged || rows[id] != widths
      rows[id] = widths
    }
    if rows.count > timers.count {
      rows = rows.filter { timers.position(of: $0.key) != nil }
      isChanged = true
    }
    if isChanged { widest = rows.values.reduce(into: RowWidths()) { $0.widen(to: $1) } }
  }

  /// Measures all rows.
  mutating func measure(_ timers: TimerList, _ displaySteps: DisplaySteps) {
    rows = [:]
    update(with: timers.all.map(\.id), in: timers, displaySteps)
  }
}
