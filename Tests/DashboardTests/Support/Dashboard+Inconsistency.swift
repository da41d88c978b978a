import TerminalCore
import TimerKit

@testable import Dashboard
@testable import TimerBoard

extension Dashboard {
  /// A difference between cached values and newly computed ones, or `nil`.
  var inconsistency: String? {
    if selected < 0 || selected >= max(1, rows.count) { return "row \(selected) is selected" }
    if top < 0 || top >= max(1, rows.count) { return "row \(top) is the first" }
    var counted = TimerList()
    for row in rows.all { counted.append(row) }
    guard counted.hasSameCounts(as: rows) else { return "the counts differ from the rows" }
    var metrics = RowMetrics()
    metrics.measure(rows, displaySteps)
    guard metrics.widest == rowWidths else { return "the widths differ from the rows" }
    // A timer that is due at the end of time is never the next.
    let timed = rows.all.filter { $0.machine.wakeUp != nil && $0.machine.deadline != nil }
    let awaited = timed.filter { !$0.isBackground }
    let next = (awaited.isEmpty ? timed : awaited).compactMap { $0.due(at: now) }.min()
    let found = rows.next(at: now)?.due(at: now)
    return found == next ? nil : "\(String(describing: found)) is not next"
  }
}

extension TimerList {
  fileprivate func hasSameCounts(as other: TimerList) -> Bool {
    all == other.all && TimerState.displayOrder.allSatisfy { count(of: $0) == other.count(of: $0) }
      && all.indices.allSatisfy { other.position(of: all[$0].id) == $0 }
  }
}

extension Canvas {
  var isASCII: Bool {
    cells.allSatisfy { $0.base.map { $0.isASCII && $0.value >= 0x20 } ?? false }
  }
}
