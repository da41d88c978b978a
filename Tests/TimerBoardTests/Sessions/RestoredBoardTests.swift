import Testing
import TimerKit

@testable import TimerBoard

/// A board that restores a session, or takes one over: its alerts, its states and its transitions.
@Suite struct RestoredBoardTests {
  /// Returns a board that has restored the timers of another one after 25 seconds.
  private func restored(_ line: String) throws -> VirtualBoard {
    let saved = try VirtualBoard(line)
    let board = try VirtualBoard()
    try board.restore(saved, after: .seconds(25))
    return board
  }

  @Test func missedFiresAreTransitions() throws {
    let board = try restored("t=1h e=every 10s")
    #expect(board.newTransitions() == ["e missed"])
    #expect(board.states == ["t running 59:35 1/1", "e running 0:05 ∞"])
    #expect(board.lastLogEntry == "e: fired 2 times while carillon was not running")
  }

  @Test func alertsAreRestored() throws {
    let board = try restored("egg=5s t=1h")
    #expect(board.board.timerWithNewestAlert?.name == "egg" && board.board.timers.alertCount == 1)
    board.handle(.acknowledge)
    #expect(board.board.timerWithNewestAlert == nil)
    for (line, names) in [
      ("a=5s then b b=1h paused", []), ("a=5s ring then b b=1h paused", ["a"]),
    ] {
      let alerts = try restored(line).board.timers.all.filter { $0.alert != nil }
      #expect(alerts.map(\.name) == names)
    }
  }

  @Test func aBoardIsTakenOver() throws {
    let old = try VirtualBoard("egg=5s a=1h b=1h")
    old.advance(by: .seconds(5))
    try old.control(.pause, "a")
    old.handle(.pauseAll)
    old.handle(.mute(true))
    let board = try VirtualBoard()
    try board.takeOver(old)
    #expect(board.board.isMuted)
    #expect(board.board.timerWithNewestAlert?.name == "egg")
    // Only what was paused together is resumed together.
    board.handle(.pauseAll)
    #expect(
      board.states == ["egg finished 0/1", "a paused 59:55 1/1", "b running 59:55 1/1"])
  }

  /// The identifiers of restored timers are in use, in whatever order they are.
  @Test(arguments: [false, true]) func aNewTimerHasAnIdentifierOfItsOwn(_ isReversed: Bool) throws {
    let saved = try VirtualBoard("a=1h b=1h c=1h")
    let restored = try saved.saved { if isReversed { $0.timers.reverse() } }
    let board = try VirtualBoard()
    board.handle(.restore(restored, .catchUp))
    board.handle(.add(try TimerSpec.parse(arguments: ["d=1h", "e=1h"])))
    #expect(Set(board.board.timers.all.map(\.id)).count == 5)
    try board.control(.pause, "d")
    #expect(board.states.filter { $0.contains("paused") } == ["d paused 1:00:00 1/1"])
  }

  @Test func aHeadThatIsNotRestoredContinuesNoChain() throws {
    let saved = try VirtualBoard("a=1h b=1h")
    let restored = try saved.saved { saved in
      saved.timers[0].chain.head = saved.timers[1].id
      saved.timers[1].chain.head = TimerID(99)
    }
    let board = try VirtualBoard()
    board.handle(.restore(restored, .catchUp))
    #expect(board.board.timers.all.map(\.chain.head) == [TimerID(2), nil])
  }

  @Test func theFirstTimersCannotBeUndone() throws {
    let board = try VirtualBoard("tea=3m egg=5m paused")
    #expect(board.newTransitions() == ["tea added", "tea started", "egg added"])
    board.handle(.undo)
    #expect(board.report == "nothing to undo" && board.board.timers.count == 2)
  }
}
