import TimerKit

/// How many cells the rows' texts take, for columns that do not jump: kept up by each change, and
/// the same for as long as no timer changes, whatever the time.
struct RowWidths: Hashable, Sendable {
  private(set) var label = WidthTally()
  private(set) var kind = WidthTally()
  private(set) var time = WidthTally()
  private(set) var iterations = WidthTally()
  private(set) var note = WidthTally()

  mutating func tally(_ row: Row, grid: DisplayGrid, by amount: Int) {
    label.add(row.labelWidth, by: amount)
    kind.add(row.kindWidth, by: amount)
    note.add(row.noteWidth, by: amount)
    // Until it fires it shows at most a unit more than it had left.
    let units = grid.units(in: row.longestShown) + 1
    time.add(TimeText.clockWidth(units, showsTenths: grid.showsTenths), by: amount)
    let iterationsWidth =
      row.iterations.map { TimeText.digits(in: $0.left) + 4 + TimeText.digits(in: $0.of) } ?? 1
    iterations.add(iterationsWidth, by: amount)
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
