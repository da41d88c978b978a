import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

@Suite struct UndoTests {
  private let undo = Key.character("u")

  @Test func aDeletedTimerComesBackWithItsTimeAndPlace() throws {
    let stage = try Stage("tea=3m sets=every 45s x8 missed delay note 'go' nap=1h")
    stage.advance(by: .seconds(50))
    stage.press(.down, .character("d"))
    stage.advance(by: .minutes(30))
    stage.press(undo)
    #expect(stage.order == "tea [sets] nap")
    let sets = try stage.snapshot("sets")
    #expect(sets.state == .running)
    #expect(sets.remainingIterations == 7)
    #expect(sets.configuration.missedTicks == .delay)
    #expect(try stage.timeLeft("sets") == .seconds(40))
    #expect(stage.dashboard.rows[1].note == "go")
    #expect(stage.notice == "sets: delete undone, 0:40 left")
    // It runs on from there.
    stage.advance(by: .seconds(40))
    #expect(try stage.snapshot("sets").remainingIterations == 6)
  }

  @Test func whatWasPausedStaysPaused() throws {
    let stage = try Stage("tea=3m")
    stage.advance(by: .seconds(10))
    stage.press(.space, .character("d"))
    stage.advance(by: .minutes(5))
    stage.press(undo)
    #expect(try stage.snapshot("tea").state == .paused)
    #expect(try stage.timeLeft("tea") == .seconds(170))
  }

  @Test func whatWasFinishedOrIdleStaysSo() throws {
    let stage = try Stage("egg=5s tea=3m")
    stage.advance(by: .seconds(10))
    stage.press(.character("d"))
    stage.press(undo)
    #expect(try stage.snapshot("egg").state == .finished)
    // Not a call for attention again.
    #expect(!stage.dashboard.rows[0].needsAttention)
    stage.press(.down, .character("R"), .character("d"), undo)
    #expect(try stage.snapshot("tea").state == .idle)
  }

  @Test(
    arguments: [
      (.character("r"), "reset"), (.character("R"), "reset"), (.character("+"), "time change"),
      (.character("-"), "time change"), (.character("<"), "interval change"),
      (.character(">"), "interval change"), (.character("["), "change of iterations"),
      (.character("]"), "change of iterations"),
    ] as [(Key, String)])
  func aChangeIsUndoneWithItsTime(_ key: Key, _ name: String) throws {
    let stage = try Stage("sets=every 45s x8")
    stage.advance(by: .seconds(55))
    let before = try stage.snapshot("sets")
    stage.press(key)
    #expect(try stage.snapshot("sets") != before)
    stage.advance(by: .seconds(3))
    stage.press(undo)
    let after = try stage.snapshot("sets")
    #expect(after.state == .running)
    #expect(after.configuration.interval == .seconds(45))
    #expect(after.configuration.mode == .finite(8))
    #expect(after.remainingIterations == 7)
    #expect(try stage.timeLeft("sets") == .seconds(35))
    #expect(stage.notice == "sets: \(name) undone, 0:35 left")
  }

  @Test func anEditIsTakenBack() throws {
    let stage = try Stage("sets=every 45s x8 tolerance 1s note 'old'")
    stage.advance(by: .seconds(55))
    stage.press(.character("e"), .control("u"))
    stage.type("other=1h")
    stage.press(.enter)
    stage.advance(by: .seconds(5))
    stage.press(undo)
    let sets = try stage.snapshot("sets")
    #expect(sets.configuration.mode == .finite(8) && sets.configuration.interval == .seconds(45))
    #expect(sets.configuration.tolerance == .seconds(1) && sets.remainingIterations == 7)
    #expect(try stage.timeLeft("sets") == .seconds(35))
    #expect(stage.dashboard.rows[0].note == "old")
  }

  /// Its time was not touched, so it is not touched again.
  @Test func aNameComesBackWithoutTheTime() throws {
    let stage = try Stage("tea=3m")
    stage.press(.character("e"), .home, .control("d"), .control("d"), .control("d"))
    stage.type("mate")
    stage.press(.enter)
    #expect(stage.order == "[mate]")
    stage.advance(by: .seconds(30))
    stage.press(undo)
    #expect(stage.order == "[tea]")
    #expect(try stage.timeLeft("tea") == .seconds(150))
  }

  @Test func theNewestDeedComesFirst() throws {
    let stage = try Stage("a=1h b=1h c=1h")
    stage.press(.character("+"), .down, .character("d"), .character("d"))
    #expect(stage.order == "[a]")
    stage.press(undo)
    #expect(stage.order == "a [c]")
    stage.press(undo)
    #expect(stage.order == "a [b] c")
    stage.press(undo)
    #expect(stage.order == "[a] b c")
    #expect(try stage.timeLeft("a") == .hours(1))
    stage.press(undo)
    #expect(stage.notice == "nothing to undo")
  }

  @Test func manyDeedsAreRemembered() throws {
    let stage = try Stage("a=1h")
    for _ in 0..<UndoHistory.limit + 50 { stage.press(.character("+")) }
    for _ in 0..<UndoHistory.limit { stage.press(undo) }
    #expect(try stage.timeLeft("a") == .minutes(60 + 50))
    stage.press(undo)
    #expect(stage.notice == "nothing to undo")
  }

  /// Undo never takes a timer away.
  @Test func anAddedTimerStays() throws {
    let stage = try Stage("a=1h")
    stage.press(.character("y"), undo)
    #expect(stage.order == "a [a-2]")
  }
}
