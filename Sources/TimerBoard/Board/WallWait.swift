package import TimerKit

/// The wait of a timer that follows the time of day for what it is due at next.
package struct WallWait: Hashable, Sendable {
  /// The number of occurrences ahead that are computed: two months of mornings.
  private static let foresight = 64

  /// When it is due, and when it began to wait for that, both in the time of day.
  package let deadline: WallInstant
  private let begin: WallInstant
  /// How much later than that one those after it come, the first of them first.
  package let later: [Duration]

  init(_ schedule: WallSchedule, until deadline: WallInstant, left: Int?, at now: ClockReading) {
    self.deadline = deadline
    begin = min(now.wall, deadline)
    var later: [Duration] = []
    var last = deadline
    while later.count < min(Self.foresight, (left ?? .max) - 1), schedule.date == nil,
      let next = schedule.next(after: last)
    {
      later.append(deadline.duration(to: next))
      last = next
    }
    self.later = later
  }

  /// The whole time of the wait.
  package var period: Duration { begin.duration(to: deadline) }
}

extension Repeater.Snapshot {
  /// What clocks show when it is due, which need not be what they are ahead of UTC now: another
  /// clock time can begin before then.
  package func secondsFromUTC(at deadline: WallInstant, now: ClockReading) -> Int {
    guard let schedule = configuration.schedule else { return now.secondsFromUTC }
    let day = 86_400
    let due = deadline.nanosecondsSince1970 / 1_000_000_000 + Int64(now.secondsFromUTC)
    let shown = schedule.hour * 3600 + schedule.minute * 60 + schedule.second
    let ahead = ((shown - Int(due % Int64(day))) % day + day) % day
    return now.secondsFromUTC + (ahead > day / 2 ? ahead - day : ahead)
  }
}
