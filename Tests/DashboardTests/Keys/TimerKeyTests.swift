import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The effect of each key on a timer in each state, and the notices of keys that have no effect.
@Suite struct TimerKeyTests {
  @Test(arguments: [
    (299, 10), (300, 60), (3600, 60), (30, 10), (29, 1), (1, 1), (301, 60),
  ])
  func timeIsAddedAndRemovedInProportionalSteps(_ left: Int, _ step: Int) throws {
    let fixture = try Fixture("tea=\(left)s paused")
    fixture.press(.character("+"))
    #expect(try fixture.timeLeft("tea") == .seconds(left + step))
    fixture.press(.character("u"), .character("-"))
    #expect(try fixture.timeLeft("tea") == .seconds(max(0, left - step)))
  }

  @Test func timeBelowAStepIsRemovedCompletely() throws {
    let fixture = try Fixture("tea=500ms")
    fixture.press(.character("-"))
    fixture.advance(by: .zero)
    #expect(try fixture.snapshot("tea").state == .finished)
  }

  @Test(
    arguments: [
      ("250ms", "1s", nil), ("1s", "2s", nil), ("2s", "5s", "1s"), ("45s", "1m", "30s"),
      ("3m", "5m", "2m"), ("45m", "1h", "30m"), ("20h", "1d", "15h"), ("100d", nil, "50d"),
      ("90s", "2m", "1m"),
    ] as [(String, String?, String?)])
  func theIntervalFollowsFixedSteps(
    _ interval: String, _ longer: String?, _ shorter: String?
  ) throws {
    for (key, expected) in [(">", longer), ("<", shorter)] {
      let fixture = try Fixture("tea=every \(interval)")
      fixture.type(key)
      let wanted = try DurationText.parse(expected ?? interval)
      #expect(try fixture.snapshot("tea").configuration.interval == wanted)
      if expected == nil { #expect(fixture.notice?.contains("step; edit it for") == true) }
    }
  }

  @Test func aShorterIntervalThatHasElapsedFiresImmediately() throws {
    let fixture = try Fixture("poll=every 45s")
    fixture.advance(by: .seconds(40))
    fixture.press(.character("<"))
    fixture.advance(by: .zero)
    #expect(try fixture.snapshot("poll").deliveredCount == 1)
    #expect(try fixture.timeLeft("poll") == .seconds(30))
  }

  @Test(arguments: [
    ("tea=3m", "[", "tea: no count of iterations to change"),
    ("tea=3m", "]", "tea: no count of iterations to change"),
    ("tea=every 3m", "]", "tea: no count of iterations to change"),
    ("tea=every 3m x2", "f[", "tea: at its last iteration"),
    ("tea=3m", "R+", "tea: not started; start it first"),
    ("tea=3m", "R-", "tea: not started; start it first"),
    ("tea=3m", "f-", "tea: finished; restart it first"),
    ("tea=3m", "f-", "tea: finished; restart it first"),
    ("tea=3m", "ff", "tea: finished; restart it first"),
    ("tea=3m", "fF", "tea: finished; restart it first"),
    ("tea=every 3m x2", "ff]", "tea: finished; restart it first"),
    ("tea=1s paused", "--", "tea: no time left to remove"),
    ("tea=3m", "u", "nothing to undo"),
    ("tea=3m paused", "P", "nothing is running"),
    ("", " ", "no timers; press a to add one"),
    ("", "d", "no timers; press a to add one"),
    ("", "e", "no timers; press a to add one"),
    ("", "J", "no timers; press a to add one"),
    ("", "P", "nothing is running"),
  ])
  func failuresAreReportedWithTheirReason(
    _ line: String, _ keys: String, _ reason: String
  ) throws {
    let fixture = try Fixture(line)
    fixture.type(String(keys.dropLast()))
    fixture.acknowledge()
    let before = fixture.dashboard.rows
    fixture.type(String(keys.suffix(1)))
    #expect(fixture.notice == reason)
    #expect(fixture.dashboard.notice?.isFailure == true)
    let isUnchanged = fixture.dashboard.rows.all == before.all
    #expect(isUnchanged)
  }

  @Test(arguments: [
    ("tea=3m paused", " ", "tea: started, 3:00 left"),
    ("tea=3m", "R ", "tea: started, 3:00 left"),
    ("tea=3m", "f ", "tea: restarted, 3:00 left"),
    ("tea=3m", "fr", "tea: restarted, 3:00 left"),
    ("3m", " ", "once 3m: paused, 3:00 left"),
    ("tea=3m paused", ">", "tea: fires once; add or remove time instead"),
    ("tea=every 3m x2", "f[", "tea: at its last iteration"),
    ("tea=3m", "P", "tea: paused, 3:00 left"),
    ("tea=3m", "PP", "tea: started, 3:00 left"),
    ("3m", "y", "once 3m: copied"),
  ])
  func actionsAreReported(_ line: String, _ keys: String, _ notice: String) throws {
    let fixture = try Fixture(line)
    fixture.type(keys)
    #expect(fixture.notice == notice)
    fixture.press(.tab)
    #expect(fixture.notice == nil)
  }

  @Test func pauseAllResumesTheSameTimers() throws {
    let fixture = try Fixture("a=1h b=1h paused c=1h d=1h")
    fixture.advance(by: .seconds(1))
    fixture.type("P")
    // `a` was started separately and paused again, so it is no longer one of them.
    fixture.type("  ")
    fixture.type("P")
    #expect(fixture.notice == "2 timers: resumed")
    #expect(try fixture.snapshot("a").state == .paused)
    #expect(try fixture.snapshot("b").state == .paused)
    #expect(try fixture.snapshot("c").state == .running)
    // A second pause of all keeps the timers of the first.
    fixture.type("PgG P")
    #expect(fixture.notice == "d: paused, 59:59 left")
    fixture.type("P")
    #expect(try fixture.snapshot("c").state == .running)
    #expect(try fixture.snapshot("a").state == .paused)
  }

  @Test func copiesGetFreeNames() throws {
    let fixture = try Fixture("tea=3m a-b=1m note 'x' paused")
    fixture.type("yyggy")
    #expect(fixture.order == "tea [tea-4] tea-2 tea-3 a-b")
    fixture.press(.end)
    fixture.type("y")
    #expect(fixture.order.hasSuffix("a-b [a-b-2]"))
    #expect(fixture.dashboard.rows[5].note == "x")
    #expect(try fixture.snapshot("a-b-2").state == .paused)
  }

  @Test func movingStopsAtTheEndsOfTheBoard() throws {
    let fixture = try Fixture("a=1h b=1h c=1h")
    fixture.type("kkK")
    #expect(fixture.order == "[a] b c")
    fixture.type("jjjjJ")
    #expect(fixture.order == "a b [c]")
    fixture.type("dd")
    #expect(fixture.order == "[a]")
    fixture.type("d")
    #expect(fixture.order == "")
    fixture.press(.up, .down, .home, .end, .pageUp, .pageDown)
    #expect(fixture.dashboard.selected == 0)
  }

  /// Input never waits: keys pressed before timer events are applied all take effect.
  @Test(arguments: [
    ("every 45s x8", ">>>", "every 5m x8", 8), ("every 45s x8", "]]]", "every 45s x8", 11),
    ("every 45s x8", "  ", "every 45s x8", 8), ("every 45s x8", "yd>", "every 1m x8", 8),
    ("every 45s x8", "ff", "every 45s x8", 6), ("every 45s x8", "]du", "every 45s x8", 9),
  ])
  func everyKeyTakesEffect(_ line: String, _ keys: String, _ text: String, _ left: Int) throws {
    let fixture = try Fixture(line)
    fixture.type(keys)
    fixture.advance(by: .zero)
    #expect(fixture.dashboard.selectedRow?.spec.text == text)
    #expect(try fixture.selectedSnapshot().remainingIterations == left)
  }
}
