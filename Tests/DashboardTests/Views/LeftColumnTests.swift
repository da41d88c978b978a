import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The column LEFT: the iterations that are left.
@Suite struct LeftColumnTests {
  @Test(arguments: [
    ("sets=every 45s x8", "8/8"), ("poll=every 10s", "∞"), ("pom=cycle 25/5 x4", "4/4"),
    ("pom=cycle 25/5", "∞"), ("tea=3m", ""), ("lap=stopwatch", ""), ("save=debounce 2s", ""),
    ("standup=weekdays 09:55", "∞"), ("call=at 18:00", ""),
  ])
  func countsWhatIsLeft(_ line: String, _ text: String) throws {
    let fixture = try Fixture(line)
    let frame = Frame(fixture.dashboard, at: fixture.now)
    let column = try #require(frame.columns[.iterations])
    let cells = (0..<column.width).map { fixture.frame[column.x + $0, 2].text }.joined()
    #expect(String(cells.drop { $0 == " " }) == text)
    #expect(frame.rows.first?.row.leftText(.ascii) == (text == "∞" ? "inf" : text))
  }

  /// It gives way only where name, time and state do not fit beside it.
  @Test func isInEveryTable() throws {
    let fixture = try Fixture("sets=every 45s x8 tea=3m")
    for width in ScreenLayout.narrowestTable...200 {
      for height in [10, 16, 24, 36, 60] {
        fixture.send(.resized(.init(width: width, height: height)))
        fixture.dashboard.boardLayout = .rows
        let columns = Frame(fixture.dashboard, at: fixture.now).columns
        #expect((columns[.iterations] != nil) == (width >= 23), "\(width)×\(height)")
        #expect(columns[.bar] == nil || columns[.iterations] != nil)
        let end = columns.placed.last.map { $0.x + $0.width } ?? 0
        #expect(end <= width)
      }
    }
  }

  /// Names are sorted as people do it, whatever else the rows show.
  @Test func numbersInNamesAreSortedByTheirValue() {
    let names = ["t", "t1", "t2", "t2b", "t10", "t10a3", "t10a20", "t0200", "t300", "u1"]
    #expect(names.shuffled().sorted { $0.naturalOrderKey < $1.naturalOrderKey } == names)
  }
}
