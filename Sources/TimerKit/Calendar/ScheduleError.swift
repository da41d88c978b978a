/// A date or time that does not exist.
public enum ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not a time of day.
  case invalidTime(hour: Int, minute: Int, second: Int)
  /// Not a date of the Gregorian calendar, or outside of the years 1678 to 2261.
  case invalidDate(year: Int, month: Int, day: Int)
  /// A schedule for no day of the week.
  case noWeekdays

  public var description: String {
    switch self {
    case .invalidTime(let hour, let minute, let second):
      "invalid time \(hour):\(minute):\(second) (expected 0:00:00 to 23:59:59)"
    case .invalidDate(let year, let month, let day):
      "invalid date \(year)-\(month)-\(day) (expected a date from 1678 to 2261)"
    case .noWeekdays: "no days of the week (expected at least one)"
    }
  }
}
