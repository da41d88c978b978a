extension String {
  /// The text as it stands in markup, of which nothing of it is a part.
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

  /// The text without anything that a terminal would take for a command.
  func printable(keepingLines: Bool = false) -> String {
    var printable = ""
    for scalar in unicodeScalars {
      let isKept =
        scalar.properties.generalCategory != .control || (keepingLines && scalar == "\n")
      printable.unicodeScalars.append(isKept ? scalar : "\u{FFFD}")
    }
    return printable
  }
}
