import Testing
import TimerKit

@testable import TimerBoard

/// Features that meet in one timer: alerts and waiting, undo and chains, commands and new live timers.
@Suite struct FeaturesTogetherTests {
  // MARK: Commands

  /// A fire that makes a timer stand ready runs its command, and neither that nor an undo, an edit or a hand-over that
  /// failed ends a command. Only a deletion drops one, if it has not begun.
  @Test(arguments: ["t=cycle 2s/1h wait run x", "t=2s then t wait run x"])
  func aCommandOutlivesTheLiveTimer(_ line: String) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(3))
    #expect(board.timer.standsReady)
    let runs = board.requests.filter { if case .run = $0 { true } else { false } }
    #expect(runs.count == 1 && board.timer.commandState.isRunning)
    try board.control(.start, "t")
    try board.control(.pause, "t")
    board.handle(.undo)
    board.handle(.edit(board.timer.id, try TimerSpec.parse(arguments: ["t=every 9s run x"])[0]))
    #expect(board.removedTimers.isEmpty && board.timer.commandState.isRunning)
    board.handle(.delete(try board.ids("t")))
    #expect(board.removedTimers == [TimerID(1)])
    board.handle(.undo)
    #expect(!board.timer.commandState.isRunning)
  }

  /// A command that has begun goes on when its timer is deleted, such as one that deletes its own timer. The history has
  /// its result, and a timer that an undo brings back runs it still.
  @Test(arguments: [0, 1, 2])
  func aCommandOutlivesItsTimer(undone: Int) throws {
    let board = try VirtualBoard("t=every 5s x3 run x")
    board.hasCommandBegun = true
    board.advance(by: .seconds(5))
    let ids = try board.ids("t")
    board.handle(.delete(ids))
    let end = { board.commandEnded(ids[0], CommandResult(.exited(7))) }
    if undone > 0 {
      if undone == 1 { end() }
      board.handle(.undo)
      #expect(board.timer.commandState.isRunning == (undone == 2))
      if undone == 2 {
        end()
        #expect(board.timer.commandState.result == CommandResult(.exited(7)))
        #expect(!board.timer.commandState.isRunning)
      }
      return
    }
    let record = board.newHistory().compactMap { line -> UInt64? in
      if case .record(let record) = line { record.id } else { nil }
    }
    #expect(record.count == 1)
    end()
    let results = board.newHistory().map { line -> String in
      if case .result(let text, let id) = line, [id] == record { text } else { "\(line)" }
    }
    #expect(results == ["exit 7"])
    // Only the first result after it is that of the timer.
    end()
    #expect(board.newHistory().isEmpty)
  }

  /// The result of the last run stays with a timer whose step is undone, and so does its back-off.
  @Test func aResultStays() throws {
    let board = try VirtualBoard("t=every 5s backoff 1m run x")
    board.advance(by: .seconds(5))
    board.commandEnded(board.timer.id, CommandResult(.exited(1)))
    #expect(board.timer.machine.period == .seconds(10))
    try board.control(.pause, "t")
    board.handle(.undo)
    #expect(board.timer.commandState.result == CommandResult(.exited(1)))
    #expect(board.timer.intervalBeforeBackoff == .seconds(5))
    #expect(board.timer.machine.period == .seconds(10))
  }

  /// A result is that of the timer's present command.
  @Test(arguments: ["t=every 7s", "t=every 5s", "t=every 5s run y"])
  func anotherCommandHasNoResult(_ text: String) throws {
    let board = try VirtualBoard("t=every 5s run x")
    board.advance(by: .seconds(5))
    board.commandEnded(board.timer.id, CommandResult(.exited(1)), isRunning: true)
    board.handle(.edit(board.timer.id, try TimerSpec.parse(timer: text)))
    #expect(board.timer.commandState == CommandState())
    board.commandEnded(board.timer.id, CommandResult(.exited(1)))
    #expect((board.timer.commandState.result != nil) == board.timer.hasCommand)
    #expect(!board.timer.commandState.isRunning)
  }

  // MARK: Alerts

  /// The alert of a fire becomes that of a timer that stands ready, which only a start ends.
  @Test func aRingingPhaseStandsReady() throws {
    let board = try VirtualBoard("p=cycle 3s/1h ring wait")
    board.advance(by: .seconds(4))
    #expect(board.timer.standsReady && board.timer.isRinging)
    board.handle(.acknowledge)
    #expect(board.timer.standsReady && !board.timer.isRinging)
    #expect(board.requests.last == .repeatBell(false))
    try board.control(.start, "p")
    #expect(board.board.timers.alertCount == 0)
  }

  /// The alert of an end replaces that of the fires before it, so that a new run ends it.
  @Test(arguments: [TimerAction.adjustTime(.more), .reset(restart: true), .start])
  func theEndOfARingingRunIsOneAlert(_ action: TimerAction) throws {
    let board = try VirtualBoard("t=every 2s x2 ring")
    board.advance(by: .seconds(5))
    #expect(board.timer.alert?.cause == .finished && board.timer.isRinging)
    try board.control(action, "t")
    #expect(board.board.timers.alertCount == 0 && board.requests.contains(.repeatBell(false)))
  }

  /// A session and a hand-over tell a timer that stands ready from one that has fired and was stopped.
  @Test(arguments: [
    ("a=every 3s ring", TimerAction.pause, false),
    ("a=every 3s ring", .reset(restart: false), false),
    ("a=cycle 3s/1h wait", nil, true), ("a=3s then b wait b=1h ring", nil, true),
  ])
  func theCauseOfAnAlertIsSaved(_ line: String, _ action: TimerAction?, _ isReady: Bool) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(4))
    if let action { try board.control(action, "a") }
    for isTakenOver in [true, false] {
      let next = try VirtualBoard()
      next.advance(by: .seconds(4))
      if isTakenOver {
        try next.takeOver(board)
      } else {
        try next.restore(board, .catchUp)
      }
      #expect(next.board.timers.all.last?.standsReady == isReady)
      next.handle(.acknowledge)
      #expect(next.board.timers.all.last?.needsAttention == isReady)
    }
  }

  /// Timers that were paused together are resumed together, also by the next process.
  @Test func pausingAllIsRestored() throws {
    let board = try VirtualBoard("a=10m b=10m c=10m paused")
    board.handle(.pauseAll)
    let next = try VirtualBoard()
    try next.restore(board, .catchUp)
    next.handle(.pauseAll)
    #expect(
      next.states == ["a running 10:00 1/1", "b running 10:00 1/1", "c paused 10:00 1/1"])
  }

  // MARK: Snoozing

  /// An alarm that is snoozed rings after that time, with a date if its time of day comes earlier.
  @Test(arguments: [
    (Duration.minutes(5), "t=at 14:34:10"), (.hours(23), "t=at 13:29:10"),
    (.hours(24), "t=at 14:29:10"), (.seconds(86_401), "t=at 2026-07-02T14:29:11"),
    (.hours(30), "t=at 2026-07-02T20:29:10"), (.days(30), "t=at 2026-07-31T14:29:10"),
  ])
  func anAlarmIsSnoozed(_ time: Duration, _ text: String) throws {
    let board = try VirtualBoard("t=at 14:29:05")
    board.advance(by: .seconds(10))
    try board.control(.adjustTime(.exactly(time)), "t")
    #expect(board.timer.timeLeft(at: board.now) == time)
    #expect(board.timer.spec.text == text)
    board.advance(by: time - .seconds(1))
    #expect(board.fires == [1])
    board.advance(by: .seconds(1))
    #expect(board.fires == [2])
  }

  /// If no local time stands for the instant, the time is that of UTC. Here the board's time zone is not that of the
  /// process.
  @Test func anAlarmIsSnoozedAcrossAChangeOfClocks() throws {
    let virtual = try VirtualBoard("t=at 14:29:05")
    virtual.advance(by: .seconds(10))
    var (board, now) = (virtual.board, virtual.now)
    now.zone = .rules(try TimeZoneRules("Europe/Berlin"))
    board.handle(.control(.adjustTime(.more), try virtual.ids("t")), at: now)
    #expect(board.timers[0].spec.text == "t=at 2026-07-01T14:34:10 in UTC")
    #expect(board.timers[0].timeLeft(at: now) == .minutes(5))
  }

  /// Time for finished timers and for others is one step, and a refusal of some of them is no failure.
  @Test func snoozingWithOthersIsOneStep() throws {
    let board = try VirtualBoard("tea=1s egg=10m sw=stopwatch")
    board.advance(by: .seconds(2))
    let before = board.states
    board.handle(.control(.adjustTime(.exactly(.minutes(1))), try board.ids("tea", "egg", "sw")))
    #expect(board.states[0] == "tea running 1:00 1/1" && board.states[1] == "egg running 10:58 1/1")
    #expect(board.reports.filter(\.isFailure) == [])
    #expect(board.reports.map(\.label).suffix(2) == ["egg", "tea"])
    board.handle(.undo)
    #expect(board.states == before)
    board.handle(.redo)
    #expect(board.states[0] == "tea running 1:00 1/1" && board.states[1] == "egg running 10:58 1/1")
  }

  // MARK: Undo

  /// A run that a chain has started since a step stays as it is.
  @Test func undoLeavesWhatAChainHasStarted() throws {
    let board = try VirtualBoard("tea=10m x=5s then tea")
    try board.control(.adjustTime(.exactly(.minutes(5))), "tea")
    board.advance(by: .seconds(6))
    board.handle(.undo)
    #expect(board.states[0] == "tea running 9:59 1/1")
    #expect(board.report == "tea: cannot undo the time change: started again since")

    let chain = try VirtualBoard("work=10s then rest x3 rest=20s paused")
    chain.advance(by: .seconds(5))
    try chain.control(.start, "rest")
    chain.advance(by: .seconds(7))
    chain.handle(.undo)
    #expect(chain.states == ["work finished 0/1", "rest running 0:18 1/1"])
    chain.advance(by: .seconds(18))
    #expect(chain.states == ["work running 0:10 1/1", "rest finished 0/1"])
  }

  /// The starts of a manual fire are still taken back with it.
  @Test func undoOfAFireTakesItsStartsBack() throws {
    let board = try VirtualBoard("a=10m then b b=10m paused")
    try board.control(.fire(pausing: false), "a")
    #expect(board.states[1] == "b running 10:00 1/1")
    board.handle(.undo)
    #expect(board.states == ["a running 10:00 1/1", "b paused 10:00 1/1"])
  }
}
