import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Themes, and what can be switched about how things look.
@Suite struct LooksTests {
  @Test func aKeyGoesThroughTheThemes() throws {
    let own = try Theme(name: "mine", styles: ["paused": "bold bright-yellow on #202020"])
    var options = DisplayOptions()
    options.customThemes = [own]
    let stage = try Stage("tea=3m", options: options)
    var names: [String?] = []
    for _ in 0..<5 {
      stage.type("t")
      names.append(stage.notice)
    }
    #expect(
      names == [
        "theme: light", "theme: high-contrast", "theme: mono", "theme: mine", "theme: default",
      ])
  }

  /// The text is the same in every theme; only its look is not.
  @Test func themesChangeNoText() throws {
    let stage = try FrameTests.stage(120, 36)
    let lines = stage.lines
    for theme in Theme.all {
      stage.dashboard.theme = theme
      #expect(stage.lines == lines, "\(theme.name)")
    }
  }

  /// A theme that paints its ground leaves nothing to the terminal, which may have any.
  @Test(arguments: [Theme.light, .highContrast]) func paintsEveryCell(_ theme: Theme) throws {
    let stage = try FrameTests.stage(80, 24)
    stage.dashboard.theme = theme
    for keys in ["", "2", "3", "L", "?"] {
      stage.type(keys)
      let isPainted = stage.frame.cells.allSatisfy {
        $0.style.foreground != .standard && $0.style.background != .standard
      }
      #expect(isPainted, "after \(keys)")
    }
  }

  /// Nor the blanks that only keep a place: between words the line goes on.
  @Test func onlyTextIsUnderlined() throws {
    let stage = try FrameTests.stage(120, 40)
    stage.dashboard.theme = .highContrast
    for keys in ["", "2", "3", "L", "?"] {
      stage.type(keys)
      let frame = stage.frame
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

  @Test func monoHasNoColors() throws {
    let stage = try FrameTests.stage(80, 24)
    stage.type("ttt")
    let colors = Set(stage.frame.cells.flatMap { [$0.style.foreground, $0.style.background] })
    #expect(stage.notice == "theme: mono" && colors == [.standard])
  }

  @Test func withoutColorsThemesAreNotChosen() throws {
    let stage = try Stage("tea=3m", options: DisplayOptions(hasColor: false))
    stage.type("t")
    #expect(stage.notice == "no colors on this terminal; all themes look like mono")
    #expect(stage.dashboard.theme == .mono)
  }

  @Test(
    arguments: [
      ("bold", Style(attributes: .bold)), ("green", Style(.green)),
      ("black on white", Style(.black, on: .white)), ("214", Style(.indexed(214))),
      ("bright-red on #ffffff", Style(.indexed(9), on: .indexed(231))),
      ("#808080", Style(.indexed(244))),
      ("#ff8700 reverse", Style(.indexed(208), attributes: .reverse)),
      ("Italic on standard", Style(attributes: .italic)), ("plain", .plain),
    ])
  func readsStyles(_ words: String, _ style: Style) throws {
    let theme = try Theme(name: "mine", styles: ["call": words, "screen": words])
    #expect(theme[.call] == style)
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
  func refusesWhatIsNoStyle(_ key: String, _ words: String, _ message: String) {
    let error = #expect(throws: ThemeError.self) {
      try Theme(name: "mine", basedOn: .light, styles: [key: words])
    }
    #expect(error?.key == key)
    #expect(error?.description == message)
  }

  @Test func mutedItDoesNotRing() throws {
    let stage = try Stage("a=5s b=10s")
    stage.type("b")
    #expect(stage.lines[0].contains("muted"))
    stage.advance(by: .seconds(6))
    #expect(!stage.boardEffects.contains(.ring))
    stage.type("b")
    #expect(stage.notice == "bell and notifications on")
    stage.advance(by: .seconds(6))
    #expect(stage.boardEffects.filter { $0 == .ring }.count == 1)
  }

  /// Which of so many half seconds after it finished the row of `egg` stands out.
  private static func turns(_ stage: Stage, _ count: Int, y: Int) -> String {
    (0..<count).map { _ in
      defer { stage.advance(by: .milliseconds(500)) }
      return stage.frame[4, y].style.attributes.contains(.reverse) ? "#" : "."
    }.joined()
  }

  @Test func whatHasFinishedBlinksUntilAKey() throws {
    let stage = try Stage("egg=5s tea=1h paused", options: DisplayOptions(showsClock: false))
    stage.advance(by: .seconds(5))
    stage.advance(by: BoardTimer.executingTime)
    #expect(
      stage.dashboard.frame(at: stage.now).nextRedraw
        == stage.clock.now.advanced(by: .milliseconds(350)))
    #expect(Self.turns(stage, 6, y: 3) == "#.#.#.")
    stage.press(Key(.insert))
    #expect(Self.turns(stage, 4, y: 3) == "....")
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
  }

  @Test func itBlinksForAMinuteAndThenStaysAsItIs() throws {
    let stage = try Stage("egg=5s", options: DisplayOptions(showsClock: false))
    stage.advance(by: .seconds(5 + 59))
    #expect(Self.turns(stage, 8, y: 3) == "#.######")
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
  }

  @Test func reducedMotionStandsOutWithoutBlinking() throws {
    var options = DisplayOptions(showsClock: false)
    options.reducesMotion = true
    let stage = try Stage("egg=5s", options: options)
    stage.advance(by: .seconds(5))
    stage.advance(by: BoardTimer.executingTime)
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
    #expect(Self.turns(stage, 4, y: 3) == "####")
  }

  @Test func everyRoleHasAName() {
    let names = Role.allCases.map(\.name)
    #expect(names.contains("selection-mark") && names.contains("call"))
    #expect(Set(names).count == Role.allCases.count)
    #expect(!names.contains("screen"))
  }
}
