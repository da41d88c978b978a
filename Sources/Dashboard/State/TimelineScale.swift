/// The zoom and the scroll offset of the timeline.
struct TimelineScale: Hashable, Sendable {
  /// The zoom levels: the seconds that ten cells represent.
  private static let levels: [Double] = [
    1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 864_000,
  ]
  private static let largestOffset = 100_000

  private var zoom = 3
  /// The number of cells by which now is right of the middle; negative if it is left.
  private(set) var offset = 0

  /// The duration of a cell in nanoseconds.
  var cell: Int64 { Int64(Self.levels[zoom] * 100_000_000) }

  /// Changes the zoom level and keeps the time in the middle of the screen; negative steps zoom in.
  mutating func zoom(by steps: Int) {
    let old = cell
    zoom = min(max(0, zoom + steps), Self.levels.count - 1)
    scroll(to: Int(Double(offset) * Double(old) / Double(cell)))
  }

  mutating func scroll(by cells: Int) {
    scroll(to: offset + cells)
  }

  mutating func scroll(to offset: Int) {
    self.offset = min(max(-Self.largestOffset, offset), Self.largestOffset)
  }
}
