import TerminalCore
import TimerBoard
import TimerKit

/// The lanes of timers on a common scale: those of the timeline, and those of the pane of what is next. A cell is a fixed
/// stretch of time, counted from the start of the suspending clock, so that all lanes move by whole cells.
struct LaneStrip {
  let frame: Frame
  /// The duration of a cell in nanoseconds.
  let cellDuration: Int64
  /// The first column of the lanes.
  let x: Int
  let width: Int
  /// The column of now within the lanes, which can be outside of them.
  let nowColumn: Int
  /// The present: that of the frame, or the start of its display step.
  let now: TimerClock.Instant
  /// The number of the cell of now.
  let currentCell: Int64

  init(
    _ frame: Frame, at now: TimerClock.Instant, x: Int, width: Int, cellDuration: Int64,
    nowColumn: Int
  ) {
    (self.frame, self.now) = (frame, now)
    self.x = x
    self.width = max(1, width)
    self.cellDuration = cellDuration
    self.nowColumn = nowColumn
    currentCell = Self.cellNumber(at: now.nanoseconds, cellDuration: cellDuration)
  }

  /// Returns the number of the cell that contains an instant, counted from the start of the suspending clock.
  static func cellNumber(at nanoseconds: Int64, cellDuration: Int64) -> Int64 {
    nanoseconds / cellDuration - (nanoseconds % cellDuration < 0 ? 1 : 0)
  }

  /// Returns the instant at which a cell begins, in nanoseconds of the suspending clock; `nil` if it is too far away.
  func start(ofCell number: Int64) -> Int64? {
    let (nanoseconds, overflow) = number.multipliedReportingOverflow(by: cellDuration)
    return overflow ? nil : nanoseconds
  }

  /// The number of the first cell.
  var firstCell: Int64 { currentCell - Int64(nowColumn) }

  /// Returns the column of an instant, which can be outside of the lanes.
  func column(of instant: Int64) -> Int {
    let cell = Self.cellNumber(at: instant, cellDuration: cellDuration)
    return Int(cell.subtractingReportingOverflow(firstCell).partialValue)
  }

  /// Returns the lane of a row. What is after now is empty for a stopwatch.
  func lane(of events: Row.Events) -> Lane {
    var lane = Lane(
      of: events, from: start(ofCell: firstCell) ?? .min, count: width, cellDuration: cellDuration)
    lane.keepMarks(at: nowColumn, andRunsAfter: !events.countsUp)
    return lane
  }
}
