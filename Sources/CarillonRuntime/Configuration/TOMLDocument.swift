import TOMLKit

/// A TOML document as a tree of values with their positions. Only this file uses the parser, TOMLKit.
struct TOMLDocument {
  /// The maximum size in bytes.
  private static let sizeLimit = 128 << 10

  /// The root table.
  let root: TOMLNode

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
      let table = try TOMLTable(string: text)
      root = TOMLNode(table, at: [], TOMLPositions(in: text))
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

/// A value of a TOML document and its position.
struct TOMLNode: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case array([TOMLNode])
    case table([String: TOMLNode])
    /// A floating-point number, a date or a time, which no setting has.
    case other(type: String)
  }

  var value: Value
  /// The position of the key or of the array element.
  var position: TOMLPosition
}

extension TOMLNode {
  fileprivate init(
    _ node: any TOMLValueConvertible, at path: [TOMLPositions.Step], _ positions: TOMLPositions
  ) {
    position = positions[path]
    if let text = node.string {
      value = .string(text)
    } else if let number = node.int {
      value = .integer(number)
    } else if let bool = node.bool {
      value = .boolean(bool)
    } else if let array = node.array {
      value = .array(
        array.enumerated().map { TOMLNode($1, at: path + [.index($0)], positions) })
    } else if let table = node.table {
      var nodes: [String: TOMLNode] = [:]
      for key in table.keys {
        nodes[key] = table[key].map { TOMLNode($0, at: path + [.key(key)], positions) }
      }
      value = .table(nodes)
    } else {
      value = .other(type: node.type.description)
    }
  }

  /// The value as an error quotes it.
  var quoted: String {
    switch value {
    case .string(let text): "'\(text)'"
    case .integer(let number): "'\(number)'"
    case .boolean(let bool): "'\(bool)'"
    case .array: "array"
    case .table: "table"
    case .other(let type): type
    }
  }
}
