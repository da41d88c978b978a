import TerminalCore

/// Pieces of text in a row, each in its style.
struct TextLine {
  private(set) var spans: [(text: String, role: Role)] = []
  private(set) var width = 0

  mutating func add(_ text: String, _ role: Role = .text) {
    spans.append((text, role))
    width += text.cellWidth
  }

  /// Draws what fits into `limit` cells.
  func draw(on canvas: inout Canvas, x: Int, y: Int, theme: Theme, limit: Int = .max) {
    let end = limit == .max ? Int.max : x + limit
    var x = x
    for (text, role) in spans {
      guard x < end else { return }
      x = canvas.write(text, x: x, y: y, style: theme[role], limit: end - x)
    }
  }
}
