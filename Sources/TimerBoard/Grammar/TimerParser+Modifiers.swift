import TimerKit

/// The words that follow a kind.
extension TimerParser {
  /// Parses a modifier after the kind, with its argument.
  /// - Parameter isFirst: A Boolean value that indicates whether it belongs to the first timer of the line.
  mutating func modifier(
    of spec: inout TimerSpec, seen: inout [String: Token], isFirst: Bool
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    let text = word.keyword ?? ""
    if text == "on", try hook(of: &spec, seen: &seen) { return }
    if let count = count(at: position) { return try apply(count, to: &spec, seen: &seen) }
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
    case .awake?:
      position += 1
      spec.countsOnlyAwake = true
    case .wait?:
      position += 1
      spec.waits = true
    case .tolerance?: spec.tolerance = try duration(after: .tolerance)
    case .missed?: spec.missedTicks = try policy()
    case .note?: spec.note = try self.text(or: .noteExpected).text
    case .run?: spec.command = try command()
    case .then?:
      spec.successor = try reference(isGroup: false, or: .successorExpected)
      // Without an end, the timer needs the count itself.
      if spec.fireCount != nil, position < tokens.count, let count = count(at: position) {
        spec.chainCount = try self.count(count.number)
        position += count.words
      }
    case .group?: spec.group = try reference(isGroup: true, or: .groupExpected)
    case .backoff?: spec.backoff = try duration(after: .backoff)
    case .ring?, .chime?, .silent?:
      if spec.sound != .standard { throw error(.wordsExclude(spec.sound.rawValue, text), at: word) }
      position += 1
      spec.sound = TimerSpec.Sound(rawValue: text) ?? .standard
    default: try takeTrailingName(&spec, seen, isFirst: isFirst)
    }
  }

  /// Parses `on paused run 'COMMAND'`.
  /// - Returns: False if the word begins something else, such as a date.
  private mutating func hook(
    of spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) -> Bool {
    guard position + 2 < tokens.count, tokens[position + 2].keyword == Keyword.run.rawValue else {
      return false
    }
    let word = tokens[position + 1]
    guard let event = word.keyword.flatMap(Transition.Event.init) else {
      let names = Transition.Event.allCases.map(\.rawValue)
      let nearest = Suggestion.nearest(to: word.text, of: names)
      throw error(.eventUnknown(word.text, nearest: nearest), at: word)
    }
    guard seen.updateValue(word, forKey: "on \(event)") == nil else {
      throw error(.wordRepeated("on \(event)"), at: tokens[position])
    }
    position += 2
    spec.hooks.append(TimerSpec.Hook(event: event, command: try command()))
    return true
  }

  /// Parses the name of a timer or a group.
  private mutating func reference(
    isGroup: Bool, or problem: TimerSyntaxError.Problem
  ) throws(TimerSyntaxError) -> String {
    let name = try text(or: problem)
    if name.isEmpty { throw error(problem, at: name) }
    // A duration begins another timer.
    if isGroup, name.quoteOffset == nil, (try? DurationText.parse(name.text)) != nil {
      throw error(problem, at: name)
    }
    references.append(Reference(name: name, timerStart: timerStart, isGroup: isGroup))
    return name.text
  }

  private mutating func command() throws(TimerSyntaxError) -> String {
    let command = try text(or: .commandExpected)
    guard command.scalars.contains(where: { !$0.isWhitespace }) else {
      throw error(.commandExpected, at: command)
    }
    return command.text
  }

  /// Parses a name after the timer, as in `3m tea`.
  private mutating func takeTrailingName(
    _ spec: inout TimerSpec, _ seen: [String: Token], isFirst: Bool
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    if let keyword = word.keyword, Preposition(rawValue: keyword) != nil {
      throw error(.wordNotFor(keyword, kind: spec.kind.family.keyword.rawValue), at: word)
    }
    let hint = modifierHint(for: word, of: spec, seen: seen)
    guard hint == nil, isFirst, spec.name == nil, word.canBeName, spec.kind.family.takesNameAfter
    else {
      throw unknownWord(word, hint, after: spec)
    }
    spec.name = Self.name(word)
    trailingName = word
    position += 1
  }

  /// Returns the error for a word that a timer cannot have.
  func unknownWord(
    _ word: Token, _ hint: TimerSyntaxError.Hint?, after spec: TimerSpec
  ) -> TimerSyntaxError {
    let family = spec.kind.family
    let common: [Keyword] = [.paused, .note, .then, .run, .ring]
    return error(
      .wordUnknown(
        word.text, hint,
        expected: family.kindWords + common.filter(family.accepts).map(\.rawValue)), at: word)
  }

  /// Parses the text after the current token.
  private mutating func text(
    or problem: TimerSyntaxError.Problem
  ) throws(TimerSyntaxError) -> Token {
    position += 2
    guard position <= tokens.count else { throw error(problem) }
    return tokens[position - 1]
  }

  /// The words of a count: `x8`, `x 8`, `8x`, `8 times`.
  struct Count {
    var number: Token
    var words: Int
  }

  /// Returns the count that begins at a word; `nil` if none does.
  func count(at index: Int) -> Count? {
    let word = tokens[index]
    let next = index + 1 < tokens.count ? tokens[index + 1] : nil
    if word.looksLikeCount {
      let number = word.dropFirst(1)
      if number.isEmpty, let next, next.isNumber { return Count(number: next, words: 2) }
      return Count(number: number, words: 1)
    }
    if let number = word.numberBeforeTimes { return Count(number: number, words: 1) }
    let isCount = word.isNumber && (next?.keyword == "times" || next?.keyword == "x")
    return isCount && next?.equals == nil ? Count(number: word, words: 2) : nil
  }

  private mutating func apply(
    _ count: Count, to spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    let withCount = spec.kind.family.withCount
    let isRepeated = withCount == nil ? spec.chainCount != nil : seen["x"] != nil
    guard !isRepeated else { throw error(.countRepeated, at: word) }
    seen["x"] = word
    if let withCount {
      spec.kind = withCount(try self.count(count.number))
    } else {
      guard spec.successor != nil else { throw error(.countWithoutEvery, at: word) }
      spec.chainCount = try self.count(count.number)
    }
    position += count.words
  }

  private func count(_ word: Token) throws(TimerSyntaxError) -> Int {
    if let wrong = word.firstIndex(where: { !("0"..."9").contains($0) }) {
      let isNegative =
        wrong == 0 && word.count > 1 && word[0].map("-−".unicodeScalars.contains) == true
      throw error(
        isNegative ? .countTooSmall : .countExpected(found: word.text), at: word.offset(of: wrong),
        argument: word.argument)
    }
    guard !word.isEmpty else {
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
      // A number is the limit, even if the next word is a unit.
      guard position < tokens.count, tokens[position].isNumber else {
        return .burst(limit: Self.defaultBurst)
      }
      position += 1
      return .burst(limit: try count(tokens[position - 1]))
    default:
      throw error(.policyExpected(found: word.text), at: word)
    }
  }
}
