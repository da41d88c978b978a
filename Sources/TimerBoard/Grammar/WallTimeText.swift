import TimerKit

/// Times of day and dates as text: `14:30`, `9:05:30`, `9`, `2pm`, `2:30pm`, `2027-01-31`, `mon-fri`. A time or date
/// that is formatted parses as the same one.
enum WallTimeText {
  struct TimeOfDay: Hashable {
    var hour: Int
    var minute = 0
    var second = 0

    var secondOfDay: Int32 { Int32(hour * 3600 + minute * 60 + second) }
  }

  /// Returns the times of day: `14:30`, with seconds if there are any, `08:00 and 20:00`, or
  /// `every 15m from 09:00 to 17:00`.
  static func text(_ schedule: WallSchedule) -> String {
    let texts = schedule.seconds.map {
      Calendar.text(ofSecond: Int($0)).prefix($0 % 60 == 0 ? 5 : 8)
    }
    guard let interval = schedule.interval else { return texts.joined(separator: " and ") }
    return "every \(DurationText.text(interval)) from \(texts[0]) to \(texts[texts.count - 1])"
  }

  /// Returns the days and the times of a schedule that repeats, with the dates between which it does:
  /// `every 3d at 09:00 from 2026-12-01 until 2026-12-25`.
  static func repeatingText(_ schedule: WallSchedule) -> String {
    timesOnDays(schedule)
      + (schedule.firstDate.map { " from \(date($0))" } ?? "")
      + (schedule.lastDate.map { " until \(date($0))" } ?? "")
  }

  private static func timesOnDays(_ schedule: WallSchedule) -> String {
    let days: String
    switch (schedule.days, schedule.step) {
    case (nil, _): return "cron '\(schedule.cronExpression ?? "")'"
    case (_, .days(let count)): days = "every \(count)d at"
    case (_, .weeks(let count)): days = "every \(count)w on \(names(of: schedule.weekdays ?? .all))"
    case (.weekdays(.all), _) where schedule.interval != nil: return text(schedule)
    case (.nth(let week, let weekdays), _):
      let name = TimeWord.dayNames[weekdays.rawValue.trailingZeroBitCount]
      days = "\(TimeWord.weeks[max(0, week)]) \(name) of the month"
    case (.ofMonth(let numbers), _): days = self.days(ofMonth: numbers)
    case (.ofYear(let month, let day), _):
      days = "every \(TimeWord.monthNames[month - 1].prefix(3)) \(day)"
    default: days = self.days(schedule.weekdays ?? .all)
    }
    return "\(days) \(text(schedule))"
  }

  /// Returns days of each month: `first day of the month`, `1st and 15th of the month`.
  private static func days(ofMonth days: [Int]) -> String {
    if days.count == 1, TimeWord.weeks.indices.contains(max(0, days[0])) {
      return "\(TimeWord.weeks[max(0, days[0])]) day of the month"
    }
    let names = days.map { $0 < 0 ? TimeWord.weeks[0] : ordinal($0) }
    return "\(names.joined(separator: " and ")) of the month"
  }

  /// Returns the date: `2027-01-31`; empty for a schedule without a date.
  static func date(_ schedule: WallSchedule) -> String {
    schedule.date.map(date) ?? ""
  }

  private static func date(_ date: (year: Int, month: Int, day: Int)) -> String {
    "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
  }

  /// Returns the day of a timer that fires once, and a space: `fri `; empty for any day.
  static func day(_ days: WallSchedule.Weekdays?) -> String {
    guard let days, days != .all else { return "" }
    return names(of: days) + " "
  }

  /// Returns the days: `daily`, `weekdays` or `every mon,thu`.
  static func days(_ days: WallSchedule.Weekdays) -> String {
    switch days {
    case .all: Keyword.daily.rawValue
    case .mondayToFriday: Keyword.weekdays.rawValue
    default:
      "\(Keyword.every.rawValue) " + names(of: days)
    }
  }

  private static func names(of days: WallSchedule.Weekdays) -> String {
    TimeWord.dayNames.indices.filter { days.contains(.init(rawValue: 1 << UInt8($0))) }
      .map { String(TimeWord.dayNames[$0].prefix(3)) }.joined(separator: ",")
  }

  /// Parses `mon,thursday`, `mon/thu`, `mon-fri`, `mon..fri`, `mondays`, `weekday` or `weekend` in lower case; `nil` if a
  /// part is not a day of the week.
  /// - Returns: The days, and a Boolean value that indicates whether the text means all such days rather
  ///   than the next one.
  static func parseDays(_ text: String) -> (days: WallSchedule.Weekdays, isRepeating: Bool)? {
    // Most words are durations.
    guard let first = text.utf8.first, first >= UInt8(ascii: "a") else { return nil }
    var days: WallSchedule.Weekdays = []
    var isPlural = false
    let text =
      text.utf8.contains(UInt8(ascii: ".")) ? text.replacing("..", with: "-") : text
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: { ",/".contains($0) })
    {
      if let all = TimeWord[String(part)]?.weekdays {
        days.formUnion(all)
        continue
      }
      let ends = part.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
        .map { TimeWord[String($0)] }
      guard ends.count <= 2, let first = ends[0]?.weekday, let last = ends[ends.count - 1]?.weekday
      else { return nil }
      isPlural = isPlural || ends.contains { $0?.isPlural == true }
      // A range can pass the end of the week: fri-mon.
      for offset in 0...((last - first + 7) % 7) {
        days.insert(.init(rawValue: 1 << UInt8((first + offset) % 7)))
      }
    }
    let isOne = TimeWord.dayNames.indices.contains { days == .init(rawValue: 1 << UInt8($0)) }
    return (days, !isOne || isPlural)
  }

  static let invalidTime = "invalid time of day (expected a time, such as 14:30 or 2:30pm)"

  /// Returns the seconds of an offset from UTC: `Z`, `+01:00`, `-0530`, `+02`; `nil` for other texts.
  static func secondsFromUTC(_ scalars: [Unicode.Scalar]) -> Int? {
    if scalars == ["Z"] || scalars == ["z"] { return 0 }
    guard let sign = scalars.first, "+-−".unicodeScalars.contains(sign) else { return nil }
    let digits = scalars.dropFirst().filter { $0 != ":" }
    let hasColon = scalars.count - 1 > digits.count
    guard digits.count == 4 || digits.count == 2, !hasColon || digits.count == 4,
      !hasColon || scalars.count == 6 && scalars[3] == ":",
      let number = Int(digits[...].text), number >= 0
    else { return nil }
    let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
    guard hours < 24, minutes < 60 else { return nil }
    return (sign == "+" ? 1 : -1) * (hours * 3600 + minutes * 60)
  }

  static func parseTime(_ scalars: [Unicode.Scalar]) throws(TimeSyntaxError) -> TimeOfDay {
    var reader = TimeReader(scalars: scalars)
    return try reader.time()
  }
}

/// Times of day.
extension TimeReader {
  /// Parses `14:30`, `9:05:30`, `9`, `2pm`, `2:30pm`, `2.30 p.m.`, `1430` or `14h30`.
  fileprivate mutating func time() throws(TimeSyntaxError) -> WallTimeText.TimeOfDay {
    let digits = digits()
    guard !digits.isEmpty else { throw error(WallTimeText.invalidTime, at: 0) }
    var time = WallTimeText.TimeOfDay(hour: Int(digits) ?? .max)
    if digits.utf8.count == 4 {
      time = WallTimeText.TimeOfDay(hour: time.hour / 100, minute: time.hour % 100)
      guard time.minute < 60 else { throw error(WallTimeText.invalidTime, at: 0) }
    } else if skip(":") {
      time.minute = try twoDigits()
      if skip(":") { time.second = try twoDigits() }
    } else if skip(".") {
      time.minute = try twoDigits()
    } else if skip("h") || skip("H") {
      time.minute = try twoDigits()
    }
    let rest = rest
    let half = rest.lowercased().filter { $0 != "." }
    guard half.isEmpty || half == "am" || half == "pm" else {
      throw error("unexpected '\(rest)' (expected a time, such as 14:30 or 2:30pm)")
    }
    if half.isEmpty {
      guard time.hour < 24 else {
        throw error("hour out of range (expected 0 to 23)", at: 0)
      }
    } else {
      guard (1...12).contains(time.hour) else {
        throw error("hour out of range (expected 1 to 12 before am or pm)", at: 0)
      }
      time.hour = time.hour % 12 + (half == "pm" ? 12 : 0)
    }
    return time
  }

  private mutating func twoDigits() throws(TimeSyntaxError) -> Int {
    let start = position
    let digits = digits()
    guard digits.utf8.count == 2, let number = Int(digits), number < 60 else {
      throw error(
        "invalid time of day (expected two digits after a colon, 00 to 59, such as 09:05)",
        at: start)
    }
    return number
  }
}
