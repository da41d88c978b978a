import TerminalCore

extension String {
  /// The text cut to at most `width` cells between two words, with `…` where words are missing; a
  /// first word that is too long by itself is cut within.
  func cutAtWord(to width: Int) -> String {
    guard cellWidth > width else { return self }
    var kept = ""
    var used = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let more = (kept.isEmpty ? 0 : 1) + String(word).cellWidth
      guard used + more + 1 <= width else { break }
      kept += (kept.isEmpty ? "" : " ") + word
      used += more
    }
    // Not between a separator and what it stands before.
    if kept.hasSuffix(" ·") { kept.removeLast(2) }
    return kept.isEmpty ? truncated(to: width) : kept + "…"
  }
}

extension String {
  /// The text in lines of at most `width` cells, broken between words; a longer word has a line of
  /// its own and is cut. There is always one line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if line.isEmpty || longer.cellWidth <= width {
        line = longer
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return (lines + [line]).map { $0.truncated(to: width) }
  }

  /// The same in no more than so many lines, with `…` after the last where there would be more.
  func wrapped(to width: Int, lines limit: Int) -> [String] {
    let lines = wrapped(to: width)
    guard lines.count > limit, limit > 0 else { return Array(lines.prefix(limit)) }
    let rest = lines[(limit - 1)...].joined(separator: " ")
    return lines.prefix(limit - 1) + [rest.cutAtWord(to: width)]
  }
}
