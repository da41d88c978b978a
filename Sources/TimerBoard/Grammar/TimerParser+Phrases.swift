import TimerKit

/// Phrases that mean other words of the grammar: `half an hour` is `30m`, `quarter to six` is `5:45pm`.
extension TimerParser {
  /// Replaces all phrases, except in texts that follow a word such as `note`.
  mutating func resolvePhrases() throws(TimerSyntaxError) {
    guard !context.isTrusted else { return }
    separateNames()
    for index in tokens.indices { tokens[index] = simplified(at: index) }
    var resolved: [Token] = []
    resolved.reserveCapacity(tokens.count)
    var index = 0
    while index < tokens.count {
      if !isText(after: resolved.last), let phrase = phrase(at: index, after: resolved.last) {
        var word = tokens[index]
        word.end = tokens[index + phrase.count - 1].end
        resolved += phrase.words.map { word.replaced(by: $0) }
        index += phrase.count
      } else if let cron = cronExpression(at: index) {
        resolved += [tokens[index], cron.text]
        index += 1 + cron.fields
      } else {
        resolved.append(tokens[index])
        index += 1
      }
    }
    tokens = resolved
    try resolveReminder()
  }

  /// Makes two words of each `NAME=WORD`, because a phrase can begin after the `=`.
  private mutating func separateNames() {
    guard tokens.contains(where: { $0.equals != nil }) else { return }
    var separated: [Token] = []
    separated.reserveCapacity(tokens.count + 16)
    for word in tokens {
      if let equals = word.equals, equals > 0 || word.isQuoted, equals + 1 < word.count,
        !isText(after: separated.last)
      {
        var rest = word.dropFirst(equals + 1)
        rest.isQuoted = false
        rest.quoteOffset = nil
        rest.equals = rest.firstIndex { $0 == "=" }
        separated += [word[0..<(equals + 1)], rest]
      } else {
        separated.append(word)
      }
    }
    tokens = separated
  }

  private func isText(after word: Token?) -> Bool {
    word?.plainKeyword.flatMap { Word[$0] }?.takesText == true
  }

  /// Returns a word without the comma of a list, the point of `jul.` or those of `a.m.`
  private func simplified(at index: Int) -> Token {
    let word = tokens[index]
    guard word.isPlain, !isText(after: index > 0 ? tokens[index - 1] : nil), word.count > 1 else {
      return word
    }
    if word.isAMOrPM { return word.replaced(by: word.text.filter { $0 != "." }) }
    let rest = word[0..<(word.count - 1)]
    if word[word.count - 1] == ".", let time = rest.keyword.flatMap({ TimeWord[$0] }),
      time.month != nil || time.weekday != nil
    {
      return rest
    }
    guard word[word.count - 1] == "," else { return word }
    let isTime = rest.looksLikeDuration || rest.keyword.map(TimeWord.contains) == true
    return isTime ? rest : word
  }

  /// Returns the fields of a cron expression without quotes as one quoted word: `cron 0 9 * * 1-5`.
  private func cronExpression(at index: Int) -> (text: Token, fields: Int)? {
    guard tokens[index].plainKeyword == "cron" else { return nil }
    let fields = tokens[(index + 1)...].prefix(5).prefix { word in
      word.isPlain
        && word.scalars.allSatisfy {
          ("0"..."9").contains($0) || "*,-/?#".unicodeScalars.contains($0)
            || word.count > 2 && $0.isLetter
        }
    }
    // `cron 5m` is a timer of that name.
    guard fields.count >= 2, let first = fields.first, let last = fields.last,
      fields.prefix(2).allSatisfy({ !$0.scalars.contains(where: \.isLetter) })
    else { return nil }
    let text = fields.map(\.text).joined(separator: " ")
    return (
      Token(text, at: first.start, end: last.end, argument: first.argument, isQuoted: true),
      fields.count
    )
  }

  private typealias Phrase = (words: [String], count: Int)

  /// Returns the words that a phrase means, and the number of its words; `nil` if no phrase begins at a word.
  private func phrase(at start: Int, after previous: Token?) -> Phrase? {
    var reader = PhraseReader(tokens: tokens[start...])
    guard reader.canBeginPhrase else { return nil }
    let before = previous?.plainKeyword ?? ""
    if before != Keyword.cycle.rawValue, let duration = reader.duration() {
      return ([DurationText.text(duration)], reader.count(from: start))
    }
    reader = PhraseReader(tokens: tokens[start...])
    // In `from 9 to 17`, `9 to 17` is no time before 17.
    if before != "from", let (time, isClear) = reader.time() {
      if let night = tonight(&reader, time, isClear) { return (night, reader.count(from: start)) }
      return (
        [text(of: isClear ? time : likely(time, at: start, before: reader.word))],
        reader.count(from: start)
      )
    }
    return timeOfDay(at: start, after: before) ?? days(at: start)
      ?? repetition(at: start, after: before)
  }

  /// Returns a time of day in words: `tonight at 8`, `7 tonight`, `3 o'clock`, `8 in the morning`, `nine thirty` after
  /// `at`, `morning at 9` after a day.
  private func timeOfDay(at start: Int, after before: String) -> Phrase? {
    var reader = PhraseReader(tokens: tokens[start...])
    if reader.take("tonight") {
      _ = reader.take("at")
      guard let (time, isClear) = reader.hour() else { return nil }
      return (night(time, isClear), reader.count(from: start))
    }
    let isThis = reader.take("this")
    if isThis || before == Keyword.every.rawValue || Self.isDay(before),
      let part = reader.partOfDay()
    {
      _ = reader.take("at")
      guard let (time, isClear) = reader.hour(), let minutes = part.minutes(time, isClear: isClear)
      else { return nil }
      return ((isThis ? ["today"] : []) + [text(of: minutes)], reader.count(from: start))
    }
    // `1h 05 tonight` is no hour and a time.
    guard !isThis, !endsDuration(before), before != "x", let (time, isClear) = reader.hour() else {
      return nil
    }
    if let night = tonight(&reader, time, isClear) { return (night, reader.count(from: start)) }
    if let part = reader.inPartOfDay() {
      return part.minutes(time, isClear: isClear).map {
        ([text(of: $0)], reader.count(from: start))
      }
    }
    if reader.take("o'clock", "oclock", "o’clock") {
      let half = reader.half(of: time)
      return (
        [text(of: half ?? (isClear ? time : likely(time, at: start, before: reader.word)))],
        reader.count(from: start)
      )
    }
    // A number in words, where a time is expected or with am or pm.
    let isExpected =
      ["at", "and", "from", "to", "until"].contains(before) || Self.isDay(before)
      || Self.isDay(reader.word)
    guard reader.isInWords, isClear || isExpected else { return nil }
    // Without minutes, it stays a number, which is no timer beside another one.
    let minutes = time % 60 == 0 ? "" : ":\((time % 60).padded(to: 2))"
    return ([isClear ? text(of: time) : "\(time / 60)\(minutes)"], reader.count(from: start))
  }

  /// Returns the time and the day of `7 tonight`; `nil` if another word follows the time.
  private func tonight(_ reader: inout PhraseReader, _ time: Int, _ isClear: Bool) -> [String]? {
    guard reader.take("tonight") else { return nil }
    return night(time, isClear).reversed()
  }

  /// Returns the day and the time of an hour of the coming night, which ends after midnight.
  private func night(_ time: Int, _ isClear: Bool) -> [String] {
    let dawn = 5 * 60
    let early = isClear ? time : time % 720
    guard early < dawn else { return ["today", text(of: isClear ? time : early + 720)] }
    let isToday = LocalTime(now).secondOfDay < early * 60
    return [isToday ? "today" : "tomorrow", text(of: early)]
  }

  /// Returns the days of `monday and thursday`, `mon wed fri` or `mon to fri` as one word.
  private func days(at start: Int) -> Phrase? {
    var reader = PhraseReader(tokens: tokens[start...])
    guard var text = reader.weekdays() else { return nil }
    var count = 1
    while true {
      var next = reader
      let isRange = next.take("to", "through", "thru", "till", "until", "-", "–")
      if !isRange { _ = next.take("and", "&") }
      guard let more = next.weekdays() else { break }
      text += (isRange ? "-" : ",") + more
      count += 1
      reader = next
    }
    return count > 1 ? ([text], reader.count(from: start)) : nil
  }

  /// Returns `every other day`, `once a day`, `each monday` and `3 days from now` in other words.
  private func repetition(at start: Int, after before: String) -> Phrase? {
    var reader = PhraseReader(tokens: tokens[start...])
    // `the 4th of july`, `the last day of the month`
    if reader.take("the") {
      let next = start + 1
      let isDay = next < tokens.count && (isDate(at: next) || daysOfMonth(at: next) != nil)
      return isDay ? ([], 1) : nil
    }
    if reader.take("from") {
      return reader.take("now") && endsDuration(before) ? ([], 2) : nil
    }
    let isOnce = reader.take("once")
    if isOnce {
      guard reader.take("a", "an", "per", "each", "every") else { return nil }
      // `once a half hour` is no phrase.
      guard reader.isUnit || reader.isNumberOrDay else { return nil }
      return (["every"], 2)
    }
    if reader.take("each") {
      return reader.isUnit || reader.isNumberOrDay ? (["every"], 1) : nil
    }
    guard reader.take("every"), let number = Self.ordinal(reader.word), reader.take(reader.word),
      DurationText.isSingular(reader.word), let unit = DurationText.unit(named: reader.word)
    else { return nil }
    _ = reader.take(reader.word)
    return (["every", "\(number)\(unit.name)"], 3)
  }

  /// Returns true for the last word of a duration, such as `3d` or `days`.
  private func endsDuration(_ word: String) -> Bool {
    DurationText.unit(named: word) != nil
      || !word.isEmpty && DurationText.units(in: ArraySlice(word.unicodeScalars)) != nil
  }

  /// Returns the number of `other`, `second`, `2nd` and the like.
  static func ordinal(_ word: String) -> Int? {
    if let number = TimeWord[word]?.ordinal { return number > 1 ? number : nil }
    return ["2nd": 2, "3rd": 3, "4th": 4, "5th": 5][word]
  }

  /// Returns the likely one of two times, 12 hours apart: by day if the words beside it name days, or else the next one.
  /// - Parameter next: The word after the time.
  private func likely(_ minutes: Int, at start: Int, before next: String) -> Int {
    let time = minutes % 720
    let isOnDays =
      Self.isDay(next)
      || tokens[..<start].suffix(2).contains { word in
        guard let keyword = word.keyword else { return false }
        return ["daily", "every", "day"].contains(keyword) || Self.isDay(keyword)
      }
    let earliest = isOnDays ? 7 * 60 : LocalTime(now).secondOfDay / 60 + 1
    return [time, time + 720].first { $0 >= earliest } ?? time
  }

  /// Returns a time of day with am or pm, which no duration has.
  private func text(of minutes: Int) -> String {
    let (hour, minute) = (minutes / 60 % 24).quotientAndRemainder(dividingBy: 12)
    return "\(minute == 0 ? 12 : minute):\((minutes % 60).padded(to: 2))\(hour == 0 ? "am" : "pm")"
  }
}

/// Sentences that ask for a timer.
extension TimerParser {
  /// The words with which a sentence begins, before the timer, and whether a time in it is one of the day.
  private static let requests: [(words: [String], isAlarm: Bool)] = [
    (["remind", "me"], false), (["set", "a", "timer"], false), (["set", "timer"], false),
    (["start", "a", "timer"], false), (["set", "an", "alarm"], true), (["set", "alarm"], true),
    (["wake", "me", "up"], true), (["wake", "me"], true),
  ]

  /// Parses `remind me at 3pm to call mum` and `remind me to call mum at 3pm` as `'call mum' at 3pm`, and
  /// `set a timer for 5 minutes` as `5 minutes`.
  private mutating func resolveReminder() throws(TimerSyntaxError) {
    let request = Self.requests.first { request in
      tokens.count > request.words.count
        && zip(tokens, request.words).allSatisfy { $0.plainKeyword == $1 }
    }
    guard let request else { return }
    let words = tokens.dropFirst(request.words.count)
    if request.words[0] == "remind" { return try resolveName(in: words) }
    let rest = words.first?.plainKeyword == "for" ? words.dropFirst() : words
    // Without a timer after it, it is a name.
    guard let first = rest.first, beginsKind(at: rest.startIndex, afterName: true) else { return }
    let called = rest.dropFirst().firstIndex { ["called", "named"].contains($0.plainKeyword) }
    let name = called.map { rest[($0 + 1)...] } ?? []
    tokens = Array(called.map { rest[..<$0] } ?? rest)
    if request.isAlarm, first.looksLikeTime || first.isNumber {
      tokens.insert(first.replaced(by: Keyword.at.rawValue), at: 0)
    }
    try insertName(name)
  }

  /// Moves the name of a reminder, which is after `to`, before its timer.
  private mutating func resolveName(in words: ArraySlice<Token>) throws(TimerSyntaxError) {
    var timer = words
    var name = words.prefix(0)
    if words.first?.keyword == "to" {
      // The name can have the words of a timer too: `buy 2 eggs at 5pm`.
      let start = words.indices.dropFirst(2).prefix(Self.longestName).first {
        // The words as they are, because a timer can also begin with `remind me to`.
        var parser = self
        parser.tokens = Array(words[$0...])
        return (try? parser.onlyTimer()).map { $0.name == nil } == true
      }
      guard let start else { return }
      (name, timer) = (words[(words.startIndex + 1)..<start], words[start...])
    } else if let to = words.firstIndex(where: { $0.keyword == "to" }) {
      (timer, name) = (words[..<to], words[(to + 1)...])
    }
    tokens = Array(timer)
    try insertName(name)
  }

  /// Inserts a name of several words before the timer. In `remind me at 3pm to call mum tomorrow`, a word of time is an
  /// error: it is about the timer.
  private mutating func insertName(_ words: ArraySlice<Token>) throws(TimerSyntaxError) {
    guard let first = words.first, let last = words.last else { return }
    for index in words.indices {
      let word = words[index]
      guard let keyword = word.plainKeyword else { continue }
      let unit = index + 1 < words.endIndex ? words[index + 1].plainKeyword : nil
      let isTime =
        Self.isDay(keyword) || TimeWord[keyword]?.time != nil
        || word.looksLikeTime && (!word.isNumber || unit.flatMap(DurationText.unit) != nil)
        || word.looksLikeDuration && (try? DurationText.parse(word.text)) != nil
      guard isTime || index == words.endIndex - 1 && TimeWord.contains(keyword) else { continue }
      throw error(
        "'\(word.text)' in the name of a reminder (expected it before 'to', or the name in quotes)",
        at: word)
    }
    tokens.insert(
      Token(text(from: first.start, to: last.end), at: 0, end: 0, isQuoted: true), at: 0)
  }
}
