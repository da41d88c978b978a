import Testing
import TimerKit

@testable import TimerBoard

@Suite struct UndoTests {
  /// Undo restores a timer as it was before the step, with the time that it had then.
  @Test(
    arguments: [
      ("t=every 45s x8", .control(.reset(restart: true), []), "reset"),
      ("t=every 45s x8", .control(.reset(restart: false), []), "reset"),
      ("t=every 45s x8", .control(.adjustTime(.more), []), "time change"),
      ("t=every 45s x8", .control(.adjustTime(.less), []), "time change"),
      (
        "t=every 45s x8", .control(.stepInterval(longer: true, usual: [:]), []), "interval change"
      ),
      ("t=every 45s x8", .control(.adjustIterations(by: 1), []), "change of iterations"),
      ("t=every 45s x8", .edit(TimerID(0), TimerSpec(kind: .once(.hours(1)))), "edit"),
      ("t=every 45s x8", .edit(TimerID(0), TimerSpec(kind: .stopwatch)), "edit"),
      ("t=every 45s x8", .delete([]), "delete"),
      ("t=daily 20:00 x3", .delete([]), "delete"),
      ("t=cycle 50s/10s x4", .control(.skip, []), "skip"),
      ("t=cycle 50s/10s x4", .control(.adjustTime(.more), []), "time change"),
      ("t=cycle 50s/10s x4", .delete([]), "delete"),
      ("t=stopwatch", .control(.lap, []), "lap"),
      ("t=stopwatch", .control(.reset(restart: true), []), "reset"),
      ("t=stopwatch", .delete([]), "delete"),
      ("t=3m paused", .delete([]), "delete"),
      ("t=3s", .delete([]), "delete"),
    ] as [(String, Board.Command, String)])
  func undoesEveryStep(_ line: String, _ command: Board.Command, _ name: String) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(55))
    let (before, spec) = (board.states, board.board.timers[0].spec)
    board.handle(command.on(board.board.timers[0].id))
    #expect(board.states != before || name == "lap")
    board.handle(.undo)
    #expect(board.states == before)
    #expect(board.board.timers[0].spec == spec)
    #expect(board.report == "t: \(name) undone")
    board.handle(.undo)
    #expect(board.report == "nothing to undo")
  }

  /// The time between a step and its undo does not elapse for the timer.
  @Test func undoRestoresTheTimeOfTheStep() throws {
    let board = try VirtualBoard("t=3m")
    board.advance(by: .seconds(10))
    try board.control(.reset(restart: true), "t")
    board.advance(by: .seconds(30))
    board.handle(.undo)
    #expect(board.states == ["t running 2:50 1/1"])
    board.advance(by: .seconds(1))
    #expect(board.states == ["t running 2:49 1/1"])
  }

  /// A manual fire and a pause are not undone: the report names the older step that is.
  @Test(arguments: [TimerAction.fire(andPause: false), .pause])
  func theReportNamesTheStep(_ action: TimerAction) throws {
    let board = try VirtualBoard("t=every 45s x8")
    try board.control(.adjustIterations(by: 1), "t")
    try board.control(action, "t")
    board.handle(.undo)
    #expect(board.report == "t: change of iterations undone")
    board.handle(.undo)
    #expect(board.report == "nothing to undo")
  }

  @Test func undoRemovesALap() throws {
    let board = try VirtualBoard("t=stopwatch")
    board.advance(by: .seconds(5))
    try board.control(.lap, "t")
    board.handle(.undo)
    guard case .stopwatch(let snapshot) = board.board.timers[0].status else { return }
    #expect(snapshot.laps.isEmpty)
  }

  /// A step on several timers is undone as one; the newest step is undone first.
  @Test(
    arguments: [.delete([]), .control(.reset(restart: true), []), .control(.adjustTime(.more), [])]
      as [Board.Command])
  func undoesAStepOfSeveralTimers(_ command: Board.Command) throws {
    let board = try VirtualBoard("a=3m b=every 1m x2 c=stopwatch d=5m")
    board.advance(by: .seconds(10))
    let before = board.states
    let ids = try board.ids("a", "b", "d")
    board.handle(command.on(ids))
    let between = board.states
    try board.control(.reset(restart: true), "c")
    board.handle(.undo)
    #expect(board.states.filter { $0.hasPrefix("c") } == ["c running 0:10"])
    #expect(board.states.filter { !$0.hasPrefix("c") } == between.filter { !$0.hasPrefix("c") })
    board.handle(.undo)
    #expect(board.states == before)
    #expect(board.report?.hasPrefix("3 timers: ") == true)
  }

  /// Name and note belong to the board: undo does not change the time.
  @Test func undoOfARenameKeepsTheTime() throws {
    let board = try VirtualBoard("tea=3m egg=5m then tea")
    let id = try board.ids("tea")[0]
    board.handle(.edit(id, TimerSpec(name: "mate", kind: .once(.minutes(3)))))
    #expect(board.report == "tea: renamed to mate")
    #expect(board.board.timers[1].spec.next == "mate")
    board.advance(by: .seconds(30))
    board.handle(.undo)
    #expect(board.states == ["tea running 2:30 1/1", "egg running 4:30 1/1"])
    #expect(board.board.timers[1].spec.next == "tea")
  }

  @Test func theUndoHistoryIsLimited() throws {
    let board = try VirtualBoard("t=1h")
    for _ in 0..<UndoHistory.limit + 50 { try board.control(.adjustTime(.more), "t") }
    for _ in 0..<UndoHistory.limit { board.handle(.undo) }
    #expect(board.states == ["t running 1:50:00 1/1"])
    board.handle(.undo)
    #expect(board.report == "nothing to undo")
  }
}

extension Board.Command {
  /// The same command for one timer.
  fileprivate func on(_ id: TimerID) -> Board.Command {
    if case .edit(_, var spec) = self {
      spec.name = "t"
      return .edit(id, spec)
    }
    return on([id])
  }

  fileprivate func on(_ ids: [TimerID]) -> Board.Command {
    switch self {
    case .control(let action, _): .control(action, ids)
    case .delete: .delete(ids)
    default: self
    }
  }
}
