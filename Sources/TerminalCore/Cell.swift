/// A character cell: a base character with its marks, and a style.
///
/// A wide character is stored in its left cell; the right cell is a continuation without text.
/// ``Canvas`` keeps the two together. A cell is packed into sixteen bytes, because every frame is
/// compared with the previous one cell by cell.
public struct Cell: Hashable, Sendable {
  /// The base, the first and the second mark, 21 bits each; 0 is no mark.
  private let scalars: UInt64
  private var styleBits: UInt64

  /// The base of a continuation, which is above all scalars.
  private static let noBase: UInt64 = 0x1F_FFFF

  public init(
    _ base: Unicode.Scalar?, firstMark: Unicode.Scalar? = nil, secondMark: Unicode.Scalar? = nil,
    style: Style = .plain
  ) {
    scalars =
      (base.map { UInt64($0.value) } ?? Self.noBase) | UInt64(firstMark?.value ?? 0) << 21
      | UInt64(secondMark?.value ?? 0) << 42
    styleBits = style.bits
  }

  init(_ glyph: Glyph, styleBits: UInt64) {
    scalars =
      UInt64(glyph.base.value) | UInt64(glyph.firstMark?.value ?? 0) << 21
      | UInt64(glyph.secondMark?.value ?? 0) << 42
    self.styleBits = styleBits
  }

  init(scalars: UInt64, styleBits: UInt64) {
    self.scalars = scalars
    self.styleBits = styleBits
  }

  /// Returns the right half of a wide character.
  static func continuation(styleBits: UInt64) -> Cell {
    Cell(scalars: noBase, styleBits: styleBits)
  }

  /// An empty cell.
  public static let blank = Cell(" ")

  /// The base character; `nil` in a continuation.
  public var base: Unicode.Scalar? { scalar(0) }
  /// The first non-spacing mark over the base.
  public var firstMark: Unicode.Scalar? { mark(1) }
  /// The second non-spacing mark over the base.
  public var secondMark: Unicode.Scalar? { mark(2) }

  public var style: Style {
    get { Style(bits: styleBits) }
    set { styleBits = newValue.bits }
  }

  public var isContinuation: Bool { scalars & Self.noBase == Self.noBase }

  /// The text of the cell; empty in a continuation.
  public var text: String {
    String(String.UnicodeScalarView([base, firstMark, secondMark].compactMap(\.self)))
  }

  private func scalar(_ index: UInt64) -> Unicode.Scalar? {
    Unicode.Scalar(UInt32(truncatingIfNeeded: scalars >> (21 * index) & Self.noBase))
  }

  private func mark(_ index: UInt64) -> Unicode.Scalar? {
    scalar(index).flatMap { $0.value == 0 ? nil : $0 }
  }
}

extension Style {
  /// The style in 60 bits: two colors of 26 bits and the attributes.
  var bits: UInt64 {
    foreground.bits | background.bits << 26 | UInt64(attributes.rawValue) << 52
  }

  init(bits: UInt64) {
    self.init(
      Color(bits: bits & 0x3FF_FFFF), on: Color(bits: bits >> 26 & 0x3FF_FFFF),
      Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 52)))
  }
}

extension Color {
  private static let rgbFlag: UInt64 = 1 << 24

  fileprivate var bits: UInt64 {
    switch self {
    case .standard: 0
    case .indexed(let index): UInt64(index) + 1
    case .rgb(let red, let green, let blue):
      Self.rgbFlag | UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue)
    }
  }

  fileprivate init(bits: UInt64) {
    if bits & Self.rgbFlag != 0 {
      self = .rgb(
        UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
        UInt8(truncatingIfNeeded: bits))
    } else {
      self = bits == 0 ? .standard : .indexed(UInt8(truncatingIfNeeded: bits - 1))
    }
  }
}
