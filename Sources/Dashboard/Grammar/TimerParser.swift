import TimerKit

/// The words that mean something in the grammar wherever they stand.
enum Keyword: String, CaseIterable {
  case once, every, paused, tolerance, missed, note
}

/// Reads timers from words.
///
///     timer   = [name "="] (["once"] duration | "every" duration) word*
///     word    = "x" count | "paused" | "tolerance" duration | "note" text
///             | "missed" ("skip" | "delay" | "burst" [limit])
struct TimerParser {
  static let largestCount = 1_000_000_000
  /// Of `missed burst` without a number.
  static let usualBurst = 10

  private let line: String
  private var words: [Word] = []
  private var position = 0
  /// Where the timer being read begins.
  private var timerStart = 0

  init(arguments: [String]) throws(TimerSyntaxError) {
    line = arguments.joined(separator: " ")
    do {
      words = try Word.words(of: arguments)
    } catch {
      throw self.error(
        .quoteUnclosed(String(error.quote)), at: error.end, argument: error.argument)
    }
  }

  mutating func timers() throws(TimerSyntaxError) -> [TimerSpec] {
    guard !words.isEmpty else { throw error(.nothing, at: 0, argument: 0) }
    var specs: [TimerSpec] = []
    while position < words.count { specs.append(try timer()) }
    return specs
  }

  /// One timer, and nothing after it.
  mutating func onlyTimer() throws(TimerSyntaxError) -> TimerSpec {
    guard !words.isEmpty else { throw error(.nothing, at: 0, argument: 0) }
    let spec = try timer()
    if position < words.count { throw error(.tooMany, at: words[position]) }
    return spec
  }

  private mutating func timer() throws(TimerSyntaxError) -> TimerSpec {
    timerStart = words[position].start
    let name = try takeName()
    var spec = TimerSpec(name: name, kind: try kind(after: name))
    var seen: Set<String> = []
    while position < words.count, !beginsTimer(at: position) {
      try modifier(of: &spec, seen: &seen)
    }
    return spec
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
  private mutating func replaceFirst(with rest: Word) {
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
    switch word.keyword.flatMap(Keyword.init) {
    case .every?: return .every(try duration(after: .every), count: nil)
    case .once?: return .once(try duration(after: .once))
    default: break
    }
    guard !word.isQuoted, word.looksLikeDuration else {
      throw error(
        .timerExpected(found: word.text, hint(for: word, of: [.every, .once])), at: word)
    }
    position += 1
    return .once(try duration(word))
  }

  private func hint(for word: Word, of candidates: [Keyword]) -> TimerSyntaxError.Hint? {
    guard let text = word.keyword else { return nil }
    if let nearest = Spelling.nearest(to: text, of: candidates.map(\.rawValue)) {
      return .word(nearest)
    }
    guard Keyword(rawValue: text) == nil, position + 1 < words.count,
      beginsTimer(at: position + 1)
    else { return nil }
    return .name("\(text)=\(words[position + 1].text)")
  }

  private mutating func modifier(
    of spec: inout TimerSpec, seen: inout Set<String>
  ) throws(TimerSyntaxError) {
    let word = words[position]
    let text = word.keyword ?? ""
    if word.looksLikeCount { return try count(of: &spec, seen: &seen) }
    let known = Keyword(rawValue: text)
    if known != nil, !seen.insert(text).inserted { throw error(.wordRepeated(text), at: word) }
    switch known {
    case .paused?:
      position += 1
      spec.isPaused = true
    case .tolerance?: spec.tolerance = try duration(after: .tolerance)
    case .missed?: spec.missedTicks = try policy()
    case .note?:
      position += 1
      guard position < words.count else { throw error(.noteExpected) }
      spec.note = words[position].text
      position += 1
    case .once?, .every?, nil:
      throw error(.wordUnknown(word.text, hint(for: word, of: Keyword.allCases)), at: word)
    }
  }

  private mutating func count(
    of spec: inout TimerSpec, seen: inout Set<String>
  ) throws(TimerSyntaxError) {
    let word = words[position]
    guard case .every(let interval, _) = spec.kind else {
      throw error(.countWithoutEvery, at: word)
    }
    guard seen.insert("x").inserted else { throw error(.wordRepeated("a count"), at: word) }
    let number = word[1..<word.scalars.count]
    spec.kind = .every(interval, count: try self.count(number))
    position += 1
  }

  private func count(_ word: Word) throws(TimerSyntaxError) -> Int {
    if let wrong = word.scalars.firstIndex(where: { !("0"..."9").contains($0) }) {
      let isNegative =
        wrong == 0 && word.scalars.count > 1 && "-−".unicodeScalars.contains(word.scalars[0])
      throw error(
        isNegative ? .countTooSmall : .countExpected, at: word.offset(of: wrong),
        argument: word.argument)
    }
    guard !word.scalars.isEmpty else {
      throw error(.countExpected, at: word.end, argument: word.argument)
    }
    guard let count = Int(word.text), count <= Self.largestCount else {
      throw error(.countTooLarge, at: word)
    }
    guard count > 0 else { throw error(.countTooSmall, at: word) }
    return count
  }

  private mutating func policy() throws(TimerSyntaxError) -> Repeater.MissedTicks {
    position += 1
    guard position < words.count else { throw error(.policyExpected(nearest: nil)) }
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
      let nearest = Spelling.nearest(to: word.text, of: ["skip", "delay", "burst"])
      throw error(.policyExpected(nearest: nearest), at: word)
    }
  }

  private mutating func duration(after keyword: Keyword) throws(TimerSyntaxError) -> Duration {
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

  private func duration(
    _ word: Word, zeroAllowed: Bool = false
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
        && (word.keyword == "every" || word.keyword == "once" || word.looksLikeDuration))
  }
}

extension TimerParser {
  private func error(_ problem: TimerSyntaxError.Problem, at word: Word) -> TimerSyntaxError {
    error(problem, at: word.start, argument: word.argument)
  }

  /// Something is missing at the end of the line.
  private func error(_ problem: TimerSyntaxError.Problem) -> TimerSyntaxError {
    error(problem, at: line.unicodeScalars.count, argument: words.last?.argument ?? 0)
  }

  private func error(
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
