import TimerKit

/// Suggestions in errors.
extension TimerParser {
  /// Returns the error for a word that begins no timer, with a similar word.
  func timerExpected(at index: Int, after name: String?) -> TimerSyntaxError {
    let word = tokens[index]
    let words = Self.openingWords + context.defaults.presets.names
    let isName = name == nil && (word.isQuoted || word.canBeName && index + 1 < tokens.count)
    var hint = "expected a duration, such as 3m"
    if let similar = word.keyword.flatMap({ Suggestion.nearest(to: $0, of: words) }) {
      hint = "did you mean '\(similar)'?"
    } else if isName {
      hint += ", or a name in quotes, such as 'green tea'=3m"
    }
    return error("invalid timer '\(word.text)' (\(hint))", .unknownTimer, at: word)
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
    let hint = Suggestion.hint(for: day.text.lowercased(), of: WallTimeText.dayNames)
    guard day.count < word.count || hint != nil else { return nil }
    return error("unknown day '\(day.text)' (\(hint ?? "expected days, such as mon,thu"))", at: day)
  }
}
