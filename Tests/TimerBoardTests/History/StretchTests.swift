import Testing
import TimerKit

@testable import TimerBoard

/// The lines that the board records of its timers.
struct StretchTests {
  /// The recorded lines in short: name, ending, active and planned seconds, fires.
  private func lines(_ board: VirtualBoard) -> [String] {
    board.newHistory().map { line in
      switch line {
      case .record(let record):
        let planned = record.planned.map { "/\($0 / 1000)" } ?? ""
        let pauses = record.interruptions > 0 ? " \(record.interruptions) pauses" : ""
        return "\(record.title) \(record.ending) \(record.activeTime / 1000)\(planned)"
          + " \(record.fires) fires\(pauses)"
      case .revocation: return "revoked"
      case .result(let text, _): return "result \(text)"
      }
    }
  }

  @Test(
    arguments: [
      ("tea=3m", 180, ["tea finished 180/180 1 fires"]),
      ("e=every 10s x3", 60, ["e finished 30/30 3 fires"]),
      ("e=every 10s", 60, []),
      (
        "p=cycle 20s/10s x2", 60,
        [
          "p work finished 20/20 1 fires", "p rest finished 10/10 1 fires",
          "p work finished 20/20 1 fires",
        ]
      ),
      ("a=10s then b b=5s paused", 20, ["a finished 10/10 1 fires", "b finished 5/5 1 fires"]),
      (
        "a=4s then a", 13,
        [
          "a finished 4/4 1 fires", "a finished 4/4 1 fires", "a finished 4/4 1 fires",
        ]
      ),
      ("t=10s paused", 20, []), ("d=debounce 2s", 20, []), ("at 14:30", 120, []),
    ] as [(String, Int, [String])])
  func aRunIsAStretch(_ timers: String, _ seconds: Int, _ expected: [String]) throws {
    let board = try VirtualBoard(timers)
    board.advance(by: .seconds(seconds))
    #expect(lines(board) == expected)
  }

  @Test(
    arguments: [
      (.control(.reset(restart: true), []), "t reset 30/60 0 fires"),
      (.control(.reset(restart: false), []), "t reset 30/60 0 fires"),
      (.delete([]), "t deleted 30/60 0 fires"),
      (
        .edit(TimerID(0), TimerSpec(name: "t", kind: .once(.seconds(90)))), "t edited 30/60 0 fires"
      ),
      (.control(.fire(pausing: false), []), "t finished 30/60 1 fires"),
    ] as [(Board.Command, String)])
  func commandsEndAStretch(_ command: Board.Command, _ expected: String) throws {
    let board = try VirtualBoard("t=1m")
    board.advance(by: .seconds(30))
    board.handle(command.on(try board.ids("t")[0]))
    #expect(lines(board) == [expected])
  }

  /// A stretch that ends by an edit is recorded as the timer was before.
  @Test func anEditedTimerIsRecordedAsItWas() throws {
    let board = try VirtualBoard("old=cycle jog 1m/walk 1m")
    board.advance(by: .seconds(30))
    let id = try board.ids("old")[0]
    board.handle(.edit(id, TimerSpec(name: "new", kind: .once(.minutes(5)))))
    #expect(lines(board) == ["old jog edited 30/60 0 fires"])
    board.advance(by: .seconds(30))
    board.handle(.delete([id]))
    #expect(lines(board) == ["new deleted 30/300 0 fires"])
  }

  /// Only a command that runs, or that the fire at the end starts, belongs to the stretch that has ended.
  @Test func aResultBelongsToTheRunOfItsCommand() throws {
    let board = try VirtualBoard("t=every 1m run x")
    board.advance(by: .seconds(30))
    try board.control(.reset(restart: true), "t")
    board.advance(by: .seconds(60))
    board.commandEnded(try board.ids("t")[0], CommandResult(.exited(0)))
    #expect(lines(board) == ["t reset 30 0 fires"])
    board.advance(by: .seconds(60))
    try board.control(.reset(restart: true), "t")
    board.commandEnded(try board.ids("t")[0], CommandResult(.exited(0)))
    #expect(lines(board) == ["t reset 120 2 fires", "result exit 0"])
  }

  @Test func pausesAreListedAndDoNotCount() throws {
    let board = try VirtualBoard("t=1m")
    for _ in 0..<2 {
      board.advance(by: .seconds(10))
      try board.control(.pause, "t")
      board.advance(by: .seconds(100))
      try board.control(.start, "t")
    }
    board.advance(by: .seconds(60))
    guard case .record(let record)? = board.newHistory().first else {
      Issue.record("no record")
      return
    }
    #expect(record.activeTime == 60_000 && record.interruptions == 2)
    #expect(record.end - record.start == 260_000)
    #expect(
      record.pauses == [
        .init(start: 10_000, length: 100_000), .init(start: 120_000, length: 100_000),
      ])
  }

  /// A timer that was started by mistake leaves no trace.
  @Test func aStretchEndedAtOnceIsNotRecorded() throws {
    let board = try VirtualBoard("t=1m")
    board.handle(.delete(try board.ids("t")))
    #expect(lines(board) == [])
  }

  @Test func undoRevokesAndContinues() throws {
    let board = try VirtualBoard("t=1m")
    board.advance(by: .seconds(30))
    board.handle(.delete(try board.ids("t")))
    board.advance(by: .seconds(600))
    board.handle(.undo)
    board.advance(by: .seconds(40))
    let lines = board.newHistory()
    guard case .record(let deleted)? = lines.first, case .record(let finished)? = lines.last else {
      Issue.record("\(lines)")
      return
    }
    #expect(lines.count == 3 && lines[1] == .revocation(of: deleted.id))
    #expect(finished.id != deleted.id && finished.start == deleted.start)
    #expect(finished.activeTime == 60_000 && finished.interruptions == 0)
    #expect(finished.end - finished.start == 660_000)
  }

  /// A step that does not end the stretch is undone without a revocation.
  @Test func undoOfATimeChangeKeepsTheStretch() throws {
    let board = try VirtualBoard("t=10m")
    board.advance(by: .seconds(30))
    try board.control(.adjustTime(.more), "t")
    board.handle(.undo)
    #expect(board.newHistory() == [])
  }

  @Test func theResultOfACommandIsAdded() throws {
    let board = try VirtualBoard("t=10s run 'make' e=every 4s run 'true'")
    board.advance(by: .seconds(5))
    let ids = try board.ids("t", "e")
    board.commandEnded(ids[1], CommandResult(.exited(3), lastLine: "x"))
    board.advance(by: .seconds(6))
    board.commandEnded(ids[0], CommandResult(.exited(0)))
    board.endRuns()
    let lines = board.newHistory()
    guard lines.count == 3, case .record(let ended) = lines[0], case .record(let open) = lines[2]
    else {
      Issue.record("\(lines)")
      return
    }
    #expect(lines[1] == .result("exit 0", of: ended.id))
    #expect(open.result == "exit 3" && open.ending == .ended)
  }

  // MARK: Sessions

  /// Returns a board that has restored another one, `time` after the beginning of both.
  private func restored(
    _ other: VirtualBoard, after time: Duration, _ policy: RestorePolicy = .catchUp
  ) throws -> VirtualBoard {
    let board = try VirtualBoard(seed: 1)
    let passed = VirtualBoard.begin.duration(to: other.now.wall)
    try board.restore(other, policy, after: time - passed)
    return board
  }

  @Test func aSessionContinuesItsStretches() throws {
    let board = try VirtualBoard("t=1m")
    board.advance(by: .seconds(10))
    let next = try restored(board, after: .seconds(30))
    next.advance(by: .seconds(60))
    #expect(lines(next) == ["t finished 60/60 1 fires"])
  }

  @Test func aFrozenSessionPausesItsStretches() throws {
    let board = try VirtualBoard("t=1m")
    board.advance(by: .seconds(10))
    let next = try restored(board, after: .seconds(1000), .keepTimeLeft)
    next.advance(by: .seconds(60))
    guard case .record(let record)? = next.newHistory().first else {
      Issue.record("no record")
      return
    }
    #expect(record.activeTime == 60_000 && record.interruptions == 0)
    #expect(record.pauses == [.init(start: 10_000, length: 990_000)])
  }

  /// A run that ends while no process runs the timer is recorded with its due time, under the identifier
  /// that the killed process would have used.
  @Test(
    arguments: [
      ("t=1m", 1000, ["t finished 60/60 1 fires"]),
      ("t=every 20s x3", 1000, ["t finished 60/60 3 fires"]),
      ("t=1m then t", 95, ["t finished 60/60 1 fires"]),
      ("t=cycle 1m/30s", 70, ["t work finished 60/60 1 fires"]),
      ("t=1m", 50, []),
    ] as [(String, Int, [String])])
  func endsOfClosedSessionsAreRecorded(
    _ timer: String, _ seconds: Int, _ expected: [String]
  ) throws {
    let board = try VirtualBoard(timer)
    board.advance(by: .seconds(10))
    let id = board.timer.settings.run?.id
    let next = try restored(board, after: .seconds(seconds))
    let history = next.newHistory()
    for case .record(let record) in history {
      #expect(record.id == id)
      #expect(record.end == VirtualBoard.begin.milliseconds + 60_000)
    }
    let again = try restored(board, after: .seconds(seconds))
    #expect(lines(again) == expected)
    #expect(history.count == expected.count)
  }

  /// An undo takes back the time since the step, too.
  @Test func anUndoneSnoozeIsNotRecorded() throws {
    let board = try VirtualBoard("t=3s")
    board.advance(by: .seconds(5))
    board.handle(.control(.adjustTime(.more), try board.ids("t")))
    #expect(board.report == "t: snoozed for 5m")
    board.advance(by: .seconds(4))
    board.handle(.undo)
    board.advance(by: .seconds(5))
    #expect(lines(board) == ["t finished 3/3 1 fires"])
  }

  @Test func aHandOverContinuesItsStretches() throws {
    let board = try VirtualBoard("t=1m p=cycle 40s/40s")
    board.advance(by: .seconds(10))
    let next = try VirtualBoard()
    try next.takeOver(board, after: .seconds(1))
    next.advance(by: .seconds(60))
    #expect(lines(next) == ["p work finished 40/40 1 fires", "t finished 60/60 1 fires"])
  }
}

extension Board.Command {
  /// The command on another timer.
  fileprivate func on(_ id: TimerID) -> Board.Command {
    switch self {
    case .control(let action, _): .control(action, [id])
    case .edit(_, let spec): .edit(id, spec)
    case .delete: .delete([id])
    default: self
    }
  }
}
