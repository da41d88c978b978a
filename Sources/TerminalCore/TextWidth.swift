/// The width of text in cells.
///
/// It comes from the properties of Unicode and the ranges of East Asian characters, because `wcwidth` depends on the
/// locale and lacks newer emoji, and a layout must be the same everywhere. Characters that join or modify others are
/// dropped: soft hyphens, zero-width spaces and joiners, direction marks, variation selectors, fillers, skin tones and
/// tags. A joined emoji is drawn as its parts, which have the same width on every terminal. A control character is drawn
/// as a substitute (`␛` for ESC), so text never reaches a terminal as a command.
public enum TextWidth {
  enum Kind {
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
    // Fast path for Latin, punctuation, arrows, lines, blocks, notes, check marks and Braille.
    switch scalar.value {
    case 0..<0xAD, 0xAE..<0x300, 0x2010..<0x2028, 0x2190..<0x2300, 0x2500..<0x25FD,
      0x2669..<0x2670, 0x2710..<0x2728, 0x2800..<0x2900:
      .narrow
    default: kindByProperties(of: scalar)
    }
  }

  static func kindByProperties(of scalar: Unicode.Scalar) -> Kind {
    let (value, properties) = (scalar.value, scalar.properties)
    if properties.isDefaultIgnorableCodePoint || properties.isEmojiModifier { return .dropped }
    let category = properties.generalCategory
    let joinsHangul = (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    if category == .nonspacingMark || category == .enclosingMark || joinsHangul { return .mark }
    let isWide = properties.isEmojiPresentation || wide.contains { $0.contains(value) }
    return isWide ? .wide : .narrow
  }

  /// The ranges of East Asian wide and full-width characters (Unicode 17), in order; they include what is not assigned
  /// between them, and the marks and emoji among them.
  static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3,
    0x16FF2...0x18DF2, 0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265,
    0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

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
    return glyphs.reduce(0) { $0 + $1.width }
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
