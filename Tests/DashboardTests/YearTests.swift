import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// A year of a dashboard that is looked at and played with every day: nothing is lost, and nothing
/// grows.
@Suite struct YearTests {
  private static let line = """
    h5=every 5h h7=every 7h h11=every 11h d2=every 2d w=every 7d tea=every 25h x400
    nine=daily 09:00 work=weekdays 12:00 shift=cycle 20h/4h race=stopwatch end=365d
    """

  @Test func everyFireOfAYearIsCounted() throws {
    let stage = try Stage(Self.line, width: 120, height: 40)
    // All screens, and what takes nothing from the timers that are counted.
    let days = ["2", "3", "4", "?", "jjj", "o", "/h\r", "vjv", "t", "azz=3s paused\rdud", "G"]
    for day in 0..<365 {
      for key in days[day % days.count] {
        stage.press(key == "\r" ? .enter : .character(key))
      }
      if day % 10 == 0 { _ = stage.frame }
      stage.press(.escape, .escape)
      stage.type("1")
      stage.advance(by: .days(1))
      if day % 10 == 0 { #expect(stage.dashboard.disagreement == nil) }
    }
    let hours = 365 * 24
    for (name, expected) in [
      ("h5", hours / 5), ("h7", hours / 7), ("h11", hours / 11), ("d2", 365 / 2), ("w", 365 / 7),
      ("tea", hours / 25), ("nine", 365), ("end", 1),
    ] {
      let count = try stage.snapshot(name).deliveredCount
      #expect(count == expected, "\(name)")
    }
    // 2026-07-01 is a Wednesday; the last day is one too, and at 14:29 both have had their noon.
    let workdays = try stage.snapshot("work").deliveredCount
    #expect(workdays == 261)
    #expect(stage.dashboard.board.log.entries.count == 1_000)
    #expect(stage.dashboard.board.log.lastNumber > 5_000)
    for row in stage.dashboard.rows.all {
      #expect(row.history.fires.elements.count <= 256 && row.history.runs.elements.count <= 128)
    }
  }
}
