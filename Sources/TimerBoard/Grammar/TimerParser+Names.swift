import TimerKit

/// The names of timers and presets, and the words with which a timer begins.
extension TimerParser {
  /// Words that begin a timer, in addition to the keywords. They are names before `=`.
  static let openingWords =
    ["hourly", "noon", "midnight", "yesterday", "today", "tomorrow"] + WallTimeText.dayNames
    + Preposition.allCases.map(\.rawValue)

  /// Parses `NAME=`, with or without spaces around the `=`.
  mutating func takeName() throws(TimerSyntaxError) -> String? {
    var name = tokens[position]
    if let equals = name.equals {
      let rest = name.dropFirst(equals + 1)
      name = name[0..<equals]
      if equals == 0, !tokens[position].isQuoted { throw error(.nameMissing, at: name) }
      replaceFirst(with: rest)
    } else if position + 1 < tokens.count, tokens[position + 1].equals == 0,
      !tokens[position + 1].isQuoted
    {
      position += 1
      replaceFirst(with: tokens[position].dropFirst(1))
    } else {
      return nil
    }
    let text = name.text
    if text.isEmpty { throw error(.nameMissing, at: name) }
    if !name.isQuoted, let keyword = Keyword(rawValue: text),
      !Keyword.allowedAsNames.contains(keyword)
    {
      throw error(.nameReserved(text), at: name)
    }
    guard position < tokens.count else { throw error(.timerMissing(name: text)) }
    if tokens[position][0] == "=" { throw error(.nameRepeated, at: tokens[position]) }
    return text
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

  /// Parses a name without `=`, such as `tea 3m` or `tea: 3m`, unless it is a misspelled keyword.
  mutating func takeBareName() throws(TimerSyntaxError) -> String? {
    guard isBareName(at: position) else { return nil }
    let word = tokens[position]
    let end = position + 2
    let words = Keyword.kinds.map(\.rawValue) + Self.openingWords
    // With the suggestion, the word after it must parse too: `evry 30s`, but not `moon 30s`.
    let suggestion = suggestion(for: word, of: words) { parser throws(TimerSyntaxError) in
      _ = try parser.kind(after: nil)
      return parser.position >= end
    }
    if let suggestion {
      throw error(.timerExpected(found: word.text, .word(suggestion)), at: word)
    }
    position += 1
    return Self.name(word)
  }

  /// Returns the name that a word without `=` gives: `tea` for `tea:`.
  static func name(_ word: Token) -> String {
    !word.isQuoted && word.count > 1 && word[word.count - 1] == ":"
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
    let isNamed =
      word.equals != nil
      || (index + 1 < tokens.count && tokens[index + 1].equals == 0 && !tokens[index + 1].isQuoted)
    return isNamed || beginsKind(at: index, afterName: false) || namesPreset(at: index)
      || isBareName(at: index)
  }

  /// Returns true if a timer without a name begins at a word. A preposition begins one only after a name,
  /// because after a timer it would be about that timer: `every 5m until 17:00`.
  func beginsKind(at index: Int, afterName: Bool) -> Bool {
    let word = tokens[index]
    guard !word.isQuoted, word.equals == nil else { return false }
    if word.looksLikeDuration { return count(at: index) == nil }
    if beginsPhrase(at: index) { return true }
    guard let keyword = word.keyword else { return false }
    if let known = Keyword(rawValue: keyword) { return Keyword.kinds.contains(known) }
    return afterName && Preposition(rawValue: keyword) != nil
  }

  /// Returns true if a word has a meaning of its own, so that something is missing before it.
  func beginsClause(at index: Int) -> Bool {
    let word = tokens[index]
    return word.equals != nil || count(at: index) != nil
      || word.keyword.flatMap(Keyword.init) != nil || beginsKind(at: index, afterName: true)
      || namesPreset(at: index)
  }

  /// Throws an error if the name of the timer that begins here is probably a misspelled word of the previous timer.
  mutating func checkIsNoMisspelling(for spec: TimerSpec) throws(TimerSyntaxError) {
    let word = tokens[position]
    guard isBareName(at: position), let hint = modifierHint(for: word, of: spec) else { return }
    throw unknownWord(word, hint, after: spec)
  }
}

extension TimerParser {
  /// Parses `@NAME` or the name of a preset.
  /// - Returns: Its timers; `nil` if there is no preset.
  mutating func takePreset() throws(TimerSyntaxError) -> [TimerSpec]? {
    guard namesPreset(at: position) else { return nil }
    let word = tokens[position]
    guard let texts = preset(at: position) else {
      let names = context.defaults.presets.names.map { "@\($0)" }
      throw error(
        .presetUnknown(
          word.text, nearest: Suggestion.nearest(to: word.text, of: names), of: names), at: word)
    }
    position += 1
    var inner = context
    inner.defaults.presets = .builtIn
    do throws(TimerSyntaxError) {
      return try TimerSpec.parse(entries: texts, in: inner)
    } catch {
      throw self.error(error.problem, at: word)
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
    guard Keyword(rawValue: keyword) == nil, Preposition(rawValue: keyword) == nil else {
      return nil
    }
    return context.defaults.presets[word.text] ?? context.defaults.presets[keyword]
  }
}
