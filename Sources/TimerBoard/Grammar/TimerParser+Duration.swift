extension DurationText {
  /// Parses a duration as the text of a timer can have it, but not a number without a unit: `90s`, `1 minute`,
  /// `half an hour`, `PT5M`.
  package static func parse(words text: String) throws(TimeSyntaxError) -> Duration {
    // The digits and the units of older texts can be apart in any way.
    guard let duration = TimerParser.duration(text) else {
      return try parse(text.filter { !$0.isWhitespace })
    }
    return duration
  }
}

/// Durations of one or several words: `90s`, `3 min`, `1h 30m`, `2 hours 5 minutes`.
extension TimerParser {
  /// Returns the duration that a whole text is; `nil` for another text.
  static func duration(_ text: String) -> Duration? {
    let context = TimerContext(defaults: TimerDefaults(presets: .none))
    guard var parser = try? TimerParser(arguments: [text], in: context),
      parser.tokens.first?.looksLikeDuration == true, let duration = try? parser.duration(),
      parser.position == parser.tokens.count
    else { return nil }
    return duration
  }

  /// - Parameter inMinutes: A Boolean value that indicates whether a number without a unit is in minutes.
  mutating func duration(
    after keyword: String, zeroAllowed: Bool = false, inMinutes: Bool = false
  ) throws(TimerSyntaxError) -> Duration {
    position += 1
    guard position < tokens.count, tokens[position].looksLikeDuration else {
      throw durationError(after: keyword)
    }
    return try duration(zeroAllowed: zeroAllowed, inMinutes: inMinutes)
  }

  /// Returns the error for the current word, where a duration belongs.
  func durationError(after word: String) -> TimerSyntaxError {
    let isMissing = position >= tokens.count || beginsClause(at: position)
    return errorHere(
      (isMissing
        ? "missing duration after '\(word)'" : "invalid duration '\(tokens[position].text)'")
        + " (expected a duration, such as \(word) 30s)")
  }

  /// Parses a duration that begins at the current word.
  mutating func duration(
    zeroAllowed: Bool = false, inMinutes: Bool = false
  ) throws(TimerSyntaxError) -> Duration {
    var (word, count, _) = durationRun(tokens[position])
    if word.isDecimal { try checkHasLength(at: position + count) }
    if inMinutes, word.isDecimal, !isMisspelledUnit(at: position + count) {
      parsed.numberInMinutes =
        parsed.numberInMinutes ?? "\(word.text) is in minutes; \(word.text)s are seconds"
      word.append(word.replaced(by: "m"))
    }
    let end = position + count
    let duration = try duration(word, zeroAllowed: zeroAllowed, before: end)
    position = end
    return duration
  }

  private func isMisspelledUnit(at index: Int) -> Bool {
    index < tokens.count && tokens[index].canBeName
      && tokens[index].keyword.flatMap { Suggestion.nearest(to: $0, of: DurationText.unitNames) }
        != nil
  }

  /// Parses one word as a duration.
  /// - Parameter next: The index of the word that follows.
  func duration(
    _ word: Token, zeroAllowed: Bool = false, before next: Int
  ) throws(TimerSyntaxError) -> Duration {
    do {
      return try DurationText.parse(Array(word.scalars), zeroAllowed: zeroAllowed)
    } catch {
      if error.isUnitMissing, isMisspelledUnit(at: next) {
        throw unknown("unit", tokens[next], of: DurationText.unitNames)
      }
      let message =
        error.isUnitMissing && prefersMilliseconds && word.isDecimal
        ? DurationText.missingUnit(after: word.text, isShort: true) : error.message
      throw self.error(message, at: word.offset(of: error.offset), argument: word.argument)
    }
  }

  /// Returns the words that together are one duration, joined: a number and its unit, and neighbors with
  /// smaller and smaller units; after hours also minutes without a unit, if they have two digits.
  /// - Parameters:
  ///   - first: The word at the current position, or what is left of it.
  ///   - isInCycle: A Boolean value that indicates whether a slash ends the duration.
  /// - Returns: The word, the number of words that it takes completely, and the part of the next word that is left,
  ///   which begins with a slash.
  func durationRun(
    _ first: Token, isInCycle: Bool = false
  ) -> (word: Token, count: Int, rest: Token?) {
    var run = (word: first[0..<0], count: 0, rest: Token?.none)
    var smallest = Int64.max
    while run.rest == nil, position + run.count < tokens.count {
      // `1 hour and 30 minutes`
      let joins = run.count > 0 && tokens[position + run.count].keyword == "and"
      let index = position + run.count + (joins ? 1 : 0)
      guard index < tokens.count,
        let part = durationPart(
          run.count == 0 ? first : tokens[index], isInCycle: isInCycle, at: index),
        part.units.upperBound < smallest
      else { break }
      run.word.append(part.word)
      run.count += part.count + (joins ? 1 : 0)
      run.rest = part.rest
      smallest = part.units.lowerBound
    }
    // `1h 30`, as `1h30`.
    let end = position + run.count
    if run.count > 0, run.rest == nil, smallest == DurationText.unit(named: "h")?.milliseconds,
      end < tokens.count, tokens[end].isNumber, tokens[end].count == 2, count(at: end) == nil,
      !isInCycle, !isTimeBeforeDay(at: end), !isDate(at: end),
      run.word.scalars.last.map(\.isLetter) == true, tokens[end].text < "60"
    {
      run.word.append(tokens[end])
      run.count += 1
    }
    guard run.count == 0, run.rest == nil else { return run }
    // Without a known unit, the parser of durations throws the error.
    let (word, rest) = Self.split(first, isInCycle: isInCycle)
    return (word, rest == nil ? 1 : 0, rest)
  }

  /// The words of a part are those of the whole; the units are the smallest and the largest one.
  private typealias DurationPart = (
    word: Token, count: Int, rest: Token?, units: ClosedRange<Int64>
  )

  /// Returns a number with its unit, in one word or in two; `nil` for anything else.
  private func durationPart(_ first: Token, isInCycle: Bool, at index: Int) -> DurationPart? {
    var (word, rest) = Self.split(first, isInCycle: isInCycle)
    guard word.isPlain else { return nil }
    guard word.isDecimal else {
      return DurationText.units(in: word.scalars).map { (word, rest == nil ? 1 : 0, rest, $0) }
    }
    guard rest == nil, index + 1 < tokens.count, tokens[index + 1].isPlain else { return nil }
    let (unit, unitRest) = Self.split(tokens[index + 1], isInCycle: isInCycle)
    guard let size = unit.keyword.flatMap(DurationText.unit)?.milliseconds else { return nil }
    word.append(unit)
    rest = unitRest
    return (word, rest == nil ? 2 : 1, rest, size...size)
  }

  /// Splits a word of a cycle before its slash.
  private static func split(_ word: Token, isInCycle: Bool) -> (word: Token, rest: Token?) {
    guard isInCycle, !word.isQuoted, let slash = word.firstIndex(where: { $0 == "/" }) else {
      return (word, nil)
    }
    return (word[0..<slash], word.dropFirst(slash))
  }
}
