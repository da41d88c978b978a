import TerminalCore
import TimerBoard

extension Frame {
  /// Draws log entries, one on each line: time, timer, event and lateness.
  func drawLog(_ entries: [EventLog.Entry], on canvas: inout Canvas, in area: Rect) {
    // The parts of an entry stay together on a wide screen.
    let maxX = min(area.maxX, area.x + 96)
    let hasTime = area.width >= 30
    let hasLateness = area.width >= 52
    let labelWidth = min(16, max(6, area.width / 6))
    for (index, entry) in entries.prefix(area.height).enumerated() {
      let y = area.y + index
      var x = area.x
      if hasTime {
        let time = logTime(of: entry)
        canvas.write(time, x: x, y: y, style: theme[.faint])
        x += time.utf8.count + 2
      }
      canvas.write(entry.label.truncated(to: labelWidth), x: x, y: y, style: theme[.emphasized])
      x += labelWidth + 2
      let late = hasLateness ? entry.event.lateText : ""
      let room = maxX - x - (late.isEmpty ? 0 : late.cellWidth + 2)
      canvas.write(
        entry.event.text.cutAtWord(to: max(0, room)), x: x, y: y,
        style: theme[entry.event.role], limit: max(0, room))
      canvas.write(late, x: maxX - late.cellWidth, y: y, style: theme[.faint])
    }
  }

  func logTime(of entry: EventLog.Entry) -> String {
    let time = TimeText.timeOfDay(
      milliseconds: entry.milliseconds, uses24Hours: dashboard.options.uses24Hours)
    // `9:05:00 am` is aligned with `12:05:00 am`.
    return String(repeating: " ", count: max(0, 11 - time.utf8.count)) + time
  }

  /// Draws the rule over a pane with its title: `─ sets ──────`.
  func drawRule(_ title: String, on canvas: inout Canvas, in area: Rect) {
    canvas.write(
      String(repeating: symbols.rule, count: area.width), x: area.x, y: area.y,
      style: theme[.faint])
    guard area.width >= 8 else { return }
    // The blanks around the title are not underlined with it.
    let text = title.truncated(to: area.width - 6)
    canvas.write(" \(text) ", x: area.x + 1, y: area.y)
    canvas.write(text, x: area.x + 2, y: area.y, style: theme[.title])
  }
}

extension EventLog.Event {
  var role: Role {
    switch self {
    case .fired, .phaseBegan, .startedBy, .standsReadyAfter, .message: .text
    case .finished: .finished
    case .stale, .noSuccessor: .failure
    case .commandEnded(let result, _): result.isSuccess ? .text : .failure
    case .action: .faint
    }
  }
}
