/// A value that can be written as JSON.
package protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

extension JSONWritable {
  /// The value as JSON on one line, with the end of the line.
  package var jsonLine: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.add("\n")
    return writer.bytes
  }
}

/// A writer of JSON on one line.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  mutating func add(_ text: StaticString) {
    text.withUTF8Buffer { bytes += $0 }
  }

  /// Adds a value that is already JSON.
  package mutating func add(json: [UInt8]) { bytes += json }

  /// Adds a text as a string.
  mutating func add(string text: String) {
    add("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): add("\\n")
      case 0..<0x20: bytes += Array("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8)
      default: bytes.append(byte)
      }
    }
    add("\"")
  }
}

extension Bool: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.add(self ? "true" : "false") }
}

extension String: JSONWritable {
  package func write(to writer: inout JSONWriter) { writer.add(string: self) }
}

extension JSONWritable where Self: BinaryInteger {
  package func write(to writer: inout JSONWriter) { writer.add(json: Array(String(self).utf8)) }
}

extension Int: JSONWritable {}
extension Int32: JSONWritable {}

extension JSONWritable where Self: RawRepresentable<String> {
  package func write(to writer: inout JSONWriter) { writer.add(string: rawValue) }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to writer: inout JSONWriter) {
    writer.add("[")
    for (index, element) in enumerated() {
      if index > 0 { writer.add(",") }
      element.write(to: &writer)
    }
    writer.add("]")
  }
}
