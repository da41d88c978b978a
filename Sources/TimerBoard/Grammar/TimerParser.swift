import TimerKit

/// Parses timers.
///
///     timer   = [name "="] (["once"] duration | "every" duration | "at" [date] time
///             | ("daily" | "weekdays" | "every" days) time | "cycle" phases | "stopwatch" | …) word*
///     word    = "x" count | "paused" | "tolerance" duration | "note" text | "run" text | "ring"
///             | "missed" ("skip" | "delay" | "burst" [limit]) | "then" name | "backoff" duration
struct TimerParser {
  static let largestCount = 1_000_000_000
  /// The limit of `missed burst` without a number.
  static let usualBurst = 10

  let line: String
  let context: TimerContext
  var tokens: [Token] = []
  var position = 0
  /// The offset at which the current timer begins.
  private(set) var timerStart = 0
  /// The names after `then`.
  var successors: [(name: Token, timerStart: Int)] = []

  init(arguments: [String], in context: TimerContext) throws(TimerSyntaxError) {
    line = arguments.joined(separator: " ")
    self.context = context
    do {
      tokens = try Token.tokens(of: arguments)
    } catch {
      throw self.error(
        .quoteUnclosed(String(error.quote)), at: error.end, argument: error.argument)
    }
  }

  mutating func timers() throws(TimerSyntaxError) -> [TimerSpec] {
    guard !tokens.isEmpty else { throw error(.empty, at: 0, argument: 0) }
    var specs: [TimerSpec] = []
    while position < tokens.count { specs.append(try timer()) }
    try checkSuccessors(among: specs)
    return specs
  }

  /// Parses exactly one timer.
  mutating func onlyTimer() throws(TimerSyntaxError) -> TimerSpec {
    guard !tokens.isEmpty else { throw error(.empty, at: 0, argument: 0) }
    let spec = try timer()
    if position < tokens.count { throw error(.tooMany, at: tokens[position]) }
    try checkSuccessors(among: [spec])
    return spec
  }

  private mutating func timer() throws(TimerSyntaxError) -> TimerSpec {
    timerStart = tokens[position].quoteOffset ?? tokens[position].start
    let name = try takeName()
    var spec = TimerSpec(name: name, kind: try kind(after: name))
    var seen: [String: Token] = [:]
    while position < tokens.count, !beginsTimer(at: position) {
      try modifier(of: &spec, seen: &seen)
    }
    try checkSettings(spec, seen)
    return spec
  }

  /// Checks the settings of a timer against each other.
  private func checkSettings(
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
      // At the end of the text, the command may still be typed.
      throw position < tokens.count
        ? error(.backoffWithoutRun, at: word) : error(.backoffWithoutRun)
    }
  }

  /// Checks that the names after `then` are those of timers.
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

  /// Parses `NAME=`, with or without spaces around the `=`.
  private mutating func takeName() throws(TimerSyntaxError) -> String? {
    var name = tokens[position]
    if let equals = name.equals {
      let rest = name[(equals + 1)..<name.scalars.count]
      name = name[0..<equals]
      if equals == 0, !tokens[position].isQuoted { throw error(.nameMissing, at: name) }
      replaceFirst(with: rest)
    } else if position + 1 < tokens.count, tokens[position + 1].equals == 0,
      !tokens[position + 1].isQuoted
    {
      position += 1
      replaceFirst(with: tokens[position][1..<tokens[position].scalars.count])
    } else {
      return nil
    }
    let text = name.text
    if text.isEmpty { throw error(.nameMissing, at: name) }
    if let keyword = name.keyword, Keyword(rawValue: keyword) != nil {
      throw error(.nameReserved(keyword), at: name)
    }
    guard position < tokens.count else { throw error(.timerMissing(name: text)) }
    if tokens[position].scalars.first == "=" { throw error(.nameRepeated, at: tokens[position]) }
    return text
  }

  /// Replaces the current token with the rest of it, or advances if nothing is left.
  mutating func replaceFirst(with rest: Token) {
    if rest.scalars.isEmpty {
      position += 1
    } else {
      tokens[position] = rest
      tokens[position].isQuoted = false
      tokens[position].equals = rest.scalars.firstIndex(of: "=")
    }
  }

  private mutating func kind(after name: String?) throws(TimerSyntaxError) -> TimerSpec.Kind {
    let word = tokens[position]
    if word.equals != nil, name != nil {
      throw error(.nameRepeated, at: word.offset(of: word.equals ?? 0), argument: word.argument)
    }
    if let keyword = word.keyword.flatMap(Keyword.init), let kind = try kind(keyword) {
      return kind
    }
    guard !word.isQuoted, word.looksLikeDuration else {
      throw error(
        .timerExpected(found: word.text, hint(for: word, of: Keyword.kinds.map(\.rawValue))),
        at: word)
    }
    position += 1
    return .once(try duration(word))
  }

  /// Returns a suggestion for the word at the current position.
  func hint(for word: Token, of candidates: [String]) -> TimerSyntaxError.Hint? {
    guard let text = word.keyword else {
      // Quotes around a name and its timer.
      guard let equals = word.scalars.firstIndex(of: "=") else { return nil }
      return .name(named(word[0..<equals].text, word[(equals + 1)..<word.scalars.count].text))
    }
    if let nearest = Suggestion.nearest(to: text, of: candidates) { return .word(nearest) }
    if WallTimeText.parseDays(text) != nil { return .word("\(Keyword.every.rawValue) \(text)") }
    guard Keyword(rawValue: text) == nil, position + 1 < tokens.count,
      beginsTimer(at: position + 1)
    else { return nil }
    let next = tokens[position + 1]
    guard let equals = next.equals else { return .name(named(text, next.text)) }
    // A name of two words without quotes.
    return .name(
      named("\(text) \(next[0..<equals].text)", next[(equals + 1)..<next.scalars.count].text))
  }

  private func named(_ name: String, _ timer: String) -> String {
    "\(Token.quoting(name, isName: true))=\(timer)"
  }

  mutating func duration(after keyword: Keyword) throws(TimerSyntaxError) -> Duration {
    position += 1
    guard position < tokens.count else {
      throw error(.durationMissing(after: keyword.rawValue))
    }
    let word = tokens[position]
    guard !word.isQuoted, word.looksLikeDuration else {
      throw durationError(at: position, after: keyword.rawValue)
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
      if case .unitExpected(let number) = error.problem,
        let unit = tokens.first(where: { $0.start >= word.end })?.keyword,
        DurationText.unit(named: unit) != nil
      {
        throw self.error(
          .unitSeparated(number: number, unit: unit), at: word.end, argument: word.argument)
      }
      throw self.error(
        .duration(error.problem), at: word.offset(of: error.offset), argument: word.argument)
    }
  }

  /// Returns the error for a word where a duration belongs.
  func durationError(at index: Int, after word: String) -> TimerSyntaxError {
    let found = tokens[index]
    return error(
      continuesTimer(at: index)
        ? .durationMissing(after: word) : .durationExpected(found: found.text, after: word),
      at: found)
  }

  /// Returns true for a word that has a meaning of its own, so that something is missing before it.
  func continuesTimer(at index: Int) -> Bool {
    tokens[index].looksLikeCount || tokens[index].keyword.flatMap(Keyword.init) != nil
      || beginsTimer(at: index)
  }

  private func beginsTimer(at index: Int) -> Bool {
    let word = tokens[index]
    let isNamed =
      word.equals != nil
      || (index + 1 < tokens.count && tokens[index + 1].equals == 0 && !tokens[index + 1].isQuoted)
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

  /// Returns an error at the end of the line, where something is missing.
  func error(_ problem: TimerSyntaxError.Problem) -> TimerSyntaxError {
    error(problem, at: line.unicodeScalars.count, argument: tokens.last?.argument ?? 0)
  }

  func error(
    _ problem: TimerSyntaxError.Problem, at offset: Int, argument: Int
  ) -> TimerSyntaxError {
    // The timer ends where the next one begins.
    let next = tokens.indices.first { tokens[$0].start > offset && beginsTimer(at: $0) }
    let end = next.map { tokens[$0].start } ?? line.unicodeScalars.count
    var timer = ""
    timer.unicodeScalars.append(contentsOf: line.unicodeScalars.prefix(end).dropFirst(timerStart))
    while timer.last?.isWhitespace == true { timer.removeLast() }
    return TimerSyntaxError(
      problem: problem, line: line, timer: timer, argument: argument, offset: offset)
  }
}
