import TimerBoard
import TimerKit

extension Frame {
  /// Returns the time of a row's next fire, with the day unless it is today; `nil` if there is none.
  func dueText(of row: BoardTimer) -> String? {
    dueTime(of: row)?.text(from: LocalTime(now), uses24Hours: dashboard.options.uses24Hours)
  }

  /// Returns the time of a row's next fire to the minute; for a paused timer, that if it were resumed now.
  /// - Parameter showsDay: True to show the day unless it is today.
  func endTextToMinute(of row: BoardTimer, showsDay: Bool) -> String? {
    let resumed = row.status.pausedTimeLeft.map {
      LocalTime(now.moved(to: now.suspending.advanced(by: $0)))
    }
    guard let due = resumed ?? dueTime(of: row) else { return nil }
    let uses24Hours = dashboard.options.uses24Hours
    return showsDay
      ? due.text(from: LocalTime(now), showsSeconds: false, uses24Hours: uses24Hours)
      : TimeText.timeOfDay(due.secondOfDay, uses24Hours: uses24Hours)
  }

  /// Returns the time of day of an instant on the suspending clock.
  func timeOfDay(at instant: TimerClock.Instant, showsSeconds: Bool = false) -> String {
    TimeText.timeOfDay(
      LocalTime(now.moved(to: instant)).secondOfDay, showsSeconds: showsSeconds,
      uses24Hours: dashboard.options.uses24Hours)
  }

  private func dueTime(of row: BoardTimer) -> LocalTime? {
    guard let due = row.due else { return nil }
    var then = now.moved(to: due)
    if case .repeater(let snapshot) = row.status, let deadline = snapshot.deadline?.wallInstant {
      // Converted from the suspending clock, the time could be rounded into the second before.
      then.wall = deadline
      then.secondsFromUTC = snapshot.secondsFromUTC(at: deadline, now: now)
    }
    return LocalTime(then)
  }

  /// The instant at which the next minute begins.
  var nextMinute: TimerClock.Instant { nextMultiple(of: 60_000_000_000) }

  /// Returns the instant at which the time of day after a duration is in its next minute.
  func nextMinute(after duration: Duration) -> TimerClock.Instant {
    let minute: Int64 = 60_000_000_000
    return nextMultiple(of: minute, after: duration.clampedNanoseconds % minute)
  }

  /// The instant at which the next day begins in local time.
  var nextMidnight: TimerClock.Instant { nextMultiple(of: 86_400_000_000_000) }

  /// - Parameters:
  ///   - unit: The nanoseconds of a minute or a day.
  ///   - offset: The nanoseconds between the instant and the multiple.
  private func nextMultiple(of unit: Int64, after offset: Int64 = 0) -> TimerClock.Instant {
    let local =
      now.wall.nanosecondsSince1970 &+ Int64(now.secondsFromUTC) &* 1_000_000_000 &+ offset
    let into = local % unit
    return now.suspending.advanced(by: .nanoseconds(unit - (into < 0 ? into + unit : into)))
  }
}
