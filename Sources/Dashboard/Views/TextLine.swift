import TerminalCore

/// Pieces of text in a row, each in its style.
struct TextLine {
  private(set) var spans: [(text: String, role: Role)] = []
  private(set) var width = 0

  mutating func add(_ text: String, _ role: Role = .text) {
    spans.append((text, role))
    width += text.cellWidth
  }

  func draw(on canvas: inout Canvas, x: Int, y: Int, theme: Theme) {
    var x = x
    for (text, role) in spans { x = canvas.write(text, x: x, y: y, style: theme[role]) }
  }
}
