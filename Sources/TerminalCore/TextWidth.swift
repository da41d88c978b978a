/// What one cell, or two, of a screen shows: a base with its marks.
public struct Glyph: Hashable, Sendable {
  public var base: Unicode.Scalar
  public var firstMark: Unicode.Scalar?
  public var secondMark: Unicode.Scalar?
  /// 1 or 2 cells.
  public var width: Int
}

/// How many cells text takes, by a table of our own: `wcwidth` depends on the locale and lacks
/// newer emoji, and the terminal must agree with the layout everywhere.
///
/// Joiners, variation selectors and skin tones are dropped: an emoji that is joined of several
/// shows as its parts, in cells whose number every terminal agrees on. A control character shows as
/// its picture (`␛` for ESC), so that text never reaches the terminal as a command.
public enum TextWidth {
  /// The cells a scalar takes on its own: 0 for marks and what is dropped, 1, or 2.
  public static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if isDropped(scalar) || isMark(scalar) { return 0 }
    return isWide(value) ? 2 : 1
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }

  static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF,
      0x1F3FB...0x1F3FF, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3,
      0x2614...0x2615, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }

  /// The visible substitute of a control character, or `nil` for any other.
  static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    case 0x80...0x9F: "\u{FFFD}"
    default: nil
    }
  }
}

extension String {
  /// The text as a screen shows it, glyph by glyph.
  public var glyphs: [Glyph] {
    var glyphs: [Glyph] = []
    glyphs.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if TextWidth.isDropped(scalar) { continue }
      if scalar.value >= 0x300, TextWidth.isMark(scalar) {
        guard !glyphs.isEmpty else { continue }
        let last = glyphs.count - 1
        if glyphs[last].firstMark == nil {
          glyphs[last].firstMark = scalar
        } else if glyphs[last].secondMark == nil {
          glyphs[last].secondMark = scalar
        }
        continue
      }
      let base = TextWidth.picture(of: scalar) ?? scalar
      glyphs.append(Glyph(base: base, width: TextWidth.of(base)))
    }
    return glyphs
  }

  /// The cells the text takes.
  public var cellWidth: Int { glyphs.reduce(0) { $0 + $1.width } }

  /// The text cut to at most `width` cells, with `…` in the last of them where something was cut.
  public func truncated(to width: Int) -> String {
    guard cellWidth > width else { return self }
    guard width > 0 else { return "" }
    var kept = String.UnicodeScalarView()
    var used = 0
    for glyph in glyphs {
      guard used + glyph.width <= width - 1 else { break }
      kept.append(glyph.base)
      for mark in [glyph.firstMark, glyph.secondMark] {
        if let mark { kept.append(mark) }
      }
      used += glyph.width
    }
    kept.append("…")
    return String(kept)
  }
}
