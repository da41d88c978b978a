extension String {
  /// The text as one line for places that show text their own way, outside the screen: no control
  /// characters, no line ends, nothing that turns the direction of writing, blanks only one by one
  /// between words, and at most so many bytes of UTF-8, the last of them `…` where text is left out.
  /// - Parameter maxBytes: At least 3.
  public func plainLine(maxBytes: Int) -> String {
    let ellipsis: Unicode.Scalar = "…"
    var line = String.UnicodeScalarView()
    var length = 0
    // What is left when there is no space for more: it ends where the ellipsis still fits.
    var shortened = line
    var needsBlank = false
    for scalar in unicodeScalars {
      if scalar.isBreak {
        needsBlank = length > 0
        continue
      }
      if scalar.turnsDirection { continue }
      let more = UTF8.width(scalar) + (needsBlank ? 1 : 0)
      guard length + more <= maxBytes else {
        shortened.append(ellipsis)
        return String(shortened)
      }
      if needsBlank { line.append(" ") }
      needsBlank = false
      line.append(scalar)
      length += more
      if length + UTF8.width(ellipsis) <= maxBytes { shortened = line }
    }
    return String(line)
  }
}

extension Unicode.Scalar {
  /// It stands between words, or says something to a terminal.
  fileprivate var isBreak: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    default: false
    }
  }

  /// Embeddings, overrides and isolates: what follows in somebody else's line would be turned too.
  fileprivate var turnsDirection: Bool {
    ("\u{202A}"..."\u{202E}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
  }
}
