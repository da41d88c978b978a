/// What the deadlines of a repeating timer keep to: the grid of an interval, or a schedule.
@usableFromInline
enum Recurrence: Sendable {
  case interval(Int64)
  /// No occurrence up to `past` is one any more, even when the clock has been set back behind it.
  /// (Boxed, so that timers with an interval, the most, are none the larger for it.)
  indirect case schedule(WallSchedule, past: Int64)

  /// 0 for a schedule, which has none.
  var interval: Int64 {
    if case .interval(let interval) = self { interval } else { 0 }
  }

  var schedule: WallSchedule? {
    if case .schedule(let schedule, _) = self { schedule } else { nil }
  }

  /// The first deadline of what begins now, with that much time left of an interval.
  func first(from now: Int64, timeLeft: Int64) throws(TimerError) -> Int64 {
    guard case .schedule(let schedule, let past) = self else {
      return now.addingSaturated(timeLeft)
    }
    guard let next = schedule.next(after: max(now, past), on: .current()) else {
      throw .noOccurrence
    }
    return next
  }

  /// The deadline after `due`, as if nothing were late. The farthest instant if there is none.
  func next(after due: Int64) -> Int64 {
    switch self {
    case .interval(let interval): due.addingSaturated(interval)
    case .schedule(let schedule, _): schedule.next(after: due, on: .current()) ?? .max
    }
  }

  /// How many deadlines went by after `due`, and the next one.
  mutating func passed(since due: Int64, at now: Int64) -> (count: Int, next: Int64) {
    switch self {
    case .interval(let interval):
      let missed = now.subtractingSaturated(due) / interval
      return (Int(missed), due.addingSaturated((missed * interval).addingSaturated(interval)))
    case .schedule(let schedule, _):
      self = .schedule(schedule, past: now)
      return schedule.passed(since: due, at: now)
    }
  }

  /// What is past has not been after all.
  mutating func cancelPending() {
    if case .schedule(let schedule, _) = self { self = .schedule(schedule, past: .min) }
  }
}
