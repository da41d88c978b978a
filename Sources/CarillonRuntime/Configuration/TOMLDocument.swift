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
