/// A line of text being typed, and where in it one is.
struct LineEditor: Hashable, Sendable {
  /// The longest text; more that is pasted is left out.
  static let longest = 4096

  private(set) var characters: [Character]
  /// The characters before the cursor.
  private(set) var cursor: Int

  /// A text with the cursor at its end.
  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  var text: String { String(characters) }

  /// Line breaks and tabs, which a line cannot hold, become spaces.
  mutating func insert(_ text: String) {
    let room = max(0, Self.longest - characters.count)
    let pieces = text.prefix(room).map { $0.isNewline || $0 == "\t" ? " " : $0 }
    let before = String(characters[..<cursor]) + String(pieces)
    let after = characters[cursor...]
    // A mark may join the character before it, so characters are counted anew.
    characters = Array(before + String(after))
    cursor = min(before.count, characters.count)
  }

  /// Does what the action says, if it is one of a line's.
  /// - Returns: whether it was.
  mutating func perform(_ action: Action) -> Bool {
    switch action {
    case .cursorLeft: cursor = max(0, cursor - 1)
    case .cursorRight: cursor = min(characters.count, cursor + 1)
    case .cursorWordLeft: cursor = wordStart
    case .cursorWordRight: cursor = wordEnd
    case .cursorStart: cursor = 0
    case .cursorEnd: cursor = characters.count
    case .eraseLeft: erase(max(0, cursor - 1)..<cursor)
    case .eraseRight: erase(cursor..<min(characters.count, cursor + 1))
    case .eraseWordLeft: erase(wordStart..<cursor)
    case .eraseWordRight: erase(cursor..<wordEnd)
    case .eraseToStart: erase(0..<cursor)
    case .eraseToEnd: erase(cursor..<characters.count)
    default: return false
    }
    return true
  }

  private mutating func erase(_ range: Range<Int>) {
    let after = String(characters[range.upperBound...])
    let before = String(characters[..<range.lowerBound])
    characters = Array(before + after)
    cursor = min(before.count, characters.count)
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = cursor
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return index
  }
}
