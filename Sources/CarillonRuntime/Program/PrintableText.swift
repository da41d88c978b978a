extension String {
  /// The text with the characters of markup escaped.
  var escapedForMarkup: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the text with a replacement for characters that a terminal would interpret as a command, or that
  /// would reorder the following text.
  func printable(keepingLines: Bool = false) -> String {
    var printable = ""
    for scalar in unicodeScalars {
      let isKept = !scalar.isTerminalControl || (keepingLines && scalar == "\n")
      printable.unicodeScalars.append(isKept ? scalar : "\u{FFFD}")
    }
    return printable
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the scalar commands a terminal rather than being shown: a
  /// control character, a separator of lines, or one that embeds, overrides or isolates a direction.
  var isTerminalControl: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}

extension StringProtocol {
  /// The text with its first character in lower case.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
