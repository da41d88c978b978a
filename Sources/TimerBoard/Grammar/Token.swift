/// A word of the timer grammar, with the offset of each scalar in the line.
///
/// It has scalars instead of characters, because a combining mark after a quote would hide the quote.
struct Token {
  /// The scalars, as a slice, so that a part of the word is taken in constant time.
  private(set) var scalars: ArraySlice<Unicode.Scalar>
  /// The offset of each scalar in the line.
  private var offsets: ArraySlice<Int>
  /// The offset after the word and its closing quote.
  var end: Int
  /// The index of the argument that it is in.
  var argument: Int
  /// A Boolean value that indicates whether the word is quoted; a quoted word is never a keyword.
  var isQuoted = false
  /// The index of the first `=` outside quotes.
  var equals: Int?
  /// The offset of the opening quote in the line.
  var quoteOffset: Int?

  /// The longest word that can have a meaning in the grammar: seven days of the week.
  private static let longestKeyword = 72

  var text: String { scalars.text }

  /// The text in lower case; `nil` if it was quoted, or is too long to have a meaning.
  var keyword: String? { isQuoted || scalars.count > Self.longestKeyword ? nil : text.lowercased() }

  /// The keyword of a word that is not part of `NAME=`.
  var plainKeyword: String? { equals == nil ? keyword : nil }
  var start: Int { offsets.first ?? end }
  /// The offset of the word, or of the quote before it.
  var startWithQuote: Int { quoteOffset ?? start }
  var count: Int { scalars.count }
  var isEmpty: Bool { scalars.isEmpty }

  /// The scalar at an index that is counted from the start of the word; `nil` after its end.
  subscript(index: Int) -> Unicode.Scalar? {
    index < count ? scalars[scalars.startIndex + index] : nil
  }

  /// Returns the offset of a scalar in the line; for the index after the last, the end of the word.
  func offset(of index: Int) -> Int { index < count ? offsets[offsets.startIndex + index] : end }

  /// Returns the index of the first scalar that matches, counted from the start of the word.
  func firstIndex(where matches: (Unicode.Scalar) -> Bool) -> Int? {
    scalars.firstIndex(where: matches).map { $0 - scalars.startIndex }
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar) }

  /// Returns the parts between the scalars that match.
  func split(at matches: (Unicode.Scalar) -> Bool) -> [Token] {
    let start = scalars.startIndex
    return scalars.split(omittingEmptySubsequences: false, whereSeparator: matches).map {
      self[($0.startIndex - start)..<($0.endIndex - start)]
    }
  }

  subscript(range: Range<Int>) -> Token {
    var part = self
    part.scalars = scalars[(scalars.startIndex + range.lowerBound)...].prefix(range.count)
    part.offsets = offsets[(offsets.startIndex + range.lowerBound)...].prefix(range.count)
    part.end = offset(of: range.upperBound)
    part.equals = equals.flatMap { range.contains($0) ? $0 - range.lowerBound : nil }
    return part
  }

  func dropFirst(_ count: Int) -> Token { self[count..<self.count] }

  /// Appends the text of a word that follows, as if nothing were between them.
  mutating func append(_ next: Token) {
    scalars += next.scalars
    offsets += next.offsets
    end = next.end
  }

  /// Returns a word with another text at the same position.
  func replaced(by text: String) -> Token { Token(text, at: start, end: end, argument: argument) }
}

/// A quotation without its closing quote.
struct UnclosedQuote: Error {
  var quote: Unicode.Scalar
  var end: Int
  var argument: Int
}

extension Token {
  /// Creates a word that is not in the line as it is.
  init(_ text: String, at start: Int, end: Int, argument: Int = 0, isQuoted: Bool = false) {
    let scalars = ArraySlice(text.unicodeScalars)
    self.init(
      scalars: scalars, offsets: scalars.map { _ in start }[...], end: end, argument: argument,
      isQuoted: isQuoted)
  }

  /// Splits arguments from a shell: an argument with spaces is several words, except the text after
  /// `note`, `run`, `sound`, `then` or `group`, whose quotes the shell has removed.
  static func tokens(of arguments: [String]) throws(UnclosedQuote) -> [Token] {
    var tokens: [Token] = []
    var base = 0
    for (index, argument) in arguments.enumerated() {
      let scalars = Array(argument.unicodeScalars)
      if let last = tokens.last, last.argument != index, let word = last.keyword,
        Word[word]?.takesText == true || word == "cron" && scalars.contains(" ")
      {
        tokens.append(
          Token(
            scalars: scalars[...], offsets: ArraySlice(base..<(base + scalars.count)),
            end: base + scalars.count, argument: index, isQuoted: true))
      } else {
        tokens += try Token.tokens(of: scalars, from: base, argument: index)
      }
      base += scalars.count + 1
    }
    return tokens
  }

  /// Splits a text. A quote opens only at the start of a word, so `tea's` needs none; within `"` a backslash
  /// escapes the next quote or backslash.
  private static func tokens(
    of scalars: [Unicode.Scalar], from base: Int, argument: Int
  ) throws(UnclosedQuote) -> [Token] {
    var tokens: [Token] = []
    var index = 0
    while true {
      while index < scalars.count, scalars[index].isWhitespace { index += 1 }
      guard index < scalars.count else { return tokens }
      var isQuoted = false
      var equals: Int?
      var quoteOffset: Int?
      var word: [Unicode.Scalar] = []
      var offsets: [Int] = []
      if scalars[index] == "'" || scalars[index] == "\"" {
        let quote = scalars[index]
        isQuoted = true
        quoteOffset = base + index
        index += 1
        while index < scalars.count, scalars[index] != quote {
          if quote == "\"", scalars[index] == "\\", index + 1 < scalars.count,
            scalars[index + 1] == quote || scalars[index + 1] == "\\"
          {
            index += 1
          }
          word.append(scalars[index])
          offsets.append(base + index)
          index += 1
        }
        guard index < scalars.count else {
          throw UnclosedQuote(quote: quote, end: base + index, argument: argument)
        }
        index += 1
      }
      while index < scalars.count, !scalars[index].isWhitespace {
        if scalars[index] == "=", equals == nil { equals = word.count }
        word.append(scalars[index])
        offsets.append(base + index)
        index += 1
      }
      tokens.append(
        Token(
          scalars: word[...], offsets: offsets[...], end: base + index, argument: argument,
          isQuoted: isQuoted, equals: equals, quoteOffset: quoteOffset))
    }
  }

  /// Returns the text as one word, in quotes only where it needs them.
  /// - Parameter isAmbiguous: True for a word that would be taken for something else.
  static func quoting(_ text: String, if isAmbiguous: @autoclosure () -> Bool = false) -> String {
    let scalars = text.unicodeScalars
    let isBare =
      !text.isEmpty && scalars.first != "'" && scalars.first != "\""
      && !scalars.contains { $0.isWhitespace || $0 == "=" }
    if isBare, !isAmbiguous() { return text }
    guard scalars.contains("'") else { return "'" + text + "'" }
    var quoted = "\""
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }

  /// Returns the name of a group as one word, in quotes where it needs them or would be taken for a timer.
  static func quotingGroup(_ text: String) -> String {
    quoting(text, if: (try? DurationText.parse(text)) != nil)
  }

  // MARK: The shapes of words, which decide what they can mean

  private static let digits: ClosedRange<Unicode.Scalar> = "0"..."9"
  private static let times: [Unicode.Scalar] = ["x", "X", "×"]

  private func isDigit(_ index: Int) -> Bool { self[index].map(Self.digits.contains) == true }

  /// A Boolean value that indicates whether the word is neither quoted nor part of `NAME=`.
  var isPlain: Bool { !isQuoted && equals == nil }

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

  /// True for a word of digits and colons, or of an hour, a point and two digits, with am or pm or nothing after them.
  var looksLikeTime: Bool {
    guard isPlain, isDigit(0) else { return false }
    var end = firstIndex { !Self.digits.contains($0) && $0 != ":" } ?? count
    if self[end] == ".", end <= 2, isDigit(end + 1), isDigit(end + 2) { end += 3 }
    return end == count || dropFirst(end).isAMOrPM
  }

  /// True for a time of day with a colon, such as `9:00`, which is also a duration of minutes and seconds.
  var looksLikeClock: Bool { looksLikeTime && contains(":") }

  /// True for am and pm, also with points.
  var isAMOrPM: Bool { (2...4).contains(count) && keyword.map(Self.halves.contains) == true }

  private static let halves = ["am", "pm", "a.m.", "p.m.", "a.m", "p.m"]

  /// True for a date with slashes or points, such as `12/25/2026`, whose order differs between countries.
  var looksLikeForeignDate: Bool {
    guard isPlain, isDigit(0) else { return false }
    let parts = scalars.split(omittingEmptySubsequences: false) { "/.".unicodeScalars.contains($0) }
    guard parts.count == 3, parts.allSatisfy({ $0.allSatisfy(Self.digits.contains) }) else {
      return false
    }
    let counts = parts.map(\.count)
    return counts[1] <= 2 && counts[1] > 0
      && (counts[0] <= 2 && counts[2] == 4 || counts[0] == 4 && (1...2).contains(counts[2]))
  }

  /// A Boolean value that indicates whether the word can be the name of a timer without `=` after it.
  var canBeName: Bool {
    guard equals == nil, let first = self[0] else { return false }
    guard !isQuoted else { return true }
    guard first.isLetter || first.properties.isEmojiPresentation else { return false }
    let isWord = keyword.map { Word.isReserved($0) || TimeWord.contains($0) }
    return isWord != true && !looksLikeCount
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// The scalars as a text. ASCII is decoded from bytes: to append scalars one by one takes several times as long.
  var text: String {
    guard allSatisfy({ $0.isASCII }) else { return String(String.UnicodeScalarView(self)) }
    return String(decoding: map { UInt8(truncatingIfNeeded: $0.value) }, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the scalar is a letter, without a look-up of its properties if it is ASCII.
  var isLetter: Bool {
    isASCII ? ("a"..."z").contains(self) || ("A"..."Z").contains(self) : properties.isAlphabetic
  }

  /// A Boolean value that indicates whether the scalar is a space, without a look-up of its properties if it is ASCII.
  var isWhitespace: Bool {
    isASCII ? self == " " || ("\t"..."\r").contains(self) : properties.isWhitespace
  }
}
