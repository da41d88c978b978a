import TimerKit

/// The words that follow a kind.
extension TimerParser {
  /// Parses a modifier after the kind, with its argument.
  mutating func modifier(
    of spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    let text = word.keyword ?? ""
    if word.looksLikeCount { return try count(of: &spec, seen: &seen) }
    let known = Keyword(rawValue: text)
    if let known, !spec.kind.family.accepts(known) {
      throw error(.wordNotFor(text, kind: spec.kind.family.keyword.rawValue), at: word)
    }
    if known != nil, seen.updateValue(word, forKey: text) != nil {
      throw error(.wordRepeated(text), at: word)
    }
    switch known {
    case .paused?:
      position += 1
      spec.isPaused = true
    case .tolerance?: spec.tolerance = try duration(after: .tolerance)
    case .missed?: spec.missedTicks = try policy()
    case .note?: spec.note = try self.text(or: .noteExpected).text
    case .run?:
      let command = try self.text(or: .commandExpected)
      guard command.scalars.contains(where: { !$0.properties.isWhitespace }) else {
        throw error(.commandExpected, at: command)
      }
      spec.command = command.text
    case .then?:
      let name = try self.text(or: .successorExpected)
      if name.scalars.isEmpty { throw error(.successorExpected, at: name) }
      spec.next = name.text
      successors.append((name, timerStart))
    case .backoff?: spec.backoff = try duration(after: .backoff)
    case .ring?:
      position += 1
      spec.repeatsBell = true
    default:
      let family = spec.kind.family
      let common: [Keyword] = [.paused, .note, .then, .run, .ring]
      throw error(
        .wordUnknown(
          word.text,
          hint(for: word, of: Keyword.allCases.map(\.rawValue) + family.ownWords),
          expected: family.ownWords + common.filter(family.accepts).map(\.rawValue)),
        at: word)
    }
  }

  /// Parses the text after the current token.
  private mutating func text(
    or problem: TimerSyntaxError.Problem
  ) throws(TimerSyntaxError) -> Token {
    position += 2
    guard position <= tokens.count else { throw error(problem) }
    return tokens[position - 1]
  }

  private mutating func count(
    of spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    guard seen.updateValue(word, forKey: "x") == nil else {
      throw error(.countRepeated, at: word)
    }
    guard let withCount = spec.kind.family.withCount else {
      throw error(.countWithoutEvery, at: word)
    }
    spec.kind = withCount(try count(word[1..<word.scalars.count]))
    position += 1
  }

  private func count(_ word: Token) throws(TimerSyntaxError) -> Int {
    if let wrong = word.scalars.firstIndex(where: { !("0"..."9").contains($0) }) {
      let isNegative =
        wrong == 0 && word.scalars.count > 1 && "-−".unicodeScalars.contains(word.scalars[0])
      throw error(
        isNegative ? .countTooSmall : .countExpected(found: word.text), at: word.offset(of: wrong),
        argument: word.argument)
    }
    guard !word.scalars.isEmpty else {
      throw error(.countExpected(found: ""), at: word.end, argument: word.argument)
    }
    guard let count = Int(word.text), count <= Self.largestCount else {
      throw error(.countTooLarge, at: word)
    }
    guard count > 0 else { throw error(.countTooSmall, at: word) }
    return count
  }

  private mutating func policy() throws(TimerSyntaxError) -> Repeater.MissedTicks {
    position += 1
    guard position < tokens.count else { throw error(.policyExpected(found: nil)) }
    let word = tokens[position]
    position += 1
    switch word.keyword {
    case "skip"?: return .skip
    case "delay"?: return .delay
    case "burst"?:
      // A number without a unit cannot begin a timer, so it is the limit.
      guard position < tokens.count, tokens[position].isNumber else {
        return .burst(limit: Self.usualBurst)
      }
      position += 1
      return .burst(limit: try count(tokens[position - 1]))
    default:
      throw error(.policyExpected(found: word.text), at: word)
    }
  }
}
