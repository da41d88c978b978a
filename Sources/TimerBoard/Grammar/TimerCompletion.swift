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
