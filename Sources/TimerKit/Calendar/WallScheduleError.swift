/// An invalid part of a ``WallSchedule``.
public enum WallScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A time of day that does not exist.
  case invalidTime(hour: Int, minute: Int, second: Int)
  /// A date that is not in the Gregorian calendar, or outside the years 1678 to 2261.
  case invalidDate(year: Int, month: Int, day: Int)
  /// A schedule without days of the week.
  case noWeekdays
  /// A part of a schedule or of a cron expression that does not exist, such as the minute 60.
  case invalid(_ part: String, _ text: String, expected: String)
  /// A schedule without an occurrence, such as on 30 February, or without a time of day.
  case neverOccurs

  public var description: String {
    switch self {
    case .invalidTime(let hour, let minute, let second):
      "invalid time \(hour):\(minute):\(second) (expected 0:00:00 to 23:59:59)"
    case .invalidDate(let year, let month, let day):
      "invalid date \(year)-\(month)-\(day) (expected a date from 1678 to 2261)"
    case .noWeekdays: "no days of the week (expected at least one)"
    case .invalid(let part, let text, let expected):
      "invalid \(part) '\(text)' (expected \(expected))"
    case .neverOccurs: "schedule that never occurs (expected at least one time and date)"
    }
  }
}
