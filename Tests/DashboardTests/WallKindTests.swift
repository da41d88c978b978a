import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Timers that follow the clock on the wall. It is Wednesday, 2026-07-01, 14:29.
@Suite struct WallKindTests {
  @Test func theyTellOfThemselves() throws {
    let stage = try Stage(
      "tea=at 14:30 nap=at 14:00 standup=weekdays 09:55 x3 gym=every sat 10:00 "
        + "party=at 2026-12-31T23:00 later=daily 20:00 paused",
      width: 100, height: 20)
    stage.advance(by: .seconds(30))
    stage.press(.down)
    #expect(
      stage.lines[3...8].joined(separator: "\n") == """
           tea      at 14:30             ▶ running             0:30  1 of 1  ██████████▌                  ·
         ▌ nap      at 14:00             ▶ running         23:30:30  1 of 1                               ·
           standup  weekdays 09:55 ×3    ▶ running         19:25:30  3 of 3                               ·
           gym      every sat 10:00      ▶ running      2d 19:30:30       ∞                               ·
           party    at 2026-12-31 23:00  ▶ running    183d 08:30:30  1 of 1                               ·
           later    daily 20:00          ‖ paused                 –       ∞                               ·
        """)
    #expect(stage.lines[11].contains("at 14:00 · wall clock · tolerance 0s"))
    #expect(stage.lines[12].contains("next tomorrow 14:00:00"))
    stage.advance(by: .hours(24))
    #expect(stage.lines[3].contains("✓ finished               –  0 of 1"))
    #expect(stage.lines[5].contains("19:25:30  2 of 3"))
    stage.press(.down, .down)
    #expect(stage.lines[12].contains("next Sat 10:00:00"))
    stage.press(.down)
    #expect(stage.lines[12].contains("next 2026-12-31 23:00:00"))
  }

  @Test func timesOfDayInTheFormOfTheLocale() throws {
    let stage = try Stage("tea=at 2:30pm", options: DisplayOptions(uses24Hours: false))
    #expect(stage.lines.contains { $0.contains("next 2:30:00 pm") })
  }

  @Test(arguments: [
    ("at 14:30", "at 14:30 · fires 14:30, in 1 m"),
    ("nap=at 14:29", "nap · at 14:29 · fires tomorrow 14:29, in 1 d"),
    ("weekdays 9am", "weekdays 09:00 · first fires tomorrow 09:00, in 18 h 31 m"),
    ("tomorrow 9am", "at 2026-07-02 09:00 · fires tomorrow 09:00, in 18 h 31 m"),
    ("friday at 9", "at fri 09:00 · fires Fri 09:00, in 1 d 19 h"),
    ("at 14:29:45", "at 14:29:45 · fires 14:29:45, in 45 s"),
    ("12:30", "once 12m30s · fires 14:41:30 · for the time of day: at 12:30"),
    ("5m 10m", "2 timers: once 5m, once 10m"),
    ("pomodoro", "pomodoro · cycle 25m/5m ×4 · work until 14:54:00, done 16:24:00"),
    ("every mon,tue 9am x2 paused", "every mon,tue 09:00 ×2 · paused"),
    ("at 2026-07-02 00:00", "at 2026-07-02 00:00 · fires tomorrow 00:00, in 9 h 31 m"),
  ])
  func thePromptTellsWhatItUnderstood(_ text: String, _ meaning: String) throws {
    let stage = try Stage(width: 100)
    stage.type("a\(text)")
    #expect(stage.lines.contains { $0.contains(meaning) }, "\(stage.lines)")
  }

  /// The wait is redrawn when it changes, and not before.
  @Test func theWaitInThePromptPasses() throws {
    let stage = try Stage(width: 100)
    stage.type("aat 16:00:30")
    #expect(stage.lines.contains { $0.contains("in 1 h 32 m") })
    stage.advance(by: .seconds(29))
    #expect(stage.lines.contains { $0.contains("in 1 h 32 m") })
    stage.advance(by: .seconds(1))
    #expect(stage.lines.contains { $0.contains("in 1 h 31 m") })
  }

  @Test func aDateThatIsPastIsRefused() throws {
    let stage = try Stage(width: 100)
    stage.type("aparty=at 2026-07-01T14:29")
    stage.press(.enter)
    #expect(stage.lines.contains { $0.contains("▲ date is in the past") })
    #expect(stage.dashboard.rows.isEmpty)
  }

  /// One can still change the note of what has rung.
  @Test func whatHasRungCanBeEdited() throws {
    let stage = try Stage("party=at 2026-07-01T14:30", width: 100)
    stage.advance(by: .minutes(2))
    stage.press(.space)
    #expect(stage.notice == "party: its date is past; edit it")
    stage.type("r")
    #expect(stage.notice == "party: its date is past; edit it")
    stage.type("e note over")
    stage.press(.enter)
    #expect(stage.dashboard.rows[0].note == "over")
    #expect(stage.lines[3].contains("✓ finished"))
    stage.type("ey")
    #expect(stage.dashboard.prompt != nil)
  }

  @Test func keysThatChangeTheTimeAreRefused() throws {
    let stage = try Stage("tea=at 15:00")
    for key in "+-<>" {
      stage.type(String(key))
      #expect(stage.notice == "tea: follows the time of day; edit it")
    }
    stage.type("f")
    #expect(stage.notice == "tea: fired")
    #expect(stage.lines[3].contains("0 of 1"))
    stage.press(.space)
    #expect(stage.notice == "tea: restarted, 31:00 left")
  }

  @Test func pausedItDoesNotWait() throws {
    let stage = try Stage("tea=daily 15:00")
    stage.press(.space)
    #expect(stage.notice == "tea: paused")
    stage.advance(by: .hours(1))
    stage.press(.space)
    #expect(stage.notice == "tea: resumed, 23:31:00 left")
  }

  @Test func anUndoGoesOnByTheClock() throws {
    let stage = try Stage("tea=at 15:00 x=daily 15:00")
    stage.type("dd")
    stage.advance(by: .minutes(1))
    stage.type("uu")
    #expect(stage.notice == "tea: delete undone, 30:00 left")
    stage.type("d")
    stage.advance(by: .hours(1))
    stage.type("u")
    #expect(stage.lines[3].contains("tea") && stage.lines[3].contains("✓ finished"))
    #expect(stage.lines[4].contains("23:30:00"))
  }

  @Test func anEditCanMakeItFollowTheClock() throws {
    let stage = try Stage("tea=3m")
    stage.type("e")
    stage.press(.control("u"))
    stage.type("tea=daily 14:40 x3")
    stage.press(.enter)
    #expect(stage.notice == "tea: changed to daily 14:40 ×3, 11:00 left")
    stage.advance(by: .minutes(11))
    #expect(stage.lines[3].contains("2 of 3"))
    stage.type("u")
    #expect(stage.lines[3].contains("once 3m"))
  }

  @Test func itFollowsTheClockWhenThatIsSet() throws {
    let stage = try Stage("tea=at 15:29 egg=1h")
    #expect(stage.lines[3].contains("1:00:00"))
    stage.stepWall(by: .minutes(30))
    #expect(stage.lines[3].contains("30:00"))
    #expect(stage.lines[4].contains("1:00:00"))
    stage.stepWall(by: .minutes(-40))
    #expect(stage.lines[3].contains("1:10:00"))
    stage.stepWall(by: .minutes(71))
    #expect(stage.lines[3].contains("0 of 1"))
    #expect(stage.boardEffects.contains(.ring))
  }

  /// Between now and then another clock time can begin.
  @Test(arguments: [(3600, 7 * 3600 + 55 * 60, 7200), (7200, 8 * 3600 + 55 * 60, 3600)])
  func theTimeShownIsThatOfTheDay(offset: Int, secondOfUTC: Int, shown: Int) {
    let now = ClockReading(
      uptime: .init(nanoseconds: 0), boot: .init(nanoseconds: 0, on: .continuous),
      wall: Stage.begin,
      secondsFromUTC: offset)
    let midnight = Stage.begin.nanosecondsSince1970 / 86_400_000_000_000 * 86_400
    let due = WallInstant(
      nanosecondsSince1970: (midnight + Int64(secondOfUTC)) * 1_000_000_000)
    let snapshot = Repeater.Snapshot(
      configuration: .init(.schedule(.daily(9, 55))), clock: .wall, state: .running,
      remainingIterations: nil,
      deadline: TimerClock.wall.instant(nanoseconds: due.nanosecondsSince1970))
    #expect(snapshot.secondsFromUTC(at: due, now: now) == shown)
  }

  @Test func theTimelineTellsWhatIsToCome() throws {
    let stage = try Stage(
      "a=at 2026-07-02T14:30 b=daily 14:00 x3 c=weekdays 20:00", width: 60, height: 8)
    stage.type("3")
    stage.type("---------")
    stage.press(.right)
    stage.type("--")
    #expect(
      stage.lines[1...4].joined(separator: "\n") == """
                   −2d       −1d       now       +1d       +2d
         ▌ a                            ┃─────────○
           b                            ┃────────○─────────○───────
           c                            ┃─○─────────○─────────○────
        """)
  }
}
