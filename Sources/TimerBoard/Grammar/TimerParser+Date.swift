import TimerKit

/// The days of alarms that fire once.
extension TimerParser {
  /// A day: a date, a number of days from today, or a day and a month without a year.
  enum Day {
    case date(year: Int, month: Int, day: Int)
    case inDays(Int)
    case anyYear(month: Int, day: Int)

    /// Returns the schedule at a time of that day, which may be past; without a year, the next one after now.
    /// Returns `nil` if there is no such date.
    func schedule(at time: WallTimeText.TimeOfDay, after now: ClockReading) -> WallSchedule? {
      let today = LocalTime(now)
      func schedule(_ year: Int, _ month: Int, _ day: Int) -> WallSchedule? {
        try? .at(
          year: year, month: month, day: day, hour: time.hour, minute: time.minute,
          second: time.second)
      }
      switch self {
      case .date(let year, let month, let day): return schedule(year, month, day)
      case .inDays(let days):
        let date = CivilDate(day: today.dayNumber + days).yearMonthDay
        return schedule(date.year, date.month, date.day)
      case .anyYear(let month, let day):
        let year = CivilDate(day: today.dayNumber).yearMonthDay.year
        // Leap days are up to eight years apart.
        return (year...year + 8).lazy.compactMap { schedule($0, month, day) }
          .first { $0.next(after: now.wall) != nil }
      }
    }
  }

  var now: ClockReading { context.now ?? ClockReading(wall: WallInstant(nanosecondsSince1970: 0)) }

  /// Returns true if a day begins at a word.
  func beginsDay(at index: Int) -> Bool {
    guard let keyword = tokens[index].keyword, tokens[index].equals == nil else { return false }
    return Self.nearDays[keyword] != nil || WallTimeText.parseDays(keyword) != nil
      || dayOfMonth(at: index) != nil
  }

  /// Parses `2027-01-31`, `2027-01-31T…`, `tomorrow`, `24 dec`.
  /// - Returns: The day, its word, and the part of the current word that is the time; `nil` for other words.
  mutating func date() throws(TimerSyntaxError) -> (day: Day, word: Token, time: Token?)? {
    let word = tokens[position]
    guard word.equals == nil else { return nil }
    if let days = word.keyword.flatMap({ Self.nearDays[$0] }) {
      position += 1
      return (.inDays(days), word, nil)
    }
    if let (day, month) = dayOfMonth(at: position) {
      var both = word.replaced(by: word.text + " ")
      both.append(tokens[position + 1])
      position += 2
      return (.anyYear(month: month, day: day), both, nil)
    }
    guard word.looksLikeDate else { return nil }
    let divider = word.firstIndex { $0 == "T" || $0 == "t" }
    let date = word[0..<(divider ?? word.count)]
    guard let numbers = CivilDate.numbers(in: date.text) else {
      throw error("invalid date (expected year-month-day, such as 2027-01-31)", at: date)
    }
    let day = Day.date(year: numbers.year, month: numbers.month, day: numbers.day)
    let time = divider.map { word.dropFirst($0 + 1) }
    guard let time, !time.isEmpty else {
      position += 1
      return (day, date, nil)
    }
    guard time.startsWithDigit else {
      throw error(timeMissing(afterDate: date.text), at: time)
    }
    return (day, date, time)
  }

  func timeMissing(afterDate date: String) -> String {
    "missing time of day after '\(date)' (expected a time, such as \(date)T09:00)"
  }

  static let nearDays = ["yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1]

  /// Returns the day and the month of `24 dec`, `24th december` or `dec 24`; `nil` for other words.
  func dayOfMonth(at index: Int) -> (day: Int, month: Int)? {
    guard index + 1 < tokens.count, tokens[index].equals == nil, tokens[index + 1].equals == nil,
      let first = tokens[index].keyword, let second = tokens[index + 1].keyword
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
