import TerminalCore

/// The colors of a terminal, to which styles are mapped.
struct Palette: Hashable {
  /// The number of colors: 0, 8, 16 or 256.
  let colors: Int

  init(availableColors: Int) {
    switch availableColors {
    case ..<8: colors = 0
    case 8..<16: colors = 8
    case 16..<256: colors = 16
    case 256: colors = 256
    // Terminals with millions of colors interpret all numbers above 7 as red, green and blue.
    default: colors = 8
    }
  }

  /// A style in the terminal's own colors; -1 is the default color.
  struct ResolvedStyle: Hashable {
    var foreground: Int16 = -1
    var background: Int16 = -1
    var attributes: Style.Attributes
  }

  /// Returns a style in the nearest available colors.
  func resolve(_ style: Style) -> ResolvedStyle {
    var resolved = ResolvedStyle(attributes: style.attributes)
    guard colors > 0 else { return resolved }
    (resolved.foreground, resolved.attributes) = foreground(
      style.foreground, on: style.background, resolved.attributes)
    resolved.background = background(style.background)
    if resolved.foreground == resolved.background, resolved.foreground >= 0,
      style.foreground != style.background
    {
      // Both colors have the same nearest color: keep the text readable.
      resolved.foreground = Self.luminance(of: UInt8(resolved.background)) < 128 ? 7 : 0
    }
    return resolved
  }

  private func foreground(
    _ color: Color, on background: Color, _ attributes: Style.Attributes
  ) -> (Int16, Style.Attributes) {
    guard case .indexed(let index) = color else { return (-1, attributes) }
    if Int(index) < colors { return (Int16(index), attributes) }
    if colors == 16 { return (Int16(Self.nearest(to: index, among: 16)), attributes) }
    if background == .standard, let level = Self.gray(of: index) {
      // Grays use the terminal's own color, dimmed if dark, because black on black is invisible.
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

  // MARK: The colors of xterm

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

  private static func gray(of index: UInt8) -> Int? {
    let (red, green, blue) = components(of: index)
    return red == green && green == blue ? red : nil
  }

  private static func luminance(of index: UInt8) -> Int {
    let (red, green, blue) = components(of: index)
    return (299 * red + 587 * green + 114 * blue) / 1000
  }

  /// Returns the nearest of the first `count` colors, by a distance weighted for perception.
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
