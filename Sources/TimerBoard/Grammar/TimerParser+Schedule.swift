import TimerKit

/// Schedules with several times a day, on days of the month, or from a cron expression, and their time zones.
extension TimerParser {
  /// Parses `9:00`, `at 8:00 and 20:00` or `every 15m from 9 to 17` after the days of a timer that repeats.
  mutating func repeating(
    on days: WallSchedule.Days, after word: String
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    if position < tokens.count, tokens[position].keyword == "every" {
      return try repeating(every: try duration(after: "every"), on: days)
    }
    var seconds = [try time(after: word).secondOfDay]
    while position + 1 < tokens.count, tokens[position].keyword == "and", isTime(at: position + 1) {
      position += 1
      seconds.append(try time(after: "and").secondOfDay)
    }
    return .daily(try schedule(try WallSchedule(days, seconds: seconds)), count: nil)
  }

  /// Parses `from 9 to 17` after an interval. Without it, and without days, the interval counts from the start of the
  /// timer.
  mutating func repeating(
    every interval: Duration, on days: WallSchedule.Days? = nil
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    var (from, to) = (WallTimeText.TimeOfDay(hour: 0), WallTimeText.TimeOfDay(hour: 23, minute: 59))
    if position + 1 < tokens.count, tokens[position].keyword == "from", isTime(at: position + 1) {
      position += 1
      from = try time(after: "from")
      guard position < tokens.count, ["to", "until", "till"].contains(tokens[position].keyword)
      else { throw errorHere("missing end of the hours (expected one, such as from 9 to 17)") }
      position += 1
      to = try time(after: "to")
    } else if days == nil {
      return .every(interval, count: nil)
    }
    let (start, end) = ((from.hour, from.minute), (to.hour, to.minute))
    let grid = try schedule(
      try WallSchedule(days ?? .every, every: interval, from: start, through: end))
    return .daily(grid, count: nil)
  }

  /// Returns a schedule with the time zone that follows the current position, if there is one: `in Europe/Berlin`.
  mutating func schedule(
    _ schedule: @autoclosure () throws(WallScheduleError) -> WallSchedule
  ) throws(TimerSyntaxError) -> WallSchedule {
    do throws(WallScheduleError) {
      let schedule = try schedule()
      guard position + 1 < tokens.count, tokens[position].keyword == "in",
        tokens[position].equals == nil, !tokens[position + 1].looksLikeDuration
      else { return schedule }
      position += 2
      return schedule.inTimeZone(try TimeZoneRules(tokens[position - 1].text))
    } catch {
      throw self.error(error.description, at: tokens[position - 1])
    }
  }

  /// Returns true for `cron '*/15 9-17 * * 1-5'` and `cron @daily`. Before other words, `cron` is a name.
  func isCron(at index: Int) -> Bool {
    guard index + 1 < tokens.count, tokens[index].keyword == "cron" else { return false }
    let next = tokens[index + 1]
    return next.equals == nil && (next.isQuoted || next[0] == "@")
  }

  /// Returns the days of `first monday of the month` or `last day of the month`; `nil` for other words.
  func daysOfMonth(at index: Int) -> WallSchedule.Days? {
    let words = tokens[index...].prefix(Self.wordsOfMonth).map(\.plainKeyword)
    guard words.count == Self.wordsOfMonth,
      let week = WallTimeText.weeks.firstIndex(where: { $0 == words[0] }),
      words[2] == "of", ["the", "each", "every"].contains(words[3]), words[4] == "month"
    else { return nil }
    let number = week == 0 ? -1 : week
    if words[1] == "day" { return .ofMonth([number]) }
    let day = words[1].flatMap(WallTimeText.parseDays)
    return day.flatMap { $0.isRepeating ? nil : .nth(number, $0.days) }
  }

  static let wordsOfMonth = 5

  // MARK: Days of alarms that fire once

  /// The date of a day, or for a day without a year those of several years, which need not exist.
  typealias Dates = [(year: Int, month: Int, day: Int)]

  /// Returns the schedule at a time of a date, which may be past; of several, the first one after now. Returns `nil` if
  /// there is no such date.
  func schedule(on dates: Dates, at time: WallTimeText.TimeOfDay) -> WallSchedule? {
    let schedules = dates.lazy.compactMap { date in
      try? WallSchedule.at(
        year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
        second: time.second)
    }
    return schedules.first { dates.count == 1 || $0.next(after: now.wall) != nil }
  }

  var now: ClockReading { context.now ?? ClockReading(wall: WallInstant(nanosecondsSince1970: 0)) }

  /// Returns true if a day begins at a word.
  func beginsDay(at index: Int) -> Bool {
    guard let keyword = tokens[index].keyword, tokens[index].equals == nil else { return false }
    return Self.isDay(keyword) || dayOfMonth(at: index) != nil
  }

  /// Returns true for a day of the week, several of them, or a day such as `tomorrow`.
  static func isDay(_ word: String) -> Bool {
    nearDays[word] != nil || WallTimeText.parseDays(word) != nil
  }

  /// Parses `2027-01-31`, `2027-01-31T…`, `tomorrow`, `24 dec`.
  /// - Returns: The dates, their word, and the part of the current word that is the time; `nil` for other words.
  mutating func date() throws(TimerSyntaxError) -> (dates: Dates, word: Token, time: Token?)? {
    let word = tokens[position]
    guard word.equals == nil else { return nil }
    let today = LocalTime(now).date
    if let days = word.keyword.flatMap({ Self.nearDays[$0] }) {
      position += 1
      return ([today.advanced(by: days).yearMonthDay], word, nil)
    }
    if let (day, month) = dayOfMonth(at: position) {
      var both = word.replaced(by: word.text + " ")
      both.append(tokens[position + 1])
      position += 2
      let year = today.yearMonthDay.year
      // Leap days are up to eight years apart.
      return ((year...year + 8).map { ($0, month, day) }, both, nil)
    }
    guard word.looksLikeDate else { return nil }
    let divider = word.firstIndex { $0 == "T" || $0 == "t" }
    let date = word[0..<(divider ?? word.count)]
    guard let numbers = CivilDate.numbers(in: date.text) else {
      throw error("invalid date (expected year-month-day, such as 2027-01-31)", at: date)
    }
    guard let time = divider.map({ word.dropFirst($0 + 1) }), !time.isEmpty else {
      position += 1
      return ([numbers], date, nil)
    }
    guard time.startsWithDigit else {
      throw error(timeMissing(afterDate: date.text), at: time)
    }
    return ([numbers], date, time)
  }

  func timeMissing(afterDate date: String) -> String {
    "missing time of day after '\(date)' (expected a time, such as \(date)T09:00)"
  }

  static let nearDays = ["yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1]

  /// Returns the day and the month of `24 dec`, `24th december` or `dec 24`; `nil` for other words.
  func dayOfMonth(at index: Int) -> (day: Int, month: Int)? {
    guard index + 1 < tokens.count, let first = tokens[index].plainKeyword,
      let second = tokens[index + 1].plainKeyword
    else { return nil }
    func day(_ word: String) -> Int? {
      let digits = word.prefix { ("0"..."9").contains($0) }
      guard ["", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count)) else { return nil }
      return Int(digits).flatMap { (1...31).contains($0) ? $0 : nil }
    }
    if let day = day(first) { return WallTimeText.month(second).map { (day, $0) } }
    return WallTimeText.month(first).flatMap { month in day(second).map { ($0, month) } }
  }
}
