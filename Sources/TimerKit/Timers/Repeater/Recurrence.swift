/// The deadlines of a repeating timer: the grid of an interval, or the occurrences of a schedule.
@usableFromInline
enum Recurrence: Hashable, Sendable {
  case interval(Int64)
  /// Indirect, so that it does not increase the size of timers with an interval, which most timers are.
  indirect case schedule(WallSchedule, Progress)

  /// The progress of a timer along its schedule.
  @usableFromInline
  struct Progress: Sendable, Hashable {
    /// Occurrences up to then do not fire again, even if the clock has been set back to an earlier time.
    fileprivate(set) var firedUpTo = Int64.min
    /// The number of occurrences that are merged into the one that a pause has kept, because it was due and not
    /// delivered; `nil` if there is none. From then on, the timer waits for it as for the end of an interval.
    fileprivate(set) var keptMissedCount: Int?

    /// Returns the number of occurrences that a tick merges, which would be delivered at `now`.
    /// - Parameter begin: the time after which they count.
    func missedCount(of schedule: WallSchedule, since begin: Int64, at now: Int64) -> Int {
      schedule.occurrencesPassed(since: begin, at: now).count.addingSaturated(keptMissedCount ?? 0)
    }
  }

  /// The deadlines that have passed when an alarm fires.
  struct PassedDeadlines {
    /// The number of deadlines after the one of the alarm that have passed.
    var count: Int
    /// The number of those that had passed before a pause.
    var keptMissedCount = 0
    /// The time after which they are counted.
    var begin: Int64
    /// The first deadline that has not passed; `nil` if the schedule has ended.
    var next: Int64?
  }

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

  /// The progress along the schedule; `nil` for an interval.
  var progress: Progress? { if case .schedule(_, let progress) = self { progress } else { nil } }

  /// True for a schedule of which a pause has kept an occurrence.
  var keepsOccurrence: Bool { progress?.keptMissedCount != nil }

  /// Returns the first deadline of a timer that starts at `now`; `nil` if the schedule has no further occurrence.
  /// - Parameter delay: the time until the first deadline of a timer with an interval.
  mutating func start(at now: Int64, after delay: Int64) -> Int64? {
    guard case .schedule(let schedule, var progress) = self else {
      return now.addingSaturated(delay)
    }
    progress.keptMissedCount = nil
    self = .schedule(schedule, progress)
    return schedule.next(after: max(now, progress.firedUpTo))
  }

  /// Keeps the occurrence of a schedule that is due at a pause, and merges all that have come since into it.
  /// - Parameters:
  ///   - due: the occurrence that was to be delivered next.
  ///   - begin: the time after which others are merged into it: that of the occurrence, or a later one.
  mutating func keepOccurrence(due: Int64, countingFrom begin: Int64? = nil, at now: Int64) {
    guard case .schedule(let schedule, var progress) = self else { return }
    guard due <= now || progress.keptMissedCount != nil else { return }
    progress.keptMissedCount = progress.missedCount(
      of: schedule, since: begin ?? max(due, progress.firedUpTo), at: now)
    progress.firedUpTo = max(progress.firedUpTo, now)
    self = .schedule(schedule, progress)
  }

  /// Keeps an occurrence that was due when a checkpoint was taken. The clock may have been wrong then: it does not
  /// determine which occurrences fire again.
  mutating func restoreOccurrence(missedCount: Int) {
    guard case .schedule(let schedule, var progress) = self else { return }
    progress.keptMissedCount = missedCount
    self = .schedule(schedule, progress)
  }

  /// Returns the deadline of a timer that resumes at `now`; `nil` if the schedule has no further occurrence. Those that
  /// came during the pause do not fire.
  /// - Parameter timeLeft: the time left of an interval, or until a kept occurrence; negative if it was due before.
  mutating func resume(at now: Int64, timeLeft: Int64) -> Int64? {
    guard case .schedule(let schedule, var progress) = self else {
      return now.addingSaturated(timeLeft)
    }
    guard keepsOccurrence else { return schedule.next(after: max(now, progress.firedUpTo)) }
    progress.firedUpTo = max(progress.firedUpTo, now)
    self = .schedule(schedule, progress)
    return now.addingSaturated(timeLeft)
  }

  /// Returns the deadline after `due`, whether or not it has passed; `nil` if there is none.
  func next(after due: Int64) -> Int64? {
    switch self {
    case .interval(let interval): due.addingSaturated(interval)
    case .schedule(let schedule, _): schedule.next(after: due)
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

  /// Returns the deadline that comes `count` deadlines after `due`, or the last one of a schedule that ends before; `nil` if it
  /// is after `limit`.
  /// - Parameter count: the number of deadlines; `nil` if only the schedule ends.
  func last(_ count: Int?, after due: Int64, by limit: Int64) -> Int64? {
    guard case .schedule(let schedule, let progress) = self else {
      return count.flatMap { deadline($0, after: due, by: limit) }
    }
    let begin = max(due, progress.firedUpTo)
    let passed = schedule.occurrencesPassed(since: begin, at: limit)
    if let count, passed.count >= count {
      return schedule.occurrence(count, after: begin, by: limit)
    }
    guard passed.next == nil else { return nil }
    return passed.count == 0 ? due : schedule.occurrence(passed.count, after: begin, by: limit)
  }

  /// Records that the occurrences before `deadline` do not fire again, and that the one at `deadline` merges none.
  mutating func recordFired(before deadline: Int64) {
    guard case .schedule(let schedule, var progress) = self else { return }
    progress.firedUpTo = max(progress.firedUpTo, deadline.subtractingSaturated(1))
    progress.keptMissedCount = nil
    self = .schedule(schedule, progress)
  }

  /// Advances past the deadlines up to `now`: the occurrences of a schedule up to then do not fire again.
  mutating func advancePastDeadlines(since due: Int64, at now: Int64) -> PassedDeadlines {
    switch self {
    case .interval(0):  // A one-shot timer that is due at once.
      return PassedDeadlines(count: 0, begin: due, next: due)
    case .interval(let interval):
      let missed = now.subtractingSaturated(due) / interval
      return PassedDeadlines(
        count: Int(missed), begin: due,
        next: due.addingSaturated((missed * interval).addingSaturated(interval)))
    case .schedule(let schedule, var progress):
      let begin = max(due, progress.firedUpTo)
      let end = max(now, progress.firedUpTo)
      let (count, next) = schedule.occurrencesPassed(since: begin, at: end)
      let kept = progress.keptMissedCount ?? 0
      progress.firedUpTo = end
      progress.keptMissedCount = nil
      self = .schedule(schedule, progress)
      return PassedDeadlines(count: count, keptMissedCount: kept, begin: begin, next: next)
    }
  }

  /// Allows occurrences that have fired to fire again.
  mutating func resetFiredOccurrences() {
    if case .schedule(let schedule, _) = self { self = .schedule(schedule, Progress()) }
  }
}
