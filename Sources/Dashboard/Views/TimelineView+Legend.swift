import TerminalCore
import TimerBoard
import TimerKit

extension TimelineView {
  /// Draws the time of the cursor with the selected timer's event at that time; without a cursor, the meaning of the
  /// symbols.
  func drawLegend(on canvas: inout Canvas, in area: Rect) {
    let line = frame.dashboard.timeline.cursor.map(cursorLine) ?? legendLine
    line.draw(
      on: &canvas, x: frame.inset, y: area.y, theme: frame.theme,
      limit: max(0, area.width - frame.inset))
  }

  private var legendLine: TextLine {
    let symbols = frame.symbols.timeline
    var line = TextLine()
    for (symbol, role, meaning) in [
      (symbols.fired, .running, "fired"), (symbols.late, .warning, "late"),
      (symbols.missed, .failure, "missed"), (symbols.future, .text, "will fire"),
      (symbols.dense, .running, "fires often"),
    ] as [(Unicode.Scalar, Role, String)] {
      if line.width > 0 { line.add("   ") }
      line.add(String(Character(symbol)), role)
      line.add(" \(meaning)", .faint)
    }
    return line
  }

  /// Returns the line of the cursor, such as `14:28:20  −1m   sets fired 14:28:21, late 0.1 ms`: the start of its cell,
  /// the distance from now, and the event.
  private func cursorLine(_ cursor: Int64) -> TextLine {
    let number = Self.cellNumber(at: cursor, cellDuration: cellDuration)
    var line = TextLine()
    let begin = number.multipliedReportingOverflow(by: cellDuration)
    guard !begin.overflow else { return line }
    line.add(timeOfDay(begin.partialValue), .title)
    let cells = number - currentCell
    let distance = DurationText.text(.nanoseconds(cellDuration &* abs(cells)))
    if cells != 0 { line.add("  \(cells < 0 ? "−" : "+")\(distance)", .faint) }
    guard let row = frame.dashboard.selectedRow else { return line }
    let range = begin.partialValue..<(begin.partialValue &+ cellDuration)
    line.add("   \(row.label) ", .selectedName)
    line.add(event(of: row, in: range))
    return line
  }

  private func event(of row: BoardTimer, in range: Range<Int64>) -> String {
    let fires = row.recentActivity.fires.elements.filter { range.contains($0.at.nanoseconds) }
    if fires.count > 1 { return "fired \(fires.count) times" }
    if let fire = fires.first {
      let late = fire.lateness.map { ", late \(TimeText.lateness($0))" } ?? ", manual"
      return "fired \(timeOfDay(fire.at.nanoseconds))\(late)"
    }
    if let due = row.due?.nanoseconds, range.contains(due) { return "fires \(timeOfDay(due))" }
    let content = Lane(
      of: row, first: range.lowerBound / cellDuration, count: 1, cellDuration: cellDuration
    ).contents.first
    switch content {
    case .running?: return "runs"
    case .future?: return "fires"
    case .dense?: return "fires \(row.rateText)"
    case .missed?: return "missed"
    case .phase(let index)?:
      if case .cycle(let cycle) = row.status, cycle.configuration.phases.indices.contains(index) {
        return cycle.configuration.phases[index].name
      }
      return "runs"
    case .fired?, .late?: return "fired"
    case .none?, nil: return "not running"
    }
  }

  private func timeOfDay(_ nanoseconds: Int64) -> String {
    let distance =
      Duration.nanoseconds(nanoseconds) - .nanoseconds(frame.now.suspending.nanoseconds)
    return frame.timeOfDay(at: frame.now.suspending.advanced(by: distance), showsSeconds: true)
  }
}

extension BoardTimer {
  /// The number of fires in a second, a minute or an hour: `60/min`.
  var rateText: String {
    let seconds = Double((period ?? .seconds(1)).clampedNanoseconds) / 1_000_000_000
    let (unit, name) =
      seconds < 0.2 ? (1.0, "s") : seconds <= 60 ? (60.0, "min") : (3600.0, "h")
    return "\(Int((unit / max(seconds, 0.000_001)).rounded()))/\(name)"
  }
}
