import Testing
import TimerKit

@testable import TimerBoard

/// The timers that the end of a run starts, and its entries in the log and the session.
@Suite struct RunEndTests {
  private func rounds(_ board: VirtualBoard) -> String {
    board.board.timers[0].kindAndSuccessorText
  }

  @Test(arguments: ["b=1m paused", "b=1m paused group g"])
  func aStartIsLoggedOnce(successor: String) throws {
    let name = successor.hasSuffix("g") ? "g" : "b"
    let board = try VirtualBoard("a=1s then \(name) \(successor)")
    board.advance(by: .seconds(2))
    let entries = board.board.log.entries.map { "\($0.label): \($0.event.text)" }
    #expect(entries == ["a: finished", "b: started by a"])
  }

  /// A snoozed timer would have started its successor at its first end.
  @Test func aMissingSuccessorIsLoggedOnce() throws {
    let board = try VirtualBoard("a=1s then g b=5m paused group g")
    board.handle(.edit(try board.ids("b")[0], TimerSpec(kind: .once(.seconds(2)))))
    let missing = {
      board.board.log.entries.filter { $0.event == .problem("no timer or group 'g' to start") }
        .count
    }
    board.advance(by: .seconds(1))
    #expect(missing() == 1)
    try board.control(.adjustTime(.more), "a")
    #expect(board.states[0] == "a running 5:00 1/1")
    board.advance(by: .minutes(6))
    #expect(board.states[0] == "a finished 0/1" && missing() == 1)
  }

  @Test func anEndWithoutASuccessorControlsNoTimer() throws {
    let board = try VirtualBoard("tea=1s egg=1h")
    board.advance(by: .seconds(2))
    #expect(board.states[0] == "tea finished 0/1")
    #expect(board.states[1] == "egg running 59:58 1/1")
  }

  @Test func aSnoozeIsSavedUntilItsEnd() throws {
    let board = try VirtualBoard("tea=3s then egg egg=5m paused")
    let chain = { board.savedTimers[0].chain }
    board.advance(by: .seconds(4))
    try board.control(.adjustTime(.more), "tea")
    #expect(chain().isSnoozed)
    board.advance(by: .minutes(6))
    #expect(board.states[0] == "tea finished 0/1" && chain() == ChainState())
  }

  /// The rounds since each of the steps count.
  @Test func stepsAreUndoneOneAfterTheOther() throws {
    let board = try VirtualBoard("work=4s then rest x9 rest=2s paused")
    for _ in 0..<2 {
      board.advance(by: .seconds(6))
      #expect(rounds(board).hasSuffix("×8"))
      try board.control(.reset(restart: true), "work")
      #expect(rounds(board).hasSuffix("×9"))
    }
    board.advance(by: .seconds(6))
    board.handle(.undo)
    #expect(rounds(board).hasSuffix("×7"))
    board.handle(.undo)
    #expect(rounds(board).hasSuffix("×6"))
  }

  /// A head that runs although its rounds are done starts nothing at its end.
  @Test func aLowerCountEndsTheChain() throws {
    let board = try VirtualBoard("work=4s then rest x5 rest=2s paused")
    board.advance(by: .seconds(12))
    let id = try board.ids("work")[0]
    board.handle(.edit(id, try TimerSpec.parse(timer: "work=4s then rest x2", in: .trusted)))
    #expect(board.states[0] == "work running 0:04 1/1" && rounds(board).hasSuffix("×0"))
    board.advance(by: .minutes(1))
    #expect(board.isOver && board.fires == [3, 2])
  }

  /// The last of three chains in one another ends the inner ones, and begins the next round of the outer one.
  @Test func chainsInChainsLeadBackToTheOutermost() throws {
    let board = try VirtualBoard(
      "a=1s then b x2 b=1s paused then c x2 c=1s paused then d x2 d=1s paused then a")
    board.advance(by: .seconds(4))
    #expect(board.states[0] == "a running 0:01 1/1")
    board.advance(by: .seconds(20))
    #expect(board.isOver && board.fires == [2, 2, 2, 2])
  }

  /// The end of the earlier round does not restart a head that the user has started.
  @Test func aRoundDoesNotInterruptItsHead() throws {
    let board = try VirtualBoard("work=4s then rest x2 rest=2s paused")
    board.advance(by: .seconds(5))
    try board.control(.start, "work")
    board.advance(by: .seconds(1))
    #expect(board.states == ["work running 0:03 1/1", "rest finished 0/1"])
    board.advance(by: .minutes(1))
    #expect(board.isOver && board.fires == [3, 3])
  }
}
