import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What the keys do to a timer in each of its states, and what they say where they can do nothing.
@Suite struct TimerKeyTests {
  @Test(arguments: [
    (299, 10), (300, 60), (3600, 60), (30, 10), (29, 1), (1, 1), (301, 60),
  ])
  func timeIsAddedAndTakenInFittingSteps(_ left: Int, _ step: Int) throws {
    let stage = try Stage("tea=\(left)s paused")
    stage.press(.character("+"))
    #expect(try stage.timeLeft("tea") == .seconds(left + step))
    stage.press(.character("u"), .character("-"))
    #expect(try stage.timeLeft("tea") == .seconds(max(0, left - step)))
  }

  @Test func timeOfLessThanAStepIsTakenWhole() throws {
    let stage = try Stage("tea=500ms")
    stage.press(.character("-"))
    stage.advance(by: .zero)
    #expect(try stage.snapshot("tea").state == .finished)
  }

  @Test(
    arguments: [
      ("250ms", "1s", nil), ("1s", "2s", nil), ("2s", "5s", "1s"), ("45s", "1m", "30s"),
      ("3m", "5m", "2m"), ("45m", "1h", "30m"), ("20h", "1d", "15h"), ("100d", nil, "50d"),
      ("90s", "2m", "1m"),
    ] as [(String, String?, String?)])
  func theIntervalGoesAlongTheLadder(
    _ interval: String, _ longer: String?, _ shorter: String?
  ) throws {
    for (key, expected) in [(">", longer), ("<", shorter)] {
      let stage = try Stage("tea=every \(interval)")
      stage.type(key)
      let wanted = try DurationText.parse(expected ?? interval)
      #expect(try stage.snapshot("tea").configuration.interval == wanted)
      if expected == nil { #expect(stage.notice?.contains("step; edit it for") == true) }
    }
  }

  @Test func aShorterIntervalThatIsOverFiresNow() throws {
    let stage = try Stage("poll=every 45s")
    stage.advance(by: .seconds(40))
    stage.press(.character("<"))
    stage.advance(by: .zero)
    #expect(try stage.snapshot("poll").deliveredCount == 1)
    #expect(try stage.timeLeft("poll") == .seconds(30))
  }

  @Test(arguments: [
    ("tea=3m", "[", "tea: no count of iterations to change"),
    ("tea=3m", "]", "tea: no count of iterations to change"),
    ("tea=every 3m", "]", "tea: no count of iterations to change"),
    ("tea=every 3m x1", "[", "tea: at its last iteration"),
    ("tea=3m", "R+", "tea: not started; start it first"),
    ("tea=3m", "R-", "tea: not started; start it first"),
    ("tea=3m", "f+", "tea: finished; restart it first"),
    ("tea=3m", "f-", "tea: finished; restart it first"),
    ("tea=3m", "ff", "tea: finished; restart it first"),
    ("tea=3m", "fF", "tea: finished; restart it first"),
    ("tea=every 3m x1", "f]", "tea: finished; restart it first"),
    ("tea=1s paused", "--", "tea: no time left to remove"),
    ("tea=3m", "u", "nothing to undo"),
    ("tea=3m paused", "P", "nothing is running"),
    ("", " ", "no timers; press a to add one"),
    ("", "d", "no timers; press a to add one"),
    ("", "e", "no timers; press a to add one"),
    ("", "J", "no timers; press a to add one"),
    ("", "P", "nothing is running"),
  ])
  func whatCannotBeDoneIsToldWithItsReason(
    _ line: String, _ keys: String, _ reason: String
  ) throws {
    let stage = try Stage(line)
    stage.type(String(keys.dropLast()))
    // Any key takes note of what has finished.
    stage.press(.tab)
    let before = stage.dashboard.rows
    stage.type(String(keys.suffix(1)))
    #expect(stage.notice == reason)
    #expect(stage.dashboard.notice?.isFailure == true)
    let isUnchanged = stage.dashboard.rows.all == before.all
    #expect(isUnchanged)
  }

  @Test(arguments: [
    ("tea=3m paused", " ", "tea: resumed, 3:00 left"),
    ("tea=3m", "R ", "tea: started, 3:00 left"),
    ("tea=3m", "f ", "tea: restarted, 3:00 left"),
    ("tea=3m", "fr", "tea: restarted, 3:00 left"),
    ("3m", " ", "once 3m: paused, 3:00 left"),
    ("tea=3m paused", ">", "tea: interval 3m → 5m, 5:00 left"),
    ("tea=every 3m x2", "f[", "tea: at its last iteration"),
    ("tea=3m", "P", "tea: paused, 3:00 left"),
    ("tea=3m", "PP", "tea: resumed, 3:00 left"),
    ("3m", "y", "once 3m: copied"),
  ])
  func whatWasDoneIsTold(_ line: String, _ keys: String, _ notice: String) throws {
    let stage = try Stage(line)
    stage.type(keys)
    #expect(stage.notice == notice)
    stage.press(.tab)
    #expect(stage.notice == nil)
  }

  /// The key carries an intent; what it means, the timer decides.
  @Test func aKeyCarriesAnIntent() throws {
    let stage = try Stage("tea=3m")
    var dashboard = stage.dashboard
    let before = dashboard.frame(at: stage.now).canvas
    let effects = dashboard.update(.input(.key(.space)), at: stage.now)
    #expect(effects == [.board(.control(.toggle, [dashboard.rows[0].id], .request))])
    #expect(dashboard.frame(at: stage.now).canvas == before)
  }

  @Test func pauseAllResumesExactlyThose() throws {
    let stage = try Stage("a=1h b=1h paused c=1h d=1h")
    stage.type("P")
    // Started by hand and paused again, `a` is no longer one of them.
    stage.type("  ")
    stage.type("P")
    #expect(stage.notice == "2 timers: resumed")
    #expect(try stage.snapshot("a").state == .paused)
    #expect(try stage.snapshot("b").state == .paused)
    #expect(try stage.snapshot("c").state == .running)
    // Pausing all twice in a row keeps those of the first time.
    stage.type("PgG P")
    #expect(stage.notice == "d: paused, 1:00:00 left")
    stage.type("P")
    #expect(try stage.snapshot("c").state == .running)
    #expect(try stage.snapshot("a").state == .paused)
  }

  @Test func copiesGetFreeNames() throws {
    let stage = try Stage("tea=3m a-b=1m note 'x' paused")
    stage.type("yyggy")
    #expect(stage.order == "tea [tea-4] tea-2 tea-3 a-b")
    stage.press(.end)
    stage.type("y")
    #expect(stage.order.hasSuffix("a-b [a-b-2]"))
    #expect(stage.dashboard.rows[5].note == "x")
    #expect(try stage.snapshot("a-b-2").state == .paused)
  }

  @Test func movingStaysOnTheBoard() throws {
    let stage = try Stage("a=1h b=1h c=1h")
    stage.type("kkK")
    #expect(stage.order == "[a] b c")
    stage.type("jjjjJ")
    #expect(stage.order == "a b [c]")
    stage.type("dd")
    #expect(stage.order == "[a]")
    stage.type("d")
    #expect(stage.order == "")
    stage.press(.up, .down, .home, .end, .pageUp, .pageDown)
    #expect(stage.dashboard.selected == 0)
  }

  /// Input never waits: keys that come before the events of the timers are applied do what as many keys do.
  @Test(arguments: [
    ("every 45s x8", ">>>", "every 5m x8", 8), ("every 45s x8", "]]]", "every 45s x8", 11),
    ("every 45s x8", "  ", "every 45s x8", 8), ("every 45s x8", "yd>", "every 1m x8", 8),
    ("every 45s x8", "ff", "every 45s x8", 6), ("every 45s x8", "]du", "every 45s x8", 9),
  ])
  func eachKeyCounts(_ line: String, _ keys: String, _ text: String, _ left: Int) throws {
    let stage = try Stage(line)
    stage.holdsEvents = true
    stage.type(keys)
    stage.holdsEvents = false
    stage.advance(by: .zero)
    #expect(stage.dashboard.selectedRow?.spec.text == text)
    #expect(try stage.selectedSnapshot().remainingIterations == left)
  }
}
