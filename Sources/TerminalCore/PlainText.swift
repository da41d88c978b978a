extension String {
  /// Returns the text as one line that is safe to show in a notification.
  ///
  /// The line has single blanks between words and no control characters, line breaks, or characters that embed,
  /// override or isolate a writing direction. Text that exceeds the limit is cut and ends with `…`.
  /// - Parameter maxBytes: The maximum length in UTF-8, at least 3.
  public func plainLine(maxBytes: Int) -> String {
    let words = unicodeScalars.filter { !$0.changesDirection }.split(whereSeparator: \.isBreak)
    let line = words.map { String($0) }.joined(separator: " ")
    guard line.utf8.count > maxBytes else { return line }
    var length = UTF8.width("…")
    let kept = line.unicodeScalars.prefix { scalar in
      length += UTF8.width(scalar)
      return length <= maxBytes
    }
    return String(kept).withoutTrailingSpaces + "…"
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
