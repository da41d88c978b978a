import Testing
import TimerKit

@testable import TimerBoard

/// The events of live timers and commands.
@Suite struct EventTests {
  private func status(_ board: VirtualBoard) -> TimerStatus { board.board.timers[0].status }

  private func id(_ board: VirtualBoard) -> TimerID { board.board.timers[0].id }

  private func savedState(_ board: VirtualBoard) -> TimerState {
    board.board.savedTimers(at: board.now)[0].state
  }

  @Test func firesAreTransitions() throws {
    let board = try VirtualBoard("e=every 10s x2 c=cycle 5s/20s")
    _ = board.takeTransitions()
    board.advance(by: .seconds(20))
    #expect(board.takeTransitions() == ["c phase", "e fired", "e finished"])
  }

  /// A live timer can change its state without a command to the board.
  @Test func changesOfStateAreTransitions() throws {
    let board = try VirtualBoard("t=1h")
    let running = status(board)
    try board.control(.pause, "t")
    let paused = status(board)
    _ = board.takeTransitions()
    for status in [running, running, paused] {
      board.apply(.timer(id(board), .changed, status))
    }
    #expect(board.takeTransitions() == ["t resumed", "t paused"])
  }

  /// A stretch begins with its command, even if the first event of the live timer is applied later.
  @Test func stretchesBeginWithTheirCommands() throws {
    let clock = try VirtualBoard()
    var board = Board()
    _ = board.handle(.add(try TimerSpec.parse(arguments: ["a=1h"])), at: clock.now)
    let id = board.timers[0].id
    clock.advance(by: .seconds(5))
    _ = board.handle(.duplicate([id]), at: clock.now)
    clock.advance(by: .seconds(5))
    _ = board.handle(.edit(id, TimerSpec(name: "a", kind: .once(.hours(2)))), at: clock.now)
    clock.advance(by: .seconds(5))
    board.endStretches(at: clock.now)
    let records = board.takeHistory().compactMap { line -> String? in
      guard case .record(let record) = line else { return nil }
      return "\(record.timer) \(record.ending) \(record.activeTime)"
    }
    #expect(records == ["a edited 10000", "a ended 5000", "a-2 ended 10000"])
  }

  /// The end of a run and its last fire are one event.
  @Test func theLastFireEndsTheRun() throws {
    let finished = try VirtualBoard("t=10s")
    finished.advance(by: .seconds(10))
    let board = try VirtualBoard("t=10s")
    board.apply(.timer(id(board), .fired(Fire(lateness: .zero, missed: 0)), status(finished)))
    #expect(savedState(board) == .finished && board.board.timers.alertCount == 1)
  }

  /// After the clock was set, the first event or command of any timer moves the alarms.
  @Test(arguments: [false, true]) func theClocksAreSynchronized(byCommand: Bool) throws {
    let board = try VirtualBoard("a=at 15:00 b=every 10s")
    let due = try #require(board.board.timers[0].due)
    board.adjustWall(by: .minutes(10))
    if byCommand { board.handle(.silence) } else { board.advance(by: .seconds(10)) }
    #expect(board.board.timers[0].due == due.advanced(by: .zero - .minutes(10)))
  }

  @Test func staleFiresAreLogged() throws {
    let board = try VirtualBoard("t=10s")
    board.apply(.timer(id(board), .stale, status(board)))
    #expect(board.lastLogEntry == "t: stale fire rejected")
  }

  @Test func aTimerThatCannotBeCreatedIsRemoved() throws {
    let board = try VirtualBoard("t=10s")
    board.apply(.notCreated(id(board), "no reason"))
    #expect(board.board.timers.isEmpty)
    #expect(board.lastLogEntry == "t: removed: no reason" && board.report == "t: no reason")
  }

  /// Only failures, and the first success after one, are logged.
  @Test func successesAreNotLogged() throws {
    let board = try VirtualBoard("t=every 10s run x")
    let count = { board.board.log.entries.count }
    for (status, logged) in [(0, 0), (0, 0), (1, 1), (0, 2), (0, 2)] as [(Int32, Int)] {
      board.apply(.commandEnded(id(board), CommandResult(.exited(status)), isRunning: false))
      #expect(count() == logged)
    }
  }

  /// A timer that has been resumed by itself is no longer one of those that were paused together.
  @Test func aResumedTimerIsNotPausedTogether() throws {
    let board = try VirtualBoard("a=1h b=1h")
    let running = status(board)
    board.handle(.pauseAll)
    let paused = status(board)
    board.apply(.timer(id(board), .changed, running))
    board.apply(.timer(id(board), .changed, paused))
    board.handle(.pauseAll)
    #expect(board.states == ["a paused 1:00:00 1/1", "b running 1:00:00 1/1"])
  }

  /// The cycle was reset after the fire.
  @Test func aLateFireOfAResetCycleWaits() throws {
    let board = try VirtualBoard("c=cycle 5s/5s wait")
    let fire = Fire(lateness: .seconds(15), missed: 3)
    board.apply(.timer(id(board), .fired(fire), status(board)))
    #expect(board.states == ["c paused 0:05 ∞"])
  }

  @Test func aTriggeredTimerDoesNotStandReady() throws {
    let board = try VirtualBoard("a=5s then d wait d=debounce 1m")
    board.advance(by: .seconds(5))
    #expect(board.board.timers[1].status.state == .running)
    #expect(!board.board.timers[1].standsReady)
  }

  @Test func snoozingEndsTheAlert() throws {
    let board = try VirtualBoard("t=5s")
    for expected in [["t acknowledged", "t started"], ["t started"]] {
      board.advance(by: .minutes(6))
      if expected.count == 1 { board.handle(.acknowledge) }
      _ = board.takeTransitions()
      try board.control(.adjustTime(.more), "t")
      #expect(board.takeTransitions() == expected)
    }
  }

  @Test func aSnoozedAlarmRuns() throws {
    let board = try VirtualBoard("t=at 14:30 paused")
    try board.control(.start, "t")
    board.advance(by: .minutes(2))
    try board.control(.adjustTime(.more), "t")
    #expect(board.board.timers[0].status.state == .running)
  }
}
