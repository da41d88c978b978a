package import TimerKit

/// Timers that fire once or repeatedly, after intervals or at times of day.
package struct RepeaterFamily: TimerFamily, Hashable, Sendable {
  var timing: Repeater.Timing
  /// A Boolean value that indicates whether it is written without a count: `5m`, not `every 5m x1`.
  package var isOnce = false
  /// The number of fires; `nil` for an endless timer.
  package var fireCount: Int?

  /// The interval; `nil` for a timer that follows the time of day.
  package var interval: Duration? {
    if case .interval(let interval) = timing { interval } else { nil }
  }

  /// The schedule of a timer that follows the time of day; `nil` for others.
  package var schedule: WallSchedule? {
    if case .schedule(let schedule) = timing { schedule } else { nil }
  }

  var keyword: Keyword {
    switch timing {
    case .interval: isOnce ? .once : .every
    case .schedule: isOnce ? .at : .daily
    }
  }

  var text: String { text(once: "", times: "x", dateSeparator: "T") }
  var label: String { text(once: "once ", times: "×", dateSeparator: " ") }

  private func text(once: String, times: String, dateSeparator: String) -> String {
    let count = isOnce ? "" : fireCount.map { " \(times)\($0)" } ?? ""
    switch timing {
    case .interval(let interval):
      return (isOnce ? once : "every ") + DurationText.text(interval) + count
    case .schedule(let schedule): return text(of: schedule, dateSeparator: dateSeparator) + count
    }
  }

  /// Returns a schedule in the grammar: `at 14:30`, `at fri 09:00`, `at 2027-01-31T09:00`,
  /// `daily 09:55`, `every mon,thu 18:00 in Europe/Berlin`.
  private func text(of schedule: WallSchedule, dateSeparator: String) -> String {
    let time = WallTimeText.text(schedule)
    let zone = schedule.timeZone.map { " in \($0)" } ?? ""
    guard isOnce else { return WallTimeText.repeatingText(schedule) + zone }
    return "at "
      + (schedule.date == nil
        ? WallTimeText.day(schedule.weekdays) : WallTimeText.date(schedule) + dateSeparator) + time
      + zone
  }

  var withCount: ((Int) -> TimerSpec.Kind)? {
    // A countdown with a count is repeated.
    keyword == .at ? nil : { [timing] in .repeater(RepeaterFamily(timing: timing, fireCount: $0)) }
  }
}

extension TimerSpec.Kind {
  package static func once(_ interval: Duration) -> Self {
    .repeater(RepeaterFamily(timing: .interval(interval), isOnce: true, fireCount: 1))
  }

  /// Repeatedly; endless without a count.
  package static func every(_ interval: Duration, count: Int?) -> Self {
    .repeater(RepeaterFamily(timing: .interval(interval), fireCount: count))
  }

  /// Once, on its date or, without a date, at the next occurrence of its time of day.
  package static func at(_ schedule: WallSchedule) -> Self {
    .repeater(RepeaterFamily(timing: .schedule(schedule), isOnce: true, fireCount: 1))
  }

  /// Every day or on some days of the week; endless without a count.
  package static func daily(_ schedule: WallSchedule, count: Int?) -> Self {
    .repeater(RepeaterFamily(timing: .schedule(schedule), fireCount: count))
  }

  /// The settings of a timer that fires after intervals or at times of day; `nil` for other kinds.
  package var repeater: RepeaterFamily? {
    if case .repeater(let family) = self { family } else { nil }
  }

  /// A Boolean value that indicates whether the timer counts up after its end: a countdown, or an alarm that fires
  /// once.
  package var hasOvertime: Bool { repeater?.isOnce ?? false }
}
