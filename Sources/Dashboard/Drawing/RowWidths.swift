import TerminalCore
import TimerBoard

/// The widths of the texts in a row, in cells. They depend on the timer but not on the time, so that columns do not move
/// as time passes.
struct RowWidths: Hashable, Sendable {
  var label = 0
  var plan = 0
  var time = 0
  var iterations = 0
  var remarks = 0

  private static let limit = 40
  /// The width reserved for the result of a command, so that no column moves when it ends.
  private static let resultWidth = 24

  init() {}

  init(of timer: BoardTimer, _ displaySteps: DisplaySteps) {
    label = min(Self.limit, timer.label.cellWidth)
    plan = min(Self.limit, timer.planWidth)
    iterations = timer.machine.iterations.leftText(endless: "inf").utf8.count
    remarks = min(Self.limit, max(timer.remarkWidth, timer.hasCommand ? Self.resultWidth : 0))
    // The time shown is at most one unit more than the time left.
    time = displaySteps.text(displaySteps.units(in: timer.longestTime) + 1).utf8.count
  }

  /// Creates the widths of the timers of another process, which do not depend on those of the page.
  init(ofProcessIn width: Int) {
    (label, time, iterations) = (width >= 140 ? 24 : 16, 6, 5)
  }

  mutating func widen(to other: RowWidths) {
    label = max(label, other.label)
    plan = max(plan, other.plan)
    time = max(time, other.time)
    iterations = max(iterations, other.iterations)
    remarks = max(remarks, other.remarks)
  }
}

/// The widths of each row, and the largest of all rows.
struct RowMetrics: Sendable {
  private(set) var widest = RowWidths()
  /// The revision of the timers that were measured.
  private(set) var revision = 0
  private var rows: [TimerID: RowWidths] = [:]

  /// Measures the rows that have changed, and forgets those that were removed.
  mutating func update(
    with changed: some Sequence<TimerID>, in timers: TimerList, _ displaySteps: DisplaySteps
  ) {
    revision = timers.revision
    var isChanged = false
    for id in changed {
      let widths = timers[id].map { RowWidths(of: $0, displaySteps) }
      isChanged = isChanged || rows[id] != widths
      rows[id] = widths
    }
    if rows.count > timers.count {
      rows = rows.filter { timers.position(of: $0.key) != nil }
      isChanged = true
    }
    if isChanged { widest = rows.values.reduce(into: RowWidths()) { $0.widen(to: $1) } }
  }

  /// Measures all rows.
  mutating func measure(_ timers: TimerList, _ displaySteps: DisplaySteps) {
    rows = [:]
    update(with: timers.all.map(\.id), in: timers, displaySteps)
  }
}
