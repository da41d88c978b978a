import TimerKit

/// Schedules with several times a day, on days of the month, or from a cron expression, and their time zones.
extension TimerParser {
  /// Parses `9:00`, `at 8:00 and 20:00` or `every 15m from 9 to 17` after the days of a timer that repeats.
  mutating func repeating(
    on days: RepeatingDays, after word: String
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    if position < tokens.count, tokens[position].keyword == "every" {
      let start = tokens[position]
      let interval = try duration(after: "every")
      guard interval < .days(1) else {
        throw error(
          "interval of a day or more within a day (expected one such as every 2h)", at: start)
      }
      return try repeating(every: interval, on: days)
    }
    let times = try times(after: word)
    let schedule = try repeatingSchedule(step: days.step) { () throws(WallScheduleError) in
      try WallSchedule(days.days, seconds: times.map(\.secondOfDay))
    }
    return .daily(schedule, count: nil)
  }

  /// Parses `from 9 to 17` after an interval, or without days before it also `at 9` and `until 17:00`. Without these, the
  /// interval counts from the start of the timer.
  mutating func repeating(
    every interval: Duration, on days: RepeatingDays? = nil
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
      guard let days = try repeatingDays(every: interval) else {
        return .every(interval, count: try fires(every: interval))
      }
      // Without days of the week, the interval is all that stands before the time.
      let text = "every \(DurationText.text(interval))"
      return try repeating(on: days, after: days.words > 0 ? take(days) : text)
    }
    let (start, end) = ((from.hour, from.minute), (to.hour, to.minute))
    let grid = try repeatingSchedule(step: days?.step) { () throws(WallScheduleError) in
      try WallSchedule(days?.days ?? .every, every: interval, from: start, through: end)
    }
    return .daily(grid, count: nil)
  }

  /// Returns a schedule, with the time zone that follows the current position if there is one.
  /// - Parameter zone: The zone that stood before the current position; `nil` if none did.
  mutating func schedule(
    in zone: TimeZoneRules?, _ schedule: () throws(WallScheduleError) -> WallSchedule
  ) throws(TimerSyntaxError) -> WallSchedule {
    let local = try self.schedule(at: position - 1, schedule)
    if let zone { return local.inTimeZone(zone) }
    guard let zone = try timeZone() else { return local }
    return local.inTimeZone(zone)
  }

  /// Parses the time zone at the current position, if there is one: `in Europe/Berlin`, `Europe/Berlin` or `UTC`. An
  /// abbreviation of several zones is an error that names them.
  mutating func timeZone() throws(TimerSyntaxError) -> TimeZoneRules? {
    guard position < tokens.count, tokens[position].equals == nil else { return nil }
    let hasPreposition =
      tokens[position].keyword == "in" && position + 1 < tokens.count
      && tokens[position + 1].equals == nil && !tokens[position + 1].looksLikeDuration
    guard hasPreposition || isZone(at: position) else { return nil }
    position += hasPreposition ? 2 : 1
    let word = tokens[position - 1]
    let name = try zoneName(word)
    do throws(WallScheduleError) {
      return try TimeZoneRules(name)
    } catch {
      throw self.error(error.description, at: word)
    }
  }

  func isZone(at index: Int) -> Bool {
    tokens[index].plainKeyword.map(TimeWord.isZone) == true
  }

  /// Returns the name of a zone in the tz database, whose upper and lower case differ.
  private func zoneName(_ word: Token) throws(TimerSyntaxError) -> String {
    guard !context.isTrusted, let keyword = word.plainKeyword else { return word.text }
    if let zones = TimeWord[keyword]?.zones, let first = zones.first {
      guard zones.count > 1 else { return first }
      throw error(
        "ambiguous time zone '\(word.text)' (expected \(zones.joined(separator: " or ")))", at: word
      )
    }
    if keyword.hasPrefix("utc") || keyword.hasPrefix("gmt"), TimeWord.isZone(keyword) {
      throw error(
        "unknown time zone '\(word.text)' (expected UTC, or one such as Europe/Berlin)", at: word)
    }
    guard word.text == keyword, TimeWord.isZone(keyword) else { return word.text }
    // `america/port_of_spain` stays as it is, and the error names it.
    var name = ""
    for character in keyword {
      let isFirst = name.last.map { "/_".contains($0) } ?? true
      name += isFirst ? character.uppercased() : String(character)
    }
    return name
  }

  /// Returns true for `cron '*/15 9-17 * * 1-5'` and `cron @daily`. Before other words, `cron` is a name.
  func isCron(at index: Int) -> Bool {
    guard index + 1 < tokens.count, tokens[index].keyword == "cron" else { return false }
    let next = tokens[index + 1]
    return next.equals == nil && (next.isQuoted || next[0] == "@")
  }

  // MARK: Days of alarms that fire once

  /// The date of a day, or for a day without a year those of several years, which need not exist.
  typealias Dates = [(year: Int, month: Int, day: Int)]

  /// A day of an alarm that fires once, with its time of day.
  struct AlarmDay {
    /// The day of the week; `nil` for a date.
    var weekday: WallSchedule.Weekdays?
    var dates: Dates = []
    var word: Token
    /// The time, midnight for a date alone.
    var time = WallTimeText.TimeOfDay(hour: 0)
    /// A Boolean value that indicates whether it is written as a date, which needs no time.
    var isDate = false
    /// The part of the current word that is the time.
    var timeText: Token?
    /// The offset of the date and the time from UTC; `nil` for those of a time zone.
    var secondsFromUTC: Int?

    /// The day with its date and time in UTC, if it has an offset.
    var inUTC: AlarmDay {
      guard let secondsFromUTC, let first = dates.first,
        let date = CivilDate(year: first.year, month: first.month, day: first.day)
      else { return self }
      let seconds = Int64(time.secondOfDay) - Int64(secondsFromUTC)
      let (days, second) = seconds.flooredDivision(by: 86_400)
      var day = self
      day.dates = [date.advanced(by: Int(days)).yearMonthDay]
      day.time = WallTimeText.TimeOfDay(
        hour: Int(second) / 3600, minute: Int(second) / 60 % 60, second: Int(second) % 60)
      return day
    }
  }

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
  func beginsDay(at index: Int) -> Bool { wordsOfDay(at: index) != nil }

  /// Returns the number of words of the day that begins at a word; `nil` if none does.
  func wordsOfDay(at index: Int) -> Int? {
    guard let keyword = tokens[index].plainKeyword else { return nil }
    if Self.isDay(keyword) || tokens[index].looksLikeDate { return 1 }
    return dayOfMonth(at: index)?.words
  }

  /// Returns true for a day of the week, several of them, or a day such as `tomorrow`.
  static func isDay(_ word: String) -> Bool {
    TimeWord[word]?.daysFromToday != nil || WallTimeText.parseDays(word) != nil
  }

  /// Returns true for `24 dec` and `2027-01-31`, which need no time of day.
  func isDate(at index: Int) -> Bool {
    tokens[index].isPlain && tokens[index].looksLikeDate || dayOfMonth(at: index) != nil
  }

  /// Parses `friday`, `tomorrow`, `24 dec`, `2027-01-31`, `2027-01-31T…`; returns `nil` for other words.
  mutating func day() throws(TimerSyntaxError) -> AlarmDay? {
    let word = tokens[position]
    guard word.equals == nil else { return nil }
    if let (days, isRepeating) = word.keyword.flatMap(WallTimeText.parseDays) {
      guard !isRepeating else {
        throw error(
          "several days '\(word.text)' for an alarm that fires once (expected one day, or every \(word.text))",
          at: word)
      }
      position += 1
      guard position < tokens.count, isDate(at: position), let date = try day() else {
        return AlarmDay(weekday: days, word: word)
      }
      try check(date, isOn: days, named: word)
      return date
    }
    let today = LocalTime(now).date
    if let days = word.keyword.flatMap({ TimeWord[$0]?.daysFromToday }) {
      position += 1
      return AlarmDay(dates: [today.advanced(by: days).yearMonthDay], word: word)
    }
    if let date = dayOfMonth(at: position) {
      var all = word
      for next in tokens[(position + 1)..<(position + date.words)] {
        all.append(next.replaced(by: " " + next.text))
      }
      position += date.words
      let year = today.yearMonthDay.year
      // Leap days are up to eight years apart.
      let years = date.year.map { $0...$0 } ?? year...year + 8
      return AlarmDay(
        dates: years.map { ($0, date.month, date.day) }, word: all, isDate: true)
    }
    return word.looksLikeDate ? try date(word) : nil
  }

  /// Throws an error for a date that is on another day of the week, as in `mon 3 jul`.
  private func check(
    _ date: AlarmDay, isOn days: WallSchedule.Weekdays, named word: Token
  ) throws(TimerSyntaxError) {
    let today = LocalTime(now).dayNumber
    let next = date.dates.lazy
      .compactMap { CivilDate(year: $0.year, month: $0.month, day: $0.day) }
      .first { $0.day >= today || date.dates.count == 1 }
    guard let next, days != WallSchedule.Weekdays(rawValue: 1 << UInt8(next.weekday)) else {
      return
    }
    throw error(
      "'\(word.text)' is not the day of \(next.text) (expected \(next.weekdayName), or none)",
      at: word)
  }

  /// Parses a date of ISO 8601, which can have a time of day with an offset from UTC.
  private mutating func date(_ word: Token) throws(TimerSyntaxError) -> AlarmDay {
    let divider = word.firstIndex { $0 == "T" || $0 == "t" }
    let date = word[0..<(divider ?? word.count)]
    guard let numbers = CivilDate.numbers(in: date.text) else {
      throw error("invalid date (expected year-month-day, such as 2027-01-31)", at: date)
    }
    var day = AlarmDay(dates: [numbers], word: date, isDate: true)
    guard let divider, divider + 1 < word.count else {
      position += 1
      return day
    }
    var time = word.dropFirst(divider + 1)
    guard time.startsWithDigit else {
      throw error(
        "missing time of day after '\(date.text)' (expected a time, such as \(date.text)T09:00)",
        at: time)
    }
    if let end = time.firstIndex(where: { "Zz+-−".unicodeScalars.contains($0) }) {
      let offset = time.dropFirst(end)
      guard let seconds = WallTimeText.secondsFromUTC(Array(offset.scalars)) else {
        throw error(
          "invalid offset '\(offset.text)' (expected Z, or one such as +01:00)", at: offset)
      }
      day.secondsFromUTC = seconds
      time = time[0..<end]
    }
    // Fractions of a second that are zero, as programs print them.
    if let point = time.firstIndex(where: { $0 == "." }), point == 8,
      time.scalars.dropFirst(point + 1).allSatisfy({ $0 == "0" })
    {
      time = time[0..<point]
    }
    day.timeText = time
    return day
  }

  /// Returns the error for a date such as `12/25/2026`, with the same date in ISO 8601.
  func foreignDate(_ word: Token) -> TimerSyntaxError {
    let numbers = word.text.split { "/.".contains($0) }.compactMap { Int($0) }
    guard numbers.count == 3 else { return error("invalid date '\(word.text)'", at: word) }
    let isYearFirst = numbers[0] > 31
    let year = isYearFirst ? numbers[0] : numbers[2]
    let (first, second) = isYearFirst ? (numbers[1], numbers[2]) : (numbers[0], numbers[1])
    // Days before months with points and, except after the year, either with slashes.
    let orders =
      isYearFirst
      ? [(first, second)]
      : word.contains("/") ? [(first, second), (second, first)] : [(second, first)]
    let texts = orders.compactMap { month, day in
      CivilDate(year: year, month: month, day: day)?.text
    }
    guard let text = texts.first else {
      return error("no such date '\(word.text)' (expected one such as 2027-01-31)", at: word)
    }
    let isAmbiguous = Set(texts).count > 1
    return error(
      "\(isAmbiguous ? "ambiguous" : "invalid") date '\(word.text)' "
        + (isAmbiguous ? "(expected \(texts[0]) or \(texts[1]))" : "(did you mean '\(text)'?)"),
      at: word)
  }

  /// A day and a month, perhaps with a year, and the number of their words.
  typealias DayOfMonth = (day: Int, month: Int, year: Int?, words: Int)

  /// Returns `24 dec`, `24th of december` or `dec 24`, each perhaps with a year; `nil` for other words.
  func dayOfMonth(at index: Int) -> DayOfMonth? {
    guard index + 1 < tokens.count, let first = tokens[index].plainKeyword else { return nil }
    let of = tokens[index + 1].plainKeyword == "of" ? 1 : 0
    guard index + 1 + of < tokens.count, let second = tokens[index + 1 + of].plainKeyword else {
      return nil
    }
    func day(_ word: String) -> Int? {
      Self.numberWithSuffix(word) ?? Int(word).flatMap { (1...31).contains($0) ? $0 : nil }
    }
    let found: (day: Int, month: Int)?
    if let day = day(first) {
      found = TimeWord[second]?.month.map { (day, $0) }
    } else {
      found =
        of > 0 ? nil : TimeWord[first]?.month.flatMap { month in day(second).map { ($0, month) } }
    }
    guard let found else { return nil }
    let next = index + 2 + of
    guard next < tokens.count, tokens[next].isNumber, tokens[next].count == 4,
      let year = Int(tokens[next].text), (1970...2261).contains(year)
    else { return (found.day, found.month, nil, 2 + of) }
    return (found.day, found.month, year, 3 + of)
  }
}
