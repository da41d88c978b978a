import TerminalCore
import TimerBoard

/// The boxes of panes and cards, and the rules over lists and their scroll bars.
///
/// Cards are framed and not painted: in most themes, a plane on which all texts keep their contrast hardly differs from
/// the background.
extension Frame {
  /// Draws the panes of the board, each in a box.
  func drawPanes(on canvas: inout Canvas) {
    if let area = layout.upcoming {
      let pane = UpcomingPane(self, in: area.boxContent)
      drawBox(pane.title, on: &canvas, in: area)
      pane.draw(on: &canvas)
    }
    if let area = layout.detail, let pane = DetailPane(self, width: area.boxContent.width) {
      drawBox(pane.title, on: &canvas, in: area)
      pane.draw(on: &canvas, in: area.boxContent, theme: theme)
    }
    if let area = layout.log {
      drawBox("log", on: &canvas, in: area)
      let entries = dashboard.logState.entries(of: dashboard.board.log)
      drawLog(entries.suffix(area.boxContent.height), on: &canvas, in: area.boxContent)
    }
  }

  private func drawBox(_ title: String, on canvas: inout Canvas, in area: Rect) {
    drawFrame(area, style: theme[.track], on: &canvas)
    drawTitle(title, on: &canvas, x: area.x + 2, y: area.y, room: area.width - 4)
  }

  /// Draws the lines of a box or a card.
  func drawFrame(_ area: Rect, style: Style, on canvas: inout Canvas) {
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
  func drawRule(_ title: String, on canvas: inout Canvas, in area: Rect) {
    canvas.write(
      String(repeating: symbols.rule, count: area.width), x: area.x, y: area.y,
      style: theme[.track])
    guard area.width >= 8 else { return }
    drawTitle(title, on: &canvas, x: area.x + 1, y: area.y, room: area.width - 4)
  }

  private func drawTitle(
    _ title: String, on canvas: inout Canvas, x: Int, y: Int, room: Int
  ) {
    // The blanks around the title are not underlined with it.
    let text = title.truncated(to: max(0, room - 2))
    canvas.write(" \(text) ", x: x, y: y, limit: max(0, room))
    canvas.write(text, x: x + 1, y: y, style: theme[.title])
  }
}

extension Painter {
  /// Draws the scroll bar of a list at its right edge.
  func drawScrollBar(
    of area: Rect, first: Int, shown: Int, count: Int, on canvas: inout Canvas
  ) {
    guard count > shown, area.height > 2, area.width >= 24 else { return }
    let length = max(1, area.height * shown / count)
    let top = (area.height - length) * first / (count - shown)
    for line in 0..<area.height {
      let isThumb = (top..<(top + length)).contains(line)
      canvas.write(
        isThumb ? symbols.scrollBar.thumb : symbols.scrollBar.track, x: area.maxX - 1,
        y: area.y + line,
        style: theme[isThumb ? .key : .track])
    }
  }
}

extension Rect {
  /// The part of a box inside its lines, with a blank column at each side.
  fileprivate var boxContent: Rect {
    Rect(x: x + 2, y: y + 1, width: width - 4, height: height - 2)
  }
}
