import Foundation
import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The panes under the board: details of the selected timer, and the log.
@Suite struct PaneTests {
  static let kinds = """
    sets=every 45s x8 tolerance 1s missed burst 5 note 'left, then right' pomodoro=cycle 25m/5m x4
    lap=stopwatch save=debounce 2s away=every 2d slow=1h paused
    """

  /// A timer that is overdue, or due after centuries, is no reason for an overflow.
  @Test(arguments: [Duration.days(40_000), .nanoseconds(Int64.max - 1)])
  func anyDeadlineIsShown(_ time: Duration) throws {
    let fixture = try Fixture("e=every 10m x9 tea=1h", width: 200, height: 60)
    fixture.dashboard.boardLayout = .rows
    fixture.delay(by: time)
    #expect(fixture.lines.contains { $0.contains("─ next ") })
    fixture.perform(
      .control(.adjustTime(.exactly(time)), fixture.board.timers.all.map(\.id)))
    #expect(fixture.lines.contains { $0.contains("─ next ") })
  }

  /// Of many timers, those that fire soon have the lanes, wherever they are in the list; the others are counted.
  @Test func lanesAreForTimersThatFireSoon() throws {
    let line = (0..<600).map { "t\($0)=8d" }.joined(separator: " ") + " tea=1m nap=5m paused"
    let fixture = try Fixture(line, width: 200, height: 60)
    fixture.dashboard.boardLayout = .rows
    let area = try #require(ScreenLayout(of: fixture.dashboard).upcoming)
    let lines = fixture.lines[area.y..<area.maxY].map { $0.dropFirst(area.x) }
    #expect(lines.contains { $0.contains("tea") } && lines.contains { $0.contains("+ 591") })
    #expect(lines.allSatisfy { !$0.contains("nap") })
  }

  /// A stopwatch has no lane, so that the pane does not change with it.
  @Test func nothingIsDueBesideAStopwatch() throws {
    let fixture = try Fixture("race=stopwatch", height: 24)
    #expect(fixture.lines.contains { $0.contains("nothing is due") })
  }

  @Test func hugeScreen() throws {
    let fixture = try FrameTests.fixture(200, 60)
    fixture.dashboard.boardLayout = .rows
    try fixture.frame.expectSnapshot("PaneTests-hugeScreen")
  }

  @Test func panesAreDroppedBeforeRowsAre() throws {
    let fixture = try FrameTests.fixture(80, 18)
    try fixture.frame.expectSnapshot("PaneTests-panesAreDroppedBeforeRowsAre")
    fixture.send(.resized(Size(width: 80, height: 25)))
    #expect(ScreenLayout(of: fixture.dashboard).detail != nil)
    #expect(ScreenLayout(of: fixture.dashboard).log == nil)
  }

  /// Rows come before panes; on a wide screen the panes are beside them.
  @Test func aLongListTakesTheWholeScreen() throws {
    let line = (0..<50).map { "t\($0)=1h" }.joined(separator: " ")
    let fixture = try Fixture(line, width: 120, height: 50)
    var layout = ScreenLayout(of: fixture.dashboard)
    #expect(layout.body.height == 44 && layout.rowHeight == 1)
    #expect(layout.detail == nil && layout.log == nil)
    fixture.send(.resized(Size(width: 200, height: 60)))
    layout = ScreenLayout(of: fixture.dashboard)
    #expect(layout.body == Rect(x: 0, y: 3, width: 120, height: 54))
    #expect(layout.detail?.x == 123 && layout.upcoming != nil && layout.log != nil)
  }

  @Test func everyKindInDetail() throws {
    let fixture = try Fixture(Self.kinds, width: 160, height: 27)
    fixture.advance(by: .seconds(91))
    fixture.type(",")
    var pictures: [String] = []
    for _ in 0..<6 {
      if fixture.order.contains("[lap]") {
        fixture.type("c")
        fixture.advance(by: .milliseconds(12_340))
        fixture.type("c")
      }
      if fixture.order.contains("[save]") {
        fixture.type("ff")
        fixture.advance(by: .seconds(3))
        fixture.type("f")
      }
      let area = try #require(ScreenLayout(of: fixture.dashboard).detail)
      let lines = fixture.lines[area.y..<(area.maxY - 1)].map { line in
        let text = line.dropFirst(area.x + 2).prefix(area.width - 4)
        return text.trimmingCharacters(in: CharacterSet(charactersIn: " ─"))
      }
      pictures.append(lines.filter { !$0.isEmpty }.joined(separator: "\n"))
      fixture.press(.down)
    }
    let snapshotText = pictures.joined(separator: "\n")
    #expect(
      snapshotText == """
        sets
        every 45s ×8 · finite · tolerance 1s · missed burst 5
        next 14:31:15   fired 2
        note  left, then right
        late  median 0.00 ms  p99 0.00 ms  max 0.00 ms
        ⣀
        pomodoro
        cycle 25m/5m ×4 · finite
        next 14:54:00   not fired yet
        work 25m / rest 5m   round 1 of 4
        lap
        stopwatch
        laps 2
        lap 2  0:12.34  at 1:43.34
        lap 1  1:31.00  at 1:31.00
        save
        debounce 2s
        next 14:30:48   fired 1
        triggered 3   dropped 1   pending 1
        fired 14:30:45  manual
        away
        every 2d · infinite
        next Fri 14:29:00   not fired yet
        slow
        once 1h
        not fired yet
        """)
  }

  @Test func theDayOfTheNextFireChangesAtMidnight() throws {
    let fixture = try Fixture(
      "away=every 2d", height: 24, options: DisplayOptions(showsClock: false))
    #expect(fixture.lines.contains { $0.contains("next Fri 14:29:00") })
    fixture.advance(by: .hours(24))
    #expect(fixture.lines.contains { $0.contains("next tomorrow 14:29:00") })
  }

  @Test func theLogKeepsTheNewestEntries() throws {
    let fixture = try Fixture("poll=every 1s")
    fixture.advance(by: .seconds(3_000))
    let entries = fixture.dashboard.board.log.entries
    #expect(entries.count == 1_000)
    #expect(entries.map(\.number) == Array(2_001...3_000))
    let fire = Fire(lateness: .zero, due: fixture.now.continuous, iteration: 3_000)
    #expect(entries.last?.event == .fired(3_000, of: nil, fire))
  }

  @Test func actionsAreLoggedOnceAndFailedOnesAreNot() throws {
    let fixture = try Fixture("sets=every 45s x2 egg=1s paused")
    fixture.type("f>[sdu")
    fixture.advance(by: .minutes(2))
    #expect(
      fixture.dashboard.board.log.entries.map {
        "\($0.label) \($0.event.text) \($0.event.lateText())"
      }
        == [
          "sets fired, 1st of 2 manual", "sets interval 45s → 1m, 1:00 left ", "sets deleted ",
          "sets delete undone, 1:00 left ", "sets finished late 0.0 ms",
        ])
  }

  @Test func firesAreCountedInAnExtendedRun() throws {
    let fixture = try Fixture("sets=every 10s x3")
    fixture.type("]]]")
    fixture.advance(by: .seconds(20))
    fixture.type("[[")
    fixture.advance(by: .seconds(10))
    #expect(
      fixture.dashboard.board.log.entries.filter { $0.label == "sets" }.map(\.event.text) == [
        "4 of 4 left", "5 of 5 left", "6 of 6 left", "fired, 1st of 6",
        "fired, 2nd of 6", "3 of 3 left", "2 of 3 left", "fired, 3rd of 4",
      ])
  }

  @Test func ordinals() {
    let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111]
    let fire = Fire(lateness: nil)
    #expect(
      numbers.map { EventLog.Event.fired($0, of: nil, fire).text }
        == [
          "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
        ].map { "fired, \($0)" })
  }

  @Test func aSparklineFillsHalfCells() {
    let late = [1, 2, 3, 4, 0].map { Duration.milliseconds($0) }
    #expect(Sparkline(late, width: 10).text(.unicode) == "⣠⣾⡀")
    #expect(Sparkline(late, width: 1).text(.unicode) == "⣇")
    #expect(Sparkline(late, width: 10).text(.ascii) == ":#.")
    #expect(Sparkline([.zero, .zero], width: 9).text(.unicode) == "⣀")
    #expect(Sparkline([], width: 9).text(.unicode).isEmpty)
  }
}
