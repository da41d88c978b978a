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

  /// With exact colors and with 256. The track of a bar is decoration and may be fainter. The default theme and mono have
  /// the terminal's own colors.
  @Test(arguments: (Theme.wellKnown + [.light, .highContrast]), [1 << 24, 256])
  func textsAndBarsHaveContrast(_ theme: Theme, _ colorCount: Int) throws {
    let theme = theme.limited(toColors: colorCount)
    for role in Role.allCases where ![.track, .selectedRow, .markedRow].contains(role) {
      let color = theme[role].foreground
      let foreground = color == .standard ? theme.screen.foreground : color
      let isBar = [.bar, .pausedBar, .finishedBar].contains(role)
      let planes = [Role.selectedRow, .markedRow].map { theme[$0] }
      let least = isBar ? 3 : color == .standard ? 7 : 4.5
      let contrast = try Self.contrast(foreground, theme.screen.background)
      #expect(contrast >= least, "\(theme.name) \(role): \(contrast)")
      for plane in planes where !isBar {
        let text = Style(color).merged(
          over: plane, keepingColor: theme.keepsColorWhenHighlighted
        ).foreground
        let contrast = try Self.contrast(
          text == .standard ? theme.screen.foreground : text, plane.background)
        #expect(contrast >= least, "\(theme.name) \(role) in a row: \(contrast)")
      }
    }
  }

  /// No color of a well-known theme is left to the search for the nearest one, and none turns gray that had a hue: Nord's
  /// text is blue and its selected row navy, and the page of Solarized light is not yellow.
  @Test func with256ColorsWellKnownThemesKeepTheirHues() throws {
    for exact in Theme.wellKnown {
      let theme = exact.limited(toColors: 256)
      for role in Role.allCases {
        for color in [theme[role].foreground, theme[role].background, theme.screen.background] {
          if case .rgb = color { Issue.record("\(theme.name) \(role)") }
        }
      }
      for role in [Role.running, .paused, .failure, .work, .elapsed, .key] {
        let parts = try #require(theme[role].foreground.components)
        #expect(parts.red != parts.green || parts.green != parts.blue, "\(theme.name) \(role)")
      }
      #expect(exact.limited(toColors: 1 << 24) == exact)
    }
    let nord = try #require(Theme.wellKnown.first { $0.name == "nord" }).limited(toColors: 256)
    let blues = [nord.screen.foreground, nord[.faint].foreground, nord[.selectedRow].background]
    #expect(blues.allSatisfy { $0.components.map { $0.blue > $0.red } ?? false })
    let mine = try Theme(name: "mine", basedOn: Theme.wellKnown[3], styles: ["title": "bold"])
    #expect(mine.limited(toColors: 256)[.faint] == nord[.faint])
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
    let parts = try #require(color.components)
    return 0.2126 * linear(parts.red) + 0.7152 * linear(parts.green) + 0.0722 * linear(parts.blue)
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
}
