import TerminalCore
import TimerBoard
import TimerKit

/// The selected timer on one line, for a screen that is too narrow for a table: its time, and its name and
/// state if they fit. The choice depends on the widest text of its time, so that it does not change as time
/// passes.
struct SingleRow {
  private let row: BoardTimer
  private let hasTime: Bool
  private let hasSymbol: Bool
  private let nameWidth: Int

  init?(_ frame: Frame) {
    guard !frame.visible.isEmpty, let row = frame.dashboard.selectedRow else { return nil }
    self.row = row
    let width = frame.dashboard.size.width
    let displaySteps = frame.dashboard.displaySteps
    let widestTime = TimeText.clockWidth(
      displaySteps.largestShownTime(of: row, from: frame.stepStart),
      showsTenths: displaySteps.showsTenths)
    hasTime = displaySteps.shownTime(of: row, from: frame.stepStart) != nil && widestTime <= width
    let room = hasTime ? width - widestTime - 1 : width
    // A name needs three cells to differ from another.
    hasSymbol = room >= 5 || (!hasTime && room < 3)
    nameWidth = room >= 5 ? room - 2 : room >= 3 ? room : 0
  }

  func draw(on canvas: inout Canvas, _ frame: Frame) {
    let y = frame.layout.body.y
    let state = row.displayedState
    let style = frame.theme[frame.showsAlert(of: row) ? .alert : state]
    if hasSymbol {
      canvas.write(frame.symbols.symbol(of: row, in: state), x: 0, y: y, style: style)
    }
    canvas.write(
      row.label.truncated(to: nameWidth), x: hasSymbol ? 2 : 0, y: y, style: style,
      limit: nameWidth)
    if hasTime, let time = frame.dashboard.timeText(of: row, at: frame.now) {
      canvas.write(time, x: canvas.size.width - time.utf8.count, y: y, style: style)
    }
  }
}
