import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Themes and other options of the appearance.
@Suite struct AppearanceTests {
  @Test func aKeyCyclesThroughTheThemes() throws {
    let own = try Theme(name: "mine", styles: ["paused": "bold bright-yellow on #202020"])
    var options = DisplayOptions()
    options.customThemes = [own]
    let fixture = try Fixture("tea=3m", options: options)
    var names: [String?] = []
    for _ in 0..<11 {
      fixture.type("t")
      names.append(fixture.notice)
    }
    #expect(
      names == [
        "theme: light", "theme: high-contrast", "theme: mono", "theme: catppuccin",
        "theme: catppuccin-latte", "theme: gruvbox", "theme: nord", "theme: solarized",
        "theme: solarized-light", "theme: mine", "theme: default",
      ])
  }

  /// The text is the same in every theme; only its style differs, and the track of a bar without colors.
  @Test func themesChangeNoText() throws {
    let fixture = try FrameTests.fixture(120, 36)
    let lines = fixture.frame.text.withoutTracks
    for theme in Theme.all {
      fixture.dashboard.theme = theme
      #expect(fixture.frame.text.withoutTracks == lines, "\(theme.name)")
    }
  }

  /// A theme with a background sets it on every cell, whatever the terminal's background is.
  @Test(arguments: [Theme.light, .highContrast]) func paintsEveryCell(_ theme: Theme) throws {
    let fixture = try FrameTests.fixture(80, 24)
    fixture.dashboard.theme = theme
    for keys in ["", "2", "3", "L", "?"] {
      fixture.type(keys)
      let isPainted = fixture.frame.cells.allSatisfy {
        $0.style.foreground != .standard && $0.style.background != .standard
      }
      #expect(isPainted, "after \(keys)")
    }
  }

  /// Nor are blanks that only fill a column: between words the underline continues.
  @Test func onlyTextIsUnderlined() throws {
    let fixture = try FrameTests.fixture(120, 40)
    fixture.dashboard.theme = .highContrast
    for keys in ["", "2", "3", "L", "?"] {
      fixture.type(keys)
      let frame = fixture.frame
      for y in 0..<frame.size.height {
        for x in 0..<frame.size.width where frame[x, y].text == " " {
          guard frame[x, y].style.attributes.contains(.underline) else { continue }
          let isWithin = [x - 1, x + 1].allSatisfy {
            frame[$0, y].text != " " && frame[$0, y].style.attributes.contains(.underline)
          }
          #expect(isWithin, "after \(keys): \(frame.lines[y])")
        }
      }
    }
  }

  @Test(arguments: [8, 256]) func monoHasNoColors(colorCount: Int) throws {
    var options = DisplayOptions()
    options.colorCount = colorCount
    let fixture = try FrameTests.fixture(80, 24, options)
    fixture.type("ttt")
    let colors = Set(fixture.frame.cells.flatMap { [$0.style.foreground, $0.style.background] })
    #expect(fixture.notice == "theme: mono" && colors == [.standard])
  }

  @Test func themesCannotBeChosenWithoutColor() throws {
    let fixture = try Fixture("tea=3m", options: DisplayOptions(hasColor: false))
    fixture.type("t")
    #expect(fixture.notice == "no colors on this terminal; all themes are monochrome")
    #expect(fixture.dashboard.theme == .mono)
  }

  @Test(
    arguments: [
      ("bold", Style(attributes: .bold)), ("green", Style(.green)),
      ("black on white", Style(.black, on: .white)), ("214", Style(.indexed(214))),
      ("bright-red on #ffffff", Style(.indexed(9), on: .rgb(255, 255, 255))),
      ("#808080", Style(.rgb(128, 128, 128))),
      ("#ff8700 reverse", Style(.rgb(255, 135, 0), attributes: .reverse)),
      ("Italic on standard", Style(attributes: .italic)), ("plain", .plain),
    ])
  func parsesStyles(_ words: String, _ style: Style) throws {
    let theme = try Theme(name: "mine", styles: ["alert": words, "screen": words])
    #expect(theme[.alert] == style)
    #expect(theme.screen == style)
    #expect(theme[.title] == Theme.standard[.title])
  }

  @Test(
    arguments: [
      ("running", "gren", "unknown color or attribute 'gren' (did you mean 'green'?)"),
      ("pausd", "bold", "unknown style 'pausd' (did you mean 'paused'?)"),
      (
        "selected-nam", "bold",
        "unknown style 'selected-nam' (did you mean 'selected-name'?)"
      ),
    ])
  func rejectsInvalidStyles(_ key: String, _ words: String, _ message: String) {
    let error = #expect(throws: ThemeError.self) {
      try Theme(name: "mine", basedOn: .light, styles: [key: words])
    }
    #expect(error?.key == key)
    #expect(error?.description == message)
  }

  /// Numbers and `#rrggbb` are expected, but not suggested.
  @Test(arguments: ["#rrggbx", "#+12345", "+5", "256"])
  func anInvalidColorListsAllForms(_ color: String) {
    let error = #expect(throws: ThemeError.self) {
      try Theme(name: "mine", styles: ["running": color])
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("unknown color or attribute '\(color)' (expected bold, dim, "))
    #expect(text.hasSuffix(", bright-white, on, standard, 0 to 255, #rrggbb)"))
  }

  /// A theme can be saved on a terminal with more colors.
  @Test func aSavedThemeHasOnlyColorsOfTheTerminal() throws {
    var options = DisplayOptions()
    options.colorCount = 16
    let fixture = try Fixture("tea=3m", options: options)
    fixture.dashboard.use([.theme: "nord"])
    #expect(fixture.dashboard.theme.name == "nord")
    #expect(fixture.dashboard.theme[.selectedRow] == Style(.white, on: .blue, .bold))
  }

  @Test func aMutedDashboardDoesNotRing() throws {
    let fixture = try Fixture("a=5s b=10s")
    fixture.type("b")
    #expect(fixture.lines[0].contains("muted"))
    fixture.advance(by: .seconds(6))
    #expect(!fixture.requests.contains(.ringOnce))
    fixture.type("b")
    #expect(fixture.notice == "bell and notifications on")
    fixture.advance(by: .seconds(6))
    #expect(fixture.requests.filter { $0 == .ringOnce }.count == 1)
  }

  /// Draws in which of the next `count` half seconds a row is highlighted.
  private static func highlights(_ fixture: Fixture, _ count: Int, y: Int) -> String {
    (0..<count).map { _ in
      defer { fixture.advance(by: .milliseconds(500)) }
      return fixture.frame[4, y].style == fixture.dashboard.theme.alertPlane ? "#" : "."
    }.joined()
  }

  @Test func aFinishedTimerBlinksUntilAKey() throws {
    let fixture = try Fixture("egg=5s tea=1h paused", options: DisplayOptions(showsClock: false))
    fixture.advance(by: .seconds(5))
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .milliseconds(500)))
    #expect(Self.highlights(fixture, 4, y: 3) == "#.#.")
    fixture.press(Key(.insert))
    #expect(Self.highlights(fixture, 4, y: 3) == "#.##")
    fixture.press(.space)
    #expect(Self.highlights(fixture, 4, y: 3) == "....")
    // Then only its age changes, once a minute.
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .seconds(54)))
  }

  @Test func theBandPulsesForThreeSeconds() throws {
    let fixture = try Fixture("egg=5s", options: DisplayOptions(showsClock: false))
    fixture.advance(by: .seconds(5 + 2))
    #expect(Self.highlights(fixture, 8, y: 3) == "#.######")
    // The time since its end is all that changes.
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .seconds(1)))
    fixture.advance(by: .minutes(60))
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
  }

  @Test func reducedMotionHighlightsWithoutBlinking() throws {
    var options = DisplayOptions(showsClock: false)
    options.reducesMotion = true
    let fixture = try Fixture("egg=5s", options: options)
    fixture.advance(by: .seconds(5))
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .milliseconds(1000)))
    #expect(Self.highlights(fixture, 4, y: 3) == "####")
  }

  @Test func everyRoleHasAName() {
    let names = Role.allCases.map(\.name)
    #expect(names.contains("row-symbol") && names.contains("alert"))
    #expect(Set(names).count == Role.allCases.count)
    #expect(!names.contains("screen"))
  }
}

extension String {
  /// The text with a track that looks like its bar.
  var withoutTracks: String { String(map { $0 == "▁" ? "▆" : $0 }) }
}
