extension String {
  /// Returns the text as one line that is safe to show in a notification.
  ///
  /// The line has single blanks between words and no control characters, line breaks, or characters that embed,
  /// override or isolate a writing direction. Text that exceeds the limit is cut and ends with `…`.
  /// - Parameter maxBytes: The maximum length in UTF-8, at least 3.
  public func plainLine(maxBytes: Int) -> String {
    let ellipsis: Unicode.Scalar = "…"
    var line = String.UnicodeScalarView()
    var length = 0
    // The line cut so that the ellipsis fits.
    var shortened = line
    var needsBlank = false
    for scalar in unicodeScalars {
      if scalar.isBreak {
        needsBlank = length > 0
        continue
      }
      if scalar.changesDirection { continue }
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
  /// A Boolean value that indicates whether the scalar separates words or controls a terminal.
  fileprivate var isBreak: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the scalar is an embedding, override or isolate, which
  /// would change the direction of the text that follows the line.
  fileprivate var changesDirection: Bool {
    ("\u{202A}"..."\u{202E}").contains(self) || ("\u{2066}"..."\u{2069}").contains(self)
  }
}
