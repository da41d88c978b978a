import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// A year of a dashboard that is used every day: no fire is lost, and nothing grows.
@Suite struct YearTests {
  private static let line = """
    h5=every 5h h7=every 7h h11=every 11h d2=every 2d w=every 7d tea=every 25h x400
    nine=daily 09:00 work=weekdays 12:00 shift=cycle 20h/4h race=stopwatch end=365d
    """

  @Test func everyFireOfAYearIsCounted() throws {
    let fixture = try Fixture(Self.line, width: 120, height: 40)
    // All views, with keys that do not affect the counted timers.
    let days = ["2", "3", "4", "?", "jjj", "o", "/h\r", "vjv", "t", "azz=3s paused\rdud", "G"]
    for day in 0..<365 {
      for key in days[day % days.count] {
        fixture.press(key == "\r" ? .enter : .character(key))
      }
      if day % 10 == 0 { _ = fixture.frame }
      fixture.press(.escape, .escape)
      fixture.type("1")
      fixture.advance(by: .days(1))
      if day % 10 == 0 { #expect(fixture.dashboard.inconsistency == nil) }
    }
    let hours = 365 * 24
    for (name, expected) in [
      ("h5", hours / 5), ("h7", hours / 7), ("h11", hours / 11), ("d2", 365 / 2), ("w", 365 / 7),
      ("tea", hours / 25), ("nine", 365), ("end", 1),
    ] {
      let count = try fixture.snapshot(name).deliveredCount
      #expect(count == expected, "\(name)")
    }
    // 2026-07-01 is a Wednesday, and so is the last day; at 14:29 both are past noon.
    let workdays = try fixture.snapshot("work").deliveredCount
    #expect(workdays == 261)
    #expect(fixture.dashboard.board.log.entries.count == 1_000)
    #expect(fixture.dashboard.board.log.lastNumber > 5_000)
    for row in fixture.dashboard.rows.all {
      #expect(
        row.recentActivity.fires.elements.count <= 256
          && row.recentActivity.spans.elements.count <= 128)
    }
  }
}
