import TimerKit

/// The kinds that follow the time of day.
extension TimerParser {
  /// Parses `at 14:30`, `at 2:30 pm`, `at 2027-01-31T09:00`, `at 2027-01-31 09:00`.
  mutating func at() throws(TimerSyntaxError) -> TimerSpec.Kind {
    position += 1
    let first = try wallWord(after: Keyword.at.rawValue)
    guard first.looksLikeDate else {
      return .at(try schedule(after: Keyword.at.rawValue, on: .all))
    }
    let divider = first.scalars.firstIndex { $0 == "T" || $0 == "t" }
    let dateWord = first[0..<(divider ?? first.scalars.count)]
    let date: (year: Int, month: Int, day: Int)
    do throws(WallTimeSyntaxError) {
      date = try WallTimeText.parseDate(dateWord.scalars)
    } catch {
      throw self.error(.wallTime(error.problem), at: dateWord)
    }
    if let divider {
      replaceFirst(with: first[(divider + 1)..<first.scalars.count])
    } else {
      position += 1
    }
    guard position < tokens.count, !tokens[position].isQuoted, tokens[position].startsWithDigit
    else {
      let problem = TimerSyntaxError.Problem.wallTime(.timeMissing(date: dateWord.text))
      throw position < tokens.count ? error(problem, at: tokens[position]) : error(problem)
    }
    let time = try timeOfDay()
    let schedule: WallSchedule
    do throws(ScheduleError) {
      schedule = try .at(
        year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
        second: time.second)
    } catch {
      throw self.error(.wallTime(.noSuchDate), at: dateWord)
    }
    if let now = context.now, schedule.next(after: now) == nil {
      throw error(.wallTime(.past), at: dateWord)
    }
    return .at(schedule)
  }

  mutating func daily(
    on days: WallSchedule.Weekdays, after keyword: Keyword
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    position += 1
    return .daily(try schedule(after: keyword.rawValue, on: days), count: nil)
  }

  /// Parses `every mon,thu 18:00`, or `every 45s` if no day of the week follows.
  mutating func every() throws(TimerSyntaxError) -> TimerSpec.Kind {
    guard position + 1 < tokens.count, let text = tokens[position + 1].keyword else {
      return .every(try duration(after: .every), count: nil)
    }
    guard let days = WallTimeText.parseDays(text) else {
      if let error = dayError(in: tokens[position + 1]) { throw error }
      return .every(try duration(after: .every), count: nil)
    }
    position += 2
    return .daily(
      try schedule(after: "\(Keyword.every.rawValue) \(text)", on: days), count: nil)
  }

  /// Returns the error for a word that is meant as days of the week; `nil` for any other word.
  private func dayError(in word: Token) -> TimerSyntaxError? {
    let parts = word.scalars.indices.split(
      omittingEmptySubsequences: false, whereSeparator: { word.scalars[$0] == "," })
    var start = 0
    for part in parts {
      let day = word[start..<(start + part.count)]
      start += part.count + 1
      guard WallTimeText.parseDays(day.text) == nil else { continue }
      let nearest = WallTimeText.nearestDay(to: day.text)
      guard parts.count > 1 || nearest != nil, !word.looksLikeDuration else { return nil }
      return error(.dayExpected(found: day.text, nearest: nearest), at: day)
    }
    return nil
  }

  private mutating func schedule(
    after words: String, on days: WallSchedule.Weekdays
  ) throws(TimerSyntaxError) -> WallSchedule {
    let word = try wallWord(after: words)
    let time = try timeOfDay()
    do throws(ScheduleError) {
      return try .weekdays(days, hour: time.hour, minute: time.minute, second: time.second)
    } catch {
      throw self.error(.wallTime(.timeExpected), at: word)
    }
  }

  private func wallWord(after word: String) throws(TimerSyntaxError) -> Token {
    guard position < tokens.count else { throw error(.timeMissing(after: word)) }
    guard !tokens[position].isQuoted, tokens[position].startsWithDigit else {
      let found = tokens[position]
      throw error(
        continuesTimer(at: position)
          ? .timeMissing(after: word) : .timeExpected(found: found.text, after: word),
        at: found)
    }
    return tokens[position]
  }

  /// Parses a time of day, with `am` or `pm` if that is the next word.
  private mutating func timeOfDay() throws(TimerSyntaxError) -> WallTimeText.TimeOfDay {
    let word = tokens[position]
    var scalars = word.scalars
    var count = 1
    if word.scalars.last.map({ ("0"..."9").contains($0) }) == true, position + 1 < tokens.count,
      let half = tokens[position + 1].keyword, ["am", "pm"].contains(half.lowercased())
    {
      scalars += tokens[position + 1].scalars
      count = 2
    }
    do throws(WallTimeSyntaxError) {
      let time = try WallTimeText.parseTime(scalars)
      position += count
      return time
    } catch {
      throw self.error(
        .wallTime(error.problem), at: word.offset(of: error.offset), argument: word.argument)
    }
  }
}

extension Token {
  fileprivate var startsWithDigit: Bool {
    scalars.first.map { ("0"..."9").contains($0) } == true
  }

  /// True for a word that begins with a number and a hyphen.
  fileprivate var looksLikeDate: Bool {
    scalars.first { !("0"..."9").contains($0) } == "-"
  }
}
