import TerminalCore

/// A line of text in several styles.
struct TextLine {
  private(set) var spans: [(text: String, role: Role)] = []
  private(set) var width = 0

  mutating func add(_ text: String, _ role: Role = .text) {
    spans.append((text, role))
    width += text.cellWidth
  }

  mutating func add(contentsOf line: TextLine) {
    for (text, role) in line.spans { add(text, role) }
  }

  /// Adds a text if the line is then no wider than `limit`.
  mutating func add(_ text: String, _ role: Role, within limit: Int) {
    if width + text.cellWidth <= limit { add(text, role) }
  }

  /// Draws the line in at most `limit` cells, with `…` at the end if it does not fit.
  func draw(on canvas: inout Canvas, x: Int, y: Int, theme: Theme, limit: Int = .max) {
    var x = x
    var room = limit
    for (text, role) in spans {
      guard room > 0 else { return }
      let isCut = width > limit && text.cellWidth >= room
      let text = isCut ? "\(text)…".truncated(to: room) : text
      canvas.write(text, x: x, y: y, style: theme[role], limit: room)
      let taken = text.cellWidth
      x += taken
      room -= taken
    }
  }
}
