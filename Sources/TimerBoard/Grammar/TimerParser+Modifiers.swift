import TimerKit

/// The words that follow a kind.
extension TimerParser {
  /// Parses a word after the kind, with its argument.
  /// - Parameter isFirst: A Boolean value that indicates whether it belongs to the first timer of the line.
  mutating func modifier(
    of spec: inout TimerSpec, seen: inout [String: Token], isFirst: Bool
  ) throws(TimerSyntaxError) {
    let token = tokens[position]
    let text = token.keyword ?? ""
    if let count = count(at: position) { return try apply(count, to: &spec, seen: &seen) }
    if try longRest(of: &spec, seen: &seen) { return }
    // `on` begins a hook before an event and its command: `on paused run`.
    guard let word = Word[text],
      text != "on" || tokens.dropFirst(position + 2).first?.keyword == "run"
    else {
      return try takeTrailingName(&spec, isFirst: isFirst)
    }
    if !spec.accepts(text) {
      throw error("'\(text)' does not apply to '\(spec.kind.family.keyword)'", at: token)
    }
    if text != "on", seen.updateValue(token, forKey: text) != nil {
      throw error("'\(text)' given twice", at: token)
    }
    try word.parse(&self, &spec)
  }

  /// Parses `on paused run 'COMMAND'`.
  mutating func hook(of spec: inout TimerSpec) throws(TimerSyntaxError) {
    let word = tokens[position + 1]
    guard let event = word.keyword.flatMap(Transition.Event.init) else {
      throw unknown("event", word, of: Transition.Event.allCases.map(\.rawValue))
    }
    if spec.hooks.contains(where: { $0.event == event }) {
      throw errorHere("'on \(event)' given twice")
    }
    position += 2
    spec.hooks.append(TimerSpec.Hook(event: event, command: try command()))
  }

  /// Parses the name of a timer or a group.
  mutating func reference(isGroup: Bool) throws(TimerSyntaxError) -> String {
    let missing =
      isGroup
      ? "name after 'group' (expected a name, such as group laundry)"
      : "name after 'then' (expected the name of a timer or a group)"
    let name = try text(or: missing)
    if isGroup { try checkName(name) }
    // A duration begins another timer.
    let isDuration =
      isGroup && name.quoteOffset == nil && (try? DurationText.parse(name.text)) != nil
    if name.isEmpty || isDuration { throw error("missing \(missing)", at: name) }
    references.append((name, timerStart, isGroup))
    return name.text
  }

  mutating func command() throws(TimerSyntaxError) -> String {
    let missing = "command after 'run' (expected a command, such as run 'make test')"
    let command = try text(or: missing)
    guard command.scalars.contains(where: { !$0.isWhitespace }) else {
      throw error("missing \(missing)", at: command)
    }
    return command.text
  }

  /// Parses a bell or the path of a file after `sound`.
  mutating func soundName() throws(TimerSyntaxError) -> String {
    let sound = try text(or: "sound after 'sound' (expected \(SoundCheck.expected))")
    guard !context.isTrusted, let problem = context.defaults.soundCheck.problem(of: sound.text)
    else { return sound.text }
    throw error(problem, at: sound)
  }

  /// Parses a name after the timer, as in `3m tea`. In `5m tea 3m eggs`, the names before it have been taken for those of
  /// the timers after them: each belongs to the timer before it.
  private mutating func takeTrailingName(
    _ spec: inout TimerSpec, isFirst: Bool
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    if let keyword = word.keyword, Preposition(rawValue: keyword) != nil {
      throw error("'\(keyword)' does not apply to '\(spec.kind.family.keyword)'", at: word)
    }
    if let error = timeWordError(at: position, after: spec) { throw error }
    // No name can follow a timer that waits for triggers, because a misspelled setting, such as `leadng` for `leading`,
    // would be taken for a name.
    guard modifierHint(for: word, of: spec) == nil, word.canBeName, trailingName == nil,
      isFirst ? spec.name == nil : namesFollow, spec.accepts("paused")
    else { throw unknownWord(word, after: spec) }
    try checkIsNoMisspelledTime(at: position)
    trailingName = word
    position += 1
    guard isFirst else { return }
    var words = [word]
    while position < tokens.count, words.count < Self.longestName,
      tokens[position].canBeName, !tokens[position].isQuoted, !beginsTimer(at: position)
    {
      guard modifierHint(for: tokens[position], of: spec) == nil else {
        throw unknownWord(tokens[position], after: spec)
      }
      try checkIsNoMisspelledTime(at: position)
      words.append(tokens[position])
      position += 1
    }
    if words.count > 1 {
      let first = tokens.startIndex
      if clock(at: first) != nil { throw ambiguousClock(tokens[first]) }
      nameOfSeveralWords = word
    }
    spec.name = words.map(Self.name).joined(separator: " ")
  }

  /// Returns the error for a word that a timer cannot have.
  func unknownWord(_ word: Token, after spec: TimerSpec) -> TimerSyntaxError {
    let common = ["paused", "note", "then", "run", "ring"].filter(spec.accepts)
    let expected = (spec.kind.family.kindWords + common).joined(separator: ", ")
    let hint = modifierHint(for: word, of: spec).map { "did you mean '\($0)'?" }
    return error(
      "unknown word '\(word.text)' (\(hint ?? "expected \(expected) … or another timer"))", at: word
    )
  }

  /// Parses the text after the current token.
  /// - Parameter missing: The problem if there is none, without `missing`.
  mutating func text(or missing: String) throws(TimerSyntaxError) -> Token {
    position += 2
    guard position <= tokens.count else { throw error("missing \(missing)") }
    return tokens[position - 1]
  }

  /// The words of a count: `x8`, `x 8`, `8x`, `8 times`, `twice`, `three times`.
  typealias Count = (number: Token, words: Int)

  /// Returns the count that begins at a word; `nil` if none does.
  func count(at index: Int) -> Count? {
    let word = tokens[index]
    let next = index + 1 < tokens.count ? tokens[index + 1] : nil
    // `x=5m` is another timer; that of `x=8` is a count.
    if word.looksLikeCount, word.equals == nil || word.dropFirst(2).isNumber {
      let number = word.dropFirst(1)
      if number.isEmpty, let next, next.isNumber { return (next, 2) }
      return (number, 1)
    }
    if let number = word.numberBeforeTimes { return (number, 1) }
    if let time = word.plainKeyword.flatMap({ TimeWord[$0] }) {
      if let count = time.count { return (word.replaced(by: "\(count)"), 1) }
      if let number = time.number, next?.plainKeyword == "times" {
        return (word.replaced(by: "\(number)"), 2)
      }
    }
    let isCount = word.isNumber && (next?.keyword == "times" || next?.keyword == "x")
    return isCount && next?.equals == nil ? (word, 2) : nil
  }

  private mutating func apply(
    _ count: Count, to spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) {
    let word = tokens[position]
    let withCount = spec.kind.family.withCount
    // After `then`, the count of a countdown is that of the chain.
    let isOfChain = withCount == nil || spec.successor != nil && spec.fireCount == 1
    guard isOfChain ? spec.chainCount == nil : seen["x"] == nil else {
      throw error("count given twice", at: word)
    }
    seen["x"] = word
    if !isOfChain, let withCount {
      spec.kind = withCount(try self.count(count.number))
    } else {
      guard spec.successor != nil else {
        throw error(
          "count without repetition (expected every, cycle or then, such as every 30s x8)", at: word
        )
      }
      spec.chainCount = try self.count(count.number)
    }
    position += count.words
  }

  func count(_ word: Token) throws(TimerSyntaxError) -> Int {
    let tooSmall = "count must be at least 1"
    if let wrong = word.firstIndex(where: { !("0"..."9").contains($0) }) {
      let isNegative =
        wrong == 0 && word.count > 1 && word[0].map("-−".unicodeScalars.contains) == true
      throw error(
        isNegative ? tooSmall : "invalid count '\(word.text)' (expected a count, such as x8)",
        at: word.offset(of: wrong), argument: word.argument)
    }
    guard !word.isEmpty else {
      throw error(
        "missing count (expected a count, such as x8)", at: word.end, argument: word.argument)
    }
    guard let count = Int(word.text), count <= Self.largestCount else {
      throw error("count must be at most \(Self.largestCount)", at: word)
    }
    guard count > 0 else { throw error(tooSmall, at: word) }
    return count
  }

  mutating func missedTicks() throws(TimerSyntaxError) -> Repeater.MissedTicks {
    let word = try text(or: "policy after 'missed' (expected skip, delay or burst)")
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
      throw error("unknown policy '\(word.text)' (expected skip, delay or burst)", at: word)
    }
  }
}
