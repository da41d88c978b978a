import TimerKit

/// The board's rows in their order, with the sums that every frame needs: kept up by each change,
/// never counted anew.
struct RowList: Hashable {
  private(set) var rows: [Row] = []
  private var positions: [TimerID: Int] = [:]
  /// Beside the rows, so that finding the next one to ring reads little memory.
  private var dues: [TimelineInstant] = []
  private var phaseCounts: [Repeater.Phase: Int] = [:]

  var count: Int { rows.count }
  var isEmpty: Bool { rows.isEmpty }

  subscript(index: Int) -> Row { rows[index] }

  func count(of phase: Repeater.Phase) -> Int { phaseCounts[phase, default: 0] }

  func position(of id: TimerID) -> Int? { positions[id] }

  /// The row that rings next, if any runs.
  var next: Row? {
    guard let index = dues.indices.min(by: { dues[$0] < dues[$1] }) else { return nil }
    return dues[index] == .distantFuture ? nil : rows[index]
  }

  mutating func insert(_ row: Row, at index: Int) {
    let index = min(max(0, index), rows.count)
    rows.insert(row, at: index)
    dues.insert(row.due ?? .distantFuture, at: index)
    tally(row, by: 1)
    number(from: index)
  }

  @discardableResult
  mutating func remove(at index: Int) -> Row {
    let row = rows.remove(at: index)
    dues.remove(at: index)
    positions[row.id] = nil
    tally(row, by: -1)
    number(from: index)
    return row
  }

  mutating func change(at index: Int, _ change: (inout Row) -> Void) {
    tally(rows[index], by: -1)
    change(&rows[index])
    dues[index] = rows[index].due ?? .distantFuture
    tally(rows[index], by: 1)
  }

  private mutating func tally(_ row: Row, by amount: Int) {
    phaseCounts[row.snapshot.phase, default: 0] += amount
  }

  private mutating func number(from index: Int) {
    for index in index..<rows.count { positions[rows[index].id] = index }
  }
}
