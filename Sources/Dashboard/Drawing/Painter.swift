import TerminalCore

/// The canvas of a frame, and what the frames of the dashboard and of another process's board draw alike. It is a class so
/// that all views draw on the one canvas.
class Painter {
  final let theme: Theme
  final let symbols: Symbols
  private final let colorCount: Int
  /// The width of the margins at both sides; 0 on a narrow screen.
  final let inset: Int
  /// The canvas, without cells until the frame is drawn.
  final var canvas = Canvas(Size(width: 0, height: 0))

  init(_ theme: Theme, _ symbols: Symbols, _ options: DisplayOptions, _ size: Size) {
    (self.theme, self.symbols, colorCount) = (theme, symbols, options.colorCount)
    inset = size.width >= 32 ? 1 : 0
  }

  /// A Boolean value that indicates whether the terminal shows any color as it is.
  final var hasExactColors: Bool { colorCount > 256 }

  /// Writes a text in the style of a role.
  /// - Returns: The column after the text.
  @discardableResult
  final func write(_ text: String, _ role: Role, x: Int, y: Int, limit: Int = .max) -> Int {
    canvas.write(text, x: x, y: y, style: theme[role], limit: limit)
  }

  /// Draws a line in at most `limit` cells.
  final func draw(_ line: TextLine, x: Int, y: Int, limit: Int = .max) {
    line.draw(on: &canvas, x: x, y: y, theme: theme, limit: limit)
  }

  /// Draws a bar in steps of a cell; with exact colors, the last cell has one of three tints between the bar and its
  /// track. The urgent style has no underline there.
  final func drawBar(_ part: Double, _ role: Role, x: Int, width: Int, y: Int) {
    let tintCount = hasExactColors && !symbols.isASCII ? 4 : 1
    let steps = Int((min(1, max(0, part)) * Double(tintCount * width)).rounded())
    let (full, tint) = steps.quotientAndRemainder(dividingBy: tintCount)
    var style = theme[role]
    style.attributes.remove(.underline)
    canvas.fill(
      Rect(x: x, y: y, width: full, height: 1), with: symbols.bar.full, style: style)
    // Without colors, a track of the same height would look like the bar.
    canvas.fill(
      Rect(x: x + full, y: y, width: width - full, height: 1),
      with: theme.needsTextures ? symbols.bar.monoTrack : symbols.bar.track, style: theme[.track])
    if tint > 0, !theme.needsTextures, let color = theme.shade(tint, of: tintCount, role) {
      canvas.restyle(Rect(x: x + full, y: y, width: 1, height: 1)) { _ in Style(color) }
    }
  }

  /// Draws the scroll bar of a list at its right edge.
  final func drawScrollBar(of area: Rect, first: Int, shown: Int, count: Int) {
    guard count > shown, area.height > 2, area.width >= 24 else { return }
    let length = max(1, area.height * shown / count)
    let top = (area.height - length) * first / (count - shown)
    for line in 0..<area.height {
      let isThumb = (top..<(top + length)).contains(line)
      write(
        isThumb ? symbols.scrollBar.thumb : symbols.scrollBar.track, isThumb ? .key : .track,
        x: area.maxX - 1, y: area.y + line)
    }
  }
}
