import TerminalCore
import TimerBoard

extension Frame {
  /// Draws the log view: the entries below the filter or a rule.
  func drawLogView(on canvas: inout Canvas) {
    let state = dashboard.logState
    let matches = state.matches(in: dashboard.board.log)
    if let area = layout.titleLine, !area.isEmpty {
      if dashboard.isTypingFilter || !state.filter.isEmpty {
        drawFilter(
          state.filter,
          countText: "\(matches.count) of \(state.entries(of: dashboard.board.log).count)",
          on: &canvas,
          y: area.y)
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
        emptyLogText.cutAtWord(to: max(0, area.width)), x: area.x, y: area.y, style: theme[.faint],
        limit: max(0, min(area.width, area.height * 80)))
      return
    }
    let offset = state.offset(in: matches, height: area.height)
    drawLog(Array(matches.dropFirst(offset).prefix(area.height)), on: &canvas, in: area)
  }

  private var emptyLogText: String {
    let log = dashboard.board.log
    if !dashboard.logState.entries(of: log).isEmpty { return "no matches" }
    let key = dashboard.bindings.keyName(of: .toggleActions, in: .log, symbols)
    return log.entries.isEmpty || key.isEmpty
      ? "no events yet" : "no events yet; \(key) shows actions"
  }
}
