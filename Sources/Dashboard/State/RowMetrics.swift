import TerminalCore
import TimerBoard
import TimerKit

/// The widths of the texts in a row, in cells. They depend on the timer but not on the time, so that columns do not move
/// as time passes.
struct RowWidths: Hashable, Sendable {
  var label = 0
  var plan = 0
  var time = 0
  var remarks = 0

  private static let limit = 40
  /// The width reserved for the result of a command, so that no column moves when it ends.
  private static let resultWidth = 24

  init() {}

  init(of timer: BoardTimer, _ displaySteps: DisplaySteps) {
    label = min(Self.limit, timer.label.cellWidth)
    plan = min(Self.limit, timer.planWidth)
    remarks = min(Self.limit, max(timer.remarkWidth, timer.hasCommand ? Self.resultWidth : 0))
    // The time shown is at most one unit more than the time left.
    time = TimeText.clockWidth(
      displaySteps.units(in: timer.longestTime) + 1, showsTenths: displaySteps.showsTenths)
  }

  mutating func widen(to other: RowWidths) {
    label = max(label, other.label)
    plan = max(plan, other.plan)
    time = max(time, other.time)
    remarks = max(remarks, other.remarks)
  }
}

/// The widths of each row, and the largest of all rows.
struct RowMetrics: Sendable {
  private(set) var widest = RowWidths()
  private var rows: [TimerID: RowWidths] = [:]

  /// Measures the rows that have changed, or were added or removed; all of them for `nil`.
  mutating func update(
    with changes: Set<TimerID>?, in timers: TimerList, _ displaySteps: DisplaySteps
  ) {
    guard let changes else { return measure(timers, displaySteps) }
    var isChanged = false
    for id in changes {
      let new = timers[id].map { RowWidths(of: $0, displaySteps) }
      isChanged = isChanged || rows[id] != new
      rows[id] = new
    }
    if isChanged { findWidest() }
  }

  /// Measures all rows.
  mutating func measure(_ timers: TimerList, _ displaySteps: DisplaySteps) {
    rows = [:]
    for timer in timers.all { rows[timer.id] = RowWidths(of: timer, displaySteps) }
    findWidest()
  }

  private mutating func findWidest() {
    widest = RowWidths()
    for widths in rows.values { widest.widen(to: widths) }
  }
}
