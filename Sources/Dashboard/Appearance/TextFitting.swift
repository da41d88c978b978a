import TerminalCore

extension String {
  /// Returns the text cut between two words to at most `width` cells, with `…` in place of the rest. A first
  /// word that does not fit is cut itself.
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
    // A separator before the omitted part is omitted too.
    if kept.hasSuffix(" ·") { kept.removeLast(2) }
    return kept.isEmpty ? truncated(to: width) : kept + "…"
  }
}

extension String {
  /// Returns the text in lines of at most `width` cells, broken between words. A longer word has its own line
  /// and is cut. There is at least one line.
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

  /// Returns the text in at most `limit` lines, with `…` at the end of the last if there are more.
  func wrapped(to width: Int, lines limit: Int) -> [String] {
    let lines = wrapped(to: width)
    guard lines.count > limit, limit > 0 else { return Array(lines.prefix(limit)) }
    let rest = lines[(limit - 1)...].joined(separator: " ")
    return lines.prefix(limit - 1) + [rest.cutAtWord(to: width)]
  }
}
