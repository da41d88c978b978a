/// The deadlines of a repeating timer: the grid of an interval, or the occurrences of a schedule.
@usableFromInline
enum Recurrence: Hashable, Sendable {
  case interval(Int64)
  /// Occurrences up to `firedUpTo` do not fire again, even if the clock has been set back to an earlier time.
  ///
  /// Indirect, so that it does not increase the size of timers with an interval, which most timers are.
  indirect case schedule(WallSchedule, firedUpTo: Int64)

  /// The interval; 0 for a schedule.
  var interval: Int64 {
    if case .interval(let interval) = self { interval } else { 0 }
  }

  /// The shortest time between two deadlines.
  var shortestPeriod: Int64 { schedule?.shortestPeriod ?? interval }

  /// True if it is a schedule. Reading ``schedule`` for that would copy the schedule.
  var isSchedule: Bool { if case .schedule = self { true } else { false } }

  var schedule: WallSchedule? {
    if case .schedule(let schedule, _) = self { schedule } else { nil }
  }

  /// True for a schedule with one occurrence.
  var occursOnce: Bool { schedule?.occursOnce ?? false }

  /// Returns the first deadline of a timer that starts or resumes at `now`; `nil` if the schedule has no further
  /// occurrence.
  /// - Parameter timeLeft: the time left of the interval, negative if it was due before; a schedule does not use
  ///   it.
  func first(from now: Int64, timeLeft: Int64) -> Int64? {
    guard case .schedule(let schedule, let firedUpTo) = self else {
      return now.addingSaturated(timeLeft)
    }
    return schedule.next(after: max(now, firedUpTo))
  }

  /// Returns the deadline after `due`, whether or not it has passed; `Int64.max` if there is none.
  func next(after due: Int64) -> Int64 {
    switch self {
    case .interval(let interval): due.addingSaturated(interval)
    case .schedule(let schedule, _): schedule.next(after: due) ?? .max
    }
  }

  /// Returns the deadline that comes `count` deadlines after `due`; `nil` if it is after `limit`.
  /// - Complexity: O(1) for an interval; for a schedule, O(n) in the number of days until then.
  func deadline(_ count: Int, after due: Int64, by limit: Int64) -> Int64? {
    switch self {
    case .interval(let interval):
      let (distance, overflow) = interval.multipliedReportingOverflow(by: Int64(count))
      let deadline = due.addingSaturated(overflow ? .max : distance)
      return deadline <= limit ? deadline : nil
    case .schedule(let schedule, _):
      return schedule.occurrence(count, after: due, by: limit)
    }
  }

  /// Records that the occurrences before `deadline` do not fire again.
  mutating func recordFired(before deadline: Int64) {
    if case .schedule(let schedule, let firedUpTo) = self {
      self = .schedule(schedule, firedUpTo: max(firedUpTo, deadline.subtractingSaturated(1)))
    }
  }

  /// Advances past the deadlines up to `now`: the occurrences of a schedule up to then do not fire again.
  /// - Returns: the number of deadlines after `due` that have passed, and the next deadline; `Int64.max` if there
  ///   is none.
  mutating func advancePastDeadlines(since due: Int64, at now: Int64) -> (
    count: Int, next: Int64
  ) {
    switch self {
    case .interval(0):  // A one-shot timer that is due at once.
      return (0, due)
    case .interval(let interval):
      let missed = now.subtractingSaturated(due) / interval
      return (Int(missed), due.addingSaturated((missed * interval).addingSaturated(interval)))
    case .schedule(let schedule, _):
      self = .schedule(schedule, firedUpTo: now)
      return schedule.occurrencesPassed(since: due, at: now)
    }
  }

  /// Allows occurrences that have fired to fire again.
  mutating func resetFiredOccurrences() {
    if case .schedule(let schedule, _) = self { self = .schedule(schedule, firedUpTo: .min) }
  }
}
