/// A grid of cells that views draw into: the whole screen, as a value.
///
/// Writing clips at the edges and never traps, whatever the coordinates. A wide character that
/// would be cut in half is left out, and one half of which is overwritten loses the other half too,
/// so the grid never holds half a character.
public struct Canvas: Hashable, Sendable {
  public let size: Size
  /// Row by row, `size.width × size.height` cells.
  public private(set) var cells: [Cell]
  /// Where the terminal's cursor should stand, or `nil` to hide it.
  public var cursor: Point?

  public init(_ size: Size, style: Style = .plain) {
    self.size = size
    cells = Array(repeating: Cell(" ", style: style), count: size.width * size.height)
  }

  public var bounds: Rect { Rect(size) }

  /// The cell there, or a blank outside.
  public subscript(x: Int, y: Int) -> Cell {
    bounds.contains(Point(x: x, y: y)) ? cells[y * size.width + x] : .blank
  }

  /// Writes text from left to right, starting at a cell, within `limit` columns.
  ///
  /// Control characters show as a visible substitute (see ``TextWidth``), so text can never steer
  /// the terminal. What does not fit is cut; to cut with an ellipsis use ``Swift/String/truncated(to:)``.
  /// - Returns: the column after the last cell written.
  @discardableResult
  public mutating func write(
    _ text: String, x: Int, y: Int, style: Style = .plain, limit: Int = .max
  ) -> Int {
    guard y >= 0, y < size.height, limit > 0 else { return x }
    let end = limit >= size.width - min(x, 0) ? size.width : min(size.width, x + limit)
    var column = x
    for glyph in text.glyphs {
      guard column + glyph.width <= end else { break }
      put(glyph, x: column, y: y, style: style)
      column += glyph.width
    }
    return column
  }

  /// Fills a rectangle with one narrow character.
  public mutating func fill(_ rect: Rect, with base: Unicode.Scalar = " ", style: Style = .plain) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { set(Cell(base, style: style), x: x, y: y) }
    }
  }

  /// Changes the style of what stands in a rectangle, and keeps the text.
  public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      for index in (y * size.width + area.x)..<(y * size.width + area.maxX) {
        cells[index].style = change(cells[index].style)
      }
    }
  }

  /// The text of every row, without the blanks at its end: what a test compares.
  public var lines: [String] {
    (0..<size.height).map { y in
      var line = cells[(y * size.width)..<((y + 1) * size.width)].map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// All rows as one text, a line each.
  public var text: String { lines.joined(separator: "\n") }

  private mutating func put(_ glyph: Glyph, x: Int, y: Int, style: Style) {
    guard x >= 0 else { return }
    set(
      Cell(glyph.base, firstMark: glyph.firstMark, secondMark: glyph.secondMark, style: style),
      x: x, y: y)
    if glyph.width == 2 { set(Cell(nil, style: style), x: x + 1, y: y, joining: true) }
  }

  /// Replaces one cell, blanking the other half of a wide character that loses this one.
  private mutating func set(_ cell: Cell, x: Int, y: Int, joining: Bool = false) {
    let index = y * size.width + x
    if cells[index].isContinuation, !joining, x > 0 { blankText(at: index - 1) }
    if x + 1 < size.width, cells[index + 1].isContinuation { blankText(at: index + 1) }
    cells[index] = cell
  }

  private mutating func blankText(at index: Int) {
    cells[index] = Cell(" ", style: cells[index].style)
  }
}
