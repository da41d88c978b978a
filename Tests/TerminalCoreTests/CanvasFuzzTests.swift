import Fuzzing
import Testing

@testable import TerminalCore

/// Random writes at random coordinates, compared with a simple model of a screen.
@Suite struct CanvasFuzzTests {
  @Test func canvasAgreesWithTheModel() {
    let found = failures(
      sequences: 1_200, steps: 1..<30,
      setup: { Size(width: $0.below(20), height: $0.below(6)) }, step: { Drawing(&$0) },
      failure: { size, drawings in
        var canvas = Canvas(size)
        var screen = ScreenModel(size)
        for (index, drawing) in drawings.enumerated() {
          drawing.draw(on: &canvas)
          screen.draw(drawing)
          guard canvas.cells == screen.cells else {
            return "after \(index): \(canvas.lines) instead of \(screen.texts)"
          }
        }
        return nil
      })
    #expect(found == [])
  }
}

private enum Drawing: Sendable {
  case write(String, x: Int, y: Int, Style, limit: Int)
  case fill(Rect, Unicode.Scalar, Style)
  case restyle(Rect, Style)

  init(_ random: inout SplitMix) {
    switch random.below(8) {
    case 0: self = .fill(random.rect(), random.scalar(), random.style())
    case 1: self = .restyle(random.rect(), random.style())
    default:
      self = .write(
        random.text(), x: random.coordinate(), y: random.coordinate(), random.style(),
        limit: random.below(3) == 0 ? random.coordinate() : .max)
    }
  }

  func draw(on canvas: inout Canvas) {
    switch self {
    case .write(let text, let x, let y, let style, let limit):
      canvas.write(text, x: x, y: y, style: style, limit: limit)
    case .fill(let rect, let base, let style): canvas.fill(rect, with: base, style: style)
    case .restyle(let rect, let style): canvas.restyle(rect) { _ in style }
    }
  }
}

/// A screen as rows of positions. A wide character is a glyph followed by a continuation.
private struct ScreenModel {
  enum Position: Equatable {
    case glyph(Glyph, Style)
    case continuation
  }

  static let blank = Glyph(base: " ", width: 1)
  var size: Size
  var rows: [[Position]]

  init(_ size: Size) {
    self.size = size
    let row = [Position](repeating: .glyph(Self.blank, .plain), count: size.width)
    rows = Array(repeating: row, count: size.height)
  }

  /// The cells that the canvas must have.
  var cells: [Cell] {
    rows.flatMap { row in
      var style = Style.plain
      return row.map { position in
        switch position {
        case .glyph(let glyph, let glyphStyle):
          style = glyphStyle
          return Cell(
            glyph.base, firstMark: glyph.firstMark, secondMark: glyph.secondMark, style: glyphStyle)
        case .continuation: return Cell(nil, style: style)
        }
      }
    }
  }

  var texts: [String] {
    let cells = cells
    return (0..<size.height).map { y in
      cells[(y * size.width)..<((y + 1) * size.width)].map(\.text).joined()
    }
  }

  mutating func draw(_ drawing: Drawing) {
    switch drawing {
    case .write(let text, let x, let y, let style, let limit):
      guard rows.indices.contains(y), limit > 0 else { return }
      let (sum, overflows) = x.addingReportingOverflow(limit)
      let end = overflows ? .max : sum
      var column = x
      for glyph in text.glyphs where column < size.width {
        guard column + glyph.width <= min(end, size.width) else { return }
        if column >= 0 { put(glyph, style, x: column, y: y) }
        column += glyph.width
      }
    case .fill(let rect, let base, let style):
      let isNarrow = TextWidth.substitute(for: base) == nil && TextWidth.of(base) == 1
      let glyph = isNarrow ? Glyph(base: base, width: 1) : Self.blank
      for (x, y) in positions(in: rect) { put(glyph, style, x: x, y: y) }
    case .restyle(let rect, let style):
      for (x, y) in positions(in: rect) {
        if case .glyph(let glyph, _) = rows[y][x] { rows[y][x] = .glyph(glyph, style) }
      }
    }
  }

  private func positions(in rect: Rect) -> [(x: Int, y: Int)] {
    (0..<size.height).flatMap { y in
      (0..<size.width).filter { rect.contains(Point(x: $0, y: y)) }.map { (x: $0, y: y) }
    }
  }

  /// Writes a glyph and blanks wide characters that it partly overwrites.
  private mutating func put(_ glyph: Glyph, _ style: Style, x: Int, y: Int) {
    for column in x..<(x + glyph.width) { clear(x: column, y: y) }
    rows[y][x] = .glyph(glyph, style)
    if glyph.width == 2 { rows[y][x + 1] = .continuation }
  }

  private mutating func clear(x: Int, y: Int) {
    if rows[y][x] == .continuation {
      blankGlyph(x: x - 1, y: y)
      rows[y][x] = .glyph(Self.blank, .plain)
    } else if x + 1 < size.width, rows[y][x + 1] == .continuation {
      rows[y][x + 1] = rows[y][x]
      blankGlyph(x: x + 1, y: y)
    }
  }

  /// Replaces a glyph with a blank of the same style.
  private mutating func blankGlyph(x: Int, y: Int) {
    guard case .glyph(_, let style) = rows[y][x] else { return }
    rows[y][x] = .glyph(Self.blank, style)
  }
}
