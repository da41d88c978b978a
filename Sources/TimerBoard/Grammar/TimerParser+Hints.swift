import TimerKit

/// Suggestions in errors. Each has been parsed in its place, so that it is accepted when it is taken.
extension TimerParser {
  /// Returns a suggestion for a word that begins no timer: a similar word, or the words as a name.
  mutating func kindHint(for word: Token, after name: String?) -> TimerSyntaxError.Hint? {
    let words = Keyword.kinds.map(\.rawValue) + Self.openingWords + context.presets.names
    let similar = suggestion(for: word, of: words) { parser throws(TimerSyntaxError) in
      if try parser.takePreset() == nil { _ = try parser.kind(after: nil) }
      return true
    }
    if let similar { return .word(similar) }
    return name == nil ? nameHint() : nil
  }

  /// Returns a suggestion for a misspelled word after a timer.
  mutating func modifierHint(
    for word: Token, of spec: TimerSpec, seen: [String: Token] = [:]
  ) -> TimerSyntaxError.Hint? {
    let words = Keyword.allCases.filter { !Keyword.kinds.contains($0) }.map(\.rawValue)
    return suggestion(for: word, of: words) { parser throws(TimerSyntaxError) in
      var (spec, seen) = (spec, seen)
      try parser.modifier(of: &spec, seen: &seen, isFirst: false)
      return true
    }
    .map { .word($0) }
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

  /// Returns `'green tea'=3m` for `green tea 3m`.
  private mutating func nameHint() -> TimerSyntaxError.Hint? {
    let longestName = 4
    guard
      let end = tokens.indices.dropFirst(position + 1).prefix(longestName).first(where: {
        !tokens[$0].canBeName || beginsKind(at: $0, afterName: true)
      }), tokens[position..<end].allSatisfy(\.canBeName), beginsKind(at: end, afterName: true)
    else { return nil }
    let name = tokens[position..<end].map { Self.name($0) }.joined(separator: " ")
    var last = end
    let accepted = isAccepted { parser throws(TimerSyntaxError) in
      parser.position = end
      _ = try parser.kind(after: nil)
      last = parser.position
      return true
    }
    guard accepted else { return nil }
    let timer = text(from: tokens[end].start, to: tokens[last - 1].end)
    return .name("\(Token.quoting(name, isName: true))=\(timer)")
  }

  /// Returns true if the line parses from the current position, which stays as it is.
  private mutating func isAccepted(
    _ parses: (inout TimerParser) throws(TimerSyntaxError) -> Bool
  ) -> Bool {
    let (start, count) = (position, successors.count)
    let (timeLikeDuration, nameAfter) = (timeLikeDuration, nameAfter)
    defer {
      position = start
      successors.removeLast(successors.count - count)
      (self.timeLikeDuration, self.nameAfter) = (timeLikeDuration, nameAfter)
    }
    return (try? parses(&self)) == true
  }
}
