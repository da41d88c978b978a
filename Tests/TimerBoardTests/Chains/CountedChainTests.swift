import Testing
import TimerKit

@testable import TimerBoard

/// Chains with a count, whose rounds begin with the timer that has it.
@Suite struct CountedChainTests {
  /// Each timer runs as often as the count says, also if the last one does not name the first.
  @Test(arguments: ["rest=20s paused", "rest=20s paused then work"])
  func aCountIsTheNumberOfRounds(rest: String) throws {
    let board = try VirtualBoard("work=40s then rest x3 \(rest)")
    let work = { board.board.timers[0] }
    #expect(work().kindAndSuccessorText == "once 40s → rest ×3")
    board.advance(by: .seconds(40))
    #expect(work().kindAndSuccessorText == "once 40s → rest ×2" && board.fires == [1, 0])
    board.advance(by: .seconds(20))
    #expect(board.states == ["work running 0:40 1/1", "rest finished 0/1"])
    board.advance(by: .seconds(119))
    #expect(
      board.states[1] == "rest running 0:01 1/1"
        && work().kindAndSuccessorText == "once 40s → rest ×0")
    board.advance(by: .minutes(10))
    #expect(board.isOver && board.fires == [3, 3])
  }

  @Test(arguments: [
    // A chain of three, and one that is entered in its middle.
    ("a=1s then b x2 b=1s paused then c c=1s paused", [2, 2, 2], 6),
    ("a=1s then b b=1s paused then a x3", [4, 3], 7),
    ("a=1s then a x3", [3], 3),
    ("a=1s then b x1 b=1s paused", [1, 1], 2),
    // A run of several fires, and a cycle.
    ("a=every 1s x2 then b x2 b=cycle 1s/1s x1 paused", [4, 2], 6),
    // Chains in a chain, also if the inner one leads back to the outer one.
    ("a=1s then b x2 b=1s paused then c x3 c=1s paused", [2, 6, 6], 14),
    ("a=1s then b x2 b=1s paused then c x3 c=1s paused then b", [2, 6, 6], 14),
    ("a=1s then b x2 b=1s paused then c x3 c=1s paused then a", [2, 2, 2], 6),
    ("a=1s then b x2 b=1s paused then a x2", [2, 2], 4),
    // What starts a head from elsewhere begins its chain anew.
    ("c=3500ms then a a=1s then b x2 b=1s paused", [1, 4, 4], 8),
  ])
  func chainsEnd(line: String, fires expected: [Int], seconds: Int) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(seconds - 1))
    #expect(!board.isOver)
    board.advance(by: .seconds(20))
    #expect(board.isOver && board.fires == expected, "\(board.fires)")
  }

  @Test func aNewStartBeginsAnew() throws {
    let board = try VirtualBoard("work=4s then rest x2 rest=2s paused")
    board.advance(by: .seconds(12))
    #expect(board.isOver && board.board.timers[0].kindAndSuccessorText.hasSuffix("×0"))
    try board.control(.start, "work")
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×2"))
    board.advance(by: .seconds(4))
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×1"))
    try board.control(.reset(restart: true), "work")
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×2"))
    board.advance(by: .minutes(1))
    #expect(board.isOver && board.fires == [5, 5])
  }

  /// A timer that the user restarts in a round stays in it; one that is stopped or started alone is not followed.
  @Test func aRestartedTimerStaysInItsRound() throws {
    let board = try VirtualBoard("work=4s then rest x2 rest=2s paused")
    board.advance(by: .seconds(5))
    try board.control(.reset(restart: true), "rest")
    board.advance(by: .seconds(2))
    #expect(board.states == ["work running 0:04 1/1", "rest finished 0/1"])
    board.advance(by: .seconds(4))
    try board.control(.reset(restart: false), "rest")
    try board.control(.start, "rest")
    board.advance(by: .minutes(1))
    #expect(board.isOver && board.fires == [2, 2])
    let alone = try VirtualBoard("work=4s paused then rest x2 rest=2s")
    alone.advance(by: .minutes(1))
    #expect(alone.states == ["work paused 0:04 1/1", "rest finished 0/1"])
  }

  @Test func undoTakesBackTheSettingAndNotTheRounds() throws {
    let board = try VirtualBoard("work=4s then rest x5 rest=2s paused")
    board.advance(by: .seconds(12))
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×3"))
    try board.control(.reset(restart: true), "work")
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×5"))
    board.advance(by: .seconds(6))
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×4"))
    board.handle(.undo)
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×2"))
    board.handle(.redo)
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×4"))
    let id = try board.ids("work")[0]
    board.handle(.edit(id, try TimerSpec.parse(timer: "work=4s then rest x9", in: .trusted)))
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×8"))
    board.advance(by: .seconds(6))
    board.handle(.undo)
    #expect(board.board.timers[0].kindAndSuccessorText.hasSuffix("×3"))
  }

  @Test func aDeletedSuccessorComesBackWithItsCount() throws {
    let board = try VirtualBoard("work=4s then rest x5 rest=2s paused")
    board.advance(by: .seconds(5))
    board.handle(.delete(try board.ids("rest")))
    #expect(
      board.board.timers[0].spec.text == "work=4s paused" || board.board.timers[0].successor == nil)
    board.handle(.undo)
    #expect(board.board.timers[0].kindAndSuccessorText == "once 4s → rest ×4")
    board.advance(by: .minutes(1))
    #expect(board.isOver && board.fires == [5, 5])
  }

  /// A snoozed timer has started its successor already.
  @Test(arguments: ["", "x3"])
  func aSnoozedTimerStartsItsSuccessorOnce(count: String) throws {
    let board = try VirtualBoard("tea=3s then egg \(count) egg=5m paused")
    board.advance(by: .seconds(5))
    try board.control(.adjustTime(.exactly(.minutes(1))), "tea")
    #expect(board.states == ["tea running 1:00 1/1", "egg running 4:58 1/1"])
    board.advance(by: .minutes(2))
    #expect(board.states == ["tea finished 0/1", "egg running 2:58 1/1"])
    // Snoozed again, then started again.
    try board.control(.adjustTime(.exactly(.minutes(1))), "tea")
    board.advance(by: .minutes(2))
    #expect(board.states[1] == "egg running 0:58 1/1")
    try board.control(.start, "tea")
    board.advance(by: .seconds(3))
    #expect(board.states[1] == "egg running 5:00 1/1")
  }

  /// The next round begins even if the timer that begins it is snoozed.
  @Test func aRoundEndsASnooze() throws {
    let board = try VirtualBoard("work=4s then rest x2 rest=2s paused")
    board.advance(by: .seconds(5))
    try board.control(.adjustTime(.more), "work")
    board.advance(by: .seconds(1))
    #expect(board.states == ["work running 0:04 1/1", "rest finished 0/1"])
    board.advance(by: .seconds(6))
    #expect(board.isOver && board.fires == [2, 2])
  }

  @Test func theRoundsOfAChainWait() throws {
    let board = try VirtualBoard("wash=4s then dry x2 wait dry=2s paused")
    board.advance(by: .seconds(10))
    #expect(board.states == ["wash finished 0/1", "dry paused 0:02 1/1"])
    try board.control(.start, "dry")
    board.advance(by: .seconds(10))
    #expect(board.states == ["wash paused 0:04 1/1", "dry finished 0/1"])
    try board.control(.start, "wash")
    board.advance(by: .seconds(4))
    try board.control(.start, "dry")
    board.advance(by: .minutes(1))
    #expect(board.states == ["wash finished 0/1", "dry finished 0/1"] && board.fires == [2, 2])
  }

  /// A session that continues without a process comes to what a board comes to.
  @Test(arguments: [
    "a=4s then b x3 b=3s paused", "a=4s then a x4",
    "a=every 2s x2 then b x3 b=cycle 1s/1s x1 paused",
    "a=1s then b x2 b=2s paused then c x3 c=1s paused", "a=2s then b b=1s paused then a x5",
    "a=2s then g x3 b=1s paused group g c=4s paused group g", "a=1s then g b=1s paused group g",
    "a=1s then b x2 b=2s paused then a x2",
    "a=3s then g b=2s group g then a c=5500ms group g then b",
    "a=3s then b b=3s paused then c c=3s paused then a",
  ])
  func chainsContinueInASession(line: String) throws {
    for seconds in stride(from: 0, to: 24, by: 3) {
      let board = try VirtualBoard(line)
      board.advance(by: .seconds(seconds))
      let saved = try board.saved()
      // The next process goes on as the board does.
      let next = try VirtualBoard()
      try next.restore(board, .catchUp)
      next.advance(by: .seconds(40))
      board.advance(by: .seconds(10))
      let offline = Board(listing: saved, .catchUp, at: board.now)
      #expect(
        offline.timers.all.map { $0.stateLine(at: board.now) } == board.states,
        "\(line) after \(seconds) s")
      #expect(
        offline.timers.all.map(\.chain) == board.board.timers.all.map(\.chain),
        "\(line) after \(seconds) s")
      board.advance(by: .seconds(30))
      let states = { (board: VirtualBoard) in
        board.board.timers.all.map { "\($0.label) \($0.state) \($0.kindAndSuccessorText)" }
      }
      let left = Set(states(next))
      #expect(left.isSubset(of: states(board)), "\(line) after \(seconds) s: \(left)")
    }
  }

  /// Other processes and files can say anything.
  @Test func chainsOfAFileEnd() throws {
    let chained = try VirtualBoard()
    let specs = try TimerSpec.parse(
      arguments: ["a=1s then b x3 b=1s then a c=1s"], in: .trusted)
    chained.handle(.start(specs))
    for heads in [[1, 1, 1], [2, 1, 3], [3, 3, 2], [9, -1, 0]] {
      let restored = try chained.saved { saved in
        for index in heads.indices { saved.timers[index].chain.head = TimerID(heads[index]) }
      }
      let board = try VirtualBoard()
      board.handle(.restore(restored, .catchUp))
      board.advance(by: .seconds(30))
      _ = Board(listing: restored, .catchUp, at: board.now.moved(by: .hours(1)))
      #expect(board.board.timers.count == 3)
    }
  }
}
