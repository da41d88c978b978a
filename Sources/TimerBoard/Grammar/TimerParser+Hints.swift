import TimerKit

/// Suggestions in errors.
extension TimerParser {
  /// Returns the error for a word that begins no timer, with a similar word or with the words as a name.
  func timerExpected(at index: Int, after name: String?) -> TimerSyntaxError {
    let word = tokens[index]
    let words =
      Keyword.allCases.map(\.rawValue) + Self.openingWords + context.defaults.presets.names
    var hint = "expected a duration, such as 3m"
    if name == nil, let timer = namedTimer(at: index) {
      hint += "; with a name: \(timer)"
    } else if let similar = word.keyword.flatMap({ Suggestion.nearest(to: $0, of: words) }) {
      hint = "did you mean '\(similar)'?"
    }
    return error("invalid timer '\(word.text)' (\(hint))", .unknownTimer, at: word)
  }

  /// Returns the kind, day or preposition that is similar to a name before a timer, if that timer can follow it.
  func misspelledOpening(at index: Int) -> String? {
    guard let keyword = tokens[index].keyword,
      let nearest = Suggestion.nearest(
        to: keyword, of: Keyword.allCases.map(\.rawValue) + Self.openingWords)
    else { return nil }
    let next = tokens[index + 1]
    let takesTime =
      ["at", "daily", "weekdays", "every", "until"].contains(nearest)
      || WallTimeText.parseDays(nearest) != nil || Self.nearDays[nearest] != nil
    let takesDuration = !takesTime && !["stopwatch", "noon", "midnight"].contains(nearest)
    let isTaken =
      takesTime && (next.keyword == "at" || isTime(at: index + 1) || beginsDay(at: index + 1))
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

  /// Returns `'green tea'=3m` for `green tea 3m`, `green tea=3m` and `'green tea=3m'`; `nil` if that is no timer.
  private func namedTimer(at index: Int) -> String? {
    let longestName = 4
    var words = Array(tokens[index...].prefix(longestName + 2))
    var name: [String] = []
    while let word = words.first, !words.isEmpty {
      let position = index + name.count
      if let equals = word.firstIndex(where: { $0 == "=" }) {
        if equals > 0 { name.append(word[0..<equals].text) }
        words[0] = word.dropFirst(equals + 1)
        if words[0].isEmpty { words.removeFirst() }
        break
      }
      if beginsKind(at: position, afterName: true) { break }
      name.append(Self.name(word))
      words.removeFirst()
    }
    guard let first = words.first, name.count > 1 || tokens[index].isQuoted else { return nil }
    let next = tokens.indices.first { tokens[$0].start > first.start && beginsTimer(at: $0) }
    let end = first.isQuoted ? first.end - 1 : next.map { tokens[$0].startWithQuote } ?? .max
    let rest = text(from: first.start, to: end)
    let timer = "\(Token.quoting(name.joined(separator: " "), isName: true))=\(rest)"
    return (try? TimerSpec.parse(timer: timer, in: context)) == nil ? nil : timer
  }

  /// Returns the error for a word after `every` that is meant as days of the week; `nil` for any other word.
  func dayError(at index: Int) -> TimerSyntaxError? {
    let word = tokens[index]
    func isUnknown(_ day: Token) -> Bool { WallTimeText.parseDays(day.text.lowercased()) == nil }
    guard !word.looksLikeDuration, var day = word.split(at: { $0 == "," }).first(where: isUnknown)
    else { return nil }
    let ends = day.split { $0 == "-" || $0 == "–" }
    if ends.count == 2, let first = ends.firstIndex(where: isUnknown), !ends[first].isEmpty,
      !isUnknown(ends[1 - first])
    {
      day = ends[first]
    }
    let isOnly = word.split { $0 == "," }.count(where: isUnknown) == 1
    let hint =
      isOnly ? Suggestion.hint(for: day.text.lowercased(), of: WallTimeText.dayNames) : nil
    guard day.count < word.count || hint != nil else { return nil }
    let problem = day.isEmpty ? "missing day beside ','" : "unknown day '\(day.text)'"
    return error("\(problem) (\(hint ?? "expected days, such as mon,thu"))", at: day)
  }
}
