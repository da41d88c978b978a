/// A time of day on one date, every day, or on some days of the week.
///
/// ```swift
/// let morning = try WallSchedule.weekdays(.mondayToFriday, hour: 7, minute: 30)
/// let timer = try Repeater(schedule: morning) { _, _ in print("good morning") }
/// timer.start()
/// ```
///
/// The time of day is local time in the process's time zone, which is read each time an occurrence is
/// computed. When daylight saving time begins or ends, each day still has one occurrence:
///
/// ```
/// clocks go forward at 2:00   1:30 ──── 3:00 ──── 3:30    2:30 is skipped: the occurrence is at 3:00
/// clocks go back at 3:00      2:30 ──── 2:00 ──── 2:30    2:30 occurs twice: the first one counts
/// ```
///
/// A day that a time zone omits, as Samoa did when it crossed the date line, has no occurrence of a daily
/// schedule. A schedule for that date occurs at the first instant after it.
public struct WallSchedule: Sendable, Hashable, CustomStringConvertible, Codable {
  /// The date, in days since 1970-01-01; `nil` for a schedule on days of the week.
  let dayNumber: Int32?
  let days: Weekdays
  /// The seconds since midnight, in local time.
  let secondOfDay: Int32

  private init(
    dayNumber: Int32?, days: Weekdays, hour: Int, minute: Int, second: Int
  ) throws(WallScheduleError) {
    guard dayNumber != nil || !days.isDisjoint(with: .all) else { throw .noWeekdays }
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
      throw .invalidTime(hour: hour, minute: minute, second: second)
    }
    self.dayNumber = dayNumber
    self.days = days.intersection(.all)
    secondOfDay = Int32(hour * 3600 + minute * 60 + second)
  }

  /// Returns a schedule with one occurrence, at a time of day on a date.
  /// - Throws: ``WallScheduleError/invalidDate(year:month:day:)`` if the date does not exist, or is before 1678
  ///   or after 2261; ``WallScheduleError/invalidTime(hour:minute:second:)`` if the time does not exist.
  public static func at(
    year: Int, month: Int, day: Int, hour: Int, minute: Int = 0, second: Int = 0
  ) throws(WallScheduleError) -> WallSchedule {
    guard let dayNumber = Calendar.dayNumber(year: year, month: month, day: day) else {
      throw .invalidDate(year: year, month: month, day: day)
    }
    return try WallSchedule(
      dayNumber: Int32(dayNumber), days: [], hour: hour, minute: minute, second: second)
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
    try WallSchedule(dayNumber: nil, days: days, hour: hour, minute: minute, second: second)
  }

  /// The days and the time of day: `2027-01-01 07:30:00`, or `Monday, Friday 07:30:00`.
  public var description: String {
    let day = dayNumber.map { Calendar.text(ofDay: Int($0)) } ?? days.description
    return "\(day) \(Calendar.text(ofSecond: Int(secondOfDay)))"
  }

  /// The encoded form: a date or days of the week, and a time of day.
  private struct Form: Codable {
    var year, month, day: Int?
    var weekdays: Weekdays?
    var hour, minute, second: Int
  }

  /// Decodes a schedule and validates its values, which may come from a file.
  /// - Throws: `DecodingError.dataCorrupted` if a date, time or set of weekdays is invalid.
  public init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    let (hour, minute, second) = (form.hour, form.minute, form.second)
    do throws(WallScheduleError) {
      if let year = form.year, let month = form.month, let day = form.day, form.weekdays == nil {
        self = try .at(
          year: year, month: month, day: day, hour: hour, minute: minute, second: second)
      } else {
        self = try .weekdays(form.weekdays ?? [], hour: hour, minute: minute, second: second)
      }
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    let date = date
    try Form(
      year: date?.year, month: date?.month, day: date?.day, weekdays: weekdays, hour: hour,
      minute: minute, second: second
    ).encode(to: encoder)
  }

  /// A set of days of the week.
  public struct Weekdays: OptionSet, Sendable, Hashable, Codable, CustomStringConvertible {
    /// One bit for each day of the week; the lowest bit is Monday.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Creates the weekday of a day, which is counted from 1970-01-01, a Thursday.
    init(day: Int64) {
      self.init(rawValue: 1 << UInt8((day + 3).flooredDivision(by: 7).remainder))
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

  /// The days of the week with an occurrence; `nil` for a schedule on one date.
  public var weekdays: Weekdays? { dayNumber == nil ? days : nil }

  /// The date, in the Gregorian calendar; `nil` for a schedule on days of the week.
  public var date: (year: Int, month: Int, day: Int)? {
    dayNumber.map { Calendar.date(Int($0)) }
  }

  /// True for a schedule on one date.
  var occursOnce: Bool { dayNumber != nil }

  /// The hour, from 0 to 23.
  public var hour: Int { Int(secondOfDay) / 3600 }
  /// The minute, from 0 to 59.
  public var minute: Int { Int(secondOfDay) / 60 % 60 }
  /// The second, from 0 to 59.
  public var second: Int { Int(secondOfDay) % 60 }
}

/// An invalid date, time of day or set of weekdays for a ``WallSchedule``.
public enum WallScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A time of day that does not exist.
  case invalidTime(hour: Int, minute: Int, second: Int)
  /// A date that is not in the Gregorian calendar, or outside the years 1678 to 2261.
  case invalidDate(year: Int, month: Int, day: Int)
  /// A schedule without days of the week.
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
