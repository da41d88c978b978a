/// The zoom and the scroll offset of the timeline.
struct TimelineScale: Hashable, Sendable {
  /// Seconds that ten cells are, from the closest look to the farthest.
  private static let tens: [Double] = [
    1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 864_000,
  ]
  private static let farthest = 100_000

  private var zoom = 3
  /// Cells by which now is right of the middle; below zero it is left of it.
  private(set) var offset = 0

  /// Nanoseconds.
  var cell: Int64 { Int64(Self.tens[zoom] * 100_000_000) }

  /// Looks closer by one step, or by so many; what is in the middle stays there.
  mutating func zoom(by steps: Int) {
    let old = cell
    zoom = min(max(0, zoom + steps), Self.tens.count - 1)
    scroll(to: Int(Double(offset) * Double(old) / Double(cell)))
  }

  mutating func scroll(by cells: Int) {
    scroll(to: offset + cells)
  }

  mutating func scroll(to offset: Int) {
    self.offset = min(max(-Self.farthest, offset), Self.farthest)
  }
}
