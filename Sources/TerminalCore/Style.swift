/// A color of text or of its background. The terminal driver maps a color that the terminal lacks to the nearest
/// available one, so views need not know the number of colors.
public enum Color: Hashable, Sendable {
  /// The terminal's own foreground or background.
  case standard
  /// A color of the palette: 0–7 the ANSI colors, 8–15 their bright forms, 16–231 the 6×6×6 cube,
  /// 232–255 grays.
  case indexed(UInt8)
  /// A color by its red, green and blue parts.
  case rgb(UInt8, UInt8, UInt8)

  public static let black = Color.indexed(0)
  public static let red = Color.indexed(1)
  public static let green = Color.indexed(2)
  public static let yellow = Color.indexed(3)
  public static let blue = Color.indexed(4)
  public static let magenta = Color.indexed(5)
  public static let cyan = Color.indexed(6)
  public static let white = Color.indexed(7)
}

extension Color {
  /// The red, green and blue parts; `nil` for the terminal's own color.
  public var components: (red: Int, green: Int, blue: Int)? {
    switch self {
    case .standard: nil
    case .indexed(let index): Self.components(of: index)
    case .rgb(let red, let green, let blue): (Int(red), Int(green), Int(blue))
    }
  }

  private static let ansi: [(Int, Int, Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  /// Returns the red, green and blue parts of a color of the palette, as xterm has them.
  public static func components(of index: UInt8) -> (red: Int, green: Int, blue: Int) {
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
}

/// The colors and attributes of a cell.
public struct Style: Hashable, Sendable {
  /// Text attributes. A terminal ignores those that it lacks.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    public static let bold = Attributes(rawValue: 1 << 0)
    public static let dim = Attributes(rawValue: 1 << 1)
    public static let underline = Attributes(rawValue: 1 << 2)
    public static let reverse = Attributes(rawValue: 1 << 3)
    public static let blink = Attributes(rawValue: 1 << 4)
    public static let italic = Attributes(rawValue: 1 << 5)
  }

  public var foreground: Color
  public var background: Color
  public var attributes: Attributes

  public init(
    _ foreground: Color = .standard, on background: Color = .standard,
    _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own colors without attributes.
  public static let plain = Style()

  /// Returns the style with more attributes.
  public func adding(_ more: Attributes) -> Style {
    Style(foreground, on: background, attributes.union(more))
  }

  /// Returns the style on another background.
  public func on(_ background: Color) -> Style {
    Style(foreground, on: background, attributes)
  }
}
