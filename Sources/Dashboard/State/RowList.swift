import TimerKit

/// The board's rows in their order, with the sums that every frame needs: kept up by each change,
/// never counted anew.
struct RowList: Hashable, Sendable {
  private(set) var rows: [Row] = []
  /// Counts the changes of rows and their order.
  var revision = 0
  private(set) var widths = RowWidths()
  private var positions: [TimerID: Int] = [:]
  /// Beside the rows, so that finding the next one to ring reads little memory.
  private var dues: [Int64] = []
  private var phaseCounts = [Int](repeating: 0, count: TimerState.shown.count)
  private var grid: DisplayGrid

  init(grid: DisplayGrid) {
    self.grid = grid
  }

  var count: Int { rows.count }
  var isEmpty: Bool { rows.isEmpty }

  subscript(index: Int) -> Row { rows[index] }

  func count(of phase: TimerState) -> Int { phaseCounts[phase.number] }

  func position(of id: TimerID) -> Int? { positions[id] }

  func firstPosition(named name: String) -> Int? { rows.firstIndex { $0.name == name } }

  /// The row that rings next, if any runs.
  var next: Row? {
    var first = Int64.max
    var position: Int?
    for (index, due) in dues.enumerated() where due < first {
      first = due
      position = index
    }
    return position.map { rows[$0] }
  }

  mutating func insert(_ row: Row, at index: Int) {
    revision += 1
    let index = min(max(0, index), rows.count)
    rows.insert(row, at: index)
    dues.insert(row.due?.nanoseconds ?? .max, at: index)
    tally(index, by: 1)
    number(index..<rows.count)
  }

  @discardableResult
  mutating func remove(at index: Int) -> Row {
    revision += 1
    tally(index, by: -1)
    dues.remove(at: index)
    let row = rows.remove(at: index)
    positions[row.id] = nil
    number(index..<rows.count)
    return row
  }

  mutating func move(from: Int, to: Int) {
    revision += 1
    rows.insert(rows.remove(at: from), at: to)
    dues.insert(dues.remove(at: from), at: to)
    number(min(from, to)..<(max(from, to) + 1))
  }

  mutating func change(at index: Int, _ change: (inout Row) -> Void) {
    revision += 1
    tally(index, by: -1)
    change(&rows[index])
    dues[index] = rows[index].due?.nanoseconds ?? .max
    tally(index, by: 1)
  }

  /// Counts anew how wide times are on another grid.
  mutating func use(_ grid: DisplayGrid) {
    self.grid = grid
    widths = RowWidths()
    for row in rows { widths.tally(row, grid: grid, by: 1) }
  }

  /// Reckons anew when those fire that keep to another clock than the suspending one.
  mutating func placeByClocks(at now: Moment) {
    for index in rows.indices where rows[index].status.clock != .suspending {
      change(at: index) { $0.mirror($0.status, at: now) }
    }
  }

  mutating func acknowledgeCalls() {
    for index in rows.indices where rows[index].callsForAttention {
      rows[index].callsForAttention = false
      rows[index].isRinging = false
    }
  }

  private mutating func tally(_ index: Int, by amount: Int) {
    phaseCounts[rows[index].status.phase.number] += amount
    widths.tally(rows[index], grid: grid, by: amount)
  }

  private mutating func number(_ range: Range<Int>) {
    for index in range { positions[rows[index].id] = index }
  }
}

extension TimerState {
  /// In the order in which the header counts them.
  static let shown: [TimerState] = [.running, .paused, .idle, .finished, .cancelled]

  fileprivate var number: Int {
    switch self {
    case .running: 0
    case .paused: 1
    case .idle: 2
    case .finished: 3
    case .cancelled: 4
    // The state of a row is never that.
    case .executing: 0
    }
  }
}
