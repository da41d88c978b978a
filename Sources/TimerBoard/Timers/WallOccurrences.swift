package import TimerKit

/// The period until the next occurrence, for a timer that follows the time of day.
package struct WallOccurrences: Hashable, Sendable {
  /// The maximum number of future occurrences that are computed: two months of a daily timer.
  private static let occurrenceLimit = 64

  /// The due instant, and the instant at which the period began.
  package let deadline: WallInstant
  private let start: WallInstant
  /// The times from the deadline to the occurrences after it, in order.
  package let offsetsOfLaterOccurrences: [Duration]

  init(_ schedule: WallSchedule, until deadline: WallInstant, left: Int?, at now: ClockReading) {
    self.deadline = deadline
    start = min(now.wall, deadline)
    var later: [Duration] = []
    var last = deadline
    while later.count < min(Self.occurrenceLimit, (left ?? .max) - 1), schedule.date == nil,
      let next = schedule.next(after: last)
    {
      later.append(deadline.duration(to: next))
      last = next
    }
    offsetsOfLaterOccurrences = later
  }

  /// The length of the period.
  package var length: Duration { start.duration(to: deadline) }
}
