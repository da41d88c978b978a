extension String {
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
