import TerminalCore

/// Related keys with their label and position, in the footer or in the header.
struct KeyEntry {
  private let keys: [Key]
  /// The rank in the footer: if not all entries fit, those with the lowest ranks are shown.
  let rank: Int
  var x = 0
  /// The names of the keys and the label.
  let line: TextLine

  /// - Parameter isCurrent: True if the key's view is the current one.
  init(
    keys: [Key], label: String, rank: Int, isCurrent: Bool = false, x: Int = 0, _ symbols: Symbols
  ) {
    self.keys = keys
    self.rank = rank
    self.x = x
    var line = TextLine()
    line.add(keys.map { $0.name(symbols) }.joined(separator: " "), .key)
    if !label.isEmpty {
      // The blank is not underlined with the label.
      line.add(" ")
      line.add(label, isCurrent ? .title : .faint)
    }
    self.line = line
  }

  /// Returns the key whose name is at a column, or the first key for a column of the label; `nil` outside the entry.
  func key(at column: Int, _ symbols: Symbols) -> Key? {
    guard column >= x, column < x + line.width else { return nil }
    var end = x
    for key in keys {
      end += key.name(symbols).cellWidth + 1
      if column < end { return key }
    }
    return keys.first
  }
}
