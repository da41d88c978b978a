import TerminalCore
import TimerBoard
import TimerKit

/// The cards of the board: a grid that uses the whole body, so that the times are read from across the room.
struct WallLayout: Hashable {
  let columns: Int
  /// The number of rows of cards that are visible.
  let rows: Int
  private let body: Rect

  /// The size of the smallest card: frame, name, three rows of digits, bar and state.
  private static let smallest = Size(width: 30, height: 8)
  /// The screen from which on the board is a wall by itself.
  private static let large = Size(width: 160, height: 40)

  /// - Returns: `nil` if the board has rows: because that was chosen, or because by itself it is a wall only on a large
  ///   screen on which all timers fit.
  init?(of dashboard: Dashboard, in body: Rect) {
    guard dashboard.attached == nil, dashboard.boardLayout != .rows,
      body.width >= Self.smallest.width,
      body.height >= Self.smallest.height
    else { return nil }
    let isLarge =
      dashboard.size.width >= Self.large.width && dashboard.size.height >= Self.large.height
    guard isLarge || dashboard.boardLayout == .wall else { return nil }
    let count = max(1, FilteredRows.count(of: dashboard))
    let mostColumns = body.width / Self.smallest.width
    let mostRows = body.height / Self.smallest.height
    let fits = count <= mostColumns * mostRows
    guard fits || dashboard.boardLayout == .wall else { return nil }
    self.body = body
    // Of the grids that hold all cards, the one with the largest digits: these take half of a card's height, and two
    // and a half times as much of its width. If none holds them all, the largest grid.
    let grids = (1...min(count, mostColumns)).map { (columns: $0, rows: (count + $0 - 1) / $0) }
      .filter { $0.rows <= mostRows }
    func size(_ grid: (columns: Int, rows: Int)) -> Int {
      min(5 * (body.height / grid.rows - 5), body.width / grid.columns - 8)
    }
    (columns, rows) = grids.max { size($0) < size($1) } ?? (mostColumns, mostRows)
  }

  /// Returns the area of a visible card, with its frame. All cards have one size; between two there is a blank column.
  func card(at index: Int) -> Rect {
    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
    let (width, height) = ((body.width + 1) / columns, body.height / rows)
    return Rect(
      x: body.x + column * width, y: body.y + row * height, width: width - 1, height: height)
  }
}

extension Frame {
  /// Draws the cards of the visible timers.
  func draw(_ wall: WallLayout) {
    let times = rows.map(\.row.time.shortText)
    // The digits of all cards have one size. It depends on the form of the times, not on their value.
    let widest =
      times.map { String($0.map { $0.isNumber ? "0" : $0 }) }
      .max { ($0.count { $0 != ":" }, $0.count) < ($1.count { $0 != ":" }, $1.count) } ?? ""
    for (index, (position, row)) in rows.enumerated() {
      drawCard(of: row, at: position, times[index], widest: widest, in: wall.card(at: index))
    }
    drawScrollBar(
      of: layout.body, first: firstVisible, shown: layout.rowCount, count: matchCount)
  }

  /// - Parameter position: The position of the timer; `nil` for one that is not on the board.
  func drawCard(
    of row: Row, at position: Int?, _ time: String, widest: String, in card: Rect
  ) {
    let isSelected = position == dashboard.selected
    defer { if isBand(row) { paintBand(of: row, in: card) } }
    // A plane has no frame, which would stand inside of its edge.
    if !isBand(row) || !isPulseOn { drawFrame(card, style: theme[isSelected ? .key : .track]) }
    let inner = card.boxContent
    let word = "\(row.state.symbol) \(row.state.word)"
    write(
      word, row.state.role, x: inner.maxX - word.cellWidth, y: inner.y,
      limit: max(0, inner.width))
    if let position { drawRowSymbols(of: row, at: position, x: card.x, y: inner.y) }
    write(
      row.label.truncated(to: max(0, inner.width - word.cellWidth - 1)), row.labelRole, x: inner.x,
      y: inner.y)
    write(
      cardText(of: row).cutAtWord(to: inner.width), .faint, x: inner.x, y: inner.maxY - 1,
      limit: max(0, inner.width))
    drawBar(of: row, x: inner.x, width: inner.width, y: inner.maxY - 2)
    let room = Size(width: inner.width, height: inner.height - 3)
    guard let digits = BigDigits(widest: widest, in: room, symbols: symbols) else {
      let x = inner.x + max(0, inner.width - time.cellWidth) / 2
      canvas.write(time, x: x, y: inner.y + 1 + room.height / 2, style: timeStyle(of: row))
      return
    }
    digits.draw(
      time, on: &canvas, maxX: inner.x + (inner.width + digits.width(of: time)) / 2,
      y: inner.y + 1 + (room.height - digits.height) / 2, style: bigDigitsStyle(of: row),
      symbols: symbols)
  }

  /// Paints a card as the band of the newest alert, with its words and keys in the last line.
  private func paintBand(of row: Row, in card: Rect) {
    let line = Rect(x: card.x + 1, y: card.maxY - 2, width: card.width - 2, height: 1)
    canvas.fill(line)
    canvas.restyle(card) { _ in bandStyle }
    drawBand(line, x: line.x + 1, [BandWord(text: bandText(of: row))] + bandKeys)
  }

  /// Returns the last line of a card: its plan and its remarks.
  private func cardText(of row: Row) -> String {
    ([row.triggerText(in: .max)].compactMap(\.self) + row.words).joined(separator: " · ")
  }
}
