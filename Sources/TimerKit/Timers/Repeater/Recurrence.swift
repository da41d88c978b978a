/// The deadlines of a repeating timer: the grid of an interval, or the occurrences of a schedule.
@usableFromInline
enum Recurrence: Sendable {
  case interval(Int64)
  /// Occurrences up to `past` do not count any more, even when the clock has been set back behind it.
  /// (Indirect, so that timers with an interval, which most are, do not grow by it.)
  indirect case schedule(WallSchedule, past: Int64)

  /// 0 for a schedule, which has none.
  var interval: Int64 {
    if case .interval(let interval) = self { interval } else { 0 }
  }

  /// The shortest time between two deadlines.
  var shortestPeriod: Int64 {
    switch self {
    case .interval(let interval): interval
    // The shortest day there is: its clocks are set forward by an hour.
    case .schedule: 23 * 3_600_000_000_000
    }
  }

  var schedule: WallSchedule? {
    if case .schedule(let schedule, _) = self { schedule } else { nil }
  }

  /// The first deadline of a run that begins now, with that much time left of an interval; `nil` if a
  /// schedule has no occurrence to come.
  func first(from now: Int64, timeLeft: Int64) -> Int64? {
    guard case .schedule(let schedule, let past) = self else {
      return now.addingSaturated(timeLeft)
    }
    return schedule.next(after: max(now, past), on: .current())
  }

  /// The deadline after `due`, as if nothing were late. The farthest instant if there is none.
  func next(after due: Int64) -> Int64 {
    switch self {
    case .interval(let interval): due.addingSaturated(interval)
    case .schedule(let schedule, _): schedule.next(after: due, on: .current()) ?? .max
    }
  }

  /// The number of deadlines after `due` that have passed, and the next one.
  mutating func passed(since due: Int64, at now: Int64) -> (count: Int, next: Int64) {
    switch self {
    case .interval(0):  // A one-shot timer that is due at once.
      return (0, due)
    case .interval(let interval):
      let missed = now.subtractingSaturated(due) / interval
      return (Int(missed), due.addingSaturated((missed * interval).addingSaturated(interval)))
    case .schedule(let schedule, _):
      self = .schedule(schedule, past: now)
      return schedule.passed(since: due, at: now)
    }
  }

  /// Lets occurrences that are past count again.
  mutating func resetHistory() {
    if case .schedule(let schedule, _) = self { self = .schedule(schedule, past: .min) }
  }
}
