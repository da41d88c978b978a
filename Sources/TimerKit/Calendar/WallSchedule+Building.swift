extension WallSchedule {
  /// The days of a schedule.
  public enum Days: Sendable, Hashable, Codable {
    /// One date of the Gregorian calendar.
    case date(year: Int, month: Int, day: Int)
    /// Days of the week.
    case weekdays(Weekdays)
    /// Days of each month, from 1; -1 is the last day, -2 the one before it. A month without such a day is left out.
    case ofMonth([Int])
    /// Days of the week in one week of each month: 1 for the first such day of the month to 5, or -1 for the last one.
    case nth(Int, Weekdays)
    /// One date of each year that has it: 29 February only of leap years.
    case ofYear(month: Int, day: Int)

    /// All days.
    public static let every = weekdays(.all)
  }

  /// The days or weeks that a schedule counts from a date, to occur only on each n-th one.
  public enum Step: Sendable, Hashable, Codable {
    /// Each n-th day.
    case days(Int)
    /// Days of each n-th week, which begins on Monday.
    case weeks(Int)

    var count: Int {
      switch self {
      case .days(let count), .weeks(let count): count
      }
    }
  }

  /// A time of day: the hour, from 0 to 23, and the minute, from 0 to 59.
  public typealias HourAndMinute = (hour: Int, minute: Int)

  /// Creates a schedule with fixed times on some days. When clocks change, each time still occurs once.
  ///
  /// ```swift
  /// let meals = try WallSchedule(.every, at: [(8, 0), (12, 30), (19, 0)])
  /// let payday = try WallSchedule(.ofMonth([-1]), at: [(18, 0)])
  /// let review = try WallSchedule(.nth(1, .monday), at: [(9, 0)])
  /// let birthday = try WallSchedule(.ofYear(month: 12, day: 24), at: [(18, 0)])
  /// ```
  /// - Parameters:
  ///   - days: the days.
  ///   - times: the times of day.
  /// - Throws: a ``WallScheduleError`` if a day or a time does not exist, or if there is none.
  public init(_ days: Days, at times: [HourAndMinute]) throws(WallScheduleError) {
    var seconds: [Int32] = []
    for time in times { seconds.append(try Self.second(time.hour, time.minute, 0)) }
    try self.init(days, seconds: seconds)
  }

  /// Creates a schedule that repeats within the day, at the times that a clock shows. When clocks change, it occurs in
  /// both of the repeated hours, and not in the skipped one. If only one time of the day fits, it is a fixed time, as
  /// that of ``init(_:at:)``, which occurs once.
  ///
  /// ```swift
  /// let quarters = try WallSchedule(
  ///   .weekdays(.mondayToFriday), every: .minutes(15), from: (9, 0), through: (17, 0))
  /// ```
  /// - Parameters:
  ///   - days: the days.
  ///   - interval: whole minutes, at most a day.
  ///   - start: the first time of each day.
  ///   - end: the time after which there is none on the same day; not before `start`.
  /// - Throws: a ``WallScheduleError`` if the interval is another one, if a day or a time does not exist, or if there is
  ///   none.
  public init(
    _ days: Days, every interval: Duration, from start: HourAndMinute = (0, 0),
    through end: HourAndMinute = (23, 59)
  ) throws(WallScheduleError) {
    let (minutes, rest) = interval.clampedNanoseconds.quotientAndRemainder(
      dividingBy: 60_000_000_000)
    guard rest == 0, (1...1440).contains(minutes) else {
      throw .invalid("interval", "\(interval)", expected: "whole minutes, at most a day")
    }
    let first = try Self.second(start.hour, start.minute, 0)
    let last = try Self.second(end.hour, end.minute, 0)
    let times = Array(stride(from: first, through: last, by: Int(minutes) * 60))
    try self.init(days, seconds: times, followsClock: true)
  }

  /// Creates a schedule with times of day in seconds.
  package init(
    _ days: Days, seconds: [Int32], followsClock: Bool = false
  ) throws(WallScheduleError) {
    var rules = Rules(times: Set(seconds).sorted(), dayKind: days)
    rules.followsClock = followsClock && rules.times.count > 1
    switch days {
    case .date(let year, let month, let day):
      rules.firstDay = try Self.day(year, month, day)
      rules.lastDay = rules.firstDay
    case .weekdays(let weekdays):
      if weekdays.isDisjoint(with: .all) { throw .noWeekdays }
      rules.weekdays = Rules.weekdays(weekdays, ofWeeks: 0..<5)
    case .ofMonth(let days):
      rules.days = 0
      for day in days {
        guard (1...31).contains(day.magnitude) else {
          throw .invalid("day", "\(day)", expected: "1 to 31, or -1 to -31 from the end")
        }
        if day > 0 { rules.days |= 1 << day } else { rules.daysFromEnd |= 1 << -day }
      }
    case .nth(let number, let weekdays):
      guard number == -1 || (1...5).contains(number) else {
        throw .invalid("week", "\(number)", expected: "1 to 5, or -1 for the last one")
      }
      let week = number == -1 ? Rules.lastWeek : number - 1
      rules.weekdays = Rules.weekdays(weekdays, ofWeeks: week..<week + 1)
    case .ofYear(let month, let day):
      // A leap year has all dates.
      guard Calendar.dayNumber(year: 2000, month: month, day: day) != nil else {
        throw .invalid(
          "date of a year", "\(month)-\(day)", expected: "month and day, such as 12-24")
      }
      (rules.months, rules.days) = (1 << UInt16(month), 1 << UInt32(day))
    }
    try self.init(rules)
  }

  static func second(
    _ hour: Int, _ minute: Int, _ second: Int
  ) throws(WallScheduleError) -> Int32 {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
      throw .invalidTime(hour: hour, minute: minute, second: second)
    }
    return Int32(hour * 3600 + minute * 60 + second)
  }

  private static func day(
    _ year: Int, _ month: Int, _ day: Int
  ) throws(WallScheduleError) -> Int32 {
    guard let number = Calendar.dayNumber(year: year, month: month, day: day) else {
      throw .invalidDate(year: year, month: month, day: day)
    }
    return Int32(number)
  }

  func with(_ change: (inout Rules) -> Void) throws(WallScheduleError) -> WallSchedule {
    var rules = rules
    change(&rules)
    return try WallSchedule(rules)
  }

  /// Returns the same schedule in a time zone of its own, instead of that of the process.
  /// - Parameter timeZone: the time zone; `nil` for that of the process.
  public func inTimeZone(_ timeZone: TimeZoneRules?) -> WallSchedule {
    var schedule = self
    schedule.rules.timeZone = timeZone
    return schedule
  }

  /// Returns the same schedule on each n-th day, or on its days in each n-th week, counted from a date. There is no
  /// occurrence before that date, which may be in the past: it is a part of the schedule, so that the same days follow
  /// whenever and wherever it is used. It replaces an earlier step.
  ///
  /// ```swift
  /// let watering = try WallSchedule.daily(hour: 9).every(.days(3), fromYear: 2030, month: 1, day: 1)
  /// let bins = try WallSchedule.weekdays(.tuesday, hour: 7)
  ///   .every(.weeks(2), fromYear: 2030, month: 1, day: 1)
  /// ```
  ///
  /// A day that a time zone omits counts, and has no occurrence.
  /// - Parameters:
  ///   - step: the number of days or weeks, at least 1.
  ///   - year: the year of the date in the schedule's time zone. The first day is counted from it, and the first week
  ///     is that in which it is.
  ///   - month: the month of the date.
  ///   - day: the day of the date.
  /// - Throws: ``WallScheduleError/invalid(_:_:expected:)`` if the number is less than 1,
  ///   ``WallScheduleError/invalidDate(year:month:day:)`` if the date does not exist, and
  ///   ``WallScheduleError/neverOccurs`` if no day of the schedule is one of the step.
  public func every(
    _ step: Step, fromYear year: Int, month: Int, day: Int
  ) throws(WallScheduleError) -> WallSchedule {
    let first = try Self.day(year, month, day)
    return try with { $0.step = Rules.Step(of: step, from: first) }
  }

  /// Returns the same schedule up to a date, and on it. The parameters are those of a date in the schedule's time zone.
  /// - Throws: ``WallScheduleError/invalidDate(year:month:day:)`` if the date does not exist, and
  ///   ``WallScheduleError/neverOccurs`` if there is no occurrence until then.
  public func until(year: Int, month: Int, day: Int) throws(WallScheduleError) -> WallSchedule {
    let last = try Self.day(year, month, day)
    return try with { $0.lastDay = min($0.lastDay, last) }
  }

  /// Returns the same schedule without a date. The parameters are those of a date in the schedule's time zone.
  /// - Throws: ``WallScheduleError/invalidDate(year:month:day:)`` if the date does not exist, and
  ///   ``WallScheduleError/neverOccurs`` if no other date is left.
  public func except(year: Int, month: Int, day: Int) throws(WallScheduleError) -> WallSchedule {
    let excluded = try Self.day(year, month, day)
    return try with { $0.excludedDays = Set($0.excludedDays + [excluded]).sorted() }
  }
}
