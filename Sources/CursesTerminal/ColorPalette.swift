import Platform
import TerminalCore

/// The colors of a terminal, to which styles are mapped.
struct ColorPalette: Hashable {
  /// The number of colors: 0, 8, 16, 256 or ``direct``.
  let colors: Int

  /// The number of colors of a terminal that interprets all numbers above 7 as red, green and blue.
  static let direct = 1 << 24

  /// With exact colors, the number of the first ones that are the terminal's own.
  private let ownColorCount: Int

  init(availableColors: Int, ownColorCount: Int = 8) {
    self.ownColorCount = ownColorCount
    switch availableColors {
    case ..<8: colors = 0
    case 8..<16: colors = 8
    case 16..<256: colors = 16
    case 256: colors = 256
    case Self.direct: colors = Self.direct
    default: colors = 8
    }
  }

  /// A style in the terminal's own colors; -1 is the default color.
  struct ResolvedStyle: Hashable {
    var foreground: Int32 = -1
    var background: Int32 = -1
    var attributes: Style.Attributes
  }

  /// Returns a style in the nearest available colors.
  func resolve(_ style: Style) -> ResolvedStyle {
    var resolved = ResolvedStyle(attributes: style.attributes)
    guard colors > 0 else { return resolved }
    if colors == Self.direct {
      resolved.foreground = directNumber(of: style.foreground)
      resolved.background = directNumber(of: style.background)
      return resolved
    }
    let foregroundIndex = Self.index(of: style.foreground)
    let backgroundIndex = Self.index(of: style.background)
    (resolved.foreground, resolved.attributes) = foreground(
      foregroundIndex, on: backgroundIndex, resolved.attributes)
    resolved.background = background(backgroundIndex)
    if resolved.foreground == resolved.background, resolved.foreground >= 0,
      style.foreground != style.background
    {
      // Both colors have the same nearest color: keep the text readable.
      let (red, green, blue) = Color.components(of: UInt8(resolved.background))
      let luminance = (299 * red + 587 * green + 114 * blue) / 1000
      resolved.foreground = luminance < 128 ? 7 : 0
    }
    return resolved
  }

  /// Returns the number of a color where numbers are red, green and blue. The first ones stay those of the terminal, of
  /// which black is gray for bold text in many terminals: exact black is the darkest gray.
  private func directNumber(of color: Color) -> Int32 {
    if case .indexed(let index) = color, index < ownColorCount { return Int32(index) }
    guard let parts = color.components else { return -1 }
    let number = Int32(parts.red << 16 | parts.green << 8 | parts.blue)
    return number < Int32(ownColorCount) ? 0x01_01_01 : number
  }

  /// Returns the index of a color among 256, for red, green and blue that of the nearest color; `nil` for the
  /// terminal's own color.
  private static func index(of color: Color) -> UInt8? {
    switch color {
    case .standard: nil
    case .indexed(let index): index
    case .rgb(let red, let green, let blue):
      PerceptualColor.nearest(toRed: Int(red), green: Int(green), blue: Int(blue))
    }
  }

  private func foreground(
    _ color: UInt8?, on background: UInt8?, _ attributes: Style.Attributes
  ) -> (Int32, Style.Attributes) {
    guard let index = color else { return (-1, attributes) }
    if Int(index) < colors { return (Int32(index), attributes) }
    if colors == 16 { return (Int32(Self.nearest(to: index, among: 16)), attributes) }
    if background == nil, let level = Self.gray(of: index) {
      // Grays use the terminal's own color, dimmed if dark, because black on black is invisible.
      return (-1, level < 160 ? attributes.union(.dim) : attributes)
    }
    let nearest = Self.nearest(to: index, among: 16)
    return nearest < 8
      ? (Int32(nearest), attributes) : (Int32(nearest - 8), attributes.union(.bold))
  }

  private func background(_ color: UInt8?) -> Int32 {
    guard let index = color else { return -1 }
    return Int(index) < colors ? Int32(index) : Int32(Self.nearest(to: index, among: colors))
  }

  private static func gray(of index: UInt8) -> Int? {
    let (red, green, blue) = Color.components(of: index)
    return red == green && green == blue ? red : nil
  }

  /// Returns the nearest of the first `count` colors, by a distance weighted for perception.
  static func nearest(to index: UInt8, among count: Int) -> UInt8 {
    let (red, green, blue) = Color.components(of: index)
    func distance(to candidate: UInt8) -> Int {
      let (r, g, b) = Color.components(of: candidate)
      return 3 * (red - r) * (red - r) + 4 * (green - g) * (green - g) + 2 * (blue - b) * (blue - b)
    }
    return (0..<UInt8(count)).min { distance(to: $0) < distance(to: $1) } ?? 0
  }
}

/// A color in Oklab (Björn Ottosson, "A perceptual color space for image processing"), in which the distance of two
/// colors is near to what people see.
struct PerceptualColor {
  private let lightness: Double
  private let greenRed: Double
  private let blueYellow: Double

  init(red: Int, green: Int, blue: Int) {
    let (red, green, blue) = (Self.linear(red), Self.linear(green), Self.linear(blue))
    let long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let medium = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    greenRed = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    blueYellow = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
  }

  private static func linear(_ part: Int) -> Double {
    let part = Double(part) / 255
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  /// Returns the square of the distance to another color. The hue counts more than the lightness: states differ by
  /// their hues, and the 256 colors have a gray near to each subdued color.
  func distance(to other: PerceptualColor) -> Double {
    func square(_ number: Double) -> Double { number * number }
    return square(lightness - other.lightness)
      + 3 * (square(greenRed - other.greenRed) + square(blueYellow - other.blueYellow))
  }

  /// Returns the nearest of the 240 colors that are the same in all terminals with 256.
  static func nearest(toRed red: Int, green: Int, blue: Int) -> UInt8 {
    let color = PerceptualColor(red: red, green: green, blue: blue)
    let nearest = fixed.min { color.distance(to: $0.color) < color.distance(to: $1.color) }
    return nearest?.index ?? 16
  }

  private static let fixed = (UInt8(16)...255).map { index in
    let (red, green, blue) = Color.components(of: index)
    return (index: index, color: PerceptualColor(red: red, green: green, blue: blue))
  }
}
