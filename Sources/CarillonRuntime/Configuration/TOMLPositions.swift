/// A position in a text, with line and column counted from 1.
struct TOMLPosition: Hashable, Comparable, Sendable {
  var line: Int
  var column: Int

  static func < (one: TOMLPosition, other: TOMLPosition) -> Bool {
    (one.line, one.column) < (other.line, other.column)
  }
}

/// The positions of all keys and array elements of a TOML document, which TOMLKit does not provide.
///
/// The parser has already accepted the text, so it is not checked again. In an invalid text, some positions are
/// missing.
struct TOMLPositions {
  /// A component of the path from the root of the document to a value.
  enum Step: Hashable {
    case key(String)
    case index(Int)
  }

  private var found: [[Step]: TOMLPosition] = [:]
  /// The number of elements of each array of tables so far.
  private var tableCounts: [[Step]: Int] = [:]
  private var rest: ArraySlice<UInt8>
  private var current = TOMLPosition(line: 1, column: 1)

  init(in text: String) {
    rest = Array(text.utf8)[...]
    readDocument()
  }

  /// The position of a value; if it is not found, of the table or array that contains it.
  subscript(path: [Step]) -> TOMLPosition {
    var path = path[...]
    while !path.isEmpty {
      if let position = found[Array(path)] { return position }
      path.removeLast()
    }
    return TOMLPosition(line: 1, column: 1)
  }

  private mutating func readDocument() {
    if rest.starts(with: "\u{FEFF}".utf8) { rest.removeFirst(3) }
    var table: [Step] = []
    while skipBlanks(andLines: true) {
      if skip("[") { table = readHeader() } else { readPair(in: table) }
    }
  }

  /// Reads the header of a table after its first bracket.
  private mutating func readHeader() -> [Step] {
    let isArray = skip("[")
    let names = readKey()
    var path: [Step] = []
    for (index, name) in names.enumerated() {
      path.append(.key(name.text))
      record(path, at: name.position)
      if isArray, index == names.count - 1 { tableCounts[path, default: 0] += 1 }
      guard let count = tableCounts[path] else { continue }
      path.append(.index(count - 1))
      record(path, at: name.position)
    }
    skipLine()
    return path
  }

  private mutating func readPair(in table: [Step]) {
    let before = rest.count
    var path = table
    for name in readKey() {
      path.append(.key(name.text))
      record(path, at: name.position)
    }
    if skip("=") { readValue(at: path) } else if rest.count == before { advance() }
  }

  private mutating func readValue(at path: [Step]) {
    skipBlanks(andLines: false)
    switch rest.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = readString()
    case UInt8(ascii: "["): readArray(at: path)
    case UInt8(ascii: "{"): readInlineTable(at: path)
    default:
      while let byte = rest.first, !",]}#\n".utf8.contains(byte) { advance() }
    }
  }

  private mutating func readArray(at path: [Step]) {
    advance()
    var count = 0
    while skipBlanks(andLines: true), !skip("]") {
      if skip(",") { continue }
      record(path + [.index(count)], at: current)
      let before = rest.count
      readValue(at: path + [.index(count)])
      if rest.count == before { advance() }
      count += 1
    }
  }

  private mutating func readInlineTable(at path: [Step]) {
    advance()
    while skipBlanks(andLines: true), !skip("}") {
      if !skip(",") { readPair(in: path) }
    }
  }

  /// Reads a key and the blanks after it: `a."b.c"` has two parts.
  private mutating func readKey() -> [(text: String, position: TOMLPosition)] {
    var parts: [(text: String, position: TOMLPosition)] = []
    repeat {
      skipBlanks(andLines: false)
      let start = current
      if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") {
        parts.append((readString(), start))
      } else {
        var name: [UInt8] = []
        while let byte = rest.first, !" \t.=]\n".utf8.contains(byte) {
          name.append(byte)
          advance()
        }
        parts.append((String(decoding: name, as: UTF8.self), start))
      }
      skipBlanks(andLines: false)
    } while skip(".")
    return parts
  }

  /// Reads a string with its quotes.
  private mutating func readString() -> String {
    guard let quote = rest.first else { return "" }
    let isMultiline = rest.starts(with: [quote, quote, quote])
    advance(by: isMultiline ? 3 : 1)
    var text = ""
    var bytes: [UInt8] = []
    while let byte = rest.first {
      if byte == quote, !isMultiline || rest.starts(with: [quote, quote, quote]) {
        advance(by: isMultiline ? 3 : 1)
        // Up to two more quotes belong to a multi-line string.
        while isMultiline, rest.first == quote { advance() }
        break
      }
      if byte == UInt8(ascii: "\n"), !isMultiline { break }
      advance()
      guard byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") else {
        bytes.append(byte)
        continue
      }
      text += String(decoding: bytes, as: UTF8.self) + readEscape()
      bytes = []
    }
    return text + String(decoding: bytes, as: UTF8.self)
  }

  /// Reads an escape after its backslash.
  private mutating func readEscape() -> String {
    guard let byte = rest.first else { return "" }
    advance()
    switch byte {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let digits = rest.prefix(byte == UInt8(ascii: "u") ? 4 : 8)
      advance(by: digits.count)
      let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      return scalar.flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
    default: return String(decoding: [byte], as: UTF8.self)
    }
  }

  private mutating func record(_ path: [Step], at position: TOMLPosition) {
    if found[path] == nil { found[path] = position }
  }

  /// Skips blanks and, if `andLines` is true, line ends and comments.
  /// - Returns: True if bytes are left.
  @discardableResult
  private mutating func skipBlanks(andLines: Bool) -> Bool {
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): advance()
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        guard andLines else { return true }
        advance()
      case UInt8(ascii: "#"):
        guard andLines else { return true }
        skipLine()
      default: return true
      }
    }
    return false
  }

  private mutating func skipLine() {
    while let byte = rest.first, byte != UInt8(ascii: "\n") { advance() }
  }

  /// Skips a character if it is the next one.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  private mutating func advance(by count: Int = 1) {
    for _ in 0..<count {
      guard let byte = rest.popFirst() else { return }
      if byte == UInt8(ascii: "\n") {
        current = TOMLPosition(line: current.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        // The first byte of a character.
        current.column += 1
      }
    }
  }
}
