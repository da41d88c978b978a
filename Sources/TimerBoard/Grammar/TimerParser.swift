/// Parses timers.
///
///     line    = timer+ | duration word* name word*
///     timer   = [name "=" | name [":"]] (kind | preset) word*
///     kind    = ["once" | "in" | "for"] duration | "hourly" | "weekly"
///             | ["at" | "until" | "by" | "on"] [day] ["at"] time
///             | "every" (duration | unit) ["from" time "to" time | "until" time | "for" duration]
///             | ("daily" | "weekdays" | "every" ["day" | days | date] | days | numbers "of the month") times limits
///             | "every" (duration | ordinal | unit) ["on" (days | numbers | date)] times limits
///             | "cron" expression limits
///             | "cycle" phases | "stopwatch" | …
///     times   = ["at"] time ["and" time]* | "every" duration ["from" time "to" time]
///     limits  = ["from" day] ["until" day] ["in" zone]
///     preset  = ["@"] name
///     word    = "long" duration | "x" count | count "times" | "paused" | "awake" | "now" | "jitter" duration | "tolerance" duration
///             | "note" text | "run" text
///             | "ring" | "chime" | "silent" | "wait" | "missed" ("skip" | "delay" | "burst" [limit])
///             | "sound" (bell | path) | "then" name ["x" count] | "group" name | "backoff" duration
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
  /// The names after `then` and `group`.
  var references: [(name: Token, timerStart: Int, isGroup: Bool)] = []
  /// A Boolean value that indicates whether a number without a unit is most likely in milliseconds.
  var prefersMilliseconds = false
  /// The name after the last timer.
  var trailingName: Token?
  /// The first word of a name of several words without quotes, which only the timer of a line with one can have.
  var nameOfSeveralWords: Token?
  /// The number or the cycle without a unit that is the first timer, if it is not after `NAME=`.
  private var firstWithoutUnit: Token?
  /// The first timer, if it is only a word such as `noon` or `hourly` and has no name.
  private var loneTimeWord: Token?
  /// The previous timer; `nil` for the first one.
  private var previous: TimerSpec?
  /// The words after the interval of the current timer that limit it.
  var span: Span?
  /// The meaning of the text, without the timers.
  var parsed = ParsedTimers()
  /// A Boolean value that indicates whether the first timer has no name, and all others have one without `=`: the names
  /// may be those of the timers before them.
  private(set) var namesFollow = false

  init(arguments: [String], in context: TimerContext) throws(TimerSyntaxError) {
    line = arguments.joined(separator: " ")
    self.context = context
    do {
      tokens = try Token.tokens(of: arguments)
    } catch {
      throw self.error(
        "missing closing quote (expected \(error.quote))", at: error.end, argument: error.argument)
    }
    try resolvePhrases()
  }

  mutating func timers() throws(TimerSyntaxError) -> [TimerSpec] {
    var specs = try timer(isFirst: true)
    namesFollow = specs.count == 1 && specs[0].name == nil
    while position < tokens.count {
      if let trailingName, let spec = specs.last { throw unknownWord(trailingName, after: spec) }
      if let word = nameOfSeveralWords ?? loneTimeWord { throw besideAnotherTimer(word) }
      previous = specs.last
      specs += try timer(isFirst: false)
    }
    if let trailingName, specs.count > 1 {
      for index in specs.indices.dropLast() { specs[index].name = specs[index + 1].name }
      specs[specs.count - 1].name = Self.name(trailingName)
    }
    return specs
  }

  /// Parses exactly one timer.
  mutating func onlyTimer() throws(TimerSyntaxError) -> TimerSpec {
    let specs = try timer(isFirst: true)
    guard specs.count == 1, position == tokens.count else {
      throw error("more than one timer (expected one)", at: tokens[specs.count == 1 ? position : 0])
    }
    return specs[0]
  }

  /// Parses a timer, or the timers of a preset.
  private mutating func timer(isFirst: Bool) throws(TimerSyntaxError) -> [TimerSpec] {
    guard !tokens.isEmpty else {
      throw error(
        "no timer given (expected one, such as tea=3m or every 30s x8)", .empty, at: 0, argument: 0)
    }
    timerStart = tokens[position].startWithQuote
    span = nil
    var name = try takeName()
    let hasPrefix = name != nil
    if name == nil {
      if !isFirst { parsed.hasTimersWithoutPrefix = true }
      try checkIsNoAmbiguousDay(at: position)
      try checkIsNoAmbiguousDay(at: position + 1, hasTime: isTime(at: position))
      name = try takeBareName(isFirst: isFirst)
      namesFollow = namesFollow && name != nil
      if !isFirst, let word = firstWithoutUnit {
        timerStart = tokens[0].startWithQuote
        throw besideAnotherTimer(word)
      }
      if name == nil, let previous { try checkCanFollow(previous) }
    } else {
      namesFollow = false
    }
    let first = tokens[position]
    var spec: TimerSpec
    if let preset = try takePreset() {
      parsed.usesPresets = true
      guard preset.count == 1 else {
        let hasWord = position < tokens.count && !beginsTimer(at: position)
        guard name == nil, !hasWord else {
          throw error(
            "unexpected word (expected none for the preset '\(first.text)', which has several timers)",
            at: name == nil ? tokens[position] : first)
        }
        return preset
      }
      spec = preset[0]
      spec.name = name ?? spec.name
    } else {
      if isFirst, !hasPrefix, hasNoUnit(at: position) { firstWithoutUnit = first }
      let start = position
      spec = TimerSpec(
        name: name, kind: try kind(after: name, canBeInMinutes: hasPrefix || isFirst))
      let word = tokens[start]
      if !hasPrefix, position == start + 1, isLoneTimeWord(word) {
        if !isFirst { throw besideAnotherTimer(word) }
        if name == nil { loneTimeWord = word }
      }
      spec.countsOnlyAwake = context.defaults.countOnlyAwake && spec.accepts("awake")
    }
    // It is a count.
    var seen = span.map { ["x": $0.word] } ?? [:]
    while position < tokens.count {
      if beginsTimer(at: position) {
        try checkIsNoMisspelling(for: spec)
        break
      }
      try modifier(of: &spec, seen: &seen, isFirst: isFirst)
    }
    if let span { try apply(span, to: &spec) }
    try checkLongRest(of: spec, seen)
    if context.defaults.wait, spec.acceptsWait { spec.waits = true }
    try checkSettings(spec, seen)
    return [spec]
  }

  /// Checks the settings of a timer against each other.
  private func checkSettings(_ spec: TimerSpec, _ seen: [String: Token]) throws(TimerSyntaxError) {
    if context.isTrusted { return }
    // At the end of the text, the rest may still be typed.
    func unlessTyped(_ message: String, at word: Token) -> TimerSyntaxError {
      position < tokens.count ? error(message, at: word) : error(message)
    }
    if let word = seen["then"], spec.fireCount == nil {
      throw error("'then' after a timer without an end (expected a count, such as x8)", at: word)
    }
    if let word = seen["wait"], !spec.acceptsWait {
      throw unlessTyped("'wait' needs a cycle or 'then'", at: word)
    }
    if let word = seen["sound"], spec.sound == .silent {
      throw error("'silent' and 'sound' exclude each other", at: word)
    }
    if let word = seen["jitter"], let interval = spec.kind.repeater?.interval,
      spec.jitter > interval
    {
      throw unlessTyped("jitter must be at most the interval", at: word)
    }
    guard let word = seen["backoff"], let backoff = spec.backoff,
      let interval = spec.kind.repeater?.interval
    else { return }
    if backoff <= interval { throw error("backoff must be longer than the interval", at: word) }
    guard spec.command != nil || context.hasCommand else {
      throw unlessTyped(
        "'backoff' without a command (expected one, such as run 'make test')", at: word)
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
      if reference.isGroup ? !names.contains(name) : known.contains(name) { continue }
      timerStart = reference.timerStart
      if reference.isGroup {
        throw error(
          "group '\(name)' has the name of a timer (expected another name)", at: reference.name)
      }
      throw unknown(
        "timer or group", reference.name, of: known.sorted(),
        expected: "the name of a timer or a group", .unknownSuccessor)
    }
  }

  mutating func kind(
    after name: String?, canBeInMinutes: Bool
  ) throws(TimerSyntaxError) -> TimerSpec.Kind {
    let word = tokens[position]
    if word.equals != nil, name != nil {
      throw error(Self.nameRepeated, at: word.offset(of: word.equals ?? 0), argument: word.argument)
    }
    if let keyword = word.keyword.flatMap(Keyword.init) { return try kind(keyword) }
    if let kind = try phrase() { return kind }
    guard word.looksLikeDuration else { throw timerExpected(at: position, after: name) }
    // A count before the timer: `3 x 45s`.
    if let count = count(at: position) {
      position += count.words - 1
      return .every(try duration(after: word.text), count: try self.count(count.number))
    }
    if word.isNumber, word.count == 4, durationRun(word).word.count == 4,
      (try? WallTimeText.parseTime(Array(word.scalars))) != nil
    {
      throw error(
        "ambiguous number '\(word.text)' (expected \(word.text)m, or at \(word.text))", at: word)
    }
    if word.contains("/") { return .cycle(try phases(after: word.text), rounds: nil) }
    let start = position
    // `5 10`, `at 9 30` and `tea 5 coffee 10` are hardly several timers.
    let duration = try duration(inMinutes: canBeInMinutes)
    if position == start + 1, word.looksLikeTime, word.contains(":"),
      parsed.timeLikeDuration == nil,
      (try? WallTimeText.parseTime(Array(word.scalars))) != nil
    {
      parsed.timeLikeDuration = word.text
    }
    return try once(duration)
  }

  // MARK: Several timers in a line

  /// Returns true for a word that is a timer by itself: `noon`, `hourly`.
  private func isLoneTimeWord(_ word: Token) -> Bool {
    word.plainKeyword.map { Self.intervals[$0] != nil || TimeWord[$0]?.time != nil } == true
  }

  /// Returns true for a number without a unit, and a cycle of such numbers.
  private func hasNoUnit(at index: Int) -> Bool {
    let word = tokens[index]
    guard word.looksLikeDuration, count(at: index) == nil else { return false }
    if word.contains("/") { return !word.scalars.contains(where: \.isLetter) }
    return durationRun(word).word.isDecimal && !isTimeBeforeDay(at: index) && !beginsTime(at: index)
      && !isDate(at: index)
  }

  /// Returns the error for a timer that cannot stand beside another one without `NAME=` or a keyword.
  private func besideAnotherTimer(_ word: Token) -> TimerSyntaxError {
    let keyword = word.plainKeyword ?? ""
    let problem = "'\(word.text)' beside another timer"
    if TimeWord[keyword]?.time != nil {
      return error("\(problem) (did you mean 'at \(word.text)'?)", at: word)
    }
    if let interval = Self.intervals[keyword] {
      return error("\(problem) (did you mean '\(interval.text)'?)", at: word)
    }
    if word.contains("/") {
      return error("\(problem) (did you mean 'cycle \(word.text)'?)", at: word)
    }
    guard word.isDecimal else {
      return timerExpected(at: tokens.firstIndex { $0.start == word.start } ?? 0, after: nil)
    }
    return missingUnit(after: word)
  }

  private func missingUnit(after number: Token) -> TimerSyntaxError {
    error(
      DurationText.missingUnit(after: number.text), at: number.end, argument: number.argument)
  }

  /// Throws an error for a timer without a name that belongs to the one before it, or looks as if it did.
  private func checkCanFollow(_ previous: TimerSpec) throws(TimerSyntaxError) {
    let word = tokens[position]
    if isDate(at: position), let count = wordsOfDay(at: position),
      !hasTime(at: position + count), !(word.looksLikeDate && word.contains("T"))
    {
      let date = tokens[position..<(position + count)].map(\.text).joined(separator: " ")
      throw error("'\(date)' beside another timer (did you mean 'at \(date)'?)", at: word)
    }
    // After a time of day, `every 3 days` would be about that time.
    let days =
      repeatingDays(at: position)
      ?? (previous.kind.repeater?.schedule == nil ? nil : daysOfInterval(at: position))
    if let days, !hasTime(at: position + days.words) {
      let days = tokens[position..<(position + days.words)].map(\.text).joined(separator: " ")
      throw error("'\(days)' does not apply to '\(previous.kind.family.keyword)'", at: word)
    }
    guard word.looksLikeDuration, !isDate(at: position), !beginsTime(at: position) else { return }
    if isTimeBeforeDay(at: position) {
      // `1h 05 friday`
      guard !word.isNumber else { throw missingUnit(after: word) }
      return
    }
    // `24 dec 1800 seconds` is neither a date and a time, nor clearly two timers.
    let endsWithDate = [1, 2, 3].contains { count in
      count <= position && isDate(at: position - count)
        && wordsOfDay(at: position - count) == count
    }
    if endsWithDate {
      throw error(
        "unexpected '\(word.text)' after a date (expected a time, such as 14:30, or NAME=\(word.text))",
        at: word)
    }
    let found = "unexpected '\(word.text)' after '\(previous.kind.family.keyword)'"
    let another = "(expected NAME=\(word.text) for another timer)"
    switch previous.kind {
    case .stopwatch: throw error("\(found) \(another)", at: word)
    case .cycle(let family) where word.contains("/") || family.phases.count == 1:
      guard family.phases.count == 1, !word.contains("/"), previous.name == nil,
        tokens[position - 1].looksLikeDuration, tokens[position - 1].end < word.start
      else { throw error("\(found) \(another)", at: word) }
      let phase = tokens[position - 1].text
      throw error(
        "unexpected phase in '\(phase) \(word.text)' (did you mean '\(phase)/\(word.text)'?)",
        at: word)
    case .repeater(let family) where family.schedule != nil && word.looksLikeClock:
      throw error(
        "unexpected time '\(word.text)' (expected and \(word.text), or at \(word.text) for another timer)",
        at: word)
    default:
      if word.contains("/"), hasNoUnit(at: position) { throw besideAnotherTimer(word) }
    }
  }

  func error(
    _ message: String, _ cause: TimerSyntaxError.Cause = .syntax, at word: Token
  ) -> TimerSyntaxError {
    error(message, cause, at: word.start, argument: word.argument)
  }

  /// Returns an error at the end of the line, where something is missing.
  func error(_ message: String) -> TimerSyntaxError {
    error(message, at: line.unicodeScalars.count, argument: tokens.last?.argument ?? 0)
  }

  /// Returns an error at the current word, or at the end of the line if there is none.
  func errorHere(_ message: String) -> TimerSyntaxError {
    position < tokens.count ? error(message, at: tokens[position]) : error(message)
  }

  func error(
    _ message: String, _ cause: TimerSyntaxError.Cause = .syntax, at offset: Int, argument: Int
  ) -> TimerSyntaxError {
    // The timer ends where the next one begins.
    let next = tokens.indices.first { tokens[$0].start > offset && beginsTimer(at: $0) }
    let end = next.map { tokens[$0].startWithQuote } ?? line.unicodeScalars.count
    return TimerSyntaxError(
      message: message, cause: cause, line: line, timer: text(from: timerStart, to: end),
      timerOffset: timerStart, argument: argument, offset: offset)
  }

  /// Returns a part of the line without the blanks at its end.
  func text(from start: Int, to end: Int) -> String {
    var text = String(line.unicodeScalars.prefix(end).dropFirst(start))
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
