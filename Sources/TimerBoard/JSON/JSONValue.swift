/// A value that can be read from JSON and written as JSON.
package protocol JSONValue {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid)
  func write(to writer: inout JSONWriter)
}

extension JSONValue {
  /// Reads a document that consists of this value alone.
  /// - Parameter range: The position of the document in the bytes; `nil` for all of them.
  package init(json bytes: [UInt8], in range: Range<Int>? = nil) throws(JSONReader.Invalid) {
    var reader = JSONReader(bytes, in: range)
    try self.init(from: &reader)
    try reader.expectEnd()
  }

  /// The value as JSON on one line, with the end of the line.
  package var jsonLine: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.add("\n")
    return writer.bytes
  }
}

extension JSONReader {
  package mutating func value<Value: JSONValue>() throws(Invalid) -> Value {
    try Value(from: &self)
  }

  /// Reads a value, or skips one that is JSON but not valid.
  package mutating func valueIfValid<Value: JSONValue>() throws(Invalid) -> Value? {
    let start = self
    if let value = try? Value(from: &self) { return value }
    self = start
    try skipValue()
    return nil
  }
}

extension Bool: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = try reader.boolean()
  }

  package func write(to writer: inout JSONWriter) { writer.add(self ? "true" : "false") }
}

extension String: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = try reader.string()
  }

  package func write(to writer: inout JSONWriter) { writer.add(string: self) }
}

extension Double: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let number = Self(try reader.number()), number.isFinite else {
      throw JSONReader.Invalid()
    }
    self = number
  }

  /// Writes the number in the shortest form that is read as the same one. JSON has no number that is not finite.
  package func write(to writer: inout JSONWriter) {
    writer.add(json: Array((isFinite ? description : "0").utf8))
  }
}

/// Numbers without decimals.
extension JSONValue where Self: FixedWidthInteger {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let number = Self(try reader.number()) else { throw JSONReader.Invalid() }
    self = number
  }

  package func write(to writer: inout JSONWriter) { writer.add(json: Array(String(self).utf8)) }
}

extension Int: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}

/// An identifier, in hexadecimal, because most readers of JSON lose digits of so large a number.
extension UInt64: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let number = JSONReader.hexadecimal(try reader.rawString()) else {
      throw JSONReader.Invalid()
    }
    self = number
  }

  package func write(to writer: inout JSONWriter) { writer.add(string: hexadecimal) }

  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

extension JSONValue where Self: RawRepresentable<String> {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let value = Self(rawValue: try reader.string()) else { throw JSONReader.Invalid() }
    self = value
  }

  package func write(to writer: inout JSONWriter) { writer.add(string: rawValue) }
}

extension Array: JSONValue where Element: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = []
    try reader.beginArray()
    while try reader.hasNextElement() { append(try reader.value()) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.add("[")
    for (index, element) in enumerated() {
      if index > 0 { writer.add(",") }
      element.write(to: &writer)
    }
    writer.add("]")
  }
}

extension Dictionary: JSONValue where Key == String, Value: JSONValue {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = [:]
    try reader.beginObject()
    while let name = try reader.nextName() { self[name.text] = try reader.value() }
  }

  /// Writes the members in the order of their names.
  package func write(to writer: inout JSONWriter) {
    writer.add("{")
    for (index, member) in sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { writer.add(",") }
      writer.add(string: member.key)
      writer.add(":")
      member.value.write(to: &writer)
    }
    writer.add("}")
  }
}

/// A writer of JSON on one line.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
  }

  /// Adds a value that is already JSON.
  package mutating func add(json: [UInt8]) { bytes += json }

  /// Adds a text as a string. Characters that a terminal might interpret as a command are escaped.
  package mutating func add(string text: String) {
    add("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case "\n": add("\\n")
      case "\t": add("\\t")
      case _ where scalar.isTerminalControl:
        let digits = String(scalar.value, radix: 16)
        add("\\u")
        bytes += (String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
      case _ where scalar.isASCII: bytes.append(UInt8(scalar.value))
      default: bytes += String(scalar).utf8
      }
    }
    add("\"")
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether a terminal might interpret the character as a command, or show the text
  /// around it in another order.
  package var isTerminalControl: Bool {
    if value < 0x7F { return value < 0x20 }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: return false
    }
  }
}
