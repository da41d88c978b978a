/// A grid of cells that views draw into: the contents of a screen.
///
/// Writing clips at the edges and never traps, with any coordinates. A wide character that does not
/// fit is left out, and writing over one half of a wide character blanks the other half, so the
/// grid never holds half a character.
public struct Canvas: Hashable, Sendable {
  public let size: Size
  /// The cells, row by row: `size.width × size.height`.
  public private(set) var cells: [Cell]
  /// The position of the terminal's cursor; `nil` to hide it.
  public var cursor: Point?

  public init(_ size: Size, style: Style = .plain) {
    self.size = Size(width: size.width, height: size.height)
    cells = Array(repeating: Cell(" ", style: style), count: self.size.width * self.size.height)
  }

  public var bounds: Rect { Rect(size) }

  /// The cell at a position; a blank outside of the bounds.
  public subscript(x: Int, y: Int) -> Cell {
    bounds.contains(Point(x: x, y: y)) ? cells[y * size.width + x] : .blank
  }

  /// Writes text from left to right, starting at a cell, within `limit` columns.
  ///
  /// Control characters are drawn as a visible substitute (see ``TextWidth``), so text never
  /// reaches the terminal as a command. Text that does not fit is cut; use
  /// ``Swift/String/truncated(to:)`` to cut it with an ellipsis.
  /// - Returns: The column after the last cell written.
  @discardableResult
  public mutating func write(
    _ text: String, x: Int, y: Int, style: Style = .plain, limit: Int = .max
  ) -> Int {
    guard y >= 0, y < size.height, x < size.width, limit > 0 else { return x }
    let end = min(size.width, x.adding(limit))
    let row = y * size.width
    let styleBits = style.bits
    if x >= 0, let last = writeASCII(text, x: x, row: row, end: end, styleBits: styleBits) {
      return last
    }
    var column = x
    var first: Int?
    for glyph in text.glyphs {
      guard column + glyph.width <= end else { break }
      if column >= 0 {
        if first == nil { first = column }
        cells[row + column] = Cell(glyph, styleBits: styleBits)
        if glyph.width == 2 { cells[row + column + 1] = .continuation(styleBits: styleBits) }
      }
      column += glyph.width
    }
    if let first { blankHalves(of: first..<column, row: row) }
    return column
  }

  /// Writes text that is all printable ASCII, one cell per byte: the fast path for most text.
  /// - Returns: The column after the last cell; `nil` if the text is not all ASCII.
  private mutating func writeASCII(
    _ text: String, x: Int, row: Int, end: Int, styleBits: UInt64
  ) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard bytes.allSatisfy(TextWidth.isPrintableASCII) else { return nil }
      let count = min(end - x, bytes.count)
      guard count > 0 else { return x }
      for index in 0..<count {
        cells[row + x + index] = Cell(scalars: UInt64(bytes[index]), styleBits: styleBits)
      }
      blankHalves(of: x..<(x + count), row: row)
      return x + count
    } ?? nil
  }

  /// Fills a rectangle with a narrow character; any other character counts as a blank.
  public mutating func fill(_ rect: Rect, with base: Unicode.Scalar = " ", style: Style = .plain) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let isNarrow = TextWidth.substitute(for: base) == nil && TextWidth.of(base) == 1
    let cell = Cell(isNarrow ? base : " ", style: style)
    for y in area.y..<area.maxY {
      let row = y * size.width
      for index in (row + area.x)..<(row + area.maxX) { cells[index] = cell }
      blankHalves(of: area.x..<area.maxX, row: row)
    }
  }

  /// Changes the style of the cells in a rectangle and keeps their text. A wide character on the
  /// edge changes if its left half is inside.
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

  /// The text of every row without trailing blanks.
  public var lines: [String] {
    (0..<size.height).map { y in
      cells[(y * size.width)..<((y + 1) * size.width)].map(\.text).joined().withoutTrailingSpaces
    }
  }

  /// The text of all rows, one line each.
  public var text: String { lines.joined(separator: "\n") }

  /// Blanks the remaining halves of wide characters that new cells have partly overwritten.
  private mutating func blankHalves(of columns: Range<Int>, row: Int) {
    let left = columns.lowerBound - 1
    // A wide base left of the new cells has lost its right half.
    if left >= 0, cells[row + left].base.map(TextWidth.of) == 2 { blankText(at: row + left) }
    let right = columns.upperBound
    if right < size.width, cells[row + right].isContinuation { blankText(at: row + right) }
  }

  private mutating func blankText(at index: Int) {
    cells[index] = Cell(" ", style: cells[index].style)
  }
}
