import Testing
import TimerKit

@testable import TimerBoard

/// Phases and timers that stand ready until the user starts them.
@Suite struct WaitTests {
  @Test func thePhasesOfACycleWait() throws {
    let board = try VirtualBoard("pomo=cycle 25m/5m x2 wait")
    board.advance(by: .minutes(40))
    #expect(board.states == ["pomo paused 5:00 2/2"])
    #expect(board.board.timers[0].alert?.cause == .standsReady)
    #expect(board.board.timers[0].counts.delivered == 1)
    let notification = TimerNotification(event: .phase, timer: "pomo", text: "rest is ready")
    #expect(board.requests.contains(.ringOnce) && board.requests.contains(.notify(notification)))
    try board.control(.start, "pomo")
    #expect(board.states == ["pomo rest 5:00 2/2"] && board.board.timers.alertCount == 0)
    board.advance(by: .minutes(5))
    #expect(board.states == ["pomo paused 25:00 1/2"])
    // What is skipped by hand begins at once.
    try board.control(.start, "pomo")
    try board.control(.skip, "pomo")
    #expect(board.states == ["pomo finished 0/2"])
  }

  @Test func aPhaseThatWasSkippedToByHandBegins() throws {
    let board = try VirtualBoard("pomo=cycle 25m/5m x2 wait")
    try board.control(.skip, "pomo")
    #expect(board.states == ["pomo rest 5:00 2/2"])
  }

  @Test func theEndOfACycleDoesNotWait() throws {
    let board = try VirtualBoard("pomo=cycle 5s/5s x1 wait")
    board.advance(by: .seconds(20))
    #expect(board.states == ["pomo finished 0/1"])
    #expect(board.board.timers[0].alert?.cause == .finished)
  }

  /// A timer that runs when another one would start it has ended a run.
  @Test func theRunBeforeWaitingIsRecorded() throws {
    let board = try VirtualBoard("a=10s then b wait b=1h")
    board.advance(by: .seconds(11))
    let records = board.newHistory().compactMap { line -> String? in
      guard case .record(let record) = line else { return nil }
      return "\(record.timer) \(record.ending) \(record.activeTime)"
    }
    #expect(records == ["a finished 10000", "b reset 10000"])
  }

  /// Resuming what was paused together starts no timer that stands ready.
  @Test func aTimerThatStandsReadyIsNotResumed() throws {
    let board = try VirtualBoard("a=10s then b wait b=1h c=1h")
    board.handle(.pauseAll)
    try board.control(.start, "a")
    board.advance(by: .seconds(11))
    board.handle(.pauseAll)
    #expect(
      board.states == ["a finished 0/1", "b paused 1:00:00 1/1", "c running 1:00:00 1/1"])
  }

  /// The time in which a phase stands ready is in no stretch.
  @Test func waitingIsNotCounted() throws {
    let board = try VirtualBoard("pomo=cycle 25m/5m x2 wait")
    board.advance(by: .minutes(40))
    try board.control(.start, "pomo")
    board.advance(by: .minutes(5))
    let records = board.newHistory().compactMap { line -> String? in
      guard case .record(let record) = line else { return nil }
      return "\(record.phase ?? "") \(record.activeTime / 60_000) \(record.interruptions)"
    }
    #expect(records == ["work 25 0", "rest 5 0"])
  }

  @Test func aChainedTimerWaits() throws {
    let board = try VirtualBoard("wash=40m then dry wait dry=30m paused")
    board.advance(by: .minutes(41))
    #expect(board.states == ["wash finished 0/1", "dry paused 30:00 1/1"])
    #expect(board.board.timerWithNewestAlert?.name == "dry" && board.board.timers.alertCount == 2)
    #expect(board.board.log.entries.last?.event == .message("ready after wash"))
    try board.control(.start, "dry")
    #expect(board.states[1] == "dry running 30:00 1/1" && board.board.timers.alertCount == 1)
  }

  /// After a sleep through several phases the next one stands ready.
  @Test func phasesWaitThroughSleep() throws {
    let board = try VirtualBoard("pomo=cycle 25m/5m wait")
    board.sleep(for: .hours(3))
    #expect(board.states == ["pomo paused 5:00 ∞"])
  }

  @Test func aSessionWaits() throws {
    let board = try VirtualBoard(
      "pomo=cycle 25m/5m wait wash=40m then dry wait dry=30m paused then wash wait")
    board.advance(by: .minutes(1))
    let later = board.now.moved(by: .hours(10))
    let timers = Board(listing: try board.saved(), .catchUp, at: later).timers.all
    #expect(timers.map(\.stateText) == ["paused", "finished", "paused"])
    #expect(timers.map { $0.timeText(at: later) } == ["5:00", "+1:00:00", "30:00"])
    #expect(timers.map(\.needsAttention) == [true, true, true])
    let next = try VirtualBoard()
    try next.restore(board, .keepTimeLeft)
    #expect(next.board.timers.all.map(\.spec.waits) == [true, true, true])
  }

  /// A timer that stands ready because of a fire does not when the fire is undone.
  @Test func anUndoneFireEndsTheWait() throws {
    let board = try VirtualBoard("a=5s paused then b wait b=1h")
    board.advance(by: .seconds(10))
    try board.control(.pause, "b")
    try board.control(.fire(pausing: false), "a")
    #expect(try #require(board.board.timers.timer(named: "b")).standsReady)
    board.handle(.undo)
    #expect(board.states == ["a paused 0:05 1/1", "b paused 59:50 1/1"])
    #expect(board.board.timers.alertCount == 0)
  }

  @Test func aTimerThatStandsReadyHasNoOvertime() throws {
    let board = try VirtualBoard("a=5s then b wait b=1h paused")
    board.advance(by: .seconds(20))
    let ready = try #require(board.board.timers.timer(named: "b"))
    #expect(ready.standsReady && ready.overtime(at: board.now) == nil)
  }

  @Test func onlyWhatHasASuccessorWaits() throws {
    #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(timer: "3m wait") }
    let context = TimerContext(names: ["egg"], defaults: TimerDefaults(wait: true))
    let texts = try TimerSpec.parse(arguments: ["3m cycle 25/5 5m then egg"], in: context).map(
      \.text)
    #expect(texts == ["3m", "cycle 25m/5m wait", "5m then egg wait"])
  }
}
