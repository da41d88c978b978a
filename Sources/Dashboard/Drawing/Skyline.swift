/// The fires of all lanes together, as bars. Fires that are too close to be distinguished are its base.
struct Skyline {
  /// The number of fires in each column, 0 for the base, `nil` without any.
  private var counts: [Double?]

  init(width: Int) { counts = Array(repeating: nil, count: max(0, width)) }

  mutating func add(_ lane: Lane) {
    for (column, content) in lane.contents.prefix(counts.count).enumerated() {
      switch content {
      case .fired, .late, .missed, .future: counts[column] = (counts[column] ?? 0) + 1
      case .dense: counts[column] = counts[column] ?? 0
      case .phase:
        // A phase begins.
        if column > 0, case .phase = lane.contents[column - 1],
          lane.contents[column - 1] != content
        {
          counts[column] = (counts[column] ?? 0) + 1
        }
      case .none, .running: break
      }
    }
  }

  /// Returns the height of the bar in a column; `nil` without a fire.
  func level(at column: Int, of count: Int) -> Int? {
    guard let value = counts[column], count > 1 else { return nil }
    let most = max(3, counts.lazy.compactMap(\.self).max() ?? 0)
    let height = value / most * Double(count - 1)
    return min(count - 1, max(value > 0 ? 1 : 0, Int(height.rounded())))
  }
}
