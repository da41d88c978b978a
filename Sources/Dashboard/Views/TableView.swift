import TerminalCore
import TimerBoard
import TimerKit

extension DashboardView {
  static let board = DashboardView(
    scope: .board, key: .character("1"), action: .showBoard, bindings: Bindings.board,
    hasTimerRows: true, listsTimers: true, place: { $0.placeBoard(of: $1) },
    draw: { frame, canvas in
      if let wall = frame.layout.wall { return frame.draw(wall, on: &canvas) }
      frame.drawTable(on: &canvas)
      frame.drawPanes(on: &canvas)
    },
    nextChange: { $0.nextBoardChange },
    perform: { $0.performOnBoard($1, at: $2) })
}

extension Frame {
  func drawTable(on canvas: inout Canvas) {
    if let titles = layout.titles {
      for column in columns.placed {
        drawTitle(of: column, y: titles.y, on: &canvas)
      }
    }
    drawScrollBar(
      of: layout.body, first: visible.startIndex, shown: layout.rowCount, count: matchCount,
      on: &canvas)
    for (offset, position) in visible.enumerated() {
      draw(
        dashboard.rows[position], at: position, y: layout.body.y + offset * layout.rowHeight,
        on: &canvas)
    }
  }

  private func draw(_ row: BoardTimer, at position: Int, y: Int, on canvas: inout Canvas) {
    let state = row.displayedState
    for column in columns.placed {
      switch column.column {
      case .mark:
        drawRowSymbols(of: row, at: position, x: column.x + column.width - 1, y: y, on: &canvas)
      case .name:
        write(
          row.label.truncated(to: column.width), in: column, y: y,
          style: nameStyle(of: row, at: position), on: &canvas)
      case .time:
        write(
          dashboard.timeText(of: row, at: now) ?? "–", in: column, y: y, style: timeStyle(of: row),
          on: &canvas)
      case .state:
        let text =
          columns.hasStateWords
          ? "\(symbols.symbol(of: row, in: state)) \(row.stateLabel(state).truncated(to: column.width - 2))"
          : symbols.symbol(of: row, in: state)
        write(text, in: column, y: y, style: stateStyle(of: row, state), on: &canvas)
      case .bar:
        if let text = row.triggerCountText(in: column.width) {
          write(text, in: column, y: y, style: theme[.faint], on: &canvas)
          continue
        }
        drawBar(of: row, x: column.x, width: column.width, y: y, on: &canvas)
      case .plan:
        write(
          plan(of: row).truncated(to: column.width), in: column, y: y, style: .plain, on: &canvas)
      case .note:
        write(
          row.remarks.joined(separator: " · ").cutAtWord(to: column.width), in: column, y: y,
          style: theme[.faint], on: &canvas)
      case .kind, .iterations, .late: break
      }
    }
    if layout.rowHeight > 1 { drawSecondLine(of: row, at: position, y: y + 1, on: &canvas) }
    highlight(
      row, at: position,
      Rect(x: 0, y: y, width: layout.body.width, height: min(2, layout.rowHeight)), on: &canvas)
  }

  /// Draws the plan and the remarks of a row below its name.
  private func drawSecondLine(
    of row: BoardTimer, at position: Int, y: Int, on canvas: inout Canvas
  ) {
    guard let name = columns[.name], y < layout.body.maxY else { return }
    let parts = [plan(of: row)] + row.remarks
    canvas.write(
      parts.joined(separator: " · ").cutAtWord(to: layout.body.width - name.x - 1), x: name.x, y: y,
      style: theme[.faint])
    if position == dashboard.selected {
      drawRowSymbols(of: row, at: position, x: name.x - 2, y: y, on: &canvas, showsMark: false)
    }
  }

  /// Draws the title of a column, with an arrow if the rows are sorted by it.
  private func drawTitle(of column: TableColumns.Placed, y: Int, on canvas: inout Canvas) {
    let order = dashboard.listState.order
    let isOrder = column.column == order.column
    write(
      column.column.title, in: column, y: y, style: theme[isOrder ? .title : .faint], on: &canvas)
    guard isOrder else { return }
    let width = column.column.isRightAligned ? column.width : column.column.title.count
    canvas.write(
      order.isReversed ? symbols.descending : symbols.ascending, x: column.x + width, y: y,
      style: theme[.key])
  }

  /// Draws the scroll bar of a list at its right edge.
  func drawScrollBar(
    of area: Rect, first: Int, shown: Int, count: Int, on canvas: inout Canvas
  ) {
    guard count > shown, area.height > 2, area.width >= 24 else { return }
    let length = max(1, area.height * shown / count)
    let top = (area.height - length) * first / (count - shown)
    for line in 0..<area.height {
      let isThumb = (top..<(top + length)).contains(line)
      canvas.write(
        isThumb ? symbols.scrollBar.thumb : symbols.scrollBar.track, x: area.maxX - 1,
        y: area.y + line,
        style: theme[isThumb ? .key : .track])
    }
  }

  private func write(
    _ text: String, in column: TableColumns.Placed, y: Int, style: Style, on canvas: inout Canvas
  ) {
    let space = column.column.isRightAligned ? max(0, column.width - text.cellWidth) : 0
    canvas.write(text, x: column.x + space, y: y, style: style, limit: column.width - space)
  }
}
