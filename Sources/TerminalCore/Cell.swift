/// One character cell: a base with the marks drawn over it, and a style.
///
/// A character two cells wide stands in its left cell; the right one is a continuation, which draws
/// nothing of its own. ``Canvas`` keeps the two together. A cell is packed into sixteen bytes, for
/// a screen is compared with the one before it cell by cell, for every frame.
public struct Cell: Hashable, Sendable {
  /// Base, first and second mark, 21 bits each; a mark of 0 is none.
  private let scalars: UInt64
  private var look: UInt32

  /// Stands for the base of a continuation: no scalar is so high.
  private static let noBase: UInt64 = 0x1F_FFFF

  public init(
    _ base: Unicode.Scalar?, firstMark: Unicode.Scalar? = nil, secondMark: Unicode.Scalar? = nil,
    style: Style = .plain
  ) {
    scalars =
      (base.map { UInt64($0.value) } ?? Self.noBase) | UInt64(firstMark?.value ?? 0) << 21
      | UInt64(secondMark?.value ?? 0) << 42
    look = style.bits
  }

  init(_ glyph: Glyph, look: UInt32) {
    scalars =
      UInt64(glyph.base.value) | UInt64(glyph.firstMark?.value ?? 0) << 21
      | UInt64(glyph.secondMark?.value ?? 0) << 42
    self.look = look
  }

  init(plain byte: UInt8, look: UInt32) {
    scalars = UInt64(byte)
    self.look = look
  }

  /// The right half of a wide character.
  init(continuationWithLook look: UInt32) {
    scalars = Self.noBase
    self.look = look
  }

  /// An empty cell.
  public static let blank = Cell(" ")

  /// The base character; `nil` in the right half of a wide one.
  public var base: Unicode.Scalar? { scalar(0) }
  /// The non-spacing marks over the base.
  public var firstMark: Unicode.Scalar? { mark(1) }
  public var secondMark: Unicode.Scalar? { mark(2) }

  public var style: Style {
    get { Style(bits: look) }
    set { look = newValue.bits }
  }

  public var isContinuation: Bool { scalars & Self.noBase == Self.noBase }

  /// The cell's text; empty for the right half of a wide character.
  public var text: String {
    var text = ""
    for scalar in [base, firstMark, secondMark] {
      if let scalar { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  private func scalar(_ place: UInt64) -> Unicode.Scalar? {
    Unicode.Scalar(UInt32(truncatingIfNeeded: scalars >> (21 * place) & Self.noBase))
  }

  private func mark(_ place: UInt64) -> Unicode.Scalar? {
    scalar(place).flatMap { $0.value == 0 ? nil : $0 }
  }
}

extension Style {
  /// The style in 26 bits: two colours of 9, and the attributes.
  var bits: UInt32 {
    foreground.bits | background.bits << 9 | UInt32(attributes.rawValue) << 18
  }

  init(bits: UInt32) {
    self.init(
      Color(bits: bits & 0x1FF), on: Color(bits: bits >> 9 & 0x1FF),
      Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 18)))
  }
}

extension Color {
  fileprivate var bits: UInt32 {
    switch self {
    case .standard: 0
    case .indexed(let index): UInt32(index) + 1
    }
  }

  fileprivate init(bits: UInt32) {
    self = bits == 0 ? .standard : .indexed(UInt8(truncatingIfNeeded: bits - 1))
  }
}
