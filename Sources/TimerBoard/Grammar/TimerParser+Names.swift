/// The names of timers and presets, and the words with which a timer begins.
extension TimerParser {
  /// The keywords, and other words that begin a timer, which are names before `=`.
  static let openingWords =
    Keyword.allCases.map(\.rawValue)
    + ["hourly", "weekly", "noon", "midnight", "yesterday", "today", "tomorrow"]
    + TimeWord.dayNames
    + Preposition.allCases.map(\.rawValue)

  /// Parses `NAME=`, with or without spaces around the `=`.
  mutating func takeName() throws(TimerSyntaxError) -> String? {
    var name = tokens[position]
    if let equals = name.equals {
      let rest = name.dropFirst(equals + 1)
      name = name[0..<equals]
      if equals == 0, !tokens[position].isQuoted { throw nameMissing(at: name) }
      replaceFirst(with: rest)
    } else if equalsFollows(at: position) {
      position += 1
      replaceFirst(with: tokens[position].dropFirst(1))
    } else {
      return nil
    }
    let text = name.text
    if text.isEmpty { throw nameMissing(at: name) }
    try checkName(name)
    if !name.isQuoted, Word.isReserved(text), Word[text]?.canBeName != true {
      throw error(
        "reserved name '\(text)' (expected \(text) without =, or '\(text)'= in quotes)", at: name)
    }
    guard position < tokens.count else {
      throw error("missing timer after the name (expected a timer, such as \(text)=3m)")
    }
    if tokens[position][0] == "=" { throw error(Self.nameRepeated, at: tokens[position]) }
    return text
  }

  /// Returns true if the word after another one begins with `=`.
  private func equalsFollows(at index: Int) -> Bool {
    index + 1 < tokens.count && tokens[index + 1].equals == 0 && !tokens[index + 1].isQuoted
  }

  /// Throws an error for a name that no line of a board or of a command's output can show.
  func checkName(_ name: Token) throws(TimerSyntaxError) {
    guard !context.isTrusted, let problem = TimerSpec.problem(ofName: name.text) else { return }
    throw error(problem, at: name)
  }

  static let nameRepeated = "more than one '=' (expected one name, such as tea=3m)"

  private func nameMissing(at word: Token) -> TimerSyntaxError {
    error("missing name before '=' (expected a name, such as tea=3m)", at: word)
  }

  /// Replaces the current token with the rest of it after a name, or advances if nothing is left.
  private mutating func replaceFirst(with rest: Token) {
    if rest.isEmpty {
      position += 1
    } else {
      tokens[position] = rest
      tokens[position].isQuoted = false
      tokens[position].quoteOffset = nil
      tokens[position].equals = rest.firstIndex { $0 == "=" }
    }
  }

  /// Parses a name without `=`, such as `tea 3m`, `tea: 3m` or `green tea 3m`, unless it is a misspelled keyword.
  /// - Parameter isFirst: A Boolean value that indicates whether it can have several words.
  mutating func takeBareName(isFirst: Bool) throws(TimerSyntaxError) -> String? {
    let count = isFirst ? wordsOfBareName() : isBareName(at: position) ? 1 : 0
    guard count > 0 else { return nil }
    let words = tokens[position..<(position + count)]
    for index in words.indices { try checkIsNoMisspelledTime(at: index) }
    let last = words.endIndex - 1
    if misspelledOpening(at: last) != nil { throw timerExpected(at: last, after: nil) }
    position += count
    let isAlarm = count == 1 && words[last].keyword == "alarm"
    if count > 1 || isAlarm { try readClock(at: position, isAlarm: isAlarm) }
    guard count > 1 else { return Self.name(words[last]) }
    nameOfSeveralWords = words.first
    return (words.dropLast().map(\.text) + [Self.name(words[last])]).joined(separator: " ")
  }

  /// The largest number of words of a name without quotes.
  static let longestName = 16

  /// Returns the number of words of the name without `=` before the first timer; 0 if there is none.
  private func wordsOfBareName() -> Int {
    for index in tokens.indices[position...].prefix(Self.longestName) {
      guard tokens[index].canBeName, index == position || !tokens[index].isQuoted,
        !beginsPhrase(at: index), !namesPreset(at: index), index + 1 < tokens.count
      else { return 0 }
      if beginsKind(at: index + 1, afterName: true) { return index + 1 - position }
    }
    return 0
  }

  /// Reads the time in `call mum 17:30` and in `alarm 7:00` as one of the day. Throws an error for `green tea 3:00`, which
  /// can also be three minutes.
  private mutating func readClock(at index: Int, isAlarm: Bool) throws(TimerSyntaxError) {
    let word = tokens[index]
    guard let time = clock(at: index) else { return }
    guard isAlarm || time.hour > 12 else { throw ambiguousClock(word) }
    tokens.insert(word.replaced(by: Keyword.at.rawValue), at: index)
  }

  /// Returns the time of day that a duration such as `17:30` could also be; `nil` for other words.
  func clock(at index: Int) -> WallTimeText.TimeOfDay? {
    let word = tokens[index]
    guard word.looksLikeClock, !isTimeBeforeDay(at: index), !beginsTime(at: index) else {
      return nil
    }
    return try? WallTimeText.parseTime(Array(word.scalars))
  }

  func ambiguousClock(_ word: Token) -> TimerSyntaxError {
    error("ambiguous time '\(word.text)' (did you mean 'at \(word.text)'?)", at: word)
  }

  /// Throws an error for a name that is probably a misspelled day.
  func checkIsNoMisspelledTime(at index: Int) throws(TimerSyntaxError) {
    let word = tokens[index]
    guard let keyword = word.keyword,
      let day = Suggestion.nearest(to: keyword, of: Self.days, lettersPerError: 4)
    else { return }
    throw error(
      "unknown day '\(word.text)' (expected \(day), or \(word.text)= for a name)", at: word)
  }

  /// The days that are long enough to be recognized if they are misspelled.
  private static let days = TimeWord.dayNames + ["tomorrow", "tonight", "yesterday"]

  /// Throws an error for `next friday` and `this friday`, which can be two days.
  /// - Parameter hasTime: A Boolean value that indicates whether a time of day precedes it.
  func checkIsNoAmbiguousDay(at index: Int, hasTime: Bool = false) throws(TimerSyntaxError) {
    guard isAmbiguousDay(at: index) else { return }
    let day = tokens[index + 1].text
    let hasTime = hasTime || self.hasTime(at: index + 2)
    throw error(
      "ambiguous day '\(tokens[index].text) \(day)' (did you mean '\(day)\(hasTime ? "" : " 9:00")'?)",
      at: tokens[index])
  }

  /// Returns true for `next friday` and `this friday`.
  func isAmbiguousDay(at index: Int) -> Bool {
    guard index + 1 < tokens.count, let keyword = tokens[index].plainKeyword else { return false }
    return ["next", "this"].contains(keyword) && beginsDay(at: index + 1)
  }

  /// Returns the name that a word without `=` gives: `tea` for `tea:` and for `tea,`.
  static func name(_ word: Token) -> String {
    !word.isQuoted && word.count > 1 && (word[word.count - 1] == ":" || word[word.count - 1] == ",")
      ? word[0..<(word.count - 1)].text : word.text
  }

  /// Returns true if a word is a name without `=` before a timer.
  private func isBareName(at index: Int) -> Bool {
    index + 1 < tokens.count && tokens[index].canBeName && !beginsPhrase(at: index)
      && beginsKind(at: index + 1, afterName: true)
  }

  /// Returns true if a timer begins at a word that is not the first one of the line.
  func beginsTimer(at index: Int) -> Bool {
    let word = tokens[index]
    return word.equals != nil || equalsFollows(at: index) || beginsKind(at: index, afterName: false)
      || namesPreset(at: index)
      || isBareName(at: index)
  }

  /// Returns true if a timer without a name begins at a word. A preposition begins one only after a name,
  /// because after a timer it would be about that timer: `every 5m until 17:00`.
  func beginsKind(at index: Int, afterName: Bool) -> Bool {
    let word = tokens[index]
    guard !word.isQuoted, word.equals == nil else { return false }
    if word.looksLikeDuration {
      guard let count = count(at: index) else { return true }
      let next = index + count.words
      return afterName && next < tokens.count && tokens[next].looksLikeDuration
    }
    if beginsPhrase(at: index) { return true }
    guard let keyword = word.keyword else { return false }
    return Keyword(rawValue: keyword) != nil || afterName && Preposition(rawValue: keyword) != nil
  }

  /// Returns true if a word has a meaning of its own, so that something is missing before it.
  func beginsClause(at index: Int) -> Bool {
    let word = tokens[index]
    return word.equals != nil || count(at: index) != nil
      || word.keyword.map(Word.isReserved) == true || beginsKind(at: index, afterName: true)
      || namesPreset(at: index)
  }

  /// Throws an error if the name of the timer that begins here is probably a misspelled word of the previous timer.
  func checkIsNoMisspelling(for spec: TimerSpec) throws(TimerSyntaxError) {
    let word = tokens[position]
    guard isBareName(at: position), modifierHint(for: word, of: spec) != nil else { return }
    throw unknownWord(word, after: spec)
  }

  /// Parses `@NAME` or the name of a preset.
  /// - Returns: Its timers; `nil` if there is no preset.
  mutating func takePreset() throws(TimerSyntaxError) -> [TimerSpec]? {
    guard namesPreset(at: position) else { return nil }
    let word = tokens[position]
    guard let texts = preset(at: position) else {
      throw unknown(
        "preset", word, of: context.defaults.presets.names.map { "@\($0)" }, .unknownTimer)
    }
    position += 1
    var inner = context
    inner.defaults.presets = .builtIn
    do throws(TimerSyntaxError) {
      return try TimerSpec.parse(entries: texts, in: inner)
    } catch {
      throw self.error(error.message, error.cause, at: word)
    }
  }

  private func namesPreset(at index: Int) -> Bool {
    let word = tokens[index]
    return !word.isQuoted && word[0] == "@" && word.count > 1 || preset(at: index) != nil
  }

  private func preset(at index: Int) -> [String]? {
    let word = tokens[index]
    guard !word.isQuoted, word.equals == nil, let keyword = word.keyword else { return nil }
    if word[0] == "@" { return context.defaults.presets[word.dropFirst(1).text] }
    guard !Word.isReserved(keyword), Preposition(rawValue: keyword) == nil else { return nil }
    return context.defaults.presets[word.text] ?? context.defaults.presets[keyword]
  }
}
