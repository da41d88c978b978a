import TimerBoard

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

extension StringProtocol {
  /// The text with its first character in lower case.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
