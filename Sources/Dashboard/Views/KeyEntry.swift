import TerminalCore

/// Related keys with their label and position, in the footer or in the header.
struct KeyEntry {
  var keys: [Key]
  let label: String
  let rank: Int
  var x = 0
  /// A Boolean value that indicates whether the key's view is the current one.
  var isCurrent = false

  func line(_ symbols: Symbols) -> TextLine {
    var line = TextLine()
    line.add(keys.map { $0.name(symbols) }.joined(separator: " "), .key)
    guard !label.isEmpty else { return line }
    // The blank is not underlined with the label.
    line.add(" ")
    line.add(label, isCurrent ? .title : .faint)
    return line
  }

  /// Returns the key whose name is at a column, or the first key for a column of the label; `nil` outside the entry.
  func key(at column: Int, _ symbols: Symbols) -> Key? {
    guard column >= x, column < x + line(symbols).width else { return nil }
    var end = x
    for key in keys {
      end += key.name(symbols).cellWidth + 1
      if column < end { return key }
    }
    return keys.first
  }
}
