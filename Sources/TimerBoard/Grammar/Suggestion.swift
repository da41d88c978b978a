/// Suggestions for misspelled words.
package enum Suggestion {
  /// Returns the candidate with the fewest typing errors between it and `word`; `nil` if none is similar.
  /// - Parameter lettersPerError: The number of letters of a candidate for each error that it can have; one it always can.
  package static func nearest(
    to word: String, of candidates: [String], lettersPerError: Int = 3
  ) -> String? {
    func errorLimit(in word: String) -> Int { max(1, word.count / lettersPerError) }
    let length = word.count
    // The comparison takes time and memory in proportion to the square of the length.
    guard length <= 64 else { return nil }
    // Words whose lengths differ by more than the limit need not be compared.
    let near = candidates.filter { abs($0.count - length) <= errorLimit(in: $0) }
      .map { (word: $0, errors: errors(from: $0, to: word)) }
      .min { $0.errors < $1.errors }
    guard let near, near.errors > 0, near.errors <= errorLimit(in: near.word), near.word.count > 2
    else { return nil }
    return near.word
  }

  /// Returns `did you mean 'NAME'?` with the nearest candidate; `nil` if none is similar.
  package static func hint(for word: String, of candidates: [String]) -> String? {
    nearest(to: word, of: candidates).map { "did you mean '\($0)'?" }
  }

  /// Returns an error with the nearest candidate, or else with what was expected.
  static func message(
    _ problem: String, for word: String, of candidates: [String], expected: String
  ) -> String {
    "\(problem) (\(hint(for: word, of: candidates) ?? "expected \(expected)"))"
  }

  /// Returns the error for a name that no timer and no group has.
  package static func unknownTimer(_ name: String, of names: [String]) -> String {
    "unknown timer or group '\(name)'" + (hint(for: name, of: names).map { " (\($0))" } ?? "")
  }

  /// Returns the number of letters that were omitted, inserted, changed or swapped with an adjacent one.
  private static func errors(from: String, to: String) -> Int {
    let a = Array(from.lowercased())
    let b = Array(to.lowercased())
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    // A difference in case alone counts as one.
    let errors = rows[a.count][b.count]
    return errors == 0 && from != to ? 1 : errors
  }
}

/// Suggestions in errors.
extension TimerParser {
  /// Returns the error for a word that begins no timer, with a similar word.
  func timerExpected(at index: Int, after name: String?) -> TimerSyntaxError {
    let word = tokens[index]
    let words = Self.openingWords + context.defaults.presets.names
    let isName = name == nil && (word.isQuoted || word.canBeName && index + 1 < tokens.count)
    var hint = "expected a duration, such as 3m"
    if isName { hint += ", or a name in quotes, such as \(timerWithQuotedName(at: index))" }
    if name == nil, let error = timeWordError(at: index) { return error }
    let similar = word.keyword.flatMap { Suggestion.hint(for: $0, of: words) }
    return error("invalid timer '\(word.text)' (\(similar ?? hint))", .unknownTimer, at: word)
  }

  /// Returns the index of the timer after the words of a name; `nil` if none follows.
  private func timerAfterName(at index: Int) -> Int? {
    let words = tokens[index...].prefix(Self.longestName + 1)
    let timer = words.indices.dropFirst().first { beginsKind(at: $0, afterName: true) }
    return timer.flatMap { words[..<$0].allSatisfy(\.isPlain) ? $0 : nil }
  }

  /// Returns the timer with its name in quotes that is probably meant by words before it: `'walk to work'=20m`.
  private func timerWithQuotedName(at index: Int) -> String {
    guard let timer = timerAfterName(at: index) else { return "'green tea'=3m" }
    return named(tokens[index..<timer], meaning: written(tokens[timer]))
  }

  /// Returns a word as it is written in the line.
  private func written(_ word: Token) -> String { text(from: word.startWithQuote, to: word.end) }

  /// Returns a timer with words as its name before `=`; a time such as `17:30` is one of the day.
  private func named(_ words: ArraySlice<Token>, meaning timer: String) -> String {
    let name = Token.quoting(words.map(\.text).joined(separator: " "))
    let isClock = timer.contains(":") && timer.allSatisfy { $0 == ":" || $0.isNumber }
    return "\(name)=\(isClock ? "at " : "")\(timer)"
  }

  /// Returns the error for a word of time that begins no timer: it is no name unless it is before `=`. Returns `nil` for
  /// any other word.
  private func timeWordError(at index: Int) -> TimerSyntaxError? {
    let word = tokens[index]
    guard let keyword = word.plainKeyword, TimeWord.contains(keyword) else { return nil }
    if let timer = timerAfterName(at: index), isLikelyName(tokens[index..<timer]) {
      let words = tokens[index..<timer]
      let time = written(tokens[timer])
      return ambiguousName(
        word, in: "\(words.map(\.text).joined(separator: " ")) \(time)",
        meaning: named(words, meaning: time))
    }
    let hint =
      ["repeat", "repeating", "per"].contains(keyword)
      ? "did you mean 'every'?"
      : DayUnit(adverb: keyword).map { "expected a day, such as \($0.example)" }
    return error(
      "no timer begins with '\(word.text)' (\(hint ?? "expected a time, such as 3m or at 9:00"))",
      .unknownTimer, at: word)
  }

  /// Returns true for words that are meant as a name although one of them is a word of time.
  private func isLikelyName(_ words: ArraySlice<Token>) -> Bool {
    words.contains { word in
      guard let keyword = word.plainKeyword, TimeWord.contains(keyword) else { return true }
      return TimeWord[keyword]?.isPartOfPhrase != true
    }
  }

  /// Returns the error for a word of time where a name would be, with the name before `=`.
  private func ambiguousName(
    _ word: Token, in text: String, meaning timer: String
  ) -> TimerSyntaxError {
    error(
      "'\(text)' has no name, because '\(word.text)' is a word of time (did you mean '\(timer)'?)",
      at: word)
  }

  /// Returns the error for a word of time after a timer, which is no name; `nil` for any other word.
  func timeWordError(at index: Int, after spec: TimerSpec) -> TimerSyntaxError? {
    let word = tokens[index]
    guard let keyword = word.plainKeyword, TimeWord.contains(keyword) else { return nil }
    let words = tokens[index...].prefix(Self.longestName).prefix {
      $0.canBeName && !$0.isQuoted || $0.plainKeyword.map(TimeWord.contains) == true
    }
    // After a time of day, it is about that time.
    guard spec.kind.repeater?.schedule == nil, TimeWord[keyword]?.isPartOfPhrase != true,
      isLikelyName(words)
    else {
      return error("'\(word.text)' does not apply to '\(spec.kind.family.keyword)'", at: word)
    }
    guard spec.name == nil, let last = words.last else { return unknownWord(word, after: spec) }
    let timer = text(from: timerStart, to: word.startWithQuote)
    return ambiguousName(
      word, in: text(from: timerStart, to: last.end), meaning: named(words, meaning: timer))
  }

  /// Throws an error for a unit that no duration has, such as `months`, with what to write instead.
  func checkHasLength(at index: Int) throws(TimerSyntaxError) {
    guard index < tokens.count, let keyword = tokens[index].plainKeyword,
      let instead = TimeWord[keyword]?.insteadOfUnit
    else { return }
    throw error(
      "unit '\(tokens[index].text)' is not supported (expected \(instead))", at: tokens[index])
  }

  /// Returns the error for a word that is no name of its kind, with a similar name, or with what was expected.
  /// - Parameter expected: What was expected; `nil` for the names.
  func unknown(
    _ kind: String, _ word: Token, of names: [String], expected: String? = nil,
    _ cause: TimerSyntaxError.Cause = .syntax
  ) -> TimerSyntaxError {
    let message = Suggestion.message(
      "unknown \(kind) '\(word.text)'", for: word.text, of: names,
      expected: expected ?? names.joined(separator: ", "))
    return error(message, cause, at: word)
  }

  /// Returns the kind, day or preposition that is similar to a name before a timer, if that timer can follow it.
  func misspelledOpening(at index: Int) -> String? {
    guard let keyword = tokens[index].keyword,
      let nearest = Suggestion.nearest(to: keyword, of: Self.openingWords)
    else { return nil }
    let next = tokens[index + 1]
    let takesTime =
      ["at", "daily", "weekdays", "every", "until"].contains(nearest)
      || Self.isDay(nearest)
    let takesDuration = !takesTime && !["stopwatch", "noon", "midnight"].contains(nearest)
    let isTaken =
      takesTime && (hasTime(at: index + 1) || beginsDay(at: index + 1))
      || (takesDuration || nearest == "every") && next.looksLikeDuration
    return isTaken ? nearest : nil
  }

  /// Returns the word of a timer that is similar to a word after its kind; `nil` if none is.
  func modifierHint(for word: Token, of spec: TimerSpec) -> String? {
    // `5m the trash`
    if word.keyword == "the" { return nil }
    let isLast = word.end == tokens.last?.end
    let words = Word.all.filter { spec.accepts($0.name) && !($0.needsArgument && isLast) }
    return word.keyword.flatMap {
      Suggestion.nearest(to: $0, of: words.map(\.name) + spec.kind.family.kindWords)
    }
  }

  /// Returns the error for a word after `every` that is meant as days of the week; `nil` for any other word.
  func dayError(at index: Int) -> TimerSyntaxError? {
    let word = tokens[index]
    let days = word.split { [",", "-", "–"].contains($0) }
    guard !word.looksLikeDuration,
      let day = days.first(where: { WallTimeText.parseDays($0.text.lowercased()) == nil })
    else { return nil }
    let hint = Suggestion.hint(for: day.text.lowercased(), of: TimeWord.dayNames)
    guard day.count < word.count || hint != nil else { return nil }
    return error("unknown day '\(day.text)' (\(hint ?? "expected days, such as mon,thu"))", at: day)
  }
}

/// The completions of the last word of a text of timers: kinds and presets, the words of a timer, and the names of
/// timers and groups.
package struct TimerCompletion: Hashable, Sendable {
  /// The number of characters before the word.
  package let start: Int
  /// The completed words, in order, in quotes where they need them.
  package let words: [String]

  /// - Parameter offset: The number of characters before the timers, such as those of a command.
  package init(of line: String, from offset: Int = 0, in context: TimerContext) {
    let text = String(line.dropFirst(offset))
    let word = Self.lastWord(of: text)
    let head = text[..<word.startIndex]
    let isQuoted = word.first == "'" || word.first == "\""
    let prefix = word.dropFirst(isQuoted ? 1 : 0).lowercased()
    func matches(_ words: [String]) -> [String] {
      Set(words.filter { $0.lowercased().hasPrefix(prefix) }).sorted().map(Token.quotingGroup)
    }
    start = offset + head.count
    let previous = head.split(whereSeparator: \.isWhitespace).last?.lowercased()
    if let before = previous.flatMap({ Word[$0] }), before.needsArgument {
      words = matches(before.choices(context))
      return
    }
    let presets = context.defaults.presets.names.map { prefix.hasPrefix("@") ? "@\($0)" : $0 }
    var following: [String] = []
    if let spec = try? ParsedTimers(arguments: [String(head)], in: context).specs.last {
      let free = Word.all.filter { spec.accepts($0.name) && $0.text(spec) == nil }
      following = matches(free.map(\.name) + spec.kind.family.kindWords)
    }
    words = following.isEmpty ? matches(TimerParser.openingWords + presets) : following
  }

  /// Returns the characters after the last blank or `=` outside quotes.
  private static func lastWord(of text: String) -> Substring {
    var start = text.startIndex
    var quote: Character?
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character.isWhitespace || character == "=" {
        start = text.index(after: index)
      } else if index == start, character == "'" || character == "\"" {
        quote = character
      }
    }
    return text[start...]
  }
}
