import Testing
import TimerKit

@testable import TimerBoard

/// The outcomes of actions: transitions, reports, and the timers that are paused together.
@Suite struct OutcomeTests {
  /// A stopwatch has no time left, and no timer after its end.
  @Test(arguments: [("t=3m", "3:00"), ("t=stopwatch", nil), ("t=cycle 1m/1m x1", "1:00")])
  func aTransitionHasTheTimeLeft(_ line: String, _ text: String?) throws {
    let board = try VirtualBoard(line)
    #expect(Transition(.started, of: board.timer).timeLeftText(at: board.now) == text)
    try board.control(.skip, "t")
    #expect(board.reports.last?.includesTimeLeft == false)
  }

  /// The fire that a skip causes is its only transition, also at the end of the run.
  @Test func aSkipIsOneTransition() throws {
    let board = try VirtualBoard("t=cycle 25m/5m x2")
    _ = board.takeTransitions()
    for transition in ["t phase", "t phase", "t finished"] {
      try board.control(.skip, "t")
      #expect(board.takeTransitions() == [transition])
    }
  }

  /// Several timers are reported as resumed only if all of them were paused.
  @Test func pausedAndFinishedTimersAreStarted() throws {
    let board = try VirtualBoard("a=3m b=5s")
    board.advance(by: .seconds(10))
    try board.control(.pause, "a")
    board.handle(.control(.start, try board.ids("a", "b")))
    #expect(board.states == ["a running 2:50 1/1", "b running 0:05 1/1"])
    #expect(board.report == "2 timers: started")
  }

  @Test func aTimerStaysPausedTogetherUntilItStarts() throws {
    let board = try VirtualBoard("a=3m b=3m")
    board.handle(.pauseAll)
    try board.control(.adjustTime(.more), "a")
    try board.control(.pause, "b")
    board.handle(.pauseAll)
    #expect(board.states == ["a running 3:10 1/1", "b running 3:00 1/1"])
  }

  /// Timers that were resumed together and then paused one by one are no longer paused together.
  @Test func resumedTimersAreNotPausedTogether() throws {
    let board = try VirtualBoard("a=3m b=3m")
    board.handle(.pauseAll)
    board.handle(.pauseAll)
    try board.control(.pause, "a")
    try board.control(.pause, "b")
    board.handle(.pauseAll)
    #expect(board.states == ["a paused 3:00 1/1", "b paused 3:00 1/1"])
    #expect(board.report == "nothing is running")
  }

  /// An edit that starts a timer ends its being paused together with the others.
  @Test func anEditedTimerIsNotPausedTogether() throws {
    let board = try VirtualBoard("a=3m b=3m")
    board.handle(.pauseAll)
    board.handle(.edit(try board.ids("a")[0], try TimerSpec.parse(timer: "a=every 1m")))
    #expect(board.states[0] == "a running 1:00 ∞")
    try board.control(.pause, "a")
    board.handle(.pauseAll)
    #expect(board.states == ["a paused 1:00 ∞", "b running 3:00 1/1"])
  }

  // MARK: Between the end of a run and its last fire

  /// Returns a board whose timer has finished but not fired for the last time, and the statuses of
  /// the timer before and after the end of its run.
  private func boardBeforeLastFire() throws -> (
    board: VirtualBoard, id: TimerID, running: TimerStatus, ended: TimerStatus
  ) {
    let line = "t=every 10s x2"
    let board = try VirtualBoard(line)
    let finished = try VirtualBoard(line)
    board.advance(by: .seconds(10))
    finished.advance(by: .seconds(20))
    let timer = board.board.timers[0]
    let ended = finished.board.timers[0].status
    return (board, timer.id, timer.status, ended)
  }

  /// After an action without effect, the timer is still saved as due, and its stretch ends with the
  /// last fire.
  @Test(
    arguments: [
      (.pause, .unchanged(.pause)), (.fire(pausing: false), .refused(.finished)),
    ] as [(TimerAction, ControlOutcome.Result)])
  func theLastFireIsDueAfterAnActionWithoutEffect(
    _ action: TimerAction, _ result: ControlOutcome.Result
  ) throws {
    let (board, id, _, ended) = try boardBeforeLastFire()
    let outcome = ControlOutcome(id: id, result: result, before: ended, after: ended)
    board.apply(.controlled(action, [outcome], .request))
    #expect(board.board.savedTimers(at: board.now)[0].state == .running)
    #expect(board.board.timers.alertCount == 0)
    #expect(board.takeHistory() == [])
    board.apply(.timer(id, .fired(Fire(lateness: .zero)), ended))
    #expect(board.board.savedTimers(at: board.now)[0].state == .finished)
    guard case .record(let record)? = board.takeHistory().first else {
      Issue.record("no record")
      return
    }
    #expect(record.ending == .finished && record.fires == 2)
    #expect(board.board.timers.alertCount == 1)
  }

  /// An action whose timer has fired for the last time before its status was read: the end of the run and the alert come
  /// with the fire, once.
  @Test(
    arguments: [
      (.adjustTime(.less), .adjustTimeLeft(.seconds(-10))), (.start, .start),
      (.setInterval(.seconds(1), .fromLastFire), .setInterval(.seconds(1), .fromLastFire)),
      (.reset(restart: true), .reset(restart: true)),
    ] as [(TimerAction, TimerCommand)], [false, true])
  func anEndDuringAnActionIsAnAlert(
    _ test: (action: TimerAction, command: TimerCommand), _ isRestart: Bool
  ) throws {
    let (board, id, running, ended) = try boardBeforeLastFire()
    if isRestart {
      guard [.start, .reset(restart: true)].contains(test.command) else { return }
      board.advance(by: .seconds(10))
      board.handle(.acknowledge)
    }
    _ = (board.takeHistory(), board.takeTransitions())
    let outcome = ControlOutcome(
      id: id, result: .changed(test.command), before: isRestart ? ended : running, after: ended)
    board.apply(.controlled(test.action, [outcome], .request))
    #expect(board.board.timers.alertCount == 0)
    board.apply(.timer(id, .fired(Fire(lateness: .zero)), ended))
    #expect(board.board.timers.alertCount == 1)
    #expect(board.takeTransitions() == ["t finished"])
    let endings = board.takeHistory().compactMap { line -> StretchRecord.Ending? in
      if case .record(let record) = line { record.ending } else { nil }
    }
    #expect(endings == (isRestart ? [] : [.finished]))
  }

  /// A restart revokes the last fire, so nothing is due after its undo.
  @Test func noFireIsDueAfterAnUndoneRestart() throws {
    let (board, id, running, ended) = try boardBeforeLastFire()
    guard case .repeater(var restarted) = running, case .repeater(let before) = ended else {
      Issue.record("\(running)")
      return
    }
    restarted.generation = before.generation + 1
    let outcome = ControlOutcome(
      id: id, result: .changed(.reset(restart: true)), before: ended, after: .repeater(restarted))
    board.apply(.controlled(.reset(restart: true), [outcome], .request))
    board.handle(.undo)
    #expect(board.states == ["t finished 0/2"])
    let saved = board.board.savedTimers(at: board.now)[0]
    #expect(saved.state == .finished && saved.stretch == nil)
  }
}
