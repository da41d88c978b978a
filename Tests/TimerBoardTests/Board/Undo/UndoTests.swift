import Testing
import TimerKit

@testable import TimerBoard

@Suite struct UndoTests {
  /// Undo restores a timer as it was before the step, with the time that it had then.
  @Test(
    arguments: [
      ("t=every 45s x8", .control(.reset(restart: true), []), "restart"),
      ("t=every 45s x8", .control(.reset(restart: false), []), "reset"),
      ("t=every 45s x8", .control(.adjustTime(.more), []), "time change"),
      ("t=every 45s x8", .control(.adjustTime(.less), []), "time change"),
      (
        "t=every 45s x8", .control(.stepInterval(longer: true), []),
        "interval change"
      ),
      ("t=every 45s x8", .control(.adjustIterations(by: 1), []), "change of iterations"),
      ("t=every 45s x8", .edit(TimerID(0), TimerSpec(kind: .once(.hours(1)))), "change"),
      ("t=every 45s x8", .edit(TimerID(0), TimerSpec(kind: .stopwatch)), "change"),
      ("t=every 45s x8", .delete([]), "delete"),
      ("t=daily 20:00 x3", .delete([]), "delete"),
      ("t=cycle 50s/10s x4", .control(.skip, []), "skip"),
      ("t=cycle 50s/10s x4", .control(.adjustTime(.more), []), "time change"),
      ("t=cycle 50s/10s x4", .delete([]), "delete"),
      ("t=stopwatch", .control(.lap, []), "lap"),
      ("t=stopwatch", .control(.reset(restart: true), []), "restart"),
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

  /// The time between a step and its undo elapses for the timer, as if the step had not been.
  @Test func undoNeverMovesTheClock() throws {
    let board = try VirtualBoard("t=3m")
    board.advance(by: .seconds(10))
    try board.control(.reset(restart: true), "t")
    board.advance(by: .seconds(30))
    board.handle(.undo)
    #expect(board.states == ["t running 2:20 1/1"])
    board.advance(by: .seconds(1))
    #expect(board.states == ["t running 2:19 1/1"])
  }

  private static let lines = [
    "t=3m", "t=every 45s x8", "t=every 45s", "t=cycle 50s/10s x4", "t=cycle 50s/10s wait",
    "t=stopwatch", "t=3m paused", "t=3m then u u=1h paused", "t=every 45s x8 then u x3 u=1h paused",
    "t=3m group g s=1h group g", "egg=2s t=3m", "t=3m awake", "t=daily 20:00 x3",
  ]
  private static let actions: [TimerAction] = [
    .fire(pausing: false), .fire(pausing: true), .toggle, .reset(restart: true),
    .reset(restart: false), .skip, .lap, .adjustIterations(by: 1), .adjustIterations(by: -1),
    .stepInterval(longer: true),
    .stepInterval(longer: false),
  ]

  /// The reference is a board without the step.
  @Test(arguments: lines, actions)
  func anUndoneStepLeavesNoTrace(_ line: String, _ action: TimerAction) throws {
    let (board, twin) = (try VirtualBoard(line), try VirtualBoard(line))
    for board in [board, twin] { board.advance(by: .seconds(20)) }
    try board.control(action, "t")
    guard board.board.canUndo(isRedo: false) else { return }
    for board in [board, twin] { board.advance(by: .seconds(6)) }
    board.handle(.undo)
    for time in [Duration.zero, .seconds(1), .seconds(30), .seconds(200)] {
      for board in [board, twin] { board.advance(by: time) }
      #expect(board.states == twin.states, "after \(time)")
      #expect(board.board.timers.alertCount == twin.board.timers.alertCount, "after \(time)")
    }
    #expect(stretches(board) == stretches(twin))
  }

  /// The stretches that count, each with its ending and its active time.
  private func stretches(_ board: VirtualBoard) -> [String] {
    board.endRuns()
    var counted: [UInt64: String] = [:]
    for line in board.newHistory() {
      switch line {
      case .record(let record):
        counted[record.id] =
          "\(record.timer) \(record.ending) \(record.activeTime) \(record.interruptions)"
      case .revocation(let id): counted[id] = nil
      default: break
      }
    }
    return counted.values.sorted()
  }

  /// A run that would have ended in the meantime ends now, late.
  @Test func anUndonePauseFiresWhatWasDue() throws {
    let board = try VirtualBoard("t=30s then u u=1h paused")
    board.advance(by: .seconds(20))
    try board.control(.toggle, "t")
    board.advance(by: .seconds(30))
    board.handle(.undo)
    board.advance(by: .seconds(1))
    #expect(board.states[0] == "t finished 0/1" && board.states[1].hasPrefix("u running"))
    #expect(board.fires[0] == 1)
  }

  /// An alarm that was paused at its time rings late.
  @Test(arguments: [("wake=at 15:00", 1), ("wake=at 15:00 silent", 0), ("wake=daily 15:00", 0)])
  func anUndonePauseOfAnAlarmEndsIt(_ line: String, alerts: Int) throws {
    let board = try VirtualBoard(line)
    try board.control(.pause, "wake")
    board.advance(by: .seconds(1000))
    board.handle(.undo)
    #expect(board.board.timers.alertCount == 0 && board.timer.state == .running)
    try board.control(.pause, "wake")
    board.advance(by: .seconds(1000))
    board.handle(.undo)
    let isDaily = line.contains("daily")
    #expect(board.board.timers.alertCount == alerts)
    #expect(board.timer.state == (isDaily ? .running : .finished))
    board.advance(by: .seconds(1))
    #expect(board.fires == [1])
  }

  /// The time of a pause that is undone is measured by the clock of the timer.
  @Test(arguments: ["t=30s", "t=30s awake"], [1000, -1000])
  func anUndonePauseFollowsNoSetClock(_ line: String, change: Int) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(10))
    try board.control(.pause, "t")
    board.adjustWall(by: .seconds(change))
    board.advance(by: .seconds(5))
    board.handle(.undo)
    #expect(board.states == ["t running 0:15 1/1"])
  }

  /// A change after a step, of other timers, is not undone with it.
  @Test func aChainBesideAStepGoesOn() throws {
    let board = try VirtualBoard("a=5s then b b=1h paused x=1h")
    board.advance(by: .seconds(4))
    try board.control(.pause, "x")
    board.advance(by: .seconds(2))
    board.handle(.undo)
    #expect(board.report == "x: pause undone")
    #expect(board.states[1] == "b running 59:59 1/1")
  }

  /// The stretch of a timer counts the fires that have happened, and no others.
  @Test(arguments: [
    (TimerAction.pause, 0, 1), (.pause, 25, 1), (.fire(pausing: true), 0, 2),
    (.fire(pausing: true), 25, 2), (.setInterval(.seconds(2), .fromLastFire), 9, 5),
  ])
  func aStretchCountsEachFireOnce(_ action: TimerAction, seconds: Int, fires: Int) throws {
    let board = try VirtualBoard("e=every 10s")
    board.advance(by: .seconds(5))
    try board.control(action, "e")
    board.advance(by: .seconds(seconds))
    board.handle(.undo)
    board.advance(by: .seconds(5))
    try board.control(.reset(restart: false), "e")
    let recorded = board.newHistory().compactMap { line -> Int? in
      if case .record(let record) = line { record.fires } else { nil }
    }
    #expect(board.fires == [fires] && recorded == [fires])
  }

  /// A manual fire within a chain ends no round of its timer.
  @Test func anUndoneFireRevokesNoOtherRound() throws {
    let board = try VirtualBoard("a=20s then b x3 b=10s paused then c c=10s paused")
    board.advance(by: .seconds(21))
    try board.control(.fire(pausing: false), "b")
    #expect(board.states[2] == "c running 0:10 1/1")
    board.handle(.undo)
    #expect(board.board.timers.all.map(\.chain.roundsDone) == [1, 0, 0])
  }

  /// An alert that rings goes on when an action beside it is undone, and a timer that runs again gets none back.
  @Test func anAlertFollowsTheStateOfItsTimer() throws {
    let board = try VirtualBoard("e=every 10s ring egg=5s b=20s then egg")
    board.advance(by: .seconds(12))
    try board.control(.pause, "e")
    board.handle(.undo)
    #expect(board.board.timers.ringingCount == 1 && board.board.timers.alertCount == 2)
    board.handle(.acknowledge)
    board.advance(by: .seconds(9))
    board.handle(.silence)
    #expect(board.states[1].hasPrefix("egg running") && board.board.timers.alertCount == 1)
    board.handle(.undo)
    #expect(board.report == "2 timers: acknowledge undone")
    #expect(board.board.timers.alertCount == 1)
  }

  /// The timers that a manual fire has started return to their states with it, and the round is not counted.
  @Test func anUndoneFireTakesItsSuccessorBack() throws {
    let line = "work=20s then rest x3 rest=10s paused"
    let (board, twin) = (try VirtualBoard(line), try VirtualBoard(line))
    for board in [board, twin] { board.advance(by: .seconds(5)) }
    try board.control(.fire(pausing: false), "work")
    #expect(board.states[1] == "rest running 0:10 1/1")
    for board in [board, twin] { board.advance(by: .seconds(3)) }
    board.handle(.undo)
    #expect(board.report == "2 timers: fire undone")
    for _ in 0..<4 {
      #expect(board.states == twin.states)
      #expect(board.timer.kindAndSuccessorText == twin.timer.kindAndSuccessorText)
      for board in [board, twin] { board.advance(by: .seconds(25)) }
    }
  }

  /// An acknowledged alert comes back without a bell, and its overtime has continued.
  @Test func anAcknowledgedAlertReturns() throws {
    let board = try VirtualBoard("egg=5s ring tea=1m nap=1h")
    board.advance(by: .seconds(10))
    board.handle(.acknowledge)
    board.advance(by: .seconds(10))
    let effects = board.requests.count
    _ = board.newTransitions()
    board.handle(.undo)
    #expect(board.report == "egg: acknowledge undone")
    #expect(board.newTransitions() == ["egg changed"])
    #expect(board.board.timerWithNewestAlert?.name == "egg")
    #expect(board.board.timers.alertCount == 1 && board.board.timers.ringingCount == 0)
    #expect(board.timer.timeText(at: board.now) == "+0:15")
    #expect(
      !board.requests[effects...].contains { if case .repeatBell = $0 { true } else { false } })
    board.handle(.redo)
    #expect(board.board.timers.alertCount == 0)
  }

  /// A start of what waits is undone: it waits again.
  @Test func anUndoneStartWaitsAgain() throws {
    let board = try VirtualBoard("a=1s then b wait b=1h egg=2s")
    board.advance(by: .seconds(3))
    try board.control(.start, "b")
    board.advance(by: .seconds(3))
    board.handle(.undo)
    #expect(board.states[1] == "b paused 1:00:00 1/1" && board.board.timers[1].standsReady)
  }

  /// A trigger is a fact: undo names the older step.
  @Test func aTriggerIsNotUndone() throws {
    let board = try VirtualBoard("t=3m save=debounce 2s")
    try board.control(.adjustTime(.more), "t")
    try board.control(.fire(pausing: false), "save")
    board.handle(.undo)
    #expect(board.report == "t: time change undone")
  }

  @Test func manyTimersAreUndoneAsOne() throws {
    let spec = TimerSpec(kind: .once(.hours(1)))
    let board = try VirtualBoard()
    board.handle(.start(Array(repeating: spec, count: 10_000)))
    for _ in 0..<8 { board.handle(.pauseAll) }
    #expect(board.board.undoHistory.count < 8)
    board.advance(by: .seconds(1))
    board.handle(.undo)
    #expect(board.board.timers.count(of: .paused) == 10_000)
    #expect(board.report == "10000 timers: resume all undone")
  }

  /// Fires are facts: undo changes neither their count nor the iterations that they used up.
  @Test func undoKeepsFires() throws {
    let board = try VirtualBoard("t=every 2s x9")
    try board.control(.adjustIterations(by: 1), "t")
    board.advance(by: .seconds(6))
    #expect(board.states == ["t running 0:02 7/9"])
    board.handle(.undo)
    #expect(board.states == ["t running 0:02 6/9"])
    #expect(board.board.timers[0].counts.delivered == 3)
    board.handle(.delete(try board.ids("t")))
    board.handle(.undo)
    #expect(board.board.timers[0].counts.delivered == 3)
    board.advance(by: .seconds(2))
    #expect(board.states == ["t running 0:02 5/9"])
    #expect(board.board.timers[0].counts.delivered == 4)
  }

  /// If the run would have ended since the step, undo ends it.
  @Test func undoOfIterationsThatAreUsedUp() throws {
    let board = try VirtualBoard("t=every 2s x2")
    try board.control(.adjustIterations(by: 2), "t")
    board.advance(by: .seconds(6))
    board.handle(.undo)
    #expect(board.states == ["t finished 0/2"])
    #expect(board.board.timers[0].counts.delivered == 3)
  }

  @Test func undoRemovesALap() throws {
    let board = try VirtualBoard("t=stopwatch")
    board.advance(by: .seconds(5))
    try board.control(.lap, "t")
    board.handle(.undo)
    #expect(board.timer.machine.laps.isEmpty)
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
    #expect(board.board.timers[1].spec.successor == "mate")
    board.advance(by: .seconds(30))
    board.handle(.undo)
    #expect(board.states == ["tea running 2:30 1/1", "egg running 4:30 1/1"])
    #expect(board.board.timers[1].spec.successor == "tea")
  }

  /// An undo of added time takes that time back, and not the time that has passed since.
  @Test(arguments: [
    (TimerAction.adjustTime(.exactly(.minutes(1))), "3:40", "2:30"),
    (.adjustTime(.exactly(.minutes(-2))), "0:40", "2:30"),
  ])
  func undoOfAddedTimeKeepsTheTimeThatHasPassed(
    _ action: TimerAction, _ changed: String, _ restored: String
  ) throws {
    let board = try VirtualBoard("t=3m")
    board.advance(by: .seconds(20))
    try board.control(action, "t")
    #expect(board.states == ["t running \(changed) 1/1"])
    board.advance(by: .seconds(10))
    board.handle(.undo)
    #expect(board.states == ["t running \(restored) 1/1"])
    board.handle(.redo)
    #expect(board.states == [changed == "3:40" ? "t running 3:30 1/1" : "t running 0:30 1/1"])
  }

  /// Time that was added is taken back also after a fire: the timer is on the grid that it would have.
  @Test func addedTimeIsTakenBackAfterAFire() throws {
    let board = try VirtualBoard("t=every 1m")
    try board.control(.adjustTime(.exactly(.seconds(10))), "t")
    board.advance(by: .seconds(80))
    #expect(board.states == ["t running 0:50 ∞"])
    board.handle(.undo)
    #expect(board.states == ["t running 0:40 ∞"])
    #expect(board.report == "t: time change undone")
  }

  /// Every step can be redone, as often as it is undone.
  @Test(
    arguments: [
      .control(.reset(restart: true), []), .control(.adjustTime(.more), []),
      .control(.adjustIterations(by: 1), []), .edit(TimerID(0), TimerSpec(kind: .once(.hours(1)))),
      .edit(TimerID(0), TimerSpec(kind: .stopwatch, note: "n")), .delete([]),
      .duplicate([]), .add([TimerSpec(name: "u", kind: .once(.hours(1)))]), .pauseAll,
    ] as [Board.Command])
  func redoesEveryStep(_ command: Board.Command) throws {
    let board = try VirtualBoard("t=every 45s x8 s=5m then t")
    board.advance(by: .seconds(55))
    let (before, specs) = (board.states, board.board.timers.all.map(\.spec))
    board.handle(command.on(board.board.timers[0].id))
    let (after, newSpecs) = (board.states, board.board.timers.all.map(\.spec))
    #expect(after != before || newSpecs != specs)
    for _ in 0..<3 {
      board.handle(.undo)
      #expect(board.states == before)
      #expect(board.board.timers.all.map(\.spec) == specs)
      board.handle(.redo)
      #expect(board.states == after)
      #expect(board.board.timers.all.map(\.spec) == newSpecs)
    }
    board.handle(.redo)
    #expect(board.report == "nothing to redo")
  }

  @Test func aNewStepEndsRedoing() throws {
    let board = try VirtualBoard("t=3m")
    try board.control(.adjustTime(.more), "t")
    board.handle(.undo)
    try board.control(.reset(restart: true), "t")
    board.handle(.redo)
    #expect(board.report == "nothing to redo")
  }

  /// The timers that "pause all" had paused are resumed by it after an undo and a redo as well.
  @Test func pauseAllIsUndoneAndRedone() throws {
    let board = try VirtualBoard("a=3m b=5m c=1m paused")
    let before = board.states
    board.handle(.pauseAll)
    board.advance(by: .seconds(10))
    board.handle(.undo)
    #expect(board.states == ["a running 2:50 1/1", "b running 4:50 1/1", "c paused 1:00 1/1"])
    #expect(board.report == "2 timers: pause all undone")
    board.handle(.redo)
    #expect(board.states == ["a paused 3:00 1/1", "b paused 5:00 1/1", "c paused 1:00 1/1"])
    board.handle(.pauseAll)
    #expect(board.states == before)
  }

  /// The board of another process has the timers, and no step.
  @Test func undoEndsWithTheProcess() throws {
    let board = try VirtualBoard("a=3m c=5m")
    board.handle(.delete(try board.ids("a")))
    let next = try VirtualBoard("")
    try next.takeOver(board)
    next.handle(.undo)
    #expect(next.report == "nothing to undo")
    #expect(next.board.timers.all.map(\.label) == ["c"])
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
    case .duplicate: .duplicate(ids)
    default: self
    }
  }
}
