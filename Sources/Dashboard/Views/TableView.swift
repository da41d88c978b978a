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
      of: layout.body, first: firstVisible, shown: layout.rowCount, count: matchCount)
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
      case .iterations: write(row.leftText(symbols), .plain)
      case .kind: write(row.kind.truncated(to: column.width), theme[.faint])
      case .late, .missed, .stale, .queue, .place:
        guard let (text, role) = row.delivery?.cell(column.column) else { break }
        // What one sorts by is bright.
        let isOrder = role == .faint && column.column == dashboard.listState.order.column
        write(text.truncated(to: column.width), theme[isOrder ? .emphasized : role])
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
      return drawBand(area, x: x, [BandWord(text: bandText(of: row))] + bandKeys)
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
