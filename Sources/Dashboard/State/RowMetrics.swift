import TerminalCore
import TimerBoard
import TimerKit

/// The widths of the rows' texts in cells, for columns that do not jump: updated with each change, and the
/// same for as long as no timer changes, whatever the time.
struct RowMetrics: Sendable {
  private(set) var label = WidthTally()
  private(set) var kind = WidthTally()
  private(set) var time = WidthTally()
  private(set) var iterations = WidthTally()
  private(set) var note = WidthTally()
  private var rows: [Widths] = []
  private var grid: DisplayGrid

  /// The cells kept for the end of a command, so that no column jumps.
  private static let resultWidth = 24

  private struct Widths: Hashable {
    var label = 0
    var kind = 0
    var time = 0
    var iterations = 0
    var note = 0
    var due: TimerClock.Instant?
    var labelText = ""
    var kindText = ""
  }

  init(grid: DisplayGrid) {
    self.grid = grid
  }

  /// Takes the changes of a list.
  /// - Returns: the deadlines that have moved.
  mutating func update(
    with changes: ChangeList, in timers: TimerList
  ) -> [TimerClock.Instant] {
    guard !changes.isOverflown else {
      count(timers)
      return timers.all.compactMap(\.due)
    }
    var updated: [TimerID] = []
    for change in changes.changes {
      switch change {
      case .inserted(let id, let index):
        rows.insert(Widths(), at: index)
        tally(rows[index], by: 1)
        updated.append(id)
      case .removed(let index): tally(rows.remove(at: index), by: -1)
      case .moved(let from, let to): rows.insert(rows.remove(at: from), at: to)
      case .updated(let id): updated.append(id)
      }
    }
    // Positions are those at the end, so that all rows must be in their places.
    var moved: [TimerClock.Instant] = []
    for id in updated {
      if let index = timers.position(of: id) { update(index, from: timers[index], &moved) }
    }
    return moved
  }

  /// Counts all widths anew, on another grid.
  mutating func use(_ grid: DisplayGrid, for timers: TimerList) {
    self.grid = grid
    count(timers)
  }

  private mutating func count(_ timers: TimerList) {
    self = RowMetrics(grid: grid)
    for timer in timers.all {
      rows.append(widths(of: timer, was: Widths()))
      tally(rows[rows.count - 1], by: 1)
    }
  }

  private mutating func update(
    _ index: Int, from timer: BoardTimer, _ moved: inout [TimerClock.Instant]
  ) {
    let old = rows[index]
    let new = widths(of: timer, was: old)
    guard new != old else { return }
    tally(old, by: -1)
    tally(new, by: 1)
    rows[index] = new
    if let due = new.due, due != old.due { moved.append(due) }
  }

  private func widths(of timer: BoardTimer, was old: Widths) -> Widths {
    var widths = old
    if timer.label != old.labelText || timer.kindText != old.kindText {
      widths.labelText = timer.label
      widths.kindText = timer.kindText
      widths.label = timer.label.cellWidth
      widths.kind = timer.kindText.cellWidth
    }
    widths.note = max(
      timer.note?.cellWidth ?? 0, timer.hasCommand ? Self.resultWidth : 0)
    // Until it fires it shows at most a unit more than it had left.
    widths.time = TimeText.clockWidth(
      grid.units(in: timer.longestTime) + 1, showsTenths: grid.showsTenths)
    widths.iterations =
      if case .counted(let left, let count) = timer.status.iterations {
        TimeText.digits(in: left) + 4 + TimeText.digits(in: count)
      } else {
        1
      }
    widths.due = timer.due
    return widths
  }

  private mutating func tally(_ widths: Widths, by amount: Int) {
    label.add(widths.label, by: amount)
    kind.add(widths.kind, by: amount)
    time.add(widths.time, by: amount)
    iterations.add(widths.iterations, by: amount)
    note.add(widths.note, by: amount)
  }
}

/// Counts widths, so that the widest is known after each one that comes or goes.
struct WidthTally: Hashable, Sendable {
  private static let largest = 40
  private var counts = [Int](repeating: 0, count: largest + 1)

  mutating func add(_ width: Int, by amount: Int) {
    counts[min(max(0, width), Self.largest)] += amount
  }

  /// The widest of all, counted up to 40 cells; 0 where there is nothing.
  var widest: Int { counts.lastIndex { $0 > 0 } ?? 0 }
}
