import TimerKit

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
  init(delivered: Int, missed: Int) {
    self.delivered = max(0, delivered)
    self.missed = max(0, missed)
  }

  static func + (left: FireCounts, right: FireCounts) -> FireCounts {
    var sum = left
    sum.delivered = left.delivered.addingSaturated(right.delivered)
    sum.missed = left.missed.addingSaturated(right.missed)
    sum.stale = left.stale.addingSaturated(right.stale)
    return sum
  }
}
