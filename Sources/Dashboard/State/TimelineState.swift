import TimerKit

/// The zoom, the scroll offset and the cursor of the timeline.
struct TimelineState: Hashable, Sendable {
  /// The zoom levels: the seconds that ten cells represent.
  private static let levels: [Double] = [
    1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 864_000,
  ]
  private static let defaultLevel = 3
  private static let largestOffset = 100_000

  /// The zoom level; `nil` until it was fitted to the timers.
  private var level: Int?
  /// The number of cells by which now is right of its default column; negative if it is left of it.
  private(set) var offset = 0
  /// The instant of the cursor on the suspending clock, in nanoseconds; `nil` if there is none.
  var cursor: Int64?

  /// The duration of a cell in nanoseconds.
  var cellDuration: Int64 { Self.cellDuration(level ?? Self.defaultLevel) }
  var isFitted: Bool { level != nil }

  private static func cellDuration(_ level: Int) -> Int64 { Int64(levels[level] * 100_000_000) }

  /// Chooses the finest zoom level at which a duration fits into a number of cells, or the default one for `nil`, and
  /// scrolls to now.
  mutating func fit(_ duration: Duration?, into cells: Int) {
    let fitting = duration.flatMap { duration in
      Self.levels.indices.first {
        !Self.cellDuration($0).multipliedReportingOverflow(by: Int64(cells)).overflow
          && Self.cellDuration($0) * Int64(cells) >= duration.clampedNanoseconds
      }
    }
    level = duration == nil ? Self.defaultLevel : fitting ?? Self.levels.count - 1
    offset = 0
  }

  /// Changes the zoom level, while the default column of now keeps showing the same time; negative steps zoom in.
  mutating func zoom(by steps: Int) {
    let old = cellDuration
    level = min(max(0, (level ?? Self.defaultLevel) + steps), Self.levels.count - 1)
    scroll(to: Int(Double(offset) * Double(old) / Double(cellDuration)))
  }

  mutating func scroll(by cells: Int) {
    scroll(to: offset + cells)
  }

  mutating func scroll(to offset: Int) {
    self.offset = min(max(-Self.largestOffset, offset), Self.largestOffset)
  }

  /// Moves the cursor by cells, from now if there is none.
  mutating func moveCursor(by cells: Int, now: TimerClock.Instant) {
    let from = cursor ?? now.nanoseconds
    let (moved, overflow) = from.addingReportingOverflow(cellDuration * Int64(cells))
    if !overflow { cursor = moved }
  }
}
