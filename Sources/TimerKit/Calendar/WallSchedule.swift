/// Times of day on some days: on a date, on days of the week or of the month, or as a cron expression describes them.
///
/// ```swift
/// let morning = try WallSchedule.weekdays(.mondayToFriday, hour: 7, minute: 30)
/// let timer = try Repeater(schedule: morning) { _, _ in print("good morning") }
/// timer.start()
/// ```
///
/// The time of day is local time in the process's time zone, which is read each time an occurrence is
/// computed, or in the schedule's own one (see ``inTimeZone(_:)``). When daylight saving time begins or ends, a fixed
/// time of day still occurs once on each day:
///
/// ```
/// clocks go forward at 2:00   1:30 ──── 3:00 ──── 3:30    2:30 is skipped: the occurrence is at 3:00
/// clocks go back at 3:00      2:30 ──── 2:00 ──── 2:30    2:30 occurs twice: the first one counts
/// ```
///
/// Times that repeat within a day, such as every 15 minutes, follow the clock instead: they occur in both of the
/// repeated hours, and not in the skipped one. <doc:Schedules> shows both.
///
/// A day that a time zone omits, as Samoa did when it crossed the date line, has no occurrence of a daily
/// schedule. A schedule for that date occurs at the first instant after it.
public struct WallSchedule: Sendable, Hashable {
  var rules: Rules

  /// - Throws: ``WallScheduleError/neverOccurs`` if the rules have no occurrence.
  init(_ rules: Rules) throws(WallScheduleError) {
    let isTimed = rules.times.first ?? -1 >= 0 && rules.times.last ?? .max < Calendar.secondsPerDay
    if let step = rules.step {
      guard step.of.count > 0 else {
        throw .invalid("step", "\(step.of.count)", expected: "1 or more")
      }
      guard (Calendar.firstDay...Calendar.lastDay).contains(step.first) else { throw .neverOccurs }
    }
    guard isTimed, rules.day(from: Int(rules.firstDay)) != nil else { throw .neverOccurs }
    self.rules = rules
  }

  /// The shortest time between two occurrences, in nanoseconds.
  var shortestPeriod: Int64 {
    let (times, day) = (rules.times, Int32(Calendar.secondsPerDay))
    let overMidnight = times[0] + day - times[times.count - 1]
    let period = zip(times, times.dropFirst()).reduce(overMidnight) { min($0, $1.1 - $1.0) }
    // A day is shortest when the clocks go forward by an hour.
    return Int64(period > 7200 ? period - 3600 : period) * 1_000_000_000
  }

  /// Returns a schedule with one occurrence, at a time of day on a date.
  /// - Throws: ``WallScheduleError/invalidDate(year:month:day:)`` if the date does not exist, or is before 1678
  ///   or after 2261; ``WallScheduleError/invalidTime(hour:minute:second:)`` if the time does not exist.
  public static func at(
    year: Int, month: Int, day: Int, hour: Int, minute: Int = 0, second: Int = 0
  ) throws(WallScheduleError) -> WallSchedule {
    let second = try Self.second(hour, minute, second)
    return try WallSchedule(.date(year: year, month: month, day: day), seconds: [second])
  }

  /// Returns a schedule with an occurrence every day at a time of day.
  /// - Throws: ``WallScheduleError/invalidTime(hour:minute:second:)`` if the time does not exist.
  public static func daily(
    hour: Int, minute: Int = 0, second: Int = 0
  ) throws(WallScheduleError) -> WallSchedule {
    try .weekdays(.all, hour: hour, minute: minute, second: second)
  }

  /// Returns a schedule with an occurrence at a time of day on some days of the week.
  /// - Throws: ``WallScheduleError/noWeekdays`` if `days` is empty;
  ///   ``WallScheduleError/invalidTime(hour:minute:second:)`` if the time does not exist.
  public static func weekdays(
    _ days: Weekdays, hour: Int, minute: Int = 0, second: Int = 0
  ) throws(WallScheduleError) -> WallSchedule {
    try WallSchedule(.weekdays(days), seconds: [try Self.second(hour, minute, second)])
  }

  /// The days without regard to limits; `nil` for those of a cron expression.
  public var days: Days? { rules.dayKind }

  /// The days of the week with an occurrence; `nil` for a schedule on other days.
  public var weekdays: Weekdays? {
    if case .weekdays(let days) = rules.dayKind { days } else { nil }
  }

  /// The date, in the Gregorian calendar; `nil` for a schedule on other days.
  public var date: (year: Int, month: Int, day: Int)? {
    if case .date(let year, let month, let day) = rules.dayKind { (year, month, day) } else { nil }
  }

  /// The days or weeks of which the schedule takes only each n-th one; `nil` for all of them.
  public var step: Step? { rules.step?.of }

  /// The date from which a ``step`` counts; `nil` for a schedule without one.
  public var firstDate: (year: Int, month: Int, day: Int)? {
    rules.step.map { Calendar.date(Int($0.first)) }
  }

  /// The last date of a schedule with an end; `nil` for one without an end, and for one of a date.
  public var lastDate: (year: Int, month: Int, day: Int)? {
    lastDay.map { Calendar.date(Int($0)) }
  }

  /// The number of the ``lastDate``.
  var lastDay: Int32? { date == nil && rules.lastDay < Calendar.lastDay ? rules.lastDay : nil }

  /// True for a schedule with one time of day on one date.
  var occursOnce: Bool { date != nil && rules.times.count == 1 }

  /// The time zone; `nil` for that of the process.
  public var timeZone: TimeZoneRules? { rules.timeZone }

  /// The cron expression from which it was created, in lower case; `nil` for other schedules.
  public var cronExpression: String? { rules.cron }

  /// The times of day in seconds, in order.
  package var seconds: [Int32] { rules.times }

  /// The time between two occurrences of a schedule that repeats within the day; `nil` for others.
  package var interval: Duration? {
    let times = rules.times
    return rules.followsClock && rules.cron == nil ? .seconds(times[1] - times[0]) : nil
  }

  private var firstSecond: Int { Int(rules.times[0]) }
  /// The hour of the first time of the day, from 0 to 23.
  public var hour: Int { firstSecond / 3600 }
  /// The minute of the first time of the day, from 0 to 59.
  public var minute: Int { firstSecond / 60 % 60 }
  /// The second of the first time of the day, from 0 to 59.
  public var second: Int { firstSecond % 60 }
}

extension WallSchedule {
  /// A set of days of the week.
  public struct Weekdays: OptionSet, Sendable, Hashable, Codable, CustomStringConvertible {
    /// One bit for each day of the week; the lowest bit is Monday.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Every Monday.
    public static let monday = Weekdays(rawValue: 1)
    /// Every Tuesday.
    public static let tuesday = Weekdays(rawValue: 2)
    /// Every Wednesday.
    public static let wednesday = Weekdays(rawValue: 4)
    /// Every Thursday.
    public static let thursday = Weekdays(rawValue: 8)
    /// Every Friday.
    public static let friday = Weekdays(rawValue: 16)
    /// Every Saturday.
    public static let saturday = Weekdays(rawValue: 32)
    /// Every Sunday.
    public static let sunday = Weekdays(rawValue: 64)

    /// The five days from Monday to Friday.
    public static let mondayToFriday: Weekdays = [
      .monday, .tuesday, .wednesday, .thursday, .friday,
    ]
    /// Saturday and Sunday.
    public static let weekend: Weekdays = [.saturday, .sunday]
    /// The whole week.
    public static let all: Weekdays = [.mondayToFriday, .weekend]

    /// The names of the days: `Monday, Friday`; `every day` for all of them.
    public var description: String {
      if isSuperset(of: .all) { return "every day" }
      let names = Self.names.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
      return names.isEmpty ? "no days" : names.joined(separator: ", ")
    }

    private static let names = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
  }
}

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
