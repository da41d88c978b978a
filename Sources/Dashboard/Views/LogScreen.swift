import TerminalCore

extension Frame {
  /// The log on the whole screen, under a line that tells what is looked for in it.
  func drawLogScreen(on canvas: inout Canvas) {
    let log = dashboard.logView
    let matches = log.matches(in: dashboard.log)
    if let area = layout.logHead, !area.isEmpty {
      let text = log.filter.text
      if log.isTyping || !text.isEmpty {
        let field = PromptField(log.filter, x: inset + 2, width: area.width - inset - 2)
        canvas.write("/", x: inset, y: area.y, style: theme[.key])
        canvas.write(field.text, x: field.x, y: area.y)
        if log.isTyping {
          canvas.cursor = Point(x: min(field.cursorX, max(0, area.maxX - 1)), y: area.y)
        }
        let count = "\(matches.count) of \(dashboard.log.entries.count)"
        if field.cursorX + text.cellWidth + count.utf8.count + 4 < area.width {
          canvas.write(
            count, x: area.maxX - inset - count.utf8.count, y: area.y, style: theme[.faint])
        }
      } else {
        drawRule(
          "log", on: &canvas,
          in: Rect(x: inset, y: area.y, width: area.width - 2 * inset, height: 1))
      }
    }
    var area = layout.body
    area = Rect(
      x: 2 * inset, y: area.y, width: area.width - 3 * inset, height: area.height)
    if matches.isEmpty {
      canvas.write(
        dashboard.log.entries.isEmpty ? "nothing happened yet" : "nothing matches", x: area.x,
        y: area.y, style: theme[.faint], limit: max(0, min(area.width, area.height * 80)))
      return
    }
    let offset = log.offset(in: matches, height: area.height)
    drawLog(Array(matches.dropFirst(offset).prefix(area.height)), on: &canvas, in: area)
  }
}
