/// The fires of a timer since it was added, including those of earlier live timers and processes.
package struct FireCounts: Hashable, Sendable {
  package var delivered = 0
  package var missed = 0
  package var stale = 0

  package init() {}

  init(_ status: TimerStatus) {
    delivered = status.deliveredCount
    missed = status.missedCount ?? 0
    stale = status.staleCount
  }

  /// Creates counts from the numbers in a file.
  init(delivered: Int?, missed: Int?) {
    self.delivered = min(max(0, delivered ?? 0), Self.limit)
    self.missed = min(max(0, missed ?? 0), Self.limit)
  }

  /// The largest number in a file, so that sums do not overflow.
  private static let limit = Int.max / 4

  static func + (left: FireCounts, right: FireCounts) -> FireCounts {
    var sum = left
    sum.delivered += right.delivered
    sum.missed += right.missed
    sum.stale += right.stale
    return sum
  }
}
