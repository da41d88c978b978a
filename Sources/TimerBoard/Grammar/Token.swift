/// A word of the timer grammar, with the offset of each scalar in the line.
///
/// It has scalars instead of characters, because a combining mark after a quote would hide the quote.
struct Token {
  var scalars: [Unicode.Scalar]
  /// The offset of each scalar in the line.
  var offsets: [Int]
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

  var text: String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  /// The text; `nil` if it was quoted.
  var keyword: String? { isQuoted ? nil : text }

  var start: Int { offsets.first ?? end }

  /// Returns the offset of a scalar in the line; for the index after the last, the end of the word.
  func offset(of index: Int) -> Int {
    index < offsets.count ? offsets[index] : end
  }

  subscript(range: Range<Int>) -> Token {
    Token(
      scalars: Array(scalars[range]), offsets: Array(offsets[range]),
      end: range.upperBound == scalars.count ? end : offset(of: range.upperBound),
      argument: argument, isQuoted: isQuoted)
  }
}

/// A quotation without its closing quote.
struct UnclosedQuote: Error {
  var quote: Unicode.Scalar
  var end: Int
  var argument: Int
}

extension Token {
  /// Splits arguments from a shell: an argument with spaces is several words, except the text after
  /// `note`, `run` or `then`, whose quotes the shell has removed.
  static func tokens(of arguments: [String]) throws(UnclosedQuote) -> [Token] {
    var tokens: [Token] = []
    var base = 0
    for (index, argument) in arguments.enumerated() {
      let scalars = Array(argument.unicodeScalars)
      if let last = tokens.last, last.argument != index,
        let keyword = last.keyword.flatMap(Keyword.init), Keyword.beforeText.contains(keyword)
      {
        tokens.append(
          Token(
            scalars: scalars, offsets: Array(base..<(base + scalars.count)),
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
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
      guard index < scalars.count else { return tokens }
      var word = Token(scalars: [], offsets: [], end: base + index, argument: argument)
      if scalars[index] == "'" || scalars[index] == "\"" {
        let quote = scalars[index]
        word.isQuoted = true
        word.quoteOffset = base + index
        index += 1
        while index < scalars.count, scalars[index] != quote {
          if quote == "\"", scalars[index] == "\\", index + 1 < scalars.count,
            scalars[index + 1] == quote || scalars[index + 1] == "\\"
          {
            index += 1
          }
          word.scalars.append(scalars[index])
          word.offsets.append(base + index)
          index += 1
        }
        guard index < scalars.count else {
          throw UnclosedQuote(quote: quote, end: base + index, argument: argument)
        }
        index += 1
      }
      while index < scalars.count, !scalars[index].properties.isWhitespace {
        if scalars[index] == "=", word.equals == nil { word.equals = word.scalars.count }
        word.scalars.append(scalars[index])
        word.offsets.append(base + index)
        index += 1
      }
      word.end = base + index
      tokens.append(word)
    }
  }

  /// Returns the text as one word, in quotes only where it needs them.
  static func quoting(_ text: String, isName: Bool) -> String {
    let scalars = text.unicodeScalars
    let isBare =
      !text.isEmpty && scalars.first != "'" && scalars.first != "\""
      && !scalars.contains { $0.properties.isWhitespace || $0 == "=" }
      && !(isName && Keyword(rawValue: text) != nil)
    return isBare ? text : quoted(text)
  }

  /// Returns the name of a phase as one word, in quotes where it needs them.
  static func quotingPhase(_ text: String) -> String {
    let bare = quoting(text, isName: false)
    let word = Token(
      scalars: Array(text.unicodeScalars), offsets: [], end: 0, argument: 0)
    let isAmbiguous =
      word.looksLikeDuration || word.looksLikeCount || text.unicodeScalars.contains("/")
    return bare == text && isAmbiguous ? quoted(text) : bare
  }

  private static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.contains("'") else { return "'" + text + "'" }
    var quoted = "\""
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension Token {
  private func isDigit(_ index: Int) -> Bool {
    index < scalars.count && ("0"..."9").contains(scalars[index])
  }

  /// True for a word that can only be meant as a duration, valid or not.
  var looksLikeDuration: Bool {
    let isSigned = scalars.count > 1 && "-−+.:".unicodeScalars.contains(scalars[0])
    return isDigit(0) || (isSigned && isDigit(1))
  }

  /// True for a word that can only be meant as a count: an x, and nothing or no letter after it.
  var looksLikeCount: Bool {
    guard !isQuoted, let first = scalars.first, first == "x" || first == "×" else { return false }
    return scalars.count == 1 || !scalars[1].properties.isAlphabetic
  }

  var isNumber: Bool {
    !isQuoted && equals == nil && scalars.allSatisfy { ("0"..."9").contains($0) }
  }
}
