import TimerKit

extension TimerSpec {
  /// Reads the timers of a command line, whose quotes the shell has taken off: an argument with
  /// spaces is several words, except the text after `note`.
  public static func parse(words: [String]) throws(TimerSyntaxError) -> [TimerSpec] {
    var parser = try TimerParser(arguments: words)
    return try parser.timers()
  }

  /// Reads the timers of a text, whose quotes are ours; line breaks are spaces.
  public static func parse(line: String) throws(TimerSyntaxError) -> [TimerSpec] {
    var parser = try TimerParser(arguments: [line])
    return try parser.timers()
  }

  /// Reads a text that is one timer.
  static func parse(timer line: String) throws(TimerSyntaxError) -> TimerSpec {
    var parser = try TimerParser(arguments: [line])
    return try parser.onlyTimer()
  }

  /// The timer in the words of the grammar, which read back as it.
  public var text: String {
    var words: [String] = []
    switch kind {
    case .once(let duration): words.append(DurationText.text(duration))
    case .every(let interval, let count):
      words.append("every \(DurationText.text(interval))")
      if let count { words.append("x\(count)") }
    }
    if isPaused { words.append("paused") }
    if tolerance > .zero { words.append("tolerance \(DurationText.text(tolerance))") }
    switch missedTicks {
    case .skip: break
    case .delay: words.append("missed delay")
    case .burst(let limit): words.append("missed burst \(limit)")
    }
    if let note { words.append("note \(Word.quoting(note, isName: false))") }
    let text = words.joined(separator: " ")
    return name.map { "\(Word.quoting($0, isName: true))=\(text)" } ?? text
  }
}

extension TimerSpec {
  /// `once 3m`, `every 45s ×8`
  var kindText: String {
    switch kind {
    case .once(let duration): "once \(DurationText.text(duration))"
    case .every(let interval, let count):
      "every \(DurationText.text(interval))" + (count.map { " ×\($0)" } ?? "")
    }
  }
}

extension Word {
  private func isDigit(_ index: Int) -> Bool {
    index < scalars.count && ("0"..."9").contains(scalars[index])
  }

  /// It can only be meant as a duration, right or wrong.
  var looksLikeDuration: Bool {
    let isSigned = scalars.count > 1 && "-−+.:".unicodeScalars.contains(scalars[0])
    return isDigit(0) || (isSigned && isDigit(1))
  }

  /// It can only be meant as a count: an x, and nothing or no letter after it.
  var looksLikeCount: Bool {
    guard !isQuoted, let first = scalars.first, first == "x" || first == "×" else { return false }
    return scalars.count == 1 || !scalars[1].properties.isAlphabetic
  }

  var isNumber: Bool {
    !isQuoted && equals == nil && scalars.allSatisfy { ("0"..."9").contains($0) }
  }
}
