/// The width of text in cells.
///
/// It has its own table, because `wcwidth` depends on the locale and lacks newer emoji, and a
/// layout must be the same everywhere. Characters that join or modify others are dropped: soft
/// hyphens, zero-width spaces and joiners, direction marks, variation selectors, fillers, skin
/// tones and tags. A joined emoji is drawn as its parts, which have the same width on every
/// terminal. A control character is drawn as a substitute (`␛` for ESC), so text never reaches a
/// terminal as a command.
public enum TextWidth {
  enum Kind: UInt32 {
    case narrow
    case wide
    /// Drawn over the character before it.
    case mark
    case dropped
  }

  /// Returns the width of a scalar: 0 for marks and dropped characters, 1 or 2.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    switch kind(of: scalar) {
    case .narrow: 1
    case .wide: 2
    case .mark, .dropped: 0
    }
  }

  static func kind(of scalar: Unicode.Scalar) -> Kind {
    let value = scalar.value
    // Fast path for Latin, lines, blocks and Braille.
    switch value {
    case 0..<0xAD, 0xAE..<0x300, 0x2500..<0x25FD, 0x2800..<0x2900: return .narrow
    default: break
    }
    var first = 0
    var last = changes.count - 1
    while first < last {
      let middle = (first + last + 1) / 2
      if changes[middle] >> 2 <= value { first = middle } else { last = middle - 1 }
    }
    return Kind(rawValue: changes[first] & 3) ?? .narrow
  }

  /// Returns true if a byte is a printable ASCII character, which is one cell wide.
  static func isPrintableASCII(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// Returns the substitute, one cell wide, for a character that is not sent to a terminal; `nil`
  /// for any other. Flags are drawn as letters, because terminals disagree on their width.
  static func substitute(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    case 0x85, 0x2028, 0x2029: "\u{2424}"
    case 0x80...0x9F: "\u{FFFD}"
    case 0x1F1E6...0x1F1FF: Unicode.Scalar(0x41 + scalar.value - 0x1F1E6)
    default: nil
    }
  }
}

extension String {
  /// The width of the text in cells.
  public var cellWidth: Int {
    if utf8.allSatisfy(TextWidth.isPrintableASCII) { return utf8.count }
    var width = 0
    for glyph in glyphs { width += glyph.width }
    return width
  }

  /// Returns the text padded with spaces to `width` cells, on the left if `alignedRight` is true.
  public func padded(to width: Int, alignedRight: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - cellWidth))
    return alignedRight ? spaces + self : self + spaces
  }

  public var withoutTrailingSpaces: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Returns the text cut to at most `width` cells, with `…` in the last cell if it was cut.
  public func truncated(to width: Int) -> String {
    guard cellWidth > width else { return self }
    guard width > 0 else { return "" }
    var kept = String.UnicodeScalarView()
    var used = 0
    for glyph in glyphs {
      guard used + glyph.width < width else { break }
      glyph.append(to: &kept)
      used += glyph.width
    }
    kept.append("…")
    return String(kept)
  }
}
