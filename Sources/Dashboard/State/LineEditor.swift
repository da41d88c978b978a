/// A line of text with a cursor.
struct LineEditor: Hashable, Sendable {
  /// The number of characters at which the line is full. Text that is inserted beyond it is dropped.
  static let maximumLength = 4096

  private(set) var characters: [Character]
  /// The number of characters before the cursor.
  private(set) var cursor: Int

  /// Creates an editor with the cursor at the end of the text.
  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  var text: String { String(characters) }

  /// Inserts a text at the cursor. Line breaks and tabs become spaces.
  mutating func insert(_ text: String) {
    let room = max(0, Self.maximumLength - characters.count)
    let pieces = text.prefix(room).map { $0.isNewline || $0 == "\t" ? " " : $0 }
    let before = String(characters[..<cursor]) + String(pieces)
    let after = characters[cursor...]
    // A combining mark joins the character before it, so the characters are counted again.
    characters = Array(before + String(after))
    cursor = min(before.count, characters.count)
  }

  /// Performs an editing action.
  /// - Returns: True if the action is one.
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
