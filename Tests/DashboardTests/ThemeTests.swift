import TerminalCore
import Testing

@testable import Dashboard

/// Colors that are readable, by the contrast of the Web Content Accessibility Guidelines.
@Suite struct ThemeTests {
  @Test func wellKnownThemesAreComplete() {
    #expect(
      Theme.wellKnown.map(\.name) == [
        "catppuccin", "catppuccin-latte", "gruvbox", "nord", "solarized", "solarized-light",
      ])
    for theme in Theme.wellKnown {
      #expect(theme.screen.foreground != .standard && theme.screen.background != .standard)
      for role in Role.allCases
      where ![.text, .success, .title, .selectedName, .time].contains(role) {
        #expect(theme[role].foreground != .standard, "\(theme.name) \(role)")
      }
    }
  }

  /// The track of a bar is decoration and may be fainter. The default theme and mono have the terminal's own colors.
  @Test(arguments: Theme.wellKnown + [.light, .highContrast])
  func textsAndBarsHaveContrast(_ theme: Theme) throws {
    for role in Role.allCases where ![.track, .selectedRow, .markedRow].contains(role) {
      let color = theme[role].foreground
      let foreground = color == .standard ? theme.screen.foreground : color
      let isBar = [.bar, .pausedBar, .finishedBar, .work, .rest].contains(role)
      let contrast = try Self.contrast(foreground, theme.screen.background)
      #expect(contrast >= (isBar ? 3 : 4.5), "\(theme.name) \(role): \(contrast)")
    }
    for role in [Role.selectedRow, .markedRow] {
      let row = theme[role]
      let text = row.foreground == .standard ? theme.screen.foreground : row.foreground
      #expect(try Self.contrast(text, row.background) >= 4.5, "\(theme.name) \(role)")
    }
  }

  @Test func fewColorsHighlightRowsInColorsThatEveryTerminalHas() {
    let theme = Theme.wellKnown[0].limited(toColors: 16)
    #expect(theme[.selectedRow] == Style(.white, on: .blue, .bold))
    #expect(!theme.keepsColorWhenHighlighted(.green))
  }

  private static func contrast(_ first: Color, _ second: Color) throws -> Double {
    let (one, two) = (try luminance(first), try luminance(second))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private static func luminance(_ color: Color) throws -> Double {
    func linear(_ part: Int) -> Double {
      let value = Double(part) / 255
      return value <= 0.03928 ? value / 12.92 : power((value + 0.055) / 1.055)
    }
    let parts = try #require(components(color))
    return 0.2126 * linear(parts.0) + 0.7152 * linear(parts.1) + 0.0722 * linear(parts.2)
  }

  /// Returns a base to the power of 2.4, by bisection of its fifth root.
  private static func power(_ base: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let root = (low + high) / 2
      if root * root * root * root * root < base { low = root } else { high = root }
    }
    return base * base * low * low
  }

  /// The colors of xterm.
  private static func components(_ color: Color) -> (Int, Int, Int)? {
    switch color {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .indexed(let index) where index < 16:
      let bright = [
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
        (255, 0, 255), (0, 255, 255), (255, 255, 255),
      ]
      return index < 8 ? (index == 0 ? (0, 0, 0) : nil) : bright[Int(index) - 8]
    case .indexed(let index) where index >= 232:
      let level = 8 + 10 * (Int(index) - 232)
      return (level, level, level)
    case .indexed(let index):
      func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
      let cube = Int(index) - 16
      return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    }
  }
}
