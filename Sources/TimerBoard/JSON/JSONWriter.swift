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
