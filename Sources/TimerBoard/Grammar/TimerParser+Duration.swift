import TimerKit

/// Durations of one or several words: `90s`, `3 min`, `1h 30m`, `2 hours 5 minutes`.
extension TimerParser {
  mutating func duration(after keyword: Keyword) throws(TimerSyntaxError) -> Duration {
    try duration(after: keyword.rawValue, zeroAllowed: keyword == .tolerance)
  }

  mutating func duration(after keyword: String, zeroAllowed: Bool = false) throws(TimerSyntaxError)
    -> Duration
  {
    position += 1
    guard position < tokens.count else { throw error(.durationMissing(after: keyword)) }
    guard tokens[position].looksLikeDuration else {
      if let phrase = fractionPhrase(at: position) { throw errorHere(phrase) }
      let found = tokens[position].text
      throw errorHere(
        beginsClause(at: position)
          ? .durationMissing(after: keyword) : .durationExpected(found: found, after: keyword))
    }
    return try duration(zeroAllowed: zeroAllowed)
  }

  /// Parses a duration that begins at the current word.
  mutating func duration(zeroAllowed: Bool = false) throws(TimerSyntaxError) -> Duration {
    let run = durationRun(tokens[position])
    let end = position + run.count
    let duration = try duration(run.word, zeroAllowed: zeroAllowed, before: end)
    position = end
    return duration
  }

  /// Parses one word as a duration.
  /// - Parameter next: The index of the word that follows.
  func duration(
    _ word: Token, zeroAllowed: Bool = false, before next: Int
  ) throws(TimerSyntaxError) -> Duration {
    do {
      return try DurationText.parse(Array(word.scalars), zeroAllowed: zeroAllowed)
    } catch {
      if case .unitExpected = error.problem, next < tokens.count, tokens[next].canBeName,
        let unit = tokens[next].keyword,
        Suggestion.nearest(to: unit, of: DurationText.unitNames) != nil
      {
        throw self.error(.duration(.unknownUnit(tokens[next].text)), at: tokens[next])
      }
      throw self.error(
        .duration(error.problem), at: word.offset(of: error.offset), argument: word.argument)
    }
  }

  /// Returns the words that together are one duration, joined: a number and its unit, and neighbors with
  /// smaller and smaller units.
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
      guard
        let part = durationPart(
          run.count == 0 ? first : tokens[position + run.count], isInCycle: isInCycle,
          at: position + run.count), part.units.upperBound < smallest
      else { break }
      run.word.append(part.word)
      run.count += part.count
      run.rest = part.rest
      smallest = part.units.lowerBound
    }
    guard run.count == 0, run.rest == nil else { return run }
    // Without a known unit, the parser of durations throws the error.
    let (word, rest) = Self.split(first, isInCycle: isInCycle)
    return (word, rest == nil ? 1 : 0, rest)
  }

  private struct DurationPart {
    var word: Token
    var count: Int
    var rest: Token?
    /// The smallest and the largest unit.
    var units: ClosedRange<Int64>
  }

  /// Returns a number with its unit, in one word or in two; `nil` for anything else.
  private func durationPart(_ first: Token, isInCycle: Bool, at index: Int) -> DurationPart? {
    var (word, rest) = Self.split(first, isInCycle: isInCycle)
    guard !word.isQuoted, word.equals == nil else { return nil }
    guard word.isDecimal else {
      return DurationText.units(in: word.scalars).map {
        DurationPart(word: word, count: rest == nil ? 1 : 0, rest: rest, units: $0)
      }
    }
    guard rest == nil, index + 1 < tokens.count, !tokens[index + 1].isQuoted,
      tokens[index + 1].equals == nil
    else { return nil }
    let (unit, unitRest) = Self.split(tokens[index + 1], isInCycle: isInCycle)
    guard let size = unit.keyword.flatMap(DurationText.unit)?.milliseconds else { return nil }
    word.append(unit)
    rest = unitRest
    return DurationPart(
      word: word, count: rest == nil ? 2 : 1, rest: rest, units: size...size)
  }

  /// Splits a word of a cycle before its slash.
  private static func split(_ word: Token, isInCycle: Bool) -> (word: Token, rest: Token?) {
    guard isInCycle, !word.isQuoted, let slash = word.firstIndex(where: { $0 == "/" }) else {
      return (word, nil)
    }
    return (word[0..<slash], word.dropFirst(slash))
  }

  /// Returns the error for `half an hour` and the like, with the duration that is meant; `nil` for other words.
  func fractionPhrase(at start: Int) -> TimerSyntaxError.Problem? {
    var index = start
    func keyword() -> String? { index < tokens.count ? tokens[index].keyword : nil }
    var quarters = Int64(4)
    if keyword() == "half" || keyword() == "quarter" {
      quarters = keyword() == "half" ? 2 : 1
      index += 1
    }
    if index > start, keyword() == "of" { index += 1 }
    if keyword() == "a" || keyword() == "an" { index += 1 }
    if index == start + 1, quarters == 4, keyword() == "half" {
      quarters = 2
      index += 1
    }
    guard index > start, let unit = keyword().flatMap(DurationText.unit)?.milliseconds,
      unit >= 1000
    else { return nil }
    index += 1
    if quarters == 4, index + 2 < tokens.count, tokens[index].keyword == "and",
      tokens[index + 1].keyword == "a", tokens[index + 2].keyword == "half"
    {
      quarters = 6
      index += 3
    }
    return .fraction(
      text(from: tokens[start].start, to: tokens[index - 1].end),
      means: DurationText.text(.milliseconds(unit * quarters / 4)))
  }
}
