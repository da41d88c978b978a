import TerminalCore
import TimerKit

@testable import Dashboard

extension Dashboard {
  /// Where what it keeps is not what it would reckon anew.
  var disagreement: String? {
    if selected < 0 || selected >= max(1, rows.count) { return "row \(selected) is selected" }
    if top < 0 || top >= max(1, rows.count) { return "row \(top) is the first" }
    var counted = RowList(grid: DisplayGrid(showsTenths: grid.showsTenths))
    for row in rows.rows { counted.insert(row, at: counted.count) }
    // As often as they were changed is no sum.
    counted.revision = rows.revision
    if counted != rows { return "the sums are not those of the rows" }
    // What is due at the end of time is never next.
    let next = rows.rows.compactMap(\.due).filter { $0.nanoseconds < .max }.min()
    return rows.next?.due == next ? nil : "\(String(describing: rows.next?.due)) is not next"
  }
}

extension Canvas {
  var isASCII: Bool {
    cells.allSatisfy { $0.base.map { $0.isASCII && $0.value >= 0x20 } ?? false }
  }
}
