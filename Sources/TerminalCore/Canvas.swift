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
    self.size = Size(width: size.width, height: size.height)
    cells = Array(repeating: Cell(" ", style: style), count: self.size.width * self.size.height)
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
    guard y >= 0, y < size.height, x < size.width, limit > 0 else { return x }
    let end = min(size.width, x.adding(limit))
    let row = y * size.width
    let look = style.bits
    if x >= 0, let last = writePlain(text, x: x, row: row, end: end, look: look) { return last }
    var column = x
    var first: Int?
    for glyph in text.glyphs {
      guard column + glyph.width <= end else { break }
      if column >= 0 {
        if first == nil { first = column }
        cells[row + column] = Cell(glyph, look: look)
        if glyph.width == 2 { cells[row + column + 1] = Cell(continuationWithLook: look) }
      }
      column += glyph.width
    }
    if let first { mendEdges(of: first..<column, row: row) }
    return column
  }

  /// Writes text that is printable ASCII throughout, a cell a byte: most of what screens show.
  private mutating func writePlain(
    _ text: String, x: Int, row: Int, end: Int, look: UInt32
  ) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.allSatisfy(TextWidth.isPlain) else { return nil }
      let count = min(end - x, bytes.count)
      guard count > 0 else { return x }
      for index in 0..<count { cells[row + x + index] = Cell(plain: bytes[index], look: look) }
      mendEdges(of: x..<(x + count), row: row)
      return x + count
    } ?? nil
  }

  /// Fills a rectangle with one narrow character; anything else counts as a blank.
  public mutating func fill(_ rect: Rect, with base: Unicode.Scalar = " ", style: Style = .plain) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let isNarrow = TextWidth.substitute(for: base) == nil && TextWidth.of(base) == 1
    let cell = Cell(isNarrow ? base : " ", style: style)
    for y in area.y..<area.maxY {
      let row = y * size.width
      for index in (row + area.x)..<(row + area.maxX) { cells[index] = cell }
      mendEdges(of: area.x..<area.maxX, row: row)
    }
  }

  /// Changes the style of what stands in a rectangle, and keeps the text. A wide character that the
  /// rectangle's edge divides changes as a whole where its left half lies inside, else not at all.
  public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    for y in area.y..<area.maxY {
      let row = y * size.width
      for index in (row + area.x)..<(row + area.maxX) where !cells[index].isContinuation {
        cells[index].style = change(cells[index].style)
        if index + 1 < row + size.width, cells[index + 1].isContinuation {
          cells[index + 1].style = cells[index].style
        }
      }
    }
  }

  /// The same picture, cut or filled up with blanks at its right and its bottom.
  public func resized(to size: Size) -> Canvas {
    var canvas = Canvas(size)
    let columns = min(size.width, self.size.width)
    for y in 0..<min(size.height, self.size.height) {
      let from = y * self.size.width
      let row = y * canvas.size.width
      canvas.cells.replaceSubrange(row..<(row + columns), with: cells[from..<(from + columns)])
      if columns < self.size.width, cells[from + columns].isContinuation {
        canvas.blankText(at: row + columns - 1)
      }
    }
    canvas.cursor = cursor
    return canvas
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

  /// Blanks what is left of the wide characters that new cells have cut in half.
  private mutating func mendEdges(of columns: Range<Int>, row: Int) {
    let left = columns.lowerBound - 1
    // The cell left of the new ones lost its other half if it is a wide base.
    if left >= 0, isWideBase(at: row + left) { blankText(at: row + left) }
    let right = columns.upperBound
    if right < size.width, cells[row + right].isContinuation { blankText(at: row + right) }
  }

  private func isWideBase(at index: Int) -> Bool {
    guard let base = cells[index].base else { return false }
    return TextWidth.of(base) == 2
  }

  private mutating func blankText(at index: Int) {
    cells[index] = Cell(" ", style: cells[index].style)
  }
}
