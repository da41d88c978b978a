/// A character in one or two cells of a screen: a base with its marks.
public struct Glyph: Hashable, Sendable {
  public var base: Unicode.Scalar
  public var firstMark: Unicode.Scalar?
  public var secondMark: Unicode.Scalar?
  /// The width in cells, 1 or 2.
  public var width: Int

  func append(to text: inout String.UnicodeScalarView) {
    text.append(base)
    if let firstMark { text.append(firstMark) }
    if let secondMark { text.append(secondMark) }
  }
}

/// The glyphs of a text as a screen shows it; ``TextWidth`` has the rules.
///
/// A mark without a base is dropped, and so is every mark after the second. Two marks suffice for
/// living languages, and more would overlap other rows.
public struct Glyphs: Sequence, IteratorProtocol {
  private var scalars: String.UnicodeScalarView.Iterator
  private var ahead: Unicode.Scalar?

  init(_ text: String) {
    scalars = text.unicodeScalars.makeIterator()
    ahead = scalars.next()
  }

  public mutating func next() -> Glyph? {
    while let scalar = ahead {
      ahead = scalars.next()
      let shown = TextWidth.substitute(for: scalar) ?? scalar
      switch TextWidth.kind(of: shown) {
      case .narrow: return withMarks(Glyph(base: shown, width: 1))
      case .wide: return withMarks(Glyph(base: shown, width: 2))
      case .mark, .dropped: continue
      }
    }
    return nil
  }

  private mutating func withMarks(_ glyph: Glyph) -> Glyph {
    var glyph = glyph
    while let scalar = ahead, scalar.value >= 0x80 {
      switch TextWidth.kind(of: scalar) {
      case .narrow, .wide: return glyph
      case .mark:
        if glyph.firstMark == nil {
          glyph.firstMark = scalar
        } else if glyph.secondMark == nil {
          glyph.secondMark = scalar
        }
      case .dropped: break
      }
      ahead = scalars.next()
    }
    return glyph
  }
}

extension String {
  /// The glyphs of the text as a screen shows it.
  public var glyphs: Glyphs { Glyphs(self) }
}
