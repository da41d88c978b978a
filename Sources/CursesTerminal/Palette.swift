import TerminalCore

/// Maps colours to those a terminal has.
struct Palette: Hashable {
  /// 0, 8, 16 or 256.
  let colors: Int

  init(availableColors: Int) {
    switch availableColors {
    case ..<8: colors = 0
    case 8..<16: colors = 8
    case 16..<256: colors = 16
    case 256: colors = 256
    // Terminals of millions of colours take numbers for red, green and blue; the first 8 aside.
    default: colors = 8
    }
  }

  /// A style in the terminal's own terms; -1 is its default colour.
  struct Shade: Hashable {
    var foreground: Int16 = -1
    var background: Int16 = -1
    var attributes: Style.Attributes
  }

  func shade(of style: Style) -> Shade {
    var shade = Shade(attributes: style.attributes)
    guard colors > 0 else { return shade }
    (shade.foreground, shade.attributes) = foreground(
      style.foreground, on: style.background, shade.attributes)
    shade.background = background(style.background)
    if shade.foreground == shade.background, shade.foreground >= 0,
      style.foreground != style.background
    {
      // Two colours fell together: keep the text readable.
      shade.foreground = Self.luminance(of: UInt8(shade.background)) < 128 ? 7 : 0
    }
    return shade
  }

  private func foreground(
    _ color: Color, on ground: Color, _ attributes: Style.Attributes
  ) -> (Int16, Style.Attributes) {
    guard case .indexed(let index) = color else { return (-1, attributes) }
    if Int(index) < colors { return (Int16(index), attributes) }
    if colors == 16 { return (Int16(Self.nearest(to: index, among: 16)), attributes) }
    if ground == .standard, let level = Self.grey(of: index) {
      // Black on black would vanish: greys keep the terminal's own colour, the darker ones dimmed.
      return (-1, level < 160 ? attributes.union(.dim) : attributes)
    }
    let nearest = Self.nearest(to: index, among: 16)
    return nearest < 8
      ? (Int16(nearest), attributes) : (Int16(nearest - 8), attributes.union(.bold))
  }

  private func background(_ color: Color) -> Int16 {
    guard case .indexed(let index) = color else { return -1 }
    return Int(index) < colors ? Int16(index) : Int16(Self.nearest(to: index, among: colors))
  }

  // MARK: The colours as xterm shows them

  private static let ansi: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  static func components(of index: UInt8) -> (red: Int, green: Int, blue: Int) {
    switch index {
    case 0..<16:
      return ansi[Int(index)]
    case 16..<232:
      let cube = Int(index) - 16
      func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
      return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    default:
      let level = 8 + 10 * (Int(index) - 232)
      return (level, level, level)
    }
  }

  private static func grey(of index: UInt8) -> Int? {
    let (red, green, blue) = components(of: index)
    return red == green && green == blue ? red : nil
  }

  private static func luminance(of index: UInt8) -> Int {
    let (red, green, blue) = components(of: index)
    return (299 * red + 587 * green + 114 * blue) / 1000
  }

  /// The nearest of the first colours, by a distance that weighs what the eye tells apart best.
  static func nearest(to index: UInt8, among count: Int) -> UInt8 {
    let (red, green, blue) = components(of: index)
    var best: UInt8 = 0
    var least = Int.max
    for candidate in 0..<UInt8(count) {
      let (r, g, b) = components(of: candidate)
      let distance =
        3 * (red - r) * (red - r) + 4 * (green - g) * (green - g) + 2 * (blue - b) * (blue - b)
      if distance < least {
        least = distance
        best = candidate
      }
    }
    return best
  }
}
