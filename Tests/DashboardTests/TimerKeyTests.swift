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
      if expected == nil { #expect(stage.notice?.hasSuffix("e sets any other") == true) }
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
    ("tea=3m", "[", "tea rings once: it has no iterations to take"),
    ("tea=3m", "]", "tea rings once: it has no iterations to add"),
    ("tea=every 3m", "]", "tea has no end, so no iterations to add"),
    ("tea=every 3m x1", "[", "tea is at its last iteration: f fires it, d deletes it"),
    ("tea=3m", "R+", "tea is not started: Space starts it, < and > set its interval"),
    ("tea=3m", "R-", "tea is not started: Space starts it, < and > set its interval"),
    ("tea=3m", "f+", "tea is finished: Space starts it anew"),
    ("tea=3m", "f-", "tea is finished: Space starts it anew"),
    ("tea=3m", "ff", "tea is finished: Space starts it anew"),
    ("tea=3m", "fF", "tea is finished: Space starts it anew"),
    ("tea=every 3m x1", "f]", "tea is finished: Space starts it anew"),
    ("tea=1s paused", "--", "tea has no time left to take"),
    ("tea=3m", "u", "nothing to undo"),
    ("tea=3m paused", "P", "nothing runs that could be paused"),
    ("", " ", "no timer is here: a adds one"),
    ("", "d", "no timer is here: a adds one"),
    ("", "e", "no timer is here: a adds one"),
    ("", "J", "no timer is here: a adds one"),
    ("", "P", "nothing runs that could be paused"),
  ])
  func whatCannotBeDoneIsToldWithItsReason(
    _ line: String, _ keys: String, _ reason: String
  ) throws {
    let stage = try Stage(line)
    stage.type(String(keys.dropLast()))
    // Any key takes note of what has finished.
    stage.press(.tab)
    let before = stage.dashboard.rows
    let effects = stage.effects
    stage.type(String(keys.suffix(1)))
    #expect(stage.notice == reason)
    #expect(stage.dashboard.notice?.isFailure == true)
    #expect(stage.effects == effects)
    let isUnchanged = stage.dashboard.rows == before
    #expect(isUnchanged)
  }

  @Test(arguments: [
    ("tea=3m paused", " ", "tea goes on with 3:00 left"),
    ("tea=3m", "R ", "started tea, 3:00 left"),
    ("tea=3m", "f ", "started tea anew, 3:00 left"),
    ("tea=3m", "fr", "reset tea, 3:00 left"),
    ("3m", " ", "paused once 3m with 3:00 left"),
    ("tea=3m paused", ">", "tea: 3m → 5m, 5:00 left"),
    ("tea=every 3m x2", "f[", "tea is at its last iteration: f fires it, d deletes it"),
    ("tea=3m", "P", "paused 1 timer — P lets it go on"),
    ("tea=3m", "PP", "1 timer goes on"),
    ("3m", "y", "copied once 3m"),
  ])
  func whatWasDoneIsTold(_ line: String, _ keys: String, _ notice: String) throws {
    let stage = try Stage(line)
    stage.type(keys)
    #expect(stage.notice == notice)
    stage.press(.tab)
    #expect(stage.notice == nil)
  }

  /// The screen changes when the timer's answer is there, not before.
  @Test func nothingChangesBeforeTheTimerAnswers() throws {
    let stage = try Stage("tea=3m")
    var dashboard = stage.dashboard
    let before = dashboard.view(at: stage.now)
    let effects = dashboard.update(.input(.key(.space)), at: stage.now)
    #expect(effects == [.send(.pause, to: dashboard.rows[0].id)])
    #expect(dashboard.view(at: stage.now) == before)
  }

  /// A timer can have finished in the same instant.
  @Test func aDeedThatCameTooLateIsToldSo() throws {
    let stage = try Stage("tea=3m")
    var dashboard = stage.dashboard
    let row = dashboard.rows[0]
    _ = dashboard.update(.input(.key(.space)), at: stage.now)
    var finished = try stage.snapshot("tea")
    finished.state = .finished
    finished.deadline = nil
    _ = dashboard.update(.timer(row.id, nil, .repeater(finished)), at: stage.now)
    #expect(dashboard.notice?.text == "tea is finished by now")
  }

  @Test func pauseAllResumesExactlyThose() throws {
    let stage = try Stage("a=1h b=1h paused c=1h d=1h")
    stage.type("P")
    // Started by hand and paused again, `a` is no longer one of them.
    stage.type("  ")
    stage.type("P")
    #expect(stage.notice == "2 timers go on")
    #expect(try stage.snapshot("a").state == .paused)
    #expect(try stage.snapshot("b").state == .paused)
    #expect(try stage.snapshot("c").state == .running)
    // Pausing all twice in a row keeps those of the first time.
    stage.type("PgG P")
    #expect(stage.notice == "paused 1 timer — P lets it go on")
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

  /// Keys wait for the timers' answers, so that each finds what the one before has left.
  @Test(arguments: [
    ("every 45s x8", ">>>", "every 5m x8", 8), ("every 45s x8", "]]]", "every 45s x8", 11),
    ("every 45s x8", "  ", "every 45s x8", 8), ("every 45s x8", "yd>", "every 1m x8", 8),
    ("every 45s x8", "ff", "every 45s x8", 6), ("every 45s x8", "]du", "every 45s x8", 9),
  ])
  func keysTypedAheadCountOneByOne(
    _ line: String, _ keys: String, _ text: String, _ left: Int
  ) throws {
    let slow = try Stage(line)
    slow.type(keys)
    let fast = try Stage(line)
    fast.typeAhead(keys)
    // Instants of their two clocks are never equal.
    let isSame =
      slow.dashboard.savedTimers(at: slow.now) == fast.dashboard.savedTimers(at: fast.now)
    #expect(isSame)
    #expect(slow.lines == fast.lines)
    #expect(slow.effects == fast.effects)
    #expect(fast.dashboard.selectedRow?.spec.text == text)
    #expect(try fast.selectedSnapshot().remainingIterations == left)
  }

  /// What a timer refuses is shown, and not overwritten by the answer to the command.
  @Test func whatATimerRefusesIsShown() throws {
    let stage = try Stage("tea=3m")
    let row = try #require(stage.dashboard.selectedRow)
    _ = stage.dashboard.update(.input(.key(.character("r"))), at: stage.now)
    stage.send(.timer(row.id, .refused("invalid count 0"), row.status))
    stage.send(.timer(row.id, nil, row.status))
    #expect(stage.notice == "tea: invalid count 0")
    #expect(stage.dashboard.rows.all.map(\.status) == [row.status])
  }

  @Test func oneCanLeaveWhateverIsAwaited() throws {
    let stage = try Stage("tea=3m")
    var dashboard = stage.dashboard
    let now = stage.now
    _ = dashboard.update(.input(.key(.space)), at: now)
    #expect(dashboard.update(.input(.key(.character("d"))), at: now).isEmpty)
    #expect(dashboard.update(.input(.key(.control("c"))), at: now) == [.quit(status: 130)])
  }
}
