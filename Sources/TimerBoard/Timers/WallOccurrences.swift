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

extension Repeater.Snapshot {
  /// Returns the offset of local time from UTC at the deadline, which can differ from the current one because
  /// of daylight saving time.
  package func secondsFromUTC(at deadline: WallInstant, now: ClockReading) -> Int {
    guard let schedule = configuration.schedule else { return now.secondsFromUTC }
    let day = 86_400
    let due = deadline.nanosecondsSince1970 / 1_000_000_000 + Int64(now.secondsFromUTC)
    // The time of day that is nearest to the one with the current offset, unless it is that of another time zone.
    let ahead = (schedule.timeZone == nil ? schedule.seconds : []).map {
      ((Int($0) - Int(due % Int64(day))) % day + day + day / 2) % day - day / 2
    }
    return now.secondsFromUTC + (ahead.min { abs($0) < abs($1) } ?? 0)
  }
}
