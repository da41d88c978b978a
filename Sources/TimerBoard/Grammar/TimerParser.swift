import TimerKit

/// Reads timers from words.
///
///     timer   = [name "="] (["once"] duration | "every" duration | "at" [date] time
///             | ("daily" | "weekdays" | "every" days) time | "cycle" phases | "stopwatch" | …) word*
///     word    = "x" count | "paused" | "tolerance" duration | "note" text | "run" text | "ring"
///             | "missed" ("skip" | "delay" | "burst" [limit]) | "then" name | "backoff" duration
struct TimerParser {
  static let largestCount = 1_000_000_000
  /// Of `missed burst` without a number.
  static let usualBurst = 10

  let line: String
  let context: TimerContext
  var words: [Token] = []
  var position = 0
  /// Where the timer being read begins.
  private var timerStart = 0
  /// The names after `then`.
  private var successors: [(name: Token, timerStart: Int)] = []

  init(arguments: [String], in context: TimerContext) throws(TimerSyntaxError) {
    line = arguments.joined(separator: " ")
    self.context = context
    do {
      words = try Token.words(of: arguments)
    } catch {
      throw self.error(
        .quoteUnclosed(String(error.quote)), at: error.end, argument: error.argument)
    }
  }

  mutating func timers() throws(TimerSyntaxError) -> [TimerSpec] {
    guard !words.isEmpty else { throw error(.empty, at: 0, argument: 0) }
    var specs: [TimerSpec] = []
    while position < words.count { specs.append(try timer()) }
    try checkSuccessors(among: specs)
    return specs
  }

  /// One timer, and nothing after it.
  mutating func onlyTimer() throws(TimerSyntaxError) -> TimerSpec {
    guard !words.isEmpty else { throw error(.empty, at: 0, argument: 0) }
    let spec = try timer()
    if position < words.count { throw error(.tooMany, at: words[position]) }
    try checkSuccessors(among: [spec])
    return spec
  }

  private mutating func timer() throws(TimerSyntaxError) -> TimerSpec {
    timerStart = words[position].start
    let name = try takeName()
    var spec = TimerSpec(name: name, kind: try kind(after: name))
    var seen: [String: Token] = [:]
    while position < words.count, !beginsTimer(at: position) {
      try modifier(of: &spec, seen: &seen)
    }
    try checkTogether(spec, seen)
    return spec
  }

  /// What can only be told when all words of a timer are known.
  private func checkTogether(
    _ spec: TimerSpec, _ seen: [String: Token]
  ) throws(TimerSyntaxError) {
    if context.isTrusted { return }
    if let word = seen[Keyword.then.rawValue], spec.fireCount == nil {
      throw error(.thenWithoutEnd, at: word)
    }
    guard let word = seen[Keyword.backoff.rawValue], let backoff = spec.backoff,
      case .every(let interval, _) = spec.kind
    else { return }
    if backoff <= interval { throw error(.backoffTooShort, at: word) }
    guard spec.command != nil || context.hasCommand else {
      // It can still be typed, if nothing follows.
      throw position < words.count
        ? error(.backoffWithoutRun, at: word) : error(.backoffWithoutRun)
    }
  }

  /// That the names after `then` are those of timers.
  private mutating func checkSuccessors(among specs: [TimerSpec]) throws(TimerSyntaxError) {
    if context.isTrusted { return }
    guard !successors.isEmpty else { return }
    let names = specs.compactMap(\.name) + context.names
    let known = Set(names)
    for (word, start) in successors where !known.contains(word.text) {
      timerStart = start
      throw error(
        .successorUnknown(word.text, nearest: Suggestion.nearest(to: word.text, of: names)),
        at: word)
    }
  }

  /// Takes `NAME=` off, with or without spaces around the `=`.
  private mutating func takeName() throws(TimerSyntaxError) -> String? {
    var name = words[position]
    if let equals = name.equals {
      let rest = name[(equals + 1)..<name.scalars.count]
      name = name[0..<equals]
      if equals == 0, !words[position].isQuoted { throw error(.nameMissing, at: name) }
      replaceFirst(with: rest)
    } else if position + 1 < words.count, words[position + 1].equals == 0,
      !words[position + 1].isQuoted
    {
      position += 1
      replaceFirst(with: words[position][1..<words[position].scalars.count])
    } else {
      return nil
    }
    let text = name.text
    if text.isEmpty { throw error(.nameMissing, at: name) }
    if let keyword = name.keyword, Keyword(rawValue: keyword) != nil {
      throw error(.nameReserved(keyword), at: name)
    }
    guard position < words.count else { throw error(.timerMissing(name: text)) }
    if words[position].scalars.first == "=" { throw error(.nameRepeated, at: words[position]) }
    return text
  }

  /// Puts what is left of a word in its place, or goes on to the next one.
  mutating func replaceFirst(with rest: Token) {
    if rest.scalars.isEmpty {
      position += 1
    } else {
      words[position] = rest
      words[position].isQuoted = false
      words[position].equals = rest.scalars.firstIndex(of: "=")
    }
  }

  private mutating func kind(after name: String?) throws(TimerSyntaxError) -> TimerSpec.Kind {
    let word = words[position]
    if word.equals != nil, name != nil {
      throw error(.nameRepeated, at: word.offset(of: word.equals ?? 0), argument: word.argument)
    }
    if let keyword = word.keyword.flatMap(Keyword.init), let kind = try kind(keyword) {
      return kind
    }
    guard !word.isQuoted, word.looksLikeDuration else {
      throw error(
        .timerExpected(found: word.text, hint(for: word, of: Keyword.kinds)), at: word)
    }
    position += 1
    return .once(try duration(word))
  }

  private func hint(for word: Token, of candidates: [Keyword]) -> TimerSyntaxError.Hint? {
    guard let text = word.keyword else { return nil }
    if let nearest = Suggestion.nearest(to: text, of: candidates.map(\.rawValue)) {
      return .word(nearest)
    }
    guard Keyword(rawValue: text) == nil, position + 1 < words.count,
      beginsTimer(at: position + 1)
    else { return nil }
    return .name("\(text)=\(words[position + 1].text)")
  }

  private mutating func modifier(
    of spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) {
    let word = words[position]
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
      throw error(.wordUnknown(word.text, hint(for: word, of: Keyword.allCases)), at: word)
    }
  }

  /// The word after the one at the position, as a text.
  private mutating func text(
    or problem: TimerSyntaxError.Problem
  ) throws(TimerSyntaxError) -> Token {
    position += 2
    guard position <= words.count else { throw error(problem) }
    return words[position - 1]
  }

  private mutating func count(
    of spec: inout TimerSpec, seen: inout [String: Token]
  ) throws(TimerSyntaxError) {
    let word = words[position]
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
    guard position < words.count else { throw error(.policyExpected(found: nil)) }
    let word = words[position]
    position += 1
    switch word.keyword {
    case "skip"?: return .skip
    case "delay"?: return .delay
    case "burst"?:
      // A bare number is no timer, so one that follows can only be the limit.
      guard position < words.count, words[position].isNumber else {
        return .burst(limit: Self.usualBurst)
      }
      position += 1
      return .burst(limit: try count(words[position - 1]))
    default:
      throw error(.policyExpected(found: word.text), at: word)
    }
  }

  mutating func duration(after keyword: Keyword) throws(TimerSyntaxError) -> Duration {
    position += 1
    guard position < words.count else {
      throw error(.durationMissing(after: keyword.rawValue))
    }
    let word = words[position]
    guard !word.isQuoted, word.looksLikeDuration else {
      throw error(.durationMissing(after: keyword.rawValue), at: word)
    }
    position += 1
    return try duration(word, zeroAllowed: keyword == .tolerance)
  }

  func duration(
    _ word: Token, zeroAllowed: Bool = false
  ) throws(TimerSyntaxError) -> Duration {
    do {
      return try DurationText.parse(word.scalars, zeroAllowed: zeroAllowed)
    } catch {
      throw self.error(
        .duration(error.problem), at: word.offset(of: error.offset), argument: word.argument)
    }
  }

  private func beginsTimer(at index: Int) -> Bool {
    let word = words[index]
    let isNamed =
      word.equals != nil
      || (index + 1 < words.count && words[index + 1].equals == 0 && !words[index + 1].isQuoted)
    return isNamed
      || (!word.isQuoted
        && (word.looksLikeDuration
          || word.keyword.flatMap(Keyword.init).map(Keyword.kinds.contains) == true))
  }
}

extension TimerParser {
  func error(_ problem: TimerSyntaxError.Problem, at word: Token) -> TimerSyntaxError {
    error(problem, at: word.start, argument: word.argument)
  }

  /// Something is missing at the end of the line.
  func error(_ problem: TimerSyntaxError.Problem) -> TimerSyntaxError {
    error(problem, at: line.unicodeScalars.count, argument: words.last?.argument ?? 0)
  }

  func error(
    _ problem: TimerSyntaxError.Problem, at offset: Int, argument: Int
  ) -> TimerSyntaxError {
    // The timer's words go on to where the next one begins.
    let next = words.indices.first { words[$0].start > offset && beginsTimer(at: $0) }
    let end = next.map { words[$0].start } ?? line.unicodeScalars.count
    var timer = ""
    timer.unicodeScalars.append(contentsOf: line.unicodeScalars.prefix(end).dropFirst(timerStart))
    while timer.last?.isWhitespace == true { timer.removeLast() }
    return TimerSyntaxError(
      problem: problem, line: line, timer: timer, word: argument, offset: offset)
  }
}
