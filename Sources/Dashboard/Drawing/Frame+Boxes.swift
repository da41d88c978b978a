import TerminalCore
import TimerBoard

/// The boxes of panes and cards, and the rules over lists and their scroll bars.
///
/// Cards are framed and not painted: in most themes, a plane on which all texts keep their contrast hardly differs from
/// the background.
extension Frame {
  /// Draws the panes of the board, each in a box.
  func drawPanes() {
    if let area = layout.upcoming {
      let pane = UpcomingPane(self, in: area.boxContent)
      drawBox(pane.title, in: area)
      pane.draw()
    }
    if let area = layout.detail, let pane = DetailPane(self) {
      drawBox(pane.title, in: area)
      pane.draw(self, in: area.boxContent)
    }
    if let area = layout.log {
      drawBox("log", in: area)
      let entries = dashboard.logState.entries(of: dashboard.board.log)
      drawLog(entries.suffix(area.boxContent.height), in: area.boxContent)
    }
  }

  private func drawBox(_ title: String, in area: Rect) {
    drawFrame(area, style: theme[.track])
    drawTitle(title, x: area.x + 2, y: area.y, room: area.width - 4)
  }

  /// Draws the lines of a box or a card.
  func drawFrame(_ area: Rect, style: Style) {
    guard area.width >= 2, area.height >= 2 else { return }
    let corners = symbols.isASCII ? ["+", "+", "+", "+"] : ["╭", "╮", "╰", "╯"]
    for (y, left, right) in [
      (area.y, corners[0], corners[1]), (area.maxY - 1, corners[2], corners[3]),
    ] {
      let line = Rect(x: area.x + 1, y: y, width: area.width - 2, height: 1)
      canvas.fill(line, with: symbols.isASCII ? "-" : "─", style: style)
      canvas.write(left, x: area.x, y: y, style: style)
      canvas.write(right, x: area.maxX - 1, y: y, style: style)
    }
    for x in [area.x, area.maxX - 1] {
      let side = Rect(x: x, y: area.y + 1, width: 1, height: area.height - 2)
      canvas.fill(side, with: symbols.isASCII ? "|" : "│", style: style)
    }
  }

  /// Draws the rule over a list with its title: `─ sets ──────`.
  func drawRule(_ title: String, in area: Rect) {
    write(String(repeating: symbols.rule, count: area.width), .track, x: area.x, y: area.y)
    guard area.width >= 8 else { return }
    drawTitle(title, x: area.x + 1, y: area.y, room: area.width - 4)
  }

  private func drawTitle(_ title: String, x: Int, y: Int, room: Int) {
    // The blanks around the title are not underlined with it.
    let text = title.truncated(to: max(0, room - 2))
    canvas.write(" \(text) ", x: x, y: y, limit: max(0, room))
    write(text, .title, x: x + 1, y: y)
  }
}

extension Rect {
  /// The part of a box inside its lines, with a blank column at each side.
  var boxContent: Rect { inset(by: 2, 1) }

  /// Returns the area without margins at its sides, above and below.
  func inset(by x: Int, _ y: Int = 0) -> Rect {
    Rect(x: self.x + x, y: self.y + y, width: width - 2 * x, height: height - 2 * y)
  }
}
