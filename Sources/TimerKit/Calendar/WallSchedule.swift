/// Times of day at which something is due: on one date, daily, or on some days of the week.
///
/// ```swift
/// let morning = try WallSchedule.weekdays(.mondayToFriday, hour: 7, minute: 30)
/// let alarm = try Repeater(on: morning) { _, _ in print("good morning") }
/// try alarm.start()
/// ```
///
/// It means what clocks on the wall show in the process's time zone, which is asked for each time an
/// occurrence is worked out. Where the clocks are put forward or back, each day has its occurrence
/// once:
///
/// ```
/// put forward at 2:00   1:30 ──── 3:00 ──── 3:30      2:30 is skipped: it means 3:00
/// put back at 3:00      2:30 ──── 2:00 ──── 2:30      2:30 comes twice: the first one counts
/// ```
///
/// A day that a zone leaves out altogether, as Samoa did when it changed sides of the date line, has
/// no daily occurrence; a date on it means the first moment after.
public struct WallSchedule: Sendable, Hashable {
  /// Days since 1970-01-01, of the one date that it is for.
  let dayNumber: Int32?
  let days: Weekdays
  /// Since midnight, as clocks show it.
  let secondOfDay: Int32

  private init(dayNumber: Int32?, days: Weekdays, _ time: TimeOfDay) throws(ScheduleError) {
    guard dayNumber != nil || !days.isDisjoint(with: .all) else { throw .noWeekdays }
    self.dayNumber = dayNumber
    self.days = days.intersection(.all)
    secondOfDay = try time.checked()
  }

  /// Once: on a date, at a time.
  /// - Throws: ``ScheduleError/invalidDate(year:month:day:)`` for a date that the calendar does not have,
  ///   or before 1678 or after 2261; ``ScheduleError/invalidTime(hour:minute:second:)``.
  public static func at(
    year: Int, month: Int, day: Int, hour: Int, minute: Int = 0, second: Int = 0
  ) throws(ScheduleError) -> WallSchedule {
    guard let dayNumber = Calendar.dayNumber(year: year, month: month, day: day) else {
      throw .invalidDate(year: year, month: month, day: day)
    }
    return try WallSchedule(
      dayNumber: dayNumber, days: [], TimeOfDay(hour: hour, minute: minute, second: second))
  }

  /// Every day at a time.
  /// - Throws: ``ScheduleError/invalidTime(hour:minute:second:)``.
  public static func daily(
    hour: Int, minute: Int = 0, second: Int = 0
  ) throws(ScheduleError) -> WallSchedule {
    try .weekdays(.all, hour: hour, minute: minute, second: second)
  }

  /// At a time on some days of the week.
  /// - Throws: ``ScheduleError/noWeekdays`` for no day at all,
  ///   ``ScheduleError/invalidTime(hour:minute:second:)``.
  public static func weekdays(
    _ days: Weekdays, hour: Int, minute: Int = 0, second: Int = 0
  ) throws(ScheduleError) -> WallSchedule {
    try WallSchedule(
      dayNumber: nil, days: days, TimeOfDay(hour: hour, minute: minute, second: second))
  }
}

extension WallSchedule {
  /// Days of the week.
  public struct Weekdays: OptionSet, Sendable, Hashable, Codable {
    /// One bit for each day, Monday's the lowest.
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
  }

  /// The days of the week it is for; `nil` if it is for one date.
  public var weekdays: Weekdays? { dayNumber == nil ? days : nil }

  /// The one date it is for, if it is; as the Gregorian calendar counts.
  public var date: (year: Int, month: Int, day: Int)? { dayNumber.map(Calendar.date) }

  /// 0 … 23.
  public var hour: Int { Int(secondOfDay) / 3600 }
  /// 0 … 59.
  public var minute: Int { Int(secondOfDay) / 60 % 60 }
  /// 0 … 59.
  public var second: Int { Int(secondOfDay) % 60 }
}

/// As it is asked for.
private struct TimeOfDay {
  var hour: Int
  var minute: Int
  var second: Int

  func checked() throws(ScheduleError) -> Int32 {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
      throw .invalidTime(hour: hour, minute: minute, second: second)
    }
    return Int32(hour * 3600 + minute * 60 + second)
  }
}
