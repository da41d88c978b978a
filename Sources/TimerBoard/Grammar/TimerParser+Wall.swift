import TimerKit

/// Words that begin a timer without being reserved: they are names before `=`.
enum Preposition: String, CaseIterable {
  case `in`, `for`, until, by, on
}

/// The kinds that follow the time of day.
extension TimerParser {
  /// Parses a timer that begins with no keyword: `in 5m`, `until 17:00`, `tomorrow 9am`, `noon`,
  /// `mon-fri 9:55`.
  /// - Returns: `nil` for other words.
  mutating func phrase() throws(TimerSyntaxError) -> TimerSpec.Kind? {
    let word = tokens[position]
    guard let keyword = word.keyword, word.equals == nil else { return nil }
    switch Preposition(rawValue: keyword) {
    case .in?, .for?: return .once(try duration(after: keyword, inMinutes: true))
    case .until?, .by?, .on?:
      position += 1
      return .at(try moment(after: word.text))
    case nil: break
    }
    if let interval = Self.intervals[keyword] {
      if keyword == "weekly", position + 1 < tokens.count, beginsDay(at: position + 1) {
        return try every()
      }
      position += 1
      return .every(interval, count: nil)
    }
    if isCron(at: position) {
      position += 2
      let expression = tokens[position - 1].text
      return .daily(try schedule(try WallSchedule(cron: expression)), count: nil)
    }
    if let days = daysOfMonth(at: position) {
      position += Self.wordsOfMonth
      return try repeating(on: days, after: "month")
    }
    // With several days, it repeats: `mon-fri 9:55`. With one, it fires once: `friday 9:00`.
    if let days = WallTimeText.parseDays(keyword), days.isRepeating {
      position += 1
      return try repeating(on: .weekdays(days.days), after: word.text)
    }
    guard beginsDay(at: position) || beginsTime(at: position) else { return nil }
    return .at(try moment(after: word.text))
  }

  private static let intervals = ["hourly": Duration.hours(1), "weekly": .days(7)]

  /// Returns true if a timer that needs no keyword begins at a word.
  func beginsPhrase(at index: Int) -> Bool {
    guard tokens[index].equals == nil, let keyword = tokens[index].keyword else { return false }
    if Self.intervals[keyword] != nil || beginsTime(at: index) { return true }
    if isCron(at: index) || daysOfMonth(at: index) != nil { return true }
    guard beginsDay(at: index) else { return false }
    return hasTime(at: index + (dayOfMonth(at: index) == nil ? 1 : 2))
  }

  /// Returns true if a time of day is where a day can have one, perhaps after `at`.
  func hasTime(at index: Int) -> Bool {
    index < tokens.count && (tokens[index].keyword == "at" || isTime(at: index))
  }

  /// Parses `[day] ["at"] time`, which begins at the current word.
  mutating func moment(after word: String) throws(TimerSyntaxError) -> WallSchedule {
    guard position < tokens.count else { throw timeError(after: word) }
    let first = tokens[position]
    if let keyword = first.keyword, let (days, isRepeating) = WallTimeText.parseDays(keyword) {
      if isRepeating {
        let days = first.text
        throw error(
          "several days '\(days)' for an alarm that fires once (expected one day, or every \(days))",
          at: first)
      }
      position += 1
      let second = try time(after: first.text).secondOfDay
      return try schedule(try WallSchedule(.weekdays(days), seconds: [second]))
    }
    guard let date = try date() else {
      let second = try time(after: word).secondOfDay
      return try schedule(try WallSchedule(.every, seconds: [second]))
    }
    if date.time == nil, !hasTime(at: position) {
      if first.looksLikeDate { throw errorHere(timeMissing(afterDate: date.word.text)) }
      throw timeError(after: date.word.text)
    }
    let time = try time(after: date.word.text, in: date.time)
    guard let local = schedule(on: date.dates, at: time) else {
      throw error("no such date, or too far away", at: date.word)
    }
    let schedule = try schedule(local)
    if !context.allowsPast, let now = context.now, schedule.next(after: now.wall) == nil {
      throw error("date is in the past", at: date.word)
    }
    return schedule
  }

  mutating func daily(
    on days: WallSchedule.Weekdays, after keyword: String
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    position += 1
    return try repeating(on: .weekdays(days), after: keyword)
  }

  /// Parses `every mon,thu 18:00`, `every day at 9`, `every 9am`, `every hour`, `every 45s` or
  /// `every 2 hours from 9 to 17`.
  mutating func every() throws(TimerSyntaxError) -> TimerSpec.Kind {
    let next = position + 1
    guard next < tokens.count, let keyword = tokens[next].keyword, tokens[next].equals == nil else {
      return .every(try duration(after: "every"), count: nil)
    }
    if let days = daysOfMonth(at: next) {
      position = next + Self.wordsOfMonth
      return try repeating(on: days, after: "month")
    }
    if Self.ordinals[keyword] != nil, next + 1 < tokens.count, tokens[next + 1].equals == nil,
      let day = tokens[next + 1].keyword, day == "day" || WallTimeText.parseDays(day) != nil
    {
      throw error(
        "no timer repeats every \(keyword) \(day) (expected each, such as every \(day) 9:00)",
        at: tokens[next])
    }
    let weekdays = WallTimeText.parseDays(keyword).map { WallSchedule.Days.weekdays($0.days) }
    if let days = weekdays ?? (keyword == "day" && hasTime(at: next + 1) ? .every : nil) {
      position = next + 1
      return try repeating(on: days, after: "every \(tokens[next].text)")
    }
    if beginsTime(at: next) { return try daily(on: .all, after: "every") }
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
    if let named = first.keyword.flatMap({ WallTimeText.namedTimes[$0] }) {
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
  private func beginsTime(at index: Int) -> Bool {
    let word = tokens[index]
    guard let keyword = word.keyword, word.equals == nil else { return false }
    if WallTimeText.namedTimes[keyword] != nil { return true }
    guard word.looksLikeTime else { return false }
    return keyword.hasSuffix("m") || amOrPM(after: index) != nil
  }

  /// Returns true for a time of day where one is expected; a number may also be the beginning of a duration or a
  /// count.
  func isTime(at index: Int) -> Bool {
    if beginsTime(at: index) { return true }
    guard tokens[index].looksLikeTime else { return false }
    guard tokens[index].isNumber, index + 1 < tokens.count else { return true }
    return count(at: index) == nil && dayOfMonth(at: index) == nil
      && tokens[index + 1].keyword.flatMap(DurationText.unit) == nil
  }
}
