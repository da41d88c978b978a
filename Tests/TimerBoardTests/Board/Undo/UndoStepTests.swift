import Testing
import TimerKit

@testable import TimerBoard

/// Undo of steps on several timers, and the stretches, pauses and chains that it restores.
@Suite struct UndoStepTests {
  /// Of several timers, those that have fired since are on the grid that they would have; redo moves them again.
  @Test func addedTimeIsTakenFromAllTimers() throws {
    let board = try VirtualBoard("a=every 1m b=5m")
    board.handle(.control(.adjustTime(.exactly(.seconds(10))), try board.ids("a", "b")))
    board.advance(by: .seconds(80))
    #expect(board.states == ["a running 0:50 ∞", "b running 3:50 1/1"])
    board.handle(.undo)
    #expect(board.states == ["a running 0:40 ∞", "b running 3:40 1/1"])
    #expect(board.report == "2 timers: time change undone")
    board.handle(.redo)
    #expect(board.states == ["a running 0:50 ∞", "b running 3:50 1/1"])
    #expect(board.report == "2 timers: time change redone")
  }

  /// A step that did not end the stretch is undone without a trace in the history.
  @Test(
    arguments: [
      ("t=every 45s x8", .adjustIterations(by: 1)),
      ("t=every 45s x8", .stepInterval(longer: true)),
      ("t=stopwatch", .lap),
    ] as [(String, TimerAction)])
  func aStretchThatWasNotEndedContinues(_ line: String, _ action: TimerAction) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(30))
    try board.control(action, "t")
    board.handle(.undo)
    #expect(board.newHistory() == [])
    board.advance(by: .seconds(10))
    board.endRuns()
    guard case .record(let record)? = board.newHistory().first else {
      Issue.record("no record")
      return
    }
    #expect(record.activeTime == 40_000 && record.interruptions == 0)
  }

  /// "Pause all" resumes what it has paused, and no other timer that an undo has restored.
  @Test func aTimerThatWasPausedAloneStaysPaused() throws {
    let board = try VirtualBoard("a=3m paused b=5m")
    board.handle(.delete(try board.ids("a")))
    board.handle(.undo)
    board.handle(.pauseAll)
    board.handle(.pauseAll)
    #expect(board.states == ["a paused 3:00 1/1", "b running 5:00 1/1"])
  }

  /// The command of a deleted timer has ended with it: the next result belongs to the next run.
  @Test func aResultAfterAnUndoneDeletionBelongsToTheNextRun() throws {
    let board = try VirtualBoard("t=every 2s x2 run x")
    board.advance(by: .seconds(4))
    let ids = try board.ids("t")
    board.handle(.delete(ids))
    board.handle(.undo)
    _ = board.newHistory()
    try board.control(.reset(restart: true), "t")
    board.advance(by: .seconds(2))
    board.commandEnded(ids[0], CommandResult(.exited(0)))
    board.endRuns()
    let results = board.newHistory().map { line -> String? in
      guard case .record(let record) = line else { return nil }
      return record.result
    }
    #expect(results == ["exit 0"])
  }
}
