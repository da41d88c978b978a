/// The shapes of words, which decide what they can mean.
extension Token {
  private static let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
  private static let times: [Unicode.Scalar] = ["x", "X", "×"]

  private func isDigit(_ index: Int) -> Bool { self[index].map(Self.digits.contains) == true }

  /// A Boolean value that indicates whether the word is neither quoted nor part of `NAME=`.
  private var isPlain: Bool { !isQuoted && equals == nil }

  /// True for a word that begins with a digit, or with a sign, a point or a colon before a digit. Dates, times of day
  /// and counts such as `8x` can look like durations too.
  var looksLikeDuration: Bool {
    guard !isQuoted else { return false }
    let isSigned = self[0].map("-−+.:".unicodeScalars.contains) == true
    return isDigit(0) || (isSigned && isDigit(1))
      || self[0].map { DurationText.fraction($0) != nil } == true
  }

  /// True for a word that can only be meant as a count: an x that no letter follows.
  var looksLikeCount: Bool {
    guard !isQuoted, let first = self[0], Self.times.contains(first) else { return false }
    return self[1].map { !$0.isLetter } ?? true
  }

  /// The number before an x, as in `8x`; `nil` for another word.
  var numberBeforeTimes: Token? {
    guard count > 1, let last = self[count - 1], Self.times.contains(last) else { return nil }
    let number = self[0..<(count - 1)]
    return number.isNumber ? number : nil
  }

  /// True for a word of digits.
  var isNumber: Bool { isPlain && !isEmpty && scalars.allSatisfy(Self.digits.contains) }

  /// True for a number that can have a fraction: `3`, `1.5`.
  var isDecimal: Bool {
    isPlain && looksLikeDuration && self[count - 1] != "." && self[count - 1] != ","
      && scalars.allSatisfy(DurationText.isNumeric)
  }

  var startsWithDigit: Bool { !isQuoted && isDigit(0) }

  /// True for a word that begins with a number and a hyphen.
  var looksLikeDate: Bool {
    !isQuoted && firstIndex { !Self.digits.contains($0) }.flatMap { self[$0] } == "-" && isDigit(0)
  }

  /// True for a word of digits and colons, with am or pm or nothing after them.
  var looksLikeTime: Bool {
    guard isPlain, isDigit(0) else { return false }
    let half = firstIndex { !Self.digits.contains($0) && $0 != ":" }.map { dropFirst($0) }
    return half.map(\.isAMOrPM) ?? true
  }

  /// True for am and pm.
  var isAMOrPM: Bool { count == 2 && (keyword == "am" || keyword == "pm") }

  /// A Boolean value that indicates whether the word can be the name of a timer without `=` after it.
  var canBeName: Bool {
    guard equals == nil, let first = self[0] else { return false }
    guard !isQuoted else { return true }
    guard first.isLetter || first.properties.isEmojiPresentation else {
      return false
    }
    let isWord = keyword.map { Word.isReserved($0) || Preposition(rawValue: $0) != nil }
    // 'and' between two parts of a duration would become the name of the second one.
    return isWord != true && keyword != "and" && !looksLikeCount
  }
}
