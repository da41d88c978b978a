import TimerKit

/// Phrases that mean other words of the grammar: `half an hour` is `30m`, `quarter to six` is `5:45pm`.
extension TimerParser {
  /// Replaces all phrases, except in texts that follow a word such as `note`.
  mutating func resolvePhrases() {
    guard !context.isTrusted else { return }
    var resolved: [Token] = []
    resolved.reserveCapacity(tokens.count)
    var index = 0
    while index < tokens.count {
      // In `from 9 to 17`, `9 to 17` is no time before 17.
      let isText =
        resolved.last?.keyword.map { Word[$0]?.takesText == true || $0 == "from" } == true
      if !isText, let phrase = phrase(at: index) {
        var word = tokens[index]
        word.end = tokens[index + phrase.count - 1].end
        resolved += phrase.words.map { word.replaced(by: $0) }
        index += phrase.count
      } else {
        resolved.append(tokens[index])
        index += 1
      }
    }
    tokens = resolved
    resolveReminder()
  }

  /// Returns the words that a phrase means, and the number of its words; `nil` if no phrase begins at a word.
  private func phrase(at start: Int) -> (words: [String], count: Int)? {
    var reader = PhraseReader(tokens: tokens[start...])
    guard reader.canBeginPhrase else { return nil }
    if let duration = reader.duration() {
      return ([DurationText.text(duration)], reader.count(from: start))
    }
    reader = PhraseReader(tokens: tokens[start...])
    if let (time, isClear) = reader.time() {
      return ([text(of: isClear ? time : likely(time, at: start))], reader.count(from: start))
    }
    reader = PhraseReader(tokens: tokens[start...])
    if reader.take("tonight") {
      _ = reader.take("at")
      guard let (time, isClear) = reader.hour() else { return nil }
      // The night ends after midnight.
      let isLate = time < 60 || !isClear && time >= 12 * 60
      return (
        [
          isLate ? "tomorrow" : "today", text(of: isClear ? time : time % 720 + (isLate ? 0 : 720)),
        ],
        reader.count(from: start)
      )
    }
    if reader.take("every"), let number = Self.ordinals[reader.word], reader.take(reader.word),
      DurationText.isSingular(reader.word), let unit = DurationText.unit(named: reader.word)
    {
      _ = reader.take(reader.word)
      // `every other day at 9` is an error.
      guard reader.word != "at", reader.hour() == nil else { return nil }
      return (["every", "\(number)\(unit.name)"], 3)
    }
    return nil
  }

  static let ordinals = [
    "other": 2, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5,
    "5th": 5,
  ]

  /// Returns the likely one of two times, 12 hours apart: by day if the words before it name days, or else the next one.
  private func likely(_ minutes: Int, at start: Int) -> Int {
    let time = minutes % 720
    let isOnDays = tokens[..<start].suffix(2).contains { word in
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

  /// Parses `remind me at 3pm to call mum` and `remind me to call mum at 3pm` as `'call mum' at 3pm`.
  private mutating func resolveReminder() {
    guard tokens.count > 2, tokens[0].keyword == "remind", tokens[1].keyword == "me" else { return }
    let words = tokens.dropFirst(2)
    var timer = words
    var name = words.prefix(0)
    if words.first?.keyword == "to" {
      // The name can have the words of a timer too: `buy 2 eggs at 5pm`.
      let longestName = 16
      let start = words.indices.dropFirst(2).prefix(longestName).first {
        // The words as they are, because a timer can also begin with `remind me to`.
        var parser = self
        parser.tokens = Array(words[$0...])
        return (try? parser.onlyTimer()).map { $0.name == nil } == true
      }
      guard let start else { return }
      (name, timer) = (words[3..<start], words[start...])
    } else if let to = words.firstIndex(where: { $0.keyword == "to" }) {
      (timer, name) = (words[..<to], words[(to + 1)...])
    }
    tokens = Array(timer)
    if let first = name.first, let last = name.last {
      let text = text(from: first.start, to: last.end)
      tokens.insert(Token(text, at: 0, end: 0, isQuoted: true), at: 0)
    }
  }
}

/// Reads phrases word by word.
private struct PhraseReader {
  let tokens: ArraySlice<Token>
  private var index: Int

  private static let numbers = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30,
    "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "ninety": 90,
  ]

  init(tokens: ArraySlice<Token>) {
    self.tokens = tokens
    index = tokens.startIndex
  }

  private static let openings =
    Set(numbers.keys).union(["a", "an", "half", "quarter", "tonight", "every"])

  /// A Boolean value that indicates whether the current word can be the first one of a phrase: most can not.
  var canBeginPhrase: Bool {
    let word = word
    return Self.openings.contains(word) || Int(word) != nil
  }

  /// The current word; empty at the end, and for a quoted word or a name.
  var word: String {
    index < tokens.endIndex ? tokens[index].plainKeyword ?? "" : ""
  }

  func count(from start: Int) -> Int { index - start }

  mutating func take(_ words: String...) -> Bool {
    guard !word.isEmpty, words.contains(word) else { return false }
    index += 1
    return true
  }

  private mutating func number() -> Int? {
    let number = Self.numbers[word] ?? (word.utf8.count <= 6 ? Int(word) : nil)
    if number != nil { index += 1 }
    return number.flatMap { $0 > 0 ? $0 : nil }
  }

  /// Reads `half` or `quarter`, in quarters.
  private mutating func fraction() -> Int? { take("half") ? 2 : take("quarter") ? 1 : nil }

  private mutating func andFraction() -> Int? {
    let start = index
    if take("and"), take("a"), let fraction = fraction() { return fraction }
    index = start
    return nil
  }

  /// Reads `half an hour`, `three quarters of an hour`, `two and a half hours`, `an hour and a half`, `ten minutes`.
  mutating func duration() -> Duration? {
    // `5 min` is no phrase.
    var isPhrase = !("0"..."9").contains(word.prefix(1))
    let isOne = take("a", "an")
    var quarters: Int
    if let part = fraction() {
      quarters = part
    } else if isOne {
      quarters = 4
    } else {
      guard let number = number() else { return nil }
      quarters = take("quarters") ? number : number * 4
      if let part = andFraction() { (quarters, isPhrase) = (quarters + part, true) }
    }
    if quarters % 4 != 0, take("of") { isPhrase = true }
    if quarters < 4 { _ = take("a", "an") }
    guard let unit = DurationText.unit(named: word), unit.milliseconds >= 1000 else { return nil }
    index += 1
    if quarters % 4 == 0, let part = andFraction() {
      (quarters, isPhrase) = (quarters + part, true)
    }
    return isPhrase ? .milliseconds(unit.milliseconds * Int64(quarters) / 4) : nil
  }

  /// Reads `half past 3` or `ten to six pm`.
  /// - Returns: The minutes since midnight, and a Boolean value that indicates whether it is clear which half of the day is
  ///   meant.
  mutating func time() -> (minutes: Int, isClear: Bool)? {
    guard let minutes = fraction().map({ $0 * 15 }) ?? number(), minutes < 60 else { return nil }
    _ = take("min", "minutes")
    let sign = take("past", "after") ? 1 : take("to", "before") ? -1 : 0
    guard sign != 0, let hour = hour() else { return nil }
    return ((hour.minutes + sign * minutes + 1440) % 1440, hour.isClear)
  }

  /// Reads `3`, `three`, `3:30`, `3 pm`, `noon`.
  mutating func hour() -> (minutes: Int, isClear: Bool)? {
    var text = Self.numbers[word].map(String.init) ?? word
    if let named = WallTimeText.namedTimes[text] {
      index += 1
      return (named.hour * 60, true)
    }
    guard ("0"..."9").contains(text.prefix(1)) else { return nil }
    index += 1
    let half = word
    if take("am", "pm") { text += half }
    guard let time = try? WallTimeText.parseTime(Array(text.unicodeScalars)), time.second == 0
    else { return nil }
    return (time.hour * 60 + time.minute, text.hasSuffix("m") || !(1...12).contains(time.hour))
  }
}
