/// How many cells text takes, by a table of our own: `wcwidth` depends on the locale and lacks
/// newer emoji, and a layout must come out the same everywhere.
///
/// What joins or varies characters is dropped: soft hyphens, zero-width spaces and joiners,
/// direction marks, variation selectors, fillers, skin tones, tags. So an emoji joined of several
/// shows as its parts, in a number of cells that every terminal agrees on. A control character
/// shows as its picture (`␛` for ESC), so text never reaches a terminal as a command.
public enum TextWidth {
  enum Kind: UInt32 {
    case narrow
    case wide
    /// Drawn over the character before it.
    case mark
    case dropped
  }

  /// The cells a scalar takes on its own: 0 for marks and what is dropped, 1, or 2.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    switch kind(of: scalar) {
    case .narrow: 1
    case .wide: 2
    case .mark, .dropped: 0
    }
  }

  static func kind(of scalar: Unicode.Scalar) -> Kind {
    let value = scalar.value
    // Latin, and the lines, blocks and Braille that screens are made of.
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

  /// Whether a byte of UTF-8 is a printable ASCII character: one cell, and none of our business.
  static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// What is shown for a character that must not reach a terminal as it is, one cell wide; `nil` for
  /// any other. Flags show as their letters: on how wide they are, terminals disagree.
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
  /// The cells the text takes.
  public var cellWidth: Int {
    if utf8.allSatisfy(TextWidth.isPlain) { return utf8.count }
    var width = 0
    for glyph in glyphs { width += glyph.width }
    return width
  }

  /// The text cut to at most `width` cells, with `…` in the last of them where something was cut.
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
