import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Times of day beside changes of clocks: each is shown with the offset from UTC of its own instant.
@Suite struct ShownTimesTests {
  private func fixture(
    _ line: String = "", at changes: ClockChanges, width: Int = 200, height: Int = 45
  ) throws -> Fixture {
    try Fixture(line, width: width, height: height, at: changes.start, in: changes.zone)
  }

  /// Returns the text of a future time as the views show it: the date is left out if it is that of the start.
  private func text(_ date: String, _ time: String, _ changes: ClockChanges) -> String {
    date == changes.moments[0].date ? time : "\(date) \(time)"
  }

  @Test(arguments: ClockChanges.all) func aCountdownEndsAtTheTimeOfItsOwnInstant(
    _ changes: ClockChanges
  ) throws {
    for (timer, _, date, time) in changes.countdowns {
      let end = text(date, time, changes)
      let fixture = try fixture(timer, at: changes)
      fixture.dashboard.boardLayout = .rows
      #expect(fixture.dashboard.frame(at: fixture.now).title == "x rings at \(end)")
      #expect(fixture.lines[4].contains("rings at \(end) "), "row")
      #expect(fixture.frame.text.contains("next \(end):00"), "detail")
      // The time if it were resumed.
      fixture.advance(by: .seconds(1))
      fixture.press(.space)
      #expect(fixture.frame.text.contains("would ring at \(end)"), "paused row")
      fixture.press(.space)
      fixture.type("2")
      #expect(fixture.frame.text.contains("rings at \(end):00"), "focus")
      fixture.type("1")
      fixture.dashboard.boardLayout = .wall
      #expect(fixture.frame.text.contains("rings at \(end)"), "wall")
      fixture.type("3")
      let due = fixture.dashboard.rows[0].due(at: fixture.now)
      fixture.dashboard.timeline.cursor = due?.nanoseconds
      #expect(fixture.frame.text.contains("x fires \(time):00"), "timeline")
    }
  }

  @Test(arguments: ClockChanges.all) func thePromptShowsTheTimeOfItsOwnInstant(
    _ changes: ClockChanges
  ) throws {
    for (timer, _, date, time) in changes.countdowns {
      let fixture = try fixture(at: changes)
      fixture.type("a\(timer)")
      #expect(fixture.frame.text.contains("fires \(text(date, time, changes)):00"))
    }
  }

  /// A row, a card, the band and the log say when a timer fired; a later change of the clocks changes nothing of that.
  @Test(arguments: ClockChanges.all) func aFireKeepsItsTime(_ changes: ClockChanges) throws {
    for (timer, instant, _, time) in changes.countdowns {
      let fixture = try fixture("\(timer) later=300d", at: changes)
      fixture.advance(by: changes.start.duration(to: instant))
      fixture.advance(by: .minutes(3))
      fixture.dashboard.boardLayout = .rows
      #expect(fixture.frame.text.contains("rang at \(time)"), "row")
      let entry = try #require(fixture.dashboard.board.log.entries.last)
      #expect(Frame(fixture.dashboard, at: fixture.now).logTime(of: entry) == "\(time):00.000")
      fixture.dashboard.boardLayout = .wall
      #expect(fixture.frame.text.contains("rang at \(time)"), "wall")
      fixture.type("2")
      #expect(fixture.frame.text.contains("rang at \(time)"), "focus")
      fixture.type("3")
      let fired = try #require(fixture.dashboard.rows[0].recentActivity.fires.elements.last)
      fixture.dashboard.timeline.cursor = fired.at.nanoseconds
      #expect(fixture.frame.text.contains("x fired \(time):00"), "timeline")
    }
  }

  /// The clock is set back, or the machine sleeps: what has fired before that keeps its time.
  @Test(arguments: [false, true]) func aFireKeepsItsTimeWhenTheClockJumps(sleeps: Bool) throws {
    let fixture = try Fixture("x=1m later=20m awake", width: 100, height: 24)
    fixture.advance(by: .minutes(5))
    #expect(fixture.frame.text.contains("rang at 14:30"))
    if sleeps { fixture.sleep(for: .hours(2)) } else { fixture.adjustWall(by: .hours(-2)) }
    _ = fixture.frame
    fixture.advance(by: .minutes(5))
    #expect(fixture.frame.text.contains("rang at 14:30"), "row")
    fixture.type("2")
    #expect(fixture.frame.text.contains("rang at 14:30"), "focus")
    fixture.type("3")
    let fired = try #require(fixture.dashboard.rows[0].recentActivity.fires.elements.last).at
    fixture.dashboard.timeline.cursor = fired.nanoseconds
    #expect(fixture.frame.text.contains("x fired 14:30:00"), "\(fixture.frame.text)")
    #expect(fixture.lines.contains { $0.hasPrefix(" 14:29:") })
    fixture.dashboard.timeline.cursor = fixture.now.suspending.nanoseconds - 60_000_000_000
    let time = sleeps ? " 16:37:" : " 12:37:"
    #expect(fixture.lines.contains { $0.hasPrefix(time) }, "\(fixture.frame.text)")
  }

  /// The times below the lanes are whole hours of local time on both sides of a change.
  @Test(arguments: ClockChanges.all) func theAxisHasWholeHours(_ changes: ClockChanges) throws {
    let fixture = try fixture("a=4h b=4h30m c=4h45m", at: changes, width: 200, height: 60)
    fixture.dashboard.boardLayout = .rows
    let area = try #require(ScreenLayout(of: fixture.dashboard).upcoming)
    let axis = fixture.lines[area.maxY - 2].dropFirst(area.x + 5)
    let times = axis.matches(of: /\d\d:\d\d/).map { String($0.output) }
    #expect(times.count >= 4 && times.allSatisfy { $0.hasSuffix(":00") }, "\(axis)")
    #expect(Set(times).count == times.count, "\(axis)")
    let ends = fixture.lines[area.y..<area.maxY].joined(separator: "\n")
    for timer in fixture.dashboard.rows.all {
      let due = try #require(timer.due(at: fixture.now))
      let end = LocalTime(fixture.now.moved(to: due)).timeOfDay(
        showsSeconds: false, uses24Hours: true)
      #expect(ends.contains(end), "\(ends)")
    }
  }

  /// A local day can have 23 or 25 hours.
  @Test(arguments: ClockChanges.all) func theDayEndsAtLocalMidnight(_ changes: ClockChanges) throws
  {
    let fixture = try fixture(at: changes)
    var now = fixture.now
    var redraws = 0
    let day = LocalTime(now).date
    while LocalTime(now).date == day, redraws < 3 {
      now = now.moved(to: Frame(fixture.dashboard, at: now).nextMidnight)
      redraws += 1
    }
    #expect(LocalTime(now).date == day.advanced(by: 1) && LocalTime(now).secondOfDay == 0)
    let before = now.moved(to: now.suspending.advanced(by: .nanoseconds(-1)))
    #expect(LocalTime(before).date == day && LocalTime(before).secondOfDay == 86_399)
  }
}
