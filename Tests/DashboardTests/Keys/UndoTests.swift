import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

@Suite struct UndoTests {
  private let undo = Key.character("u")

  @Test func undoRestoresADeletedTimerWithItsTimeAndPosition() throws {
    let fixture = try Fixture("tea=3m sets=every 45s x8 missed delay note 'go' nap=1h")
    fixture.advance(by: .seconds(50))
    fixture.press(.down, .character("d"))
    fixture.advance(by: .minutes(30))
    fixture.press(undo)
    #expect(fixture.order == "tea [sets] nap")
    let sets = try fixture.snapshot("sets")
    #expect(sets.state == .running)
    #expect(sets.remainingIterations == 7)
    #expect(sets.configuration.missedTicks == .delay)
    #expect(try fixture.timeLeft("sets") == .seconds(40))
    #expect(fixture.dashboard.rows[1].note == "go")
    #expect(fixture.notice == "sets: delete undone, 0:40 left")
    // It continues from there.
    fixture.advance(by: .seconds(40))
    #expect(try fixture.snapshot("sets").remainingIterations == 6)
  }

  @Test func undoKeepsAPausedTimerPaused() throws {
    let fixture = try Fixture("tea=3m")
    fixture.advance(by: .seconds(10))
    fixture.press(.space, .character("d"))
    fixture.advance(by: .minutes(5))
    fixture.press(undo)
    #expect(try fixture.snapshot("tea").state == .paused)
    #expect(try fixture.timeLeft("tea") == .seconds(170))
  }

  @Test func undoKeepsFinishedAndIdleTimers() throws {
    let fixture = try Fixture("egg=5s tea=3m")
    fixture.advance(by: .seconds(10))
    // The first `d` acknowledges.
    fixture.press(.character("d"), .character("d"), undo)
    #expect(try fixture.snapshot("egg").state == .finished)
    // It does not become an alert again, before that is undone.
    #expect(!fixture.dashboard.rows[0].needsAttention)
    fixture.press(undo)
    #expect(fixture.dashboard.rows[0].needsAttention)
    #expect(fixture.notice == "egg: acknowledge undone")
    fixture.press(.space)
    fixture.press(.down, .character("R"), .character("d"), undo)
    #expect(try fixture.snapshot("tea").state == .idle)
  }

  @Test(
    arguments: [
      (.character("r"), "restart"), (.character("R"), "reset"), (.character("+"), "time change"),
      (.character("-"), "time change"), (.character("<"), "interval change"),
      (.character(">"), "interval change"), (.character("["), "change of iterations"),
      (.character("]"), "change of iterations"), (.space, "pause"),
    ] as [(Key, String)])
  func undoRestoresTheTime(_ key: Key, _ name: String) throws {
    let fixture = try Fixture("sets=every 45s x8")
    fixture.advance(by: .seconds(55))
    let before = try fixture.snapshot("sets")
    fixture.press(key)
    #expect(try fixture.snapshot("sets") != before)
    fixture.advance(by: .seconds(3))
    fixture.press(undo)
    let after = try fixture.snapshot("sets")
    #expect(after.state == .running)
    #expect(after.configuration.interval == .seconds(45))
    #expect(after.configuration.mode == .finite(8))
    #expect(after.remainingIterations == 7)
    #expect(try fixture.timeLeft("sets") == .seconds(32))
    let addsTime = name == "time change"
    #expect(fixture.notice == "sets: \(name) undone\(addsTime ? "" : ", 0:32 left")")
  }

  /// Another alert does not keep a key from being undone.
  @Test func undoWorksDuringAnAlert() throws {
    let fixture = try Fixture("tea=3m egg=30s")
    fixture.type("f")
    fixture.advance(by: .seconds(31))
    fixture.type("u")
    #expect(fixture.notice == "tea: fire undone, 2:29 left")
    #expect(fixture.dashboard.rows.alertCount == 1)
  }

  /// Undo says what it undoes in the words of the action.
  @Test func anEditIsUndoneInItsWords() throws {
    let fixture = try Fixture("tea=3m")
    for (text, done, undone) in [
      ("chai=3m", "tea: renamed to chai", "tea: rename undone, 3:00 left"),
      ("tea=4m", "tea: changed to once 4m, 4:00 left", "tea: change undone, 3:00 left"),
      ("tea=3m note x", "tea: changed", "tea: change undone, 3:00 left"),
    ] {
      fixture.type("e")
      fixture.press(.control("u"))
      fixture.type(text)
      fixture.press(.enter)
      #expect(fixture.notice == done)
      fixture.press(undo)
      #expect(fixture.notice == undone)
    }
  }

  @Test func undoRestoresAnEditedTimer() throws {
    let fixture = try Fixture("sets=every 45s x8 tolerance 1s note 'old'")
    fixture.advance(by: .seconds(55))
    fixture.press(.character("e"), .control("u"))
    fixture.type("other=1h")
    fixture.press(.enter)
    fixture.advance(by: .seconds(5))
    fixture.press(undo)
    let sets = try fixture.snapshot("sets")
    #expect(sets.configuration.mode == .finite(8) && sets.configuration.interval == .seconds(45))
    #expect(sets.configuration.tolerance == .seconds(1) && sets.remainingIterations == 7)
    #expect(try fixture.timeLeft("sets") == .seconds(30))
    #expect(fixture.dashboard.rows[0].note == "old")
  }

  /// The edit did not change the time, so undo does not change it either.
  @Test func undoOfARenameKeepsTheTime() throws {
    let fixture = try Fixture("tea=3m")
    fixture.press(.character("e"), .home, .control("d"), .control("d"), .control("d"))
    fixture.type("mate")
    fixture.press(.enter)
    #expect(fixture.order == "[mate]")
    fixture.advance(by: .seconds(30))
    fixture.press(undo)
    #expect(fixture.order == "[tea]")
    #expect(try fixture.timeLeft("tea") == .seconds(150))
  }

  @Test func undoStartsWithTheNewestAction() throws {
    let fixture = try Fixture("a=1h b=1h c=1h")
    fixture.press(.character("+"), .down, .character("d"), .character("d"))
    #expect(fixture.order == "[a]")
    fixture.press(undo)
    #expect(fixture.order == "a [c]")
    fixture.press(undo)
    #expect(fixture.order == "a [b] c")
    fixture.press(undo)
    #expect(fixture.order == "[a] b c")
    #expect(try fixture.timeLeft("a") == .hours(1))
    fixture.press(undo)
    #expect(fixture.notice == "nothing to undo")
  }

  @Test func theUndoHistoryIsLimited() throws {
    let fixture = try Fixture("a=1h")
    for _ in 0..<UndoHistory.limit + 50 { fixture.press(.character("+")) }
    for _ in 0..<UndoHistory.limit { fixture.press(undo) }
    #expect(try fixture.timeLeft("a") == .minutes(60 + 50))
    fixture.press(undo)
    #expect(fixture.notice == "nothing to undo")
  }

  @Test func undoRemovesAddedTimers() throws {
    let fixture = try Fixture("a=1h")
    fixture.press(.character("y"), undo)
    #expect(fixture.order == "[a]")
    #expect(fixture.notice == "a-2: copy undone")
    fixture.press(.character("U"))
    #expect(fixture.order == "a [a-2]")
    fixture.press(.character("a"))
    fixture.type("b=1m")
    fixture.press(.enter, undo, undo)
    #expect(fixture.order == "[a]")
    fixture.press(.character("U"), .character("U"))
    #expect(fixture.order == "a a-2 [b]")
  }
}
