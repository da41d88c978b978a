import TimerKit

/// Suggestions in errors. Each was parsed in place of the wrong word, so that it is valid there.
extension TimerParser {
  /// Returns a suggestion for a word that begins no timer: a similar word, or the words as a name.
  mutating func kindHint(for word: Token, after name: String?) -> TimerSyntaxError.Hint? {
    let words = Keyword.kinds.map(\.rawValue) + Self.openingWords + context.defaults.presets.names
    let similar = suggestion(for: word, of: words) { parser throws(TimerSyntaxError) in
      if try parser.takePreset() == nil { _ = try parser.kind(after: nil) }
      return true
    }
    if let similar { return .word(similar) }
    guard name == nil else { return nil }
    return word.isQuoted ? quotedTimerHint(for: word) : nameHint()
  }

  /// Returns `tea=3m` for `'tea=3m'`, where the quotes enclose the timer too.
  private func quotedTimerHint(for word: Token) -> TimerSyntaxError.Hint? {
    guard let equals = word.firstIndex(where: { $0 == "=" }) else { return nil }
    let timer =
      "\(Token.quoting(word[0..<equals].text, isName: true))=\(word.dropFirst(equals + 1).text)"
    guard (try? TimerSpec.parse(timer: timer, in: context)) != nil else { return nil }
    return .name(timer)
  }

  /// Returns a suggestion for a misspelled word after a timer.
  mutating func modifierHint(
    for word: Token, of spec: TimerSpec, seen: [String: Token] = [:]
  ) -> TimerSyntaxError.Hint? {
    let words = Keyword.allCases.filter { !Keyword.kinds.contains($0) }.map(\.rawValue)
    let similar = suggestion(for: word, of: words) { parser throws(TimerSyntaxError) in
      var (spec, seen) = (spec, seen)
      try parser.modifier(of: &spec, seen: &seen, isFirst: false)
      return true
    }
    return (similar ?? ownWordHint(for: word, of: spec)).map { .word($0) }
  }

  /// Returns a suggestion for a misspelled word that belongs to the kind, such as `leading`.
  private mutating func ownWordHint(for word: Token, of spec: TimerSpec) -> String? {
    let start = position
    return suggestion(for: word, of: spec.kind.family.kindWords) {
      parser throws(TimerSyntaxError) in
      parser.position = parser.kindStart
      _ = try parser.kind(after: nil)
      return parser.position > start
    }
  }

  /// Returns the candidate that is similar to the current word, if it parses in the place of that word.
  mutating func suggestion(
    for word: Token, of candidates: [String],
    parses: (inout TimerParser) throws(TimerSyntaxError) -> Bool
  ) -> String? {
    guard let keyword = word.keyword,
      let nearest = Suggestion.nearest(to: keyword, of: candidates)
    else { return nil }
    let start = position
    // In place: a copy of all words for each attempt would take quadratic time.
    tokens[start] = word.replaced(by: nearest)
    defer { tokens[start] = word }
    return isAccepted(parses) ? nearest : nil
  }

  /// Returns `'green tea'=3m` for `green tea 3m` and `green tea=3m`.
  private mutating func nameHint() -> TimerSyntaxError.Hint? {
    let longestName = 4
    guard
      let end = tokens.indices.dropFirst(position + 1).prefix(longestName).first(where: {
        !tokens[$0].canBeName || beginsKind(at: $0, afterName: true)
      }), tokens[position..<end].allSatisfy(\.canBeName)
    else { return nil }
    // The last word of the name is before the equals sign, in the same word or in the one before.
    let isMarked = tokens[end].equals != nil
    guard isMarked || beginsKind(at: end, afterName: true) else { return nil }
    let last = isMarked && tokens[end].equals == 0 ? end - 1 : end
    guard last > position else { return nil }
    var name = tokens[position..<last].map { Self.name($0) }
    var timer = ""
    // Reading `NAME=` replaces one of these words.
    let words = Array(tokens[last...].prefix(2))
    defer { tokens.replaceSubrange(last..<(last + words.count), with: words) }
    let accepted = isAccepted { parser throws(TimerSyntaxError) in
      parser.position = last
      if isMarked, let part = try parser.takeName() { name.append(part) }
      let first = parser.tokens[parser.position]
      if try parser.takePreset() == nil { _ = try parser.kind(after: nil) }
      timer = parser.text(from: first.start, to: parser.tokens[parser.position - 1].end)
      return true
    }
    guard accepted else { return nil }
    return .name("\(Token.quoting(name.joined(separator: " "), isName: true))=\(timer)")
  }

  /// Returns the error for a word after `every` that is meant as days of the week; `nil` for any other word.
  mutating func dayError(at index: Int) -> TimerSyntaxError? {
    let word = tokens[index]
    func isUnknown(_ day: Token) -> Bool { WallTimeText.parseDays(day.text.lowercased()) == nil }
    guard !word.looksLikeDuration, var day = word.split(at: { $0 == "," }).first(where: isUnknown)
    else { return nil }
    let ends = day.split { $0 == "-" || $0 == "–" }
    if ends.count == 2, let first = ends.firstIndex(where: isUnknown), !ends[first].isEmpty,
      !isUnknown(ends[1 - first])
    {
      day = ends[first]
    }
    var nearest = Suggestion.nearest(to: day.text.lowercased(), of: WallTimeText.dayNames)
    guard day.count < word.count || nearest != nil else { return nil }
    if let name = nearest {
      let start = day.start - word.start
      tokens[index] = word.replaced(
        by: word[0..<start].text + name + word.dropFirst(start + day.count).text)
      let accepted = isAccepted { parser throws(TimerSyntaxError) in
        parser.position = index - 1
        _ = try parser.every()
        return true
      }
      tokens[index] = word
      if !accepted { nearest = nil }
    }
    return error(.dayExpected(found: day.text, nearest: nearest), at: day)
  }

  /// Returns the error for `every second monday` and the like, which no timer can do; `nil` for any other words.
  func ordinalError(at index: Int) -> TimerSyntaxError? {
    guard index + 1 < tokens.count, !isTrying,
      let number = tokens[index].keyword.flatMap({ Self.ordinals[$0] }),
      let unit = tokens[index + 1].keyword, tokens[index + 1].equals == nil,
      index + 2 == tokens.count || tokens[index + 2].equals != 0
    else { return nil }
    let isUnit = DurationText.unit(named: unit) != nil && DurationText.isSingular(unit)
    guard isUnit || WallTimeText.parseDays(unit) != nil else { return nil }
    // Without the number the words may be a timer.
    var other = self
    other.tokens.remove(at: index)
    other.position = index - 1
    var hint = isUnit ? "every \(number) \(unit)s" : "every \(unit) 9:00"
    var end = tokens[index + 1].end
    if let kind = try? other.every(), case .daily = kind {
      end = other.tokens[other.position - 1].end
      hint = "every " + text(from: other.tokens[index].start, to: end)
    }
    let words = text(from: tokens[index].start, to: end)
    return error(.repetition("every \(words)", means: hint), at: tokens[index])
  }

  private static let ordinals = [
    "other": 2, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5,
    "5th": 5,
  ]

  /// Returns true if a closure parses the tokens and accepts them. The position and the results of the parser stay as
  /// they are.
  private mutating func isAccepted(
    _ parses: (inout TimerParser) throws(TimerSyntaxError) -> Bool
  ) -> Bool {
    let (start, count) = (position, references.count)
    let (timeLikeDuration, trailingName, wasTrying) = (timeLikeDuration, trailingName, isTrying)
    isTrying = true
    defer {
      isTrying = wasTrying
      position = start
      references.removeLast(references.count - count)
      (self.timeLikeDuration, self.trailingName) = (timeLikeDuration, trailingName)
    }
    return (try? parses(&self)) == true
  }
}
