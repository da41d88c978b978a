import TimerKit

/// Words that begin a timer without being reserved: they are names before `=`.
enum Preposition: String, CaseIterable {
  case `in`, `for`, until, by, on
}

/// The kinds that follow the time of day.
extension TimerParser {
  /// Parses a timer that begins with no keyword: `in 5m`, `until 17:00`, `hourly`, `tomorrow 9am`, `noon`,
  /// `mon-fri 9:55`.
  /// - Returns: `nil` for other words.
  mutating func phrase() throws(TimerSyntaxError) -> TimerSpec.Kind? {
    let word = tokens[position]
    guard let keyword = word.keyword, word.equals == nil else { return nil }
    switch Preposition(rawValue: keyword) {
    case .in?, .for?: return .once(try duration(after: keyword))
    case .until?, .by?, .on?:
      position += 1
      return .at(try moment(after: word.text))
    case nil: break
    }
    if keyword == "hourly" {
      position += 1
      return .every(.hours(1), count: nil)
    }
    // With several days, it repeats: `mon-fri 9:55`. With one, it fires once: `friday 9:00`.
    if let days = WallTimeText.parseDays(keyword), days.isRepeating {
      position += 1
      return .daily(try schedule(on: days.days, after: word.text), count: nil)
    }
    guard beginsDay(at: position) || beginsTime(at: position) else { return nil }
    return .at(try moment(after: word.text))
  }

  /// Returns true if a timer that needs no keyword begins at a word.
  func beginsPhrase(at index: Int) -> Bool {
    guard tokens[index].equals == nil, let keyword = tokens[index].keyword else { return false }
    if keyword == "hourly" || beginsTime(at: index) { return true }
    guard beginsDay(at: index) else { return false }
    let next = index + (dayOfMonth(at: index) == nil ? 1 : 2)
    return next < tokens.count && (tokens[next].keyword == "at" || isTime(at: next))
  }

  /// Parses `[day] ["at"] time`, which begins at the current word.
  mutating func moment(after word: String) throws(TimerSyntaxError) -> WallSchedule {
    guard position < tokens.count else { throw error(.timeMissing(after: word)) }
    let first = tokens[position]
    if let keyword = first.keyword, let (days, isRepeating) = WallTimeText.parseDays(keyword) {
      if isRepeating { throw error(.severalDays(first.text), at: first) }
      position += 1
      return try schedule(on: days, after: first.text)
    }
    guard let date = try date() else { return try schedule(on: .all, after: word) }
    if date.time == nil, position == tokens.count || !isTime(at: position),
      position == tokens.count || tokens[position].keyword != "at"
    {
      if case .date = date.day { throw errorHere(.wallTime(.timeMissing(date: date.word.text))) }
      throw timeError(after: date.word.text)
    }
    let time = try time(after: date.word.text, in: date.time)
    guard let schedule = date.day.schedule(at: time, after: now) else {
      throw error(.wallTime(.noSuchDate), at: date.word)
    }
    if !context.allowsPast, let now = context.now, schedule.next(after: now.wall) == nil {
      throw error(.wallTime(.past), at: date.word)
    }
    return schedule
  }

  mutating func at() throws(TimerSyntaxError) -> TimerSpec.Kind {
    position += 1
    return .at(try moment(after: Keyword.at.rawValue))
  }

  mutating func daily(
    on days: WallSchedule.Weekdays, after keyword: Keyword
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    position += 1
    return .daily(try schedule(on: days, after: keyword.rawValue), count: nil)
  }

  /// Parses `every mon,thu 18:00`, `every day at 9`, `every 9am`, `every hour` or `every 45s`.
  mutating func every() throws(TimerSyntaxError) -> TimerSpec.Kind {
    let next = position + 1
    guard next < tokens.count, let keyword = tokens[next].keyword, tokens[next].equals == nil else {
      return .every(try duration(after: .every), count: nil)
    }
    if let error = ordinalError(at: next) { throw error }
    if let (days, _) = WallTimeText.parseDays(keyword) {
      position = next + 1
      return .daily(try schedule(on: days, after: "every \(tokens[next].text)"), count: nil)
    }
    let isTimed =
      next + 1 < tokens.count && (tokens[next + 1].keyword == "at" || isTime(at: next + 1))
    if keyword == "day", isTimed {
      position = next + 1
      return .daily(try schedule(on: .all, after: "every \(tokens[next].text)"), count: nil)
    }
    if beginsTime(at: next) { return try daily(on: .all, after: .every) }
    if let unit = DurationText.unit(named: keyword), DurationText.isSingular(keyword) {
      position = next + 1
      return .every(.milliseconds(unit.milliseconds), count: nil)
    }
    if let error = dayError(at: next) { throw error }
    return .every(try duration(after: .every), count: nil)
  }

  private mutating func schedule(
    on days: WallSchedule.Weekdays, after word: String
  ) throws(TimerSyntaxError) -> WallSchedule {
    let start = position
    let time = try time(after: word)
    do throws(WallScheduleError) {
      return try .weekdays(days, hour: time.hour, minute: time.minute, second: time.second)
    } catch {
      throw self.error(.wallTime(.timeExpected), at: tokens[start])
    }
  }

  /// Parses `["at"] time`: `14:30`, `9`, `2:30 pm`, `noon`.
  /// - Parameter part: The part of the current word that is the time; `nil` for all of it.
  private mutating func time(
    after word: String, in part: Token? = nil
  ) throws(TimerSyntaxError) -> WallTimeText.TimeOfDay {
    if part == nil, word != "at", position < tokens.count, tokens[position].keyword == "at" {
      position += 1
    }
    guard position < tokens.count else { throw error(.timeMissing(after: word)) }
    let first = part ?? tokens[position]
    if let named = first.keyword.flatMap({ WallTimeText.namedTimes[$0] }) {
      position += 1
      return named
    }
    guard first.startsWithDigit else { throw timeError(after: word) }
    var time = first
    if let half = amOrPM(after: position) { time.append(half) }
    do throws(WallTimeSyntaxError) {
      let parsed = try WallTimeText.parseTime(Array(time.scalars))
      position += time.count > first.count ? 2 : 1
      return parsed
    } catch {
      throw self.error(
        .wallTime(error.problem), at: first.offset(of: error.offset), argument: first.argument)
    }
  }

  /// Returns the error for the current word, where a time of day belongs.
  private func timeError(after word: String) -> TimerSyntaxError {
    guard position < tokens.count, !beginsClause(at: position) else {
      return errorHere(.timeMissing(after: word))
    }
    return errorHere(.timeExpected(found: tokens[position].text, after: word))
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
  private func isTime(at index: Int) -> Bool {
    if beginsTime(at: index) { return true }
    guard tokens[index].looksLikeTime else { return false }
    guard tokens[index].isNumber, index + 1 < tokens.count else { return true }
    return count(at: index) == nil && dayOfMonth(at: index) == nil
      && tokens[index + 1].keyword.flatMap(DurationText.unit) == nil
  }
}
