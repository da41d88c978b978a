import TimerKit

/// Words that begin a timer without being reserved: they are names before `=`.
enum Preposition: String, CaseIterable {
  case `in`, `for`, until, by, on
}

/// The kinds that follow the time of day.
extension TimerParser {
  /// Parses a timer that begins with no keyword: `in 5m`, `until 17:00`, `tomorrow 9am`, `9am tomorrow`, `noon`,
  /// `mon-fri 9:55`.
  /// - Returns: `nil` for other words.
  mutating func phrase() throws(TimerSyntaxError) -> TimerSpec.Kind? {
    let word = tokens[position]
    guard let keyword = word.keyword, word.equals == nil else { return nil }
    switch Preposition(rawValue: keyword) {
    case .for? where position + 1 < tokens.count && beginsTime(at: position + 1):
      position += 1
      return try moment(after: word.text)
    case .in?, .for?: return try once(duration(after: keyword, inMinutes: true))
    case .until?, .by?, .on?:
      position += 1
      return try moment(after: word.text)
    case nil: break
    }
    if let interval = Self.intervals[keyword], daysOfUnit(at: position) == nil {
      position += 1
      return try repeating(every: interval.duration)
    }
    if isCron(at: position) {
      position += 2
      // With tabs, as in a file of cron, the text would not be printable.
      let fields = tokens[position - 1].text.split { $0.isWhitespace }
      let schedule = try repeatingSchedule { () throws(WallScheduleError) in
        try WallSchedule(cron: fields.joined(separator: " "))
      }
      return .daily(schedule, count: nil)
    }
    // With several days, it repeats: `mon-fri 9:55`. With one, it fires once: `friday 9:00`.
    if let days = repeatingDays(at: position) {
      return try repeating(on: days, after: take(days))
    }
    if word.looksLikeForeignDate { throw foreignDate(word) }
    guard beginsDay(at: position) || beginsTime(at: position) || isTimeBeforeDay(at: position)
    else { return nil }
    return try moment(after: word.text)
  }

  /// The words that are an interval, each with the form in which it can stand beside another timer.
  static let intervals = [
    "hourly": (duration: Duration.hours(1), text: "every hour"),
    "weekly": (duration: Duration.days(7), text: "every week"),
  ]

  /// Returns true if a timer that needs no keyword begins at a word.
  func beginsPhrase(at index: Int) -> Bool {
    guard tokens[index].equals == nil, let keyword = tokens[index].keyword else { return false }
    if Self.intervals[keyword] != nil || beginsTime(at: index) { return true }
    if isCron(at: index) || daysOfMonth(at: index) != nil || daysOfUnit(at: index) != nil {
      return true
    }
    guard let count = wordsOfDay(at: index) else { return false }
    return isDate(at: index) || hasTime(at: index + count)
  }

  /// Returns true if a time of day is where a day can have one, perhaps after `at`.
  func hasTime(at index: Int) -> Bool {
    index < tokens.count && (tokens[index].keyword == "at" || isTime(at: index))
  }

  /// Returns true for a number or a clock that a day or a time zone makes a time of day: `17:00 friday`, `9 tomorrow`,
  /// `9:00 UTC`, `9 every monday`.
  func isTimeBeforeDay(at index: Int) -> Bool {
    let word = tokens[index]
    guard word.looksLikeTime, !isDate(at: index) else { return false }
    let next = index + (amOrPM(after: index) == nil ? 1 : 2)
    guard next < tokens.count, tokens[next].isPlain else { return false }
    let day = next + (tokens[next].keyword == "on" ? 1 : 0)
    guard day < tokens.count else { return false }
    if let days = repeatingDays(at: day) ?? daysOfInterval(at: day) {
      return !beginsClock(at: day + days.words)
    }
    if wordsOfDay(at: day) != nil { return true }
    return isZone(at: next) || word.contains(":") && isAmbiguousDay(at: day)
      || tokens[next].keyword == "in" && next + 1 < tokens.count && isZone(at: next + 1)
  }

  /// Parses a day, a time of day and a time zone in any order, such as `friday 9:00`, `9am UTC on friday` or
  /// `9:00 every monday`. A date alone is its midnight.
  mutating func moment(after word: String) throws(TimerSyntaxError) -> TimerSpec.Kind {
    guard position < tokens.count else { throw timeError(after: word) }
    let start = tokens[position]
    if word.lowercased() != Preposition.until.rawValue,
      let days = repeatingDays(at: position)
    {
      return try repeating(on: days, after: take(days))
    }
    if var day = try day() {
      var zone: TimeZoneRules?
      if let text = day.timeText {
        day.time = try self.time(after: day.word.text, in: text)
      } else if hasTime(at: position) || position < tokens.count && isHours(at: position) {
        day.time = try self.time(after: day.word.text)
        zone = try timeZone()
      } else if !day.isDate {
        throw timeError(after: day.word.text)
      }
      return .at(try schedule(on: day, in: zone))
    }
    if start.looksLikeForeignDate { throw foreignDate(start) }
    let times = try times(after: word)
    let zone = try timeZone()
    let end = position
    if position < tokens.count, tokens[position].isPlain, tokens[position].keyword == "on" {
      position += 1
    }
    if position < tokens.count {
      // In `at 12:30 weekdays 09:55`, the days begin another timer.
      if let days = repeatingDays(at: position) ?? daysOfInterval(at: position),
        !beginsClock(at: position + days.words)
      {
        try checkHasNoTime(at: position + days.words)
        position += days.words
        // `one weekdays every 15m from 9 to 17` is not two timers.
        if position < tokens.count, tokens[position].plainKeyword == Keyword.every.rawValue {
          throw error(
            "interval after a time and its days (expected it without the time, or NAME=every for another timer)",
            at: tokens[position])
        }
        let schedule = try repeatingSchedule(step: days.step, in: zone) {
          () throws(WallScheduleError) in
          try WallSchedule(days.days, seconds: times.map(\.secondOfDay))
        }
        return .daily(schedule, count: nil)
      }
      try checkIsNoAmbiguousDay(at: position, hasTime: true)
      if times.count == 1, repeatingDays(at: position) == nil, let count = wordsOfDay(at: position)
      {
        try checkHasNoTime(at: position + count)
        if var day = try day(), day.timeText == nil {
          day.time = times[0]
          return .at(try schedule(on: day, in: zone))
        }
      }
    }
    position = end
    if times.count == 1, let date = try dateInDays() {
      try checkHasNoTime(at: position)
      return .at(try schedule(on: AlarmDay(dates: [date], word: start, time: times[0]), in: zone))
    }
    guard times.count == 1 else { throw severalTimes() }
    let second = times[0].secondOfDay
    return .at(
      try schedule(in: zone) { () throws(WallScheduleError) in
        try WallSchedule(.every, seconds: [second])
      })
  }

  /// Parses `9:00`, or `9:00 and 17:00`, which only a timer that repeats can have.
  mutating func times(
    after word: String
  ) throws(TimerSyntaxError) -> [WallTimeText.TimeOfDay] {
    var times = [try time(after: word)]
    while position + 1 < tokens.count, tokens[position].plainKeyword == "and",
      isTime(at: position + 1)
    {
      position += 1
      times.append(try time(after: "and"))
    }
    return times
  }

  /// Returns the error for several times of an alarm that fires once, at the last `and`.
  private func severalTimes() -> TimerSyntaxError {
    let and = tokens[..<position].last { $0.keyword == "and" } ?? tokens[position - 1]
    return error(
      "several times for an alarm that fires once (expected one time, or daily 8:00 and 20:00)",
      at: and)
  }

  private func beginsClock(at index: Int) -> Bool {
    index < tokens.count && tokens[index].looksLikeClock
  }

  /// Throws an error for a day between two times, which can belong to either.
  private func checkHasNoTime(at index: Int) throws(TimerSyntaxError) {
    guard hasTime(at: index) || index < tokens.count && isHours(at: index) else { return }
    throw error(
      "day between two times (expected it once before or after its time)", at: tokens[index - 1])
  }

  /// Returns the schedule of an alarm that fires once.
  private mutating func schedule(
    on day: AlarmDay, in zone: TimeZoneRules?
  ) throws(TimerSyntaxError) -> WallSchedule {
    if let weekday = day.weekday {
      return try schedule(in: zone) { () throws(WallScheduleError) in
        try WallSchedule(.weekdays(weekday), seconds: [day.time.secondOfDay])
      }
    }
    let day = day.inUTC
    guard let local = schedule(on: day.dates, at: day.time) else {
      throw error("no such date, or too far away", at: day.word)
    }
    let isInUTC = day.secondsFromUTC != nil
    let schedule = try schedule(in: zone) { () throws(WallScheduleError) in
      isInUTC ? local.inTimeZone(.utc) : local
    }
    if !context.allowsPast, let now = context.now, schedule.next(after: now.wall) == nil {
      throw error("date is in the past", at: day.word)
    }
    return schedule
  }

  /// Returns the kind of a duration, or of the time of day after it: `in 3 days at 9am`.
  mutating func once(_ duration: Duration) throws(TimerSyntaxError) -> TimerSpec.Kind {
    guard let days = duration.wholeDays, position + 1 < tokens.count,
      tokens[position].plainKeyword == "at",
      tokens[position + 1].startsWithDigit
        || isTime(at: position + 1)
    else { return .once(duration) }
    let word = tokens[position - 1]
    let date = LocalTime(now).date.advanced(by: days).yearMonthDay
    let time = try time(after: "in")
    let zone = try timeZone()
    return .at(try schedule(on: AlarmDay(dates: [date], word: word, time: time), in: zone))
  }

  /// Parses `in 3 days` after a time of day.
  private mutating func dateInDays() throws(TimerSyntaxError) -> (year: Int, month: Int, day: Int)?
  {
    let start = position
    guard position + 1 < tokens.count, tokens[position].plainKeyword == "in",
      tokens[position + 1].looksLikeDuration
    else { return nil }
    position += 1
    if let days = (try? duration())?.wholeDays {
      return LocalTime(now).date.advanced(by: days).yearMonthDay
    }
    position = start
    return nil
  }

  mutating func daily(
    on days: WallSchedule.Weekdays, after keyword: String
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    position += 1
    return try repeating(on: RepeatingDays(days: .weekdays(days), words: 1), after: keyword)
  }

  /// Parses `every mon,thu 18:00`, `every day at 9`, `every 9am`, `every hour`, `every 45s` or
  /// `every 2 hours from 9 to 17`.
  mutating func every() throws(TimerSyntaxError) -> TimerSpec.Kind {
    let next = position + 1
    guard next < tokens.count, let keyword = tokens[next].keyword, tokens[next].equals == nil else {
      return .every(try duration(after: "every"), count: nil)
    }
    if let days = repeatingDays(at: position), keyword != "day" || hasTime(at: next + 1) {
      return try repeating(on: days, after: take(days))
    }
    try checkHasDays(at: next)
    if beginsTime(at: next) { return try daily(on: .all, after: "every") }
    try checkHasLength(at: next)
    if let unit = DurationText.unit(named: keyword), DurationText.isSingular(keyword) {
      position = next + 1
      return try repeating(every: .milliseconds(unit.milliseconds))
    }
    if let error = dayError(at: next) { throw error }
    return try repeating(every: try duration(after: "every"))
  }

  /// Parses `["at"] time`: `14:30`, `9`, `2:30 pm`, `noon`.
  /// - Parameter part: The part of the current word that is the time; `nil` for all of it.
  mutating func time(
    after word: String, in part: Token? = nil
  ) throws(TimerSyntaxError) -> WallTimeText.TimeOfDay {
    if part == nil, word != "at", position < tokens.count, tokens[position].keyword == "at" {
      position += 1
    }
    guard position < tokens.count else { throw timeError(after: word) }
    let first = part ?? tokens[position]
    if let named = first.plainKeyword.flatMap({ TimeWord[$0]?.time }) {
      position += 1
      return named
    }
    guard first.startsWithDigit else { throw timeError(after: word) }
    var time = first
    if let half = amOrPM(after: position) { time.append(half) }
    do throws(TimeSyntaxError) {
      let parsed = try WallTimeText.parseTime(Array(time.scalars))
      position += time.count > first.count ? 2 : 1
      return parsed
    } catch {
      throw self.error(error.message, at: first.offset(of: error.offset), argument: first.argument)
    }
  }

  /// The times that the parts of a day suggest.
  private static let partsOfDay = [
    "morning": "9:00", "afternoon": "14:00", "evening": "18:00", "night": "21:00",
  ]

  /// Returns the error for the current word, where a time of day belongs. After a day, it suggests a time.
  private func timeError(after word: String) -> TimerSyntaxError {
    let isDay = Self.isDay(word.lowercased())
    let isMissing = position >= tokens.count || beginsClause(at: position)
    if !isMissing, let time = tokens[position].keyword.flatMap({ Self.partsOfDay[$0] }) {
      let found = "\(word) \(tokens[position].text)"
      return error(
        "no time of day in '\(found)' (did you mean '\(word) \(time)'?)", at: tokens[position])
    }
    let hint = isDay ? "did you mean '\(word) 9:00'?" : "expected a time, such as \(word) 14:30"
    return errorHere(
      isMissing
        ? "missing time of day after '\(word)' (\(hint))"
        : "invalid time of day '\(tokens[position].text)' (expected a time, such as \(word) 14:30)")
  }

  /// Returns `am` or `pm` if that is the word after a time.
  private func amOrPM(after index: Int) -> Token? {
    let word = tokens[index]
    guard index + 1 < tokens.count, tokens[index + 1].isAMOrPM, tokens[index + 1].equals == nil,
      word[word.count - 1].map({ ("0"..."9").contains($0) }) == true
    else { return nil }
    return tokens[index + 1]
  }

  /// Returns true for a time of day that needs no word before it: `noon`, `9am`, `9:30 pm`.
  func beginsTime(at index: Int) -> Bool {
    let word = tokens[index]
    guard let keyword = word.keyword, word.equals == nil else { return false }
    if TimeWord[keyword]?.time != nil { return true }
    guard word.looksLikeTime else { return false }
    return keyword.hasSuffix("m") || keyword.hasSuffix("m.") || amOrPM(after: index) != nil
  }

  /// Returns true for a time of day where one is expected; a number may also be the beginning of a duration or a
  /// count, and after a month the year.
  func isTime(at index: Int) -> Bool {
    if beginsTime(at: index) { return true }
    guard tokens[index].looksLikeTime else { return false }
    guard tokens[index].isNumber, index + 1 < tokens.count else { return true }
    let next = tokens[index + 1].keyword.flatMap { TimeWord[$0] }
    return count(at: index) == nil && !isDate(at: index)
      && next?.unit == nil && next?.insteadOfUnit == nil
  }

  /// Returns true for hours and minutes with an `h` after a day, such as `17h30`, which is a duration elsewhere.
  private func isHours(at index: Int) -> Bool {
    let word = tokens[index]
    return word.isPlain && word.startsWithDigit && word.firstIndex { $0 == "h" } == word.count - 3
      && (try? WallTimeText.parseTime(Array(word.scalars))) != nil
  }
}
