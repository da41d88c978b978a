import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Keys while a timer is over: a key that would change a timer only acknowledges.
@Suite struct AlertKeyTests {
  private func fixture(width: Int = 100) throws -> Fixture {
    let fixture = try Fixture("tea=3m egg=1m nap=1h", width: width)
    fixture.advance(by: .seconds(142))
    return fixture
  }

  @Test func theBandNamesTheTimerAndTheKeys() throws {
    let fixture = try fixture()
    #expect(fixture.band.contains("rang at 14:30   Space done   + 5 min more   r again"))
    #expect(fixture.lines[4].contains("+1:22"))
    fixture.advance(by: .seconds(60))
    #expect(fixture.band.contains("rang at 14:32, 1 more alert   Space done"))
    // The selected timer comes first.
    fixture.press(.down)
    #expect(fixture.band.contains("rang at 14:30, 1 more"))
    let narrow = try self.fixture(width: 50)
    let row = try #require(narrow.lines.first { $0.contains("egg") })
    #expect(row.contains("+1:22") && !row.contains("again"))
  }

  /// Views, prompts and the help have other actions on the same keys.
  @Test func theBandNamesOnlyKeysThatReachTheAlert() throws {
    let fixture = try fixture(width: 120)
    fixture.type("2")
    #expect(fixture.band.contains("rang at 14:30   Space done   + 5 min more   r again"))
    fixture.type("3")
    #expect(fixture.band.contains("egg +1:22  rang at 14:30   Space done   r again"))
    for key in "a:/" {
      fixture.press(.character(key))
      #expect(fixture.band.contains("rang at 14:30"))
      #expect(!fixture.band.contains("done") && !fixture.band.contains("again"))
      fixture.press(.escape)
    }
  }

  /// The key that pauses on the board answers an alert wherever the header announces it; then it is the view's again.
  @Test(arguments: ["4", "5", "L", "?"]) func everyViewAcknowledges(_ view: String) throws {
    let fixture = try fixture(width: 120)
    fixture.type(view)
    if view == "4" {
      // A low screen shows no header in the lab.
      fixture.send(.resized(Size(width: 120, height: 30)))
      fixture.send(.lab(LabPage(title: "a", about: "b"), nextChange: nil))
    }
    #expect(fixture.band.contains("egg +1:22  rang at 14:30   Space done"), "\(fixture.lines)")
    #expect(!fixture.band.contains("5 min"))
    let shown = fixture.dashboard.view
    fixture.press(.space)
    #expect(fixture.dashboard.rows.alertCount == 0 && fixture.dashboard.view == shown)
    #expect(fixture.notice == "egg: acknowledged at +1:22")
    let effects = fixture.effects
    fixture.press(.space)
    #expect((fixture.effects == effects) == (view != "4"))
  }

  /// A timer that waits is started where the header says so, and the palette acknowledges in each view.
  @Test func everyViewStartsAWaitingTimer() throws {
    let fixture = try Fixture("pom=cycle work 1m/rest 1m x3 wait", width: 120)
    fixture.advance(by: .seconds(61))
    fixture.type("L")
    #expect(fixture.band.contains("Space start"))
    fixture.press(.space)
    #expect(fixture.dashboard.rows.count(of: .running) == 1)
    let other = try self.fixture(width: 120)
    other.type("5:ack")
    other.press(.enter)
    #expect(other.dashboard.rows.alertCount == 0)
  }

  /// `snooze` without a name is for the timer with the alert, not for the selected one.
  @Test func theWordSnoozeIsForTheAlert() throws {
    let fixture = try fixture()
    #expect(fixture.dashboard.selectedRow?.label == "tea")
    fixture.type(":snooze")
    #expect(Palette(of: fixture.dashboard, at: fixture.now).selectedMatch?.action == .moreTime)
    fixture.press(.enter)
    #expect(fixture.dashboard.rows.alertCount == 0)
    #expect(fixture.notice?.hasPrefix("egg: snoozed") == true, "\(fixture.notice ?? "")")
  }

  /// A timer that follows the time of day and fires several times cannot be snoozed.
  @Test func snoozeIsNotOfferedForARepeatedAlarm() throws {
    let fixture = try Fixture("gym=daily 14:30 x2", width: 100)
    fixture.advance(by: .minutes(2))
    fixture.advance(by: .hours(24))
    #expect(fixture.band.contains("Space done   r again"))
    #expect(!fixture.lines[15].contains("5 min"))
    fixture.type("+")
    #expect(fixture.notice == "gym: acknowledged")
    #expect(fixture.dashboard.rows.alertCount == 0)
    #expect(!fixture.lines[15].contains("5 min"))
  }

  /// An alert of a restored session began in another process.
  @Test func aRestoredAlertCanBeAcknowledged() throws {
    let fixture = try fixture()
    let saved = try RestoredBoard(
      SavedBoard(fixture.board, for: .session, at: fixture.now), savedAt: fixture.now)
    let restored = try Fixture(width: 100)
    restored.advance(by: .seconds(142))
    restored.perform(.restore(saved, .catchUp))
    #expect(restored.dashboard.rows.alertCount == 1)
    restored.type(":ackn")
    let palette = Palette(of: restored.dashboard, at: restored.now)
    #expect(palette.matches.first?.name == "acknowledge")
    restored.press(.enter)
    #expect(restored.dashboard.rows.alertCount == 0)
  }

  @Test(arguments: [" ", "p", "P", "R", "f", "F", "-", "<", ">", "[", "]", "s", "c", "d"])
  func keysOnlyAcknowledge(_ key: String) throws {
    let fixture = try fixture()
    fixture.type(key)
    #expect(fixture.notice == "egg: acknowledged at +1:22")
    #expect(fixture.dashboard.rows.alertCount == 0 && fixture.dashboard.rows.count == 3)
    #expect(fixture.dashboard.rows.count(of: .running) == 2)
    #expect(try fixture.timeLeft("tea") == .seconds(38))
    #expect(try fixture.timeLeft("nap") == .seconds(3600 - 142))
    fixture.type("p")
    #expect(try fixture.snapshot("tea").state == .paused)
  }

  @Test func otherKeysDoAsEver() throws {
    let fixture = try fixture()
    fixture.press(.down, .down, .enter, .escape)
    fixture.type("t.v?")
    fixture.press(.escape)
    fixture.type("abrew=4m")
    fixture.press(.enter)
    #expect(fixture.dashboard.rows.alertCount == 1 && fixture.dashboard.rows.count == 4)
    fixture.type(":pause\n")
    fixture.press(.enter)
    #expect(fixture.dashboard.rows.alertCount == 1)
    fixture.press(.control("c"))
    #expect(fixture.effects.contains(.quit(status: 130)))
  }

  @Test func plusSnoozesAndRestartStartsAgain() throws {
    let fixture = try fixture()
    fixture.type("+")
    #expect(fixture.notice == "egg: snoozed for 5m")
    #expect(try fixture.timeLeft("egg") == .minutes(5))
    fixture.advance(by: .seconds(301))
    #expect(fixture.dashboard.rows.alertCount == 2)
    fixture.type("r")
    #expect(fixture.dashboard.rows.alertCount == 1)
    fixture.type("r")
    #expect(fixture.dashboard.rows.alertCount == 0)
    #expect(try fixture.snapshot("tea").state == .running)
    #expect(try fixture.timeLeft("egg") == .minutes(1))
  }

  /// Space starts what waits, and acknowledges what is over.
  @Test func spaceStartsWhatWaits() throws {
    let fixture = try Fixture(
      "wash=1m then dry wait nap=1h dry=30m paused pomo=cycle 2m/1m wait", width: 100)
    fixture.advance(by: .seconds(61))
    #expect(fixture.band.contains("ready, 1 more alert   Space start"))
    fixture.press(.space)
    #expect(try fixture.snapshot("dry").state == .running)
    #expect(try fixture.snapshot("nap").state == .running)
    #expect(fixture.dashboard.rows.alertCount == 0)
    fixture.advance(by: .seconds(60))
    #expect(fixture.band.contains("rest ready   Space start"))
    // Another timer that stands ready keeps its alert.
    try fixture.add("b=1h paused")
    fixture.type("aa=1s then b wait")
    fixture.press(.enter)
    fixture.advance(by: .seconds(2))
    #expect(fixture.band.contains("ready, 2 more"))
    fixture.press(.space)
    #expect(fixture.band.contains("rest ready   Space start"))
    fixture.type("P")
    #expect(fixture.notice == "pomo: ready; Space starts it, Esc leaves it paused")
    #expect(fixture.dashboard.rows.count(of: .running) == 3)
    #expect(fixture.dashboard.rows.alertCount == 1)
    fixture.press(.escape)
    #expect(fixture.notice == "pomo: left paused")
    #expect(fixture.dashboard.rows.alertCount == 0)
  }

  /// A timer that waits still waits after another one's alert, and its row names the phase.
  @Test func acknowledgingLeavesOthersWaiting() throws {
    let fixture = try Fixture("egg=4s pom=cycle work 3s/rest 9s x3 wait", width: 120)
    fixture.advance(by: .seconds(5))
    fixture.press(.space)
    #expect(fixture.notice == "egg: acknowledged at +0:01")
    #expect(fixture.band.contains("rest ready   Space start"))
    #expect(
      fixture.lines.contains { $0.contains("▷ ready") && $0.contains("rest ready") })
    fixture.press(.space)
    #expect(fixture.dashboard.rows.alertCount == 0)
    #expect(fixture.lines.contains { $0.contains("pom") && $0.contains("0:09") })
  }

  /// In the focus view and on the timeline, Esc does not leave the timer paused.
  @Test func theNoticeNamesOnlyKeysOfTheView() throws {
    for (view, hint) in [("1", ", Esc leaves it paused"), ("2", ""), ("3", "")] {
      let fixture = try Fixture("pomo=cycle 2m/1m wait")
      fixture.advance(by: .seconds(121))
      fixture.type("\(view)P")
      #expect(fixture.notice == "pomo: ready; Space starts it\(hint)")
    }
  }

  /// The footer shows what the keys do then.
  @Test func theFooterShowsWhatTheKeysDo() throws {
    let fixture = try fixture(width: 120)
    #expect(fixture.lines[15].hasPrefix(" Space done  r again  + 5 min more  a add  e edit"))
    #expect(!fixture.lines[15].contains("fire") && !fixture.lines[15].contains("delete"))
    #expect(fixture.lines[0].hasPrefix(" carillon  1 board  2 focus"))
    fixture.press(.space)
    #expect(fixture.lines[15].hasPrefix(" Space pause  r restart  f fire  + - time"))
    let waiting = try Fixture("pomo=cycle 2m/1m wait", width: 120)
    waiting.advance(by: .seconds(121))
    #expect(waiting.lines[15].hasPrefix(" Space start  r again  a add"))
    #expect(waiting.lines.contains { $0.contains("▷ ready") })
    #expect(waiting.lines[0].contains("▷ 1") && !waiting.lines[0].contains("‖"))
    waiting.press(.space)
    #expect(!waiting.lines[0].contains("▷") && waiting.lines[0].contains("▶ 1"))
  }

  /// Any key stops the bell, also in a prompt; the alert stays.
  @Test func anyKeyStopsTheBell() throws {
    let fixture = try Fixture("tea=3s ring", width: 100)
    fixture.advance(by: .seconds(4))
    fixture.type("a")
    #expect(fixture.requests.last == .repeatBell(false))
    #expect(fixture.dashboard.rows.alertCount == 1)
    fixture.press(.escape, .escape)
    #expect(fixture.dashboard.rows.alertCount == 0)
  }

  /// The time since the end needs one frame a second, and none after an hour.
  @Test func overtimeNeedsNoFrameAfterAnHour() throws {
    let fixture = try Fixture(
      "tea=3s", width: 100, options: DisplayOptions(showsClock: false))
    fixture.advance(by: .minutes(2))
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .seconds(1)))
    fixture.type("2")
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw != nil)
    fixture.advance(by: .minutes(59))
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
    #expect(fixture.lines.contains { $0.contains("tea") && $0.contains("+1:00:00") })
  }
}
