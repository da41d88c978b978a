import TimerKit

/// Parses timers.
///
///     line    = timer+ | duration word* name word*
///     timer   = [name "=" | name [":"]] (kind | preset) word*
///     kind    = ["once" | "in" | "for"] duration | "hourly"
///             | ["at" | "until" | "by" | "on"] [day] ["at"] time
///             | "every" (duration | unit | ["day" | days] ["at"] time)
///             | ("daily" | "weekdays" | days) ["at"] time
///             | "cycle" phases | "stopwatch" | …
///     preset  = ["@"] name
///     word    = "x" count | count "times" | "paused" | "awake" | "tolerance" duration | "note" text | "run" text
///             | "ring" | "chime" | "silent" | "wait" | "missed" ("skip" | "delay" | "burst" [limit])
///             | "then" name ["x" count] | "group" name | "backoff" duration
///             | "on" event "run" text
///
/// Words are read from left to right, with at most a few words of look-ahead, so the time is linear in the text.
struct TimerParser {
  static let largestCount = 1_000_000_000
  /// The limit of `missed burst` without a number.
  static let defaultBurst = 10

  let line: String
  let context: TimerContext
  var tokens: [Token] = []
  var position = 0
  /// The offset at which the current timer begins.
  var timerStart = 0
  /// The index of the word at which the kind of the current timer begins.
  private(set) var kindStart = 0
  /// A name after `then` or `group`.
  struct Reference {
    let name: Token
    let timerStart: Int
    let isGroup: Bool
  }

  var references: [Reference] = []
  /// The name after the first timer, which only a line of one timer can have.
  var trailingName: Token?
  /// A duration such as `12:30`, which could also be meant as a time of day.
  var timeLikeDuration: String?
  private(set) var usesPresets = false
  /// A Boolean value that indicates whether a suggestion is being tried, whose error is discarded.
  var isTrying = false
  /// A Boolean value that indicates whether a timer after the first one begins without `NAME=`.
  private(set) var hasTimersWithoutPrefix = false

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
    var specs = try timer(isFirst: true)
    while position < tokens.count {
      if let trailingName, let spec = specs.last {
        throw unknownWord(trailingName, nil, after: spec)
      }
      specs += try timer(isFirst: false)
    }
    return specs
  }

  /// Parses exactly one timer.
  mutating func onlyTimer() throws(TimerSyntaxError) -> TimerSpec {
    guard !tokens.isEmpty else { throw error(.empty, at: 0, argument: 0) }
    let specs = try timer(isFirst: true)
    if position < tokens.count { throw error(.tooMany, at: tokens[position]) }
    guard specs.count == 1 else { throw error(.tooMany, at: tokens[0]) }
    return specs[0]
  }

  /// Parses a timer, or the timers of a preset.
  private mutating func timer(isFirst: Bool) throws(TimerSyntaxError) -> [TimerSpec] {
    timerStart = tokens[position].startWithQuote
    var name = try takeName()
    if name == nil {
      hasTimersWithoutPrefix = hasTimersWithoutPrefix || !isFirst
      name = try takeBareName()
    }
    let first = tokens[position]
    kindStart = position
    var spec: TimerSpec
    if let preset = try takePreset() {
      usesPresets = true
      guard preset.count == 1 else {
        if name != nil { throw error(.presetOfSeveral(first.text), at: first) }
        if position < tokens.count, !beginsTimer(at: position) {
          throw error(.presetOfSeveral(first.text), at: tokens[position])
        }
        return preset
      }
      spec = preset[0]
      spec.name = name ?? spec.name
    } else {
      spec = TimerSpec(name: name, kind: try kind(after: name))
      spec.countsOnlyAwake =
        context.defaults.countOnlyAwake && spec.kind.family.accepts(.awake)
    }
    var seen: [String: Token] = [:]
    while position < tokens.count {
      if beginsTimer(at: position) {
        try checkIsNoMisspelling(for: spec)
        break
      }
      try modifier(of: &spec, seen: &seen, isFirst: isFirst)
    }
    if context.defaults.wait, spec.acceptsWait { spec.waits = true }
    try checkSettings(spec, seen)
    return [spec]
  }

  /// Checks the settings of a timer against each other.
  private func checkSettings(
    _ spec: TimerSpec, _ seen: [String: Token]
  ) throws(TimerSyntaxError) {
    if context.isTrusted { return }
    if let word = seen[Keyword.then.rawValue], spec.fireCount == nil {
      throw error(.thenWithoutEnd, at: word)
    }
    if let word = seen[Keyword.wait.rawValue], !spec.acceptsWait {
      // At the end of the text, the rest may still be typed.
      throw position < tokens.count ? error(.waitWithoutNext, at: word) : error(.waitWithoutNext)
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

  /// Checks that the names after `then` are those of timers or groups, and that no group has the name of a timer.
  /// - Parameter specs: The new timers, in addition to those of the context.
  mutating func checkReferences(among specs: [TimerSpec]) throws(TimerSyntaxError) {
    guard !context.isTrusted, !references.isEmpty else { return }
    let names = Set(context.names + specs.compactMap(\.name))
    let known = names.union(context.groups).union(specs.compactMap(\.group))
    for reference in references {
      let name = reference.name.text
      let problem: TimerSyntaxError.Problem? =
        if reference.isGroup {
          names.contains(name) ? .groupIsTimer(name) : nil
        } else {
          known.contains(name)
            ? nil
            : .successorUnknown(name, nearest: Suggestion.nearest(to: name, of: known.sorted()))
        }
      guard let problem else { continue }
      timerStart = reference.timerStart
      throw error(problem, at: reference.name)
    }
  }

  mutating func kind(after name: String?) throws(TimerSyntaxError) -> TimerSpec.Kind {
    let word = tokens[position]
    if word.equals != nil, name != nil {
      throw error(.nameRepeated, at: word.offset(of: word.equals ?? 0), argument: word.argument)
    }
    if let keyword = word.keyword.flatMap(Keyword.init), let kind = try kind(keyword) {
      return kind
    }
    if let kind = try phrase() { return kind }
    guard word.looksLikeDuration else {
      if let phrase = fractionPhrase(at: position) { throw error(phrase, at: word) }
      let hint = kindHint(for: word, after: name)
      throw error(.timerExpected(found: word.text, hint), at: word)
    }
    let start = position
    let duration = try duration()
    if position == start + 1, word.looksLikeTime, word.firstIndex(where: { $0 == ":" }) != nil,
      timeLikeDuration == nil, (try? WallTimeText.parseTime(Array(word.scalars))) != nil
    {
      timeLikeDuration = word.text
    }
    return .once(duration)
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

  /// Returns an error at the current word, or at the end of the line if there is none.
  func errorHere(_ problem: TimerSyntaxError.Problem) -> TimerSyntaxError {
    position < tokens.count ? error(problem, at: tokens[position]) : error(problem)
  }

  func error(
    _ problem: TimerSyntaxError.Problem, at offset: Int, argument: Int
  ) -> TimerSyntaxError {
    if isTrying {
      return TimerSyntaxError(
        problem: problem, line: "", timer: "", timerOffset: 0, argument: argument, offset: offset)
    }
    // The timer ends where the next one begins.
    let next = tokens.indices.first { tokens[$0].start > offset && beginsTimer(at: $0) }
    let end = next.map { tokens[$0].startWithQuote } ?? line.unicodeScalars.count
    return TimerSyntaxError(
      problem: problem, line: line, timer: text(from: timerStart, to: end),
      timerOffset: timerStart, argument: argument, offset: offset)
  }

  /// Returns a part of the line without the blanks at its end.
  func text(from start: Int, to end: Int) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: line.unicodeScalars.prefix(end).dropFirst(start))
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
