import TOMLKit

/// A TOML document as a tree of values. Only this file uses the parser, TOMLKit.
struct TOMLDocument {
  /// The maximum size in bytes.
  private static let sizeLimit = 128 << 10

  /// The root table.
  let root: [String: TOMLValue]

  init(_ bytes: [UInt8]) throws(TOMLSyntaxError) {
    guard bytes.count <= Self.sizeLimit else {
      throw TOMLSyntaxError(
        problem: "too large (expected at most \(Self.sizeLimit >> 10) KiB)")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw TOMLSyntaxError(problem: "invalid text (expected UTF-8)")
    }
    if let construct = Self.unparseableConstruct(in: text) {
      throw TOMLSyntaxError(
        line: construct.line, problem: "invalid TOML: \(construct.problem)")
    }
    do {
      root = TOMLValue.members(of: try TOMLTable(string: text))
    } catch let error as TOMLParseError {
      throw TOMLSyntaxError(
        line: error.source.begin.line, problem: "invalid TOML: \(Self.problem(of: error))")
    } catch {
      throw TOMLSyntaxError(problem: "invalid TOML: \(error)")
    }
  }

  /// Returns the parser's description on one line, with its first letter in lower case.
  private static func problem(of error: TOMLParseError) -> String {
    error.description.split(whereSeparator: \.isNewline).joined(separator: " ").lowercasedFirst
  }
}

/// An error in a TOML document.
struct TOMLSyntaxError: Error, Hashable {
  var line: Int?
  var problem: String
}

/// A value of a TOML document.
enum TOMLValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  case array([TOMLValue])
  case table([String: TOMLValue])
  /// A floating-point number, a date or a time, which no setting has.
  case other(type: String)

  fileprivate init(_ node: any TOMLValueConvertible) {
    if let text = node.string {
      self = .string(text)
    } else if let number = node.int {
      self = .integer(number)
    } else if let bool = node.bool {
      self = .boolean(bool)
    } else if let array = node.array {
      self = .array(array.map { TOMLValue($0) })
    } else if let table = node.table {
      self = .table(Self.members(of: table))
    } else {
      self = .other(type: node.type.description)
    }
  }

  fileprivate static func members(of table: TOMLTable) -> [String: TOMLValue] {
    table.keys.reduce(into: [:]) { members, key in members[key] = table[key].map { TOMLValue($0) } }
  }

  /// The value as an error quotes it.
  var quoted: String {
    switch self {
    case .string(let text): "'\(text)'"
    case .integer(let number): "'\(number)'"
    case .boolean(let bool): "'\(bool)'"
    case .array: "array"
    case .table: "table"
    case .other(let type): type
    }
  }
}

extension TOMLDocument {
  /// The maximum nesting of dotted keys and of brackets.
  private static let levelLimit = 32

  /// Returns the first construct at which TOMLKit's parser crashes instead of throwing an error: a table header
  /// with an invalid first character, invalid characters outside of strings and comments, a `}` in place of an
  /// array element, or too deep nesting.
  static func unparseableConstruct(in text: String) -> (line: Int, problem: String)? {
    var rest = Array(text.utf8)[...]
    if rest.starts(with: "\u{FEFF}".utf8) { rest.removeFirst(3) }
    var line = 1
    // The open brackets, and the most recent byte that is not blank.
    var open: [UInt8] = []
    var last: UInt8 = 0
    var isLineStart = true
    var dots = 0
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): dots += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        dots = 0
      default: break
      }
      if dots >= levelLimit || open.count > levelLimit {
        return (line, "nested too deeply (expected at most \(levelLimit) levels)")
      }
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        // Within an array, a bracket does not begin a header.
        isLineStart = open.isEmpty
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: "#"):
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"): line += skipString(quoted: byte, &rest)
      case UInt8(ascii: "[") where isLineStart:
        skipBlanks(&rest)
        if rest.first == UInt8(ascii: "[") {
          rest.removeFirst()
          skipBlanks(&rest)
        }
        if let first = rest.first, !beginsName(first) {
          return (line, "missing table name after '['")
        }
        open.append(byte)
      case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
      case UInt8(ascii: "}")
      where open.last == UInt8(ascii: "[")
        && (last == UInt8(ascii: "[") || last == UInt8(ascii: ",")):
        return (line, "unexpected '}' (expected a value or ']')")
      // The second bracket at the end of a header closes nothing.
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      case 0x21...0x7E: break
      default: return (line, "invalid character (expected ASCII outside of strings and comments)")
      }
      last = byte
      isLineStart = false
    }
    return nil
  }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// Returns true if a name can begin with a byte, or if the byte closes a header without one, which the
  /// parser reports.
  private static func beginsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  /// Skips a string after its first quote.
  /// - Returns: The number of line breaks in the string.
  private static func skipString(quoted quote: UInt8, _ rest: inout ArraySlice<UInt8>) -> Int {
    let isMultiline = rest.starts(with: [quote, quote])
    if isMultiline { rest.removeFirst(2) }
    var breaks = 0
    while let byte = rest.first {
      if byte == UInt8(ascii: "\n") {
        // A single-line string ends with the line; the parser reports the missing quote.
        guard isMultiline else { return 0 }
        breaks += 1
      }
      rest.removeFirst()
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if rest.first != UInt8(ascii: "\n") { _ = rest.popFirst() }
      } else if byte == quote, !isMultiline || rest.starts(with: [quote, quote]) {
        // Up to two more quotes belong to the string.
        if isMultiline { rest = rest.drop { $0 == quote } }
        return breaks
      }
    }
    return breaks
  }
}
