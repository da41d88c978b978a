import TerminalCore
import TimerBoard
import TimerKit

/// The widths of the texts in the rows, in cells. They depend on the timers but not on the time, so that
/// columns do not move as time passes.
struct RowMetrics: Sendable {
  private(set) var label = WidthTally()
  private(set) var plan = WidthTally()
  private(set) var time = WidthTally()
  private(set) var remarks = WidthTally()
  private var rows: [Widths] = []
  private var displaySteps: DisplaySteps

  /// The width reserved for the result of a command, so that no column moves when it ends.
  private static let resultWidth = 24

  private struct Widths: Hashable {
    var label = 0
    var plan = 0
    var time = 0
    var remarks = 0
    /// The deadline and the label of the last update, to detect changes.
    var due: TimerClock.Instant?
    var labelText = ""
  }

  init(displaySteps: DisplaySteps) {
    self.displaySteps = displaySteps
  }

  /// Updates the widths from the changes of a list.
  /// - Returns: The deadlines that have changed.
  mutating func update(
    with changes: ChangeList, in timers: TimerList
  ) -> [TimerClock.Instant] {
    guard !changes.hasOverflowed else {
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
    // The positions are those after all changes, so all rows are inserted and moved first.
    var changedDeadlines: [TimerClock.Instant] = []
    for id in updated {
      if let index = timers.position(of: id) {
        update(index, from: timers[index], &changedDeadlines)
      }
    }
    return changedDeadlines
  }

  /// Sets the display steps and recounts all widths.
  mutating func use(_ displaySteps: DisplaySteps, for timers: TimerList) {
    self.displaySteps = displaySteps
    count(timers)
  }

  private mutating func count(_ timers: TimerList) {
    self = RowMetrics(displaySteps: displaySteps)
    for timer in timers.all {
      rows.append(widths(of: timer, previous: Widths()))
      tally(rows[rows.count - 1], by: 1)
    }
  }

  private mutating func update(
    _ index: Int, from timer: BoardTimer, _ changedDeadlines: inout [TimerClock.Instant]
  ) {
    let old = rows[index]
    let new = widths(of: timer, previous: old)
    guard new != old else { return }
    tally(old, by: -1)
    tally(new, by: 1)
    rows[index] = new
    if let due = new.due, due != old.due { changedDeadlines.append(due) }
  }

  private func widths(of timer: BoardTimer, previous old: Widths) -> Widths {
    var widths = old
    if timer.label != old.labelText {
      widths.labelText = timer.label
      widths.label = timer.label.cellWidth
    }
    widths.plan = timer.planWidth
    widths.remarks = max(
      timer.remarkWidth, timer.hasCommand ? Self.resultWidth : 0)
    // The time shown is at most one unit more than the time left.
    widths.time = TimeText.clockWidth(
      displaySteps.units(in: timer.longestTime) + 1, showsTenths: displaySteps.showsTenths)
    widths.due = timer.due
    return widths
  }

  private mutating func tally(_ widths: Widths, by amount: Int) {
    label.add(widths.label, by: amount)
    plan.add(widths.plan, by: amount)
    time.add(widths.time, by: amount)
    remarks.add(widths.remarks, by: amount)
  }
}

/// A count of widths, which gives the largest of all after each change.
struct WidthTally: Hashable, Sendable {
  private static let largest = 40
  private var counts = [Int](repeating: 0, count: largest + 1)

  mutating func add(_ width: Int, by amount: Int) {
    counts[min(max(0, width), Self.largest)] += amount
  }

  /// The largest width, up to 40 cells; 0 if there is none.
  var widest: Int { counts.lastIndex { $0 > 0 } ?? 0 }
}
