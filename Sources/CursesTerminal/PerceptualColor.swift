import Platform
import TerminalCore

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
