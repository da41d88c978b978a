import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Timers that follow the wall clock. The time is Wednesday, 2026-07-01, 14:29.
@Suite struct WallKindTests {
  @Test func eachKindShowsItsState() throws {
    let fixture = try Fixture(
      "tea=at 14:30 nap=at 14:00 standup=weekdays 09:55 x3 gym=every sat 10:00 "
        + "party=at 2026-12-31T23:00 later=daily 20:00 paused",
      width: 100, height: 25)
    fixture.advance(by: .seconds(30))
    fixture.press(.down)
    try fixture.frame.expectSnapshot("WallKindTests-eachKindShowsItsState")
    #expect(fixture.frame.text.contains("next tomorrow 14:00:00"))
    fixture.advance(by: .hours(24))
    #expect(fixture.lines[3].contains("+1:00:00  ♪ rang      ") && !fixture.lines[3].contains("▆"))
    #expect(fixture.lines[5].contains("19:25:30  ▶ runs"))
    fixture.press(.down, .down)
    #expect(fixture.frame.text.contains("next Sat 10:00:00"))
    fixture.press(.down)
    #expect(fixture.frame.text.contains("next 2026-12-31 23:00:00"))
  }

  @Test func timesOfDayUseTheFormatOfTheLocale() throws {
    let fixture = try Fixture("tea=at 2:30pm", options: DisplayOptions(uses24Hours: false))
    fixture.send(.resized(Size(width: 80, height: 24)))
    #expect(fixture.lines.contains { $0.contains("next 2:30:00 pm") })
  }

  /// The column of the plan is as wide as the widest time of day.
  @Test func thePlanHasRoomForTheWidestTimeOfDay() throws {
    let fixture = try Fixture("tea=20h", options: DisplayOptions(uses24Hours: false))
    #expect(fixture.lines.contains { $0.hasSuffix("rings at 10:29 am") })
  }

  @Test(arguments: [
    ("at 14:30", "at 14:30 · fires 14:30, in 1 m"),
    ("nap=at 14:29", "nap · at 14:29 · fires tomorrow 14:29, in 1 d"),
    ("weekdays 9am", "weekdays 09:00 · first fires tomorrow 09:00, in 18 h 31 m"),
    ("tomorrow 9am", "at 2026-07-02 09:00 · fires tomorrow 09:00, in 18 h 31 m"),
    ("friday at 9", "at fri 09:00 · fires Fri 09:00, in 1 d 19 h"),
    ("at 14:29:45", "at 14:29:45 · fires 14:29:45, in 45 s"),
    ("12:30", "once 12m30s · fires 14:41:30 · for a time of day, type 'at 12:30'"),
    ("5m 10m", "2 timers: once 5m, once 10m"),
    ("pomodoro", "pomodoro · cycle 25m/5m ×4 · work until 14:54:00, ends 16:24:00"),
    ("every mon,tue 9am x2 paused", "every mon,tue 09:00 ×2 · paused"),
    ("at 2026-07-02 00:00", "at 2026-07-02 00:00 · fires tomorrow 00:00, in 9 h 31 m"),
  ])
  func thePromptDescribesTheParsedTimer(_ text: String, _ meaning: String) throws {
    let fixture = try Fixture(width: 100)
    fixture.type("a\(text)")
    #expect(fixture.lines.contains { $0.contains(meaning) }, "\(fixture.lines)")
  }

  /// The wait is redrawn only when its text changes.
  @Test func thePromptUpdatesTheWait() throws {
    let fixture = try Fixture(width: 100)
    fixture.type("aat 16:00:30")
    #expect(fixture.lines.contains { $0.contains("in 1 h 32 m") })
    fixture.advance(by: .seconds(29))
    #expect(fixture.lines.contains { $0.contains("in 1 h 32 m") })
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines.contains { $0.contains("in 1 h 31 m") })
  }

  @Test func aPastDateIsRejected() throws {
    let fixture = try Fixture(width: 100)
    fixture.type("aparty=at 2026-07-01T14:29")
    fixture.press(.enter)
    #expect(fixture.lines.contains { $0.contains("▲ date is in the past") })
    #expect(fixture.dashboard.rows.isEmpty)
  }

  /// The note of a timer that has fired can still be changed.
  @Test func aFiredTimerCanBeEdited() throws {
    let fixture = try Fixture("party=at 2026-07-01T14:30", width: 100)
    fixture.advance(by: .minutes(2))
    fixture.press(.space, .space)
    #expect(fixture.notice == "party: its date is past; edit it")
    fixture.type("r")
    #expect(fixture.notice == "party: its date is past; edit it")
    fixture.type("e note over")
    fixture.press(.enter)
    #expect(fixture.dashboard.rows[0].note == "over")
    #expect(fixture.lines[3].contains("✓ done"))
    fixture.type("ey")
    #expect(fixture.dashboard.timerPrompt != nil)
  }

  @Test func keysThatChangeTheTimeFail() throws {
    let fixture = try Fixture("tea=at 15:00")
    for key in "+-<>" {
      fixture.type(String(key))
      #expect(fixture.notice == "tea: follows the time of day; edit it")
    }
    fixture.type("f")
    #expect(fixture.notice == "tea: fired")
    #expect(fixture.lines[3].contains("–  "))
    fixture.press(.space)
    #expect(fixture.notice == "tea: restarted, 31:00 left")
  }

  @Test func aPausedTimerSkipsItsTime() throws {
    let fixture = try Fixture("tea=daily 15:00")
    fixture.press(.space)
    #expect(fixture.notice == "tea: paused")
    fixture.advance(by: .hours(1))
    fixture.press(.space)
    #expect(fixture.notice == "tea: resumed, 23:31:00 left")
  }

  @Test func undoFollowsTheWallClock() throws {
    let fixture = try Fixture("tea=at 15:00 x=daily 15:00")
    fixture.type("dd")
    fixture.advance(by: .minutes(1))
    fixture.type("uu")
    #expect(fixture.notice == "tea: delete undone, 30:00 left")
    fixture.type("d")
    fixture.advance(by: .hours(1))
    fixture.type("u")
    #expect(fixture.lines[3].contains("tea") && fixture.lines[3].contains("✓ done"))
    #expect(fixture.lines[4].contains("23:30:00"))
  }

  @Test func anEditCanMakeATimerFollowTheWallClock() throws {
    let fixture = try Fixture("tea=3m")
    fixture.type("e")
    fixture.press(.control("u"))
    fixture.type("tea=daily 14:40 x3")
    fixture.press(.enter)
    #expect(fixture.notice == "tea: changed to daily 14:40 ×3, 11:00 left")
    fixture.advance(by: .minutes(11))
    #expect(fixture.lines[3].contains("daily 14:40 ×3"))
    fixture.type("u")
    #expect(fixture.lines[3].contains("–  "))
  }

  @Test func timersFollowAWallClockStep() throws {
    let fixture = try Fixture("tea=at 15:29 egg=1h")
    #expect(fixture.lines[3].contains("1:00:00"))
    fixture.adjustWall(by: .minutes(30))
    #expect(fixture.lines[3].contains("30:00"))
    #expect(fixture.lines[4].contains("1:00:00"))
    fixture.adjustWall(by: .minutes(-40))
    #expect(fixture.lines[3].contains("1:10:00"))
    fixture.adjustWall(by: .minutes(71))
    #expect(fixture.lines[3].contains("+1:00"))
    #expect(fixture.requests.contains(.ringOnce))
  }

  @Test func theTimelineShowsFutureFires() throws {
    let fixture = try Fixture(
      "a=at 2026-07-02T14:30 b=daily 14:00 x3 c=weekdays 20:00", width: 60, height: 8)
    fixture.type("3")
    fixture.type("---------")
    fixture.press(.right)
    fixture.type("--")
    #expect(fixture.lines[2].hasSuffix("┃● 14:30"))
    #expect(fixture.lines[3].hasSuffix(" ●●● done 14:00"))
    #expect(fixture.lines[4].contains(" ●●●  ●●●●●  ●●●●●  ●"))
  }
}
