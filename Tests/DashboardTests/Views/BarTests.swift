import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Bars, and the colors of states in all views.
@Suite struct BarTests {
  private static let views = ["", "w", "2"]

  @Test(arguments: [("lunch=at 15:00", false), ("lunch=daily 15:00", false), ("tea=3m", true)])
  func anAlarmHasNoBar(_ line: String, _ hasBar: Bool) throws {
    for keys in Self.views {
      let fixture = try Fixture(line, height: 24)
      fixture.advance(by: .seconds(30))
      fixture.type(keys)
      #expect(fixture.lines.contains { $0.contains("▆") } == hasBar, "after \(keys)")
    }
  }

  /// A bar differs from its track by its height if a selected row takes the colors of its texts.
  @Test(arguments: [Theme.mono, .highContrast, Theme.standard.limited(toColors: 16)])
  func withoutColorsTheTrackIsLow(_ theme: Theme) throws {
    let fixture = try Fixture("tea=3m")
    fixture.dashboard.theme = theme
    fixture.advance(by: .seconds(90))
    #expect(fixture.lines.contains { $0.contains("▆▁") })
  }

  /// The last cell has one of three tints between the bar and its track, so that no frame has more than one of them.
  @Test(arguments: [(1 << 24, false, 5), (256, false, 2), (1 << 24, true, 2)])
  func withExactColorsTheLastCellHasATint(
    _ colorCount: Int, _ isASCII: Bool, _ count: Int
  ) throws {
    var options = DisplayOptions(isASCII: isASCII)
    options.colorCount = colorCount
    for theme in [Theme.standard, Theme.wellKnown[0]] {
      options.theme = theme
      let fixture = try Fixture("tea=100s", options: options)
      var all: Set<Color> = []
      for _ in 0..<80 {
        fixture.advance(by: .seconds(1))
        let frame = fixture.frame
        let y = try #require(frame.lines.dropFirst().firstIndex { $0.contains("tea") })
        let bar = (0..<frame.size.width).map { frame[$0, y] }
          .filter { ["▆", "=", "."].contains($0.text) }.map(\.style.foreground)
        let ends = [Role.bar, .track].map { fixture.dashboard.theme[$0].foreground }
        #expect(bar.count { !ends.contains($0) } <= 1)
        all.formUnion(bar)
      }
      #expect(all.count == count, "\(theme.name)")
    }
  }

  /// A stopwatch has the color of what counts up in its row, its card, its digits and its lane; a countdown nowhere.
  @Test(arguments: [("race=stopwatch", true), ("tea=3m", false)])
  func whatCountsUpHasItsColor(_ line: String, _ countsUp: Bool) throws {
    for keys in Self.views + ["3"] {
      let fixture = try Fixture(line, height: 24)
      fixture.advance(by: .seconds(30))
      fixture.type(keys)
      let elapsed = fixture.dashboard.theme[.elapsed].foreground
      let hasColor = fixture.frame.cells.contains { $0.style.foreground == elapsed }
      #expect(hasColor == countsUp, "after \(keys)")
    }
  }

  @Test func overtimeHasTheColorOfWhatCountsUp() throws {
    let fixture = try Fixture("egg=4s tea=3m")
    fixture.advance(by: .seconds(10))
    fixture.acknowledge()
    let frame = fixture.frame
    let y = try #require(frame.lines.firstIndex { $0.contains("egg") })
    let sign = try #require((0..<frame.size.width).first { frame[$0, y].text == "+" })
    #expect(frame[sign, y].style.foreground == fixture.dashboard.theme[.elapsed].foreground)
  }

  @Test func theLastTenSecondsHaveASign() throws {
    let fixture = try Fixture("tea=1m")
    fixture.advance(by: .seconds(49))
    #expect(fixture.lines.contains { $0.contains("▶ runs") })
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines.contains { $0.contains("! runs") })
    fixture.type("2")
    #expect(fixture.lines.contains { $0.contains("! runs") })
  }

  /// Hours are wider than minutes, and all cards have one size of digits.
  @Test func theDigitsOfHoursFitInTheirCard() throws {
    let fixture = try Fixture("bread=20h egg=30m", width: 80, height: 24)
    fixture.dashboard.boardLayout = .wall
    let frame = fixture.frame
    let wall = try #require(ScreenLayout(of: fixture.dashboard).wall)
    for index in 0..<2 {
      let card = wall.card(at: index)
      for y in (card.y + 1)..<(card.maxY - 1) {
        #expect(frame[card.x, y].text == (y == card.y + 1 && index == 0 ? "▌" : "│"))
        #expect(frame[card.maxX - 1, y].text == "│")
      }
    }
  }
}
