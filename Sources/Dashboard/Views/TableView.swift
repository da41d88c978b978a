import TerminalCore
import TimerBoard
import TimerKit

extension Frame {
  func drawTable(on canvas: inout Canvas) -> TimerClock.Instant? {
    if let titles = layout.titles {
      for column in columns.placed {
        drawTitle(of: column, y: titles.y, on: &canvas)
      }
    }
    let barWidth = columns[.bar]?.width ?? 0
    return visible.enumerated().map { offset, index in
      let row = dashboard.rows[index]
      draw(row, at: index, y: layout.body.y + offset, on: &canvas)
      return nextChange(of: row, barWidth: barWidth, showsState: columns[.state] != nil)
    }
    .earliest
  }

  private func draw(_ row: BoardTimer, at index: Int, y: Int, on canvas: inout Canvas) {
    let isSelected = index == dashboard.selected
    let state = row.state(at: now.uptime)
    let role = Role(state)
    for column in columns.placed {
      switch column.column {
      case .mark:
        drawMark(ofRowAt: index, x: column.x + column.width - 1, y: y, on: &canvas)
      case .name:
        // The kind of a timer without a name is shown once, in its own column if there is one.
        let hasName = row.name != nil || columns[.kind] == nil
        write(
          hasName ? row.label.truncated(to: column.width) : symbols.none, in: column, y: y,
          style: isSelected ? theme[.selectedName] : .plain, on: &canvas)
      case .kind:
        write(
          row.kindText.truncated(to: column.width), in: column, y: y, style: theme[.faint],
          on: &canvas)
      case .state:
        let text =
          columns.hasStateWords
          ? "\(symbols.sign(of: row, state)) \(row.stateLabel(state).truncated(to: column.width - 2))"
          : symbols.sign(of: row, state)
        write(text, in: column, y: y, style: theme[role], on: &canvas)
      case .time:
        let text = dashboard.timeText(of: row, at: now) ?? "–"
        write(
          text, in: column, y: y, style: row.status.state == .idle ? theme[.faint] : .plain,
          on: &canvas)
      case .iterations:
        let text = iterationsText(of: row)
        write(text, in: column, y: y, style: .plain, on: &canvas)
      case .bar:
        if let tally = row.callTally(in: column.width) {
          write(tally, in: column, y: y, style: theme[.faint], on: &canvas)
          continue
        }
        drawBar(of: row, x: column.x, width: column.width, y: y, on: &canvas)
      case .late:
        write(
          row.lateness.map(TimeText.lateness) ?? symbols.none, in: column, y: y,
          style: theme[.faint], on: &canvas)
      case .note:
        guard let remark = row.remark else { continue }
        write(
          remark.cutAtWord(to: column.width), in: column, y: y, style: theme[.faint], on: &canvas)
      }
    }
    if showsAlert(of: row) {
      // The bar keeps its style, because a full bar in reverse would be invisible.
      let line = Rect(x: 0, y: y, width: canvas.size.width, height: 1)
      let bar = columns[.bar].map { $0.x..<($0.x + $0.width) } ?? 0..<0
      canvas.restyle(line.splitLeft(bar.lowerBound).left) { _ in theme[.call] }
      canvas.restyle(line.splitLeft(bar.upperBound).rest) { _ in theme[.call] }
    }
  }

  /// Draws the title of a column, with an arrow if the rows are sorted by it.
  private func drawTitle(of column: TableColumns.Placed, y: Int, on canvas: inout Canvas) {
    let order = dashboard.list.order
    let isOrder = column.column == order.column
    write(
      column.column.title, in: column, y: y, style: theme[isOrder ? .title : .faint], on: &canvas)
    guard isOrder else { return }
    let width = column.column.isRightAligned ? column.width : column.column.title.count
    canvas.write(
      order.isReversed ? symbols.descending : symbols.ascending, x: column.x + width, y: y,
      style: theme[.key])
  }

  /// Draws the symbols of a row that is selected or marked, in one cell if there is no room for two.
  func drawMark(ofRowAt position: Int, x: Int, y: Int, on canvas: inout Canvas) {
    let isSelected = position == dashboard.selected
    let isMarked = dashboard.list.marks.contains(dashboard.rows[position].id)
    let style = theme[.selectionMark]
    if isSelected { canvas.write(symbols.selection, x: x, y: y, style: style) }
    guard isMarked else { return }
    if x > 0 {
      canvas.write(symbols.mark, x: x - 1, y: y, style: style)
    } else {
      canvas.write(isSelected ? symbols.selectedMark : symbols.mark, x: x, y: y, style: style)
    }
  }

  private func iterationsText(of row: BoardTimer) -> String {
    switch row.status.iterations {
    case .counted(let left, let count): "\(left) of \(count)"
    case .endless: symbols.endless
    case .none: symbols.none
    }
  }

  private func write(
    _ text: String, in column: TableColumns.Placed, y: Int, style: Style, on canvas: inout Canvas
  ) {
    let space = column.column.isRightAligned ? max(0, column.width - text.cellWidth) : 0
    canvas.write(text, x: column.x + space, y: y, style: style, limit: column.width - space)
  }

  func drawBar(of row: BoardTimer, x: Int, width: Int, y: Int, on canvas: inout Canvas) {
    let role: Role =
      switch row.status.state {
      case .running, .executing: .bar
      case .paused, .idle: .restingBar
      case .finished, .cancelled: .finishedBar
      }
    let eighths = barEighths(of: row, from: start, width: width)
    var text = String(repeating: symbols.bar[8], count: eighths / 8)
    if eighths % 8 > 0 { text += symbols.bar[eighths % 8] }
    canvas.write(text, x: x, y: y, style: theme[role])
  }

  /// Returns the length of the bar, the elapsed part of the period, in eighths of a cell.
  func barEighths(of row: BoardTimer, from start: TimerClock.Instant, width: Int) -> Int {
    guard let interval = row.period?.clampedNanoseconds, interval > 0 else { return 0 }
    let left: Duration
    switch row.status.state {
    case .running, .executing: left = row.due.map { start.duration(to: $0) } ?? .zero
    case .paused:
      guard let frozen = row.status.frozenTimeLeft else { return 0 }
      left = frozen
    case .idle: return 0
    case .finished, .cancelled: return width * 8
    }
    let elapsed = interval - min(max(0, left.clampedNanoseconds), interval)
    return Int(Double(elapsed) / Double(interval) * Double(width * 8))
  }
}
