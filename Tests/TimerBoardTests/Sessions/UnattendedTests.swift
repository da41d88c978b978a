import Testing
import TimerKit

@testable import TimerBoard

/// The passing of time while no process runs the timers.
@Suite struct UnattendedTests {
  /// Returns the board of a session that is restored a time after its timers have begun.
  private func restored(
    _ words: String, _ policy: RestorePolicy = .catchUp, after time: Duration
  ) throws -> VirtualBoard {
    let board = try VirtualBoard(seed: 1)
    try board.restore(try VirtualBoard(words), policy, after: time)
    return board
  }

  @Test func periodsElapse() throws {
    let board = try restored(
      "tea=3m sets=every 45s x8 pomo=cycle 25m/5m x4 sw=stopwatch p=1m paused",
      after: .seconds(100))
    #expect(
      board.board.timers.all.map { $0.timeText(at: board.now) }
        == ["1:20", "0:35", "23:20", "1:40", "1:00"])
    #expect(board.board.timers[1].iterationsText == "6/8")
    #expect(board.report == "while carillon was not running: sets fired 2 times")
  }

  @Test func onlyDatesElapseWithKeepTimeLeft() throws {
    let board = try restored("tea=3m a=at 2026-07-01T20:00", .keepTimeLeft, after: .days(1))
    #expect(board.states == ["tea running 3:00 1/1", "a finished 0/1"])
    #expect(board.report == "while carillon was not running: a finished")
  }

  /// `a` ends at 10 s and starts `b`, which ends at 40 s and starts `c`.
  @Test func aFinishedTimerStartsTheNext() throws {
    let board = try restored(
      "a=every 5s x2 then b b=30s paused then c c=1m paused", after: .seconds(50))
    #expect(board.board.timers.all.map(\.state) == [.finished, .finished, .running])
    #expect(board.board.timers[2].timeText(at: board.now) == "0:50")
    #expect(board.report == "while carillon was not running: a finished, b finished")
  }

  @Test func aTimerCanRestartItself() throws {
    let board = try restored("a=10s then a", after: .seconds(25))
    #expect(board.states == ["a running 0:05 1/1"])
    #expect(board.report == "while carillon was not running: a fired 2 times")
  }

  /// The fires of each timer that the transitions of a change contain.
  private func missed(_ change: Change) -> [TimerID: Int] {
    Dictionary(
      change.transitions.compactMap { transition in
        transition.event == .missed ? (transition.id, transition.fire?.missed ?? 0) : nil
      }
    ) { $0 + $1 }
  }

  /// No fire is lost, and none is counted twice.
  @Test(arguments: [
    ("a=7s then b b=11s then c c=13s then a", Duration.hours(30)),
    ("a=7s then b b=11s then a c=1h then b", .hours(30)),
    ("a=7s then b b=11s then a c=daily 12:00 x2 then b", .days(3)),
    ("a=7s then b b=11s then a c=every 1h x3 then a", .hours(30)),
  ])
  func oneStepIsManySteps(words: String, time: Duration) throws {
    let begin = try VirtualBoard(words)
    var whole = begin.board
    let fired = missed(whole.advance(to: begin.now.moved(by: time), .unattended))
    var steps = begin.board
    var firedInSteps: [TimerID: Int] = [:]
    var passed = Duration.zero
    while passed < time {
      passed = min(time, passed + .seconds(29))
      let change = steps.advance(to: begin.now.moved(by: passed), .unattended)
      firedInSteps.merge(missed(change)) { $0 + $1 }
    }
    #expect(fired == firedInSteps)
    let end = begin.now.moved(by: time)
    #expect(
      whole.timers.all.map { $0.stateLine(at: end) }
        == steps.timers.all.map { $0.stateLine(at: end) })
    #expect(whole.timers.all.map(\.chain) == steps.timers.all.map(\.chain))
  }

  /// Timers in a loop and one with thousands of future fires take time in proportion to the starts.
  @Test func manyFutureFiresAreComputedQuickly() throws {
    func time(_ days: Int) throws -> Duration {
      let begin = try VirtualBoard("a=10s then b b=10s paused then a c=daily 09:00 x10000")
      return processorTime {
        var board = begin.board
        let fired = missed(board.advance(to: begin.now.moved(by: .days(days)), .unattended))
        #expect(board.timers.count(of: .running) == 2)
        let loops = days * 4_320
        #expect(fired == [TimerID(1): loops, TimerID(2): loops, TimerID(3): days])
      }
    }
    let (short, long) = (try time(1), try time(4))
    #expect(long < short * 8, "\(short), \(long)")
  }

  /// A loop that cannot be skipped is followed up to a limit; then it continues from now and is
  /// reported.
  @Test func anEndlessLoopIsReported() throws {
    let words = (0..<400).map { "t\($0)=\(1000 + $0)ms then t\(($0 + 1) % 400) ring" }
    let board = try restored(words.joined(separator: " "), after: .days(3650))
    #expect(
      board.board.log.entries.contains { $0.event.text.contains("too many chained starts") })
    #expect(board.board.timers.all.contains { $0.state == .running })
    // What ended after the limit has ended now.
    let ended = board.board.timers.all.filter(\.needsAttention).compactMap {
      $0.overtime(at: board.now)
    }
    #expect(ended.contains(.zero))
  }

  /// The run has no final rest: seven phases, 4 × 25 + 3 × 5 minutes.
  @Test(arguments: [(114, TimerState.running), (115, .finished)])
  func aCycleEndsOnTime(minutes: Int, phase: TimerState) throws {
    let board = try restored(
      "pomo=cycle 25m/5m x4 then b b=1h paused", after: .minutes(minutes))
    #expect(board.board.timers[0].state == phase)
    #expect(board.board.timers[1].state == (phase == .finished ? .running : .paused))
  }

  // MARK: Chains

  private func catchUp(
    _ words: String, for time: Duration
  ) throws -> (board: VirtualBoard, fires: [Int]) {
    let begin = try VirtualBoard(words)
    var board = begin.board
    let fired = missed(board.advance(to: begin.now.moved(by: time), .unattended))
    let fires = board.timers.all.map { fired[$0.id] ?? 0 }
    let restored = try VirtualBoard(seed: 1)
    try restored.restore(begin, after: time)
    return (restored, fires)
  }

  /// A day has one noon, so a round of two takes two days, whenever it begins.
  @Test func aLoopFollowsTheTimeOfDay() throws {
    let (_, fires) = try catchUp("a=1m then d d=daily 12:00 x2 then a", for: .days(100))
    #expect(fires == [51, 100])
  }

  @Test func theRoundsOfACountAreNotRepeated() throws {
    let (board, fires) = try catchUp("a=1s then b x3 b=1s paused then a", for: .days(1))
    #expect(fires == [3, 3] && board.isOver)
  }

  /// Two runs are in the loop, and both wait before `a`.
  @Test func aLoopThatWaitsIsNotRepeated() throws {
    let (board, fires) = try catchUp(
      "s=5s then a a=2s then b b=3s paused then c c=4s paused then a wait", for: .hours(1))
    #expect(fires == [1, 2, 2, 2])
    #expect(board.board.timers.all.map(\.state) == [.finished, .paused, .finished, .finished])
  }

  /// `b` fires at 4 s and 8 s, and is restarted at 10 s.
  @Test func aRestartedTimerKeepsItsFires() throws {
    #expect(try catchUp("a=10s then b b=every 4s x5", for: .seconds(12)).fires == [1, 2])
  }

  @Test func aRunBelongsToItsHead() throws {
    let (board, _) = try catchUp("tea=1h a=4s then b x3 b=1m paused", for: .seconds(10))
    #expect(board.board.timers.all.map(\.chain.head) == [nil, nil, TimerID(2)])
    #expect(board.board.timers[1].roundsLeft == 2)
  }

  /// After 100 000 starts the chain continues from now, and what has ended is not overdue.
  @Test func aDelayedChainEndsNow() throws {
    let (board, fires) = try catchUp("a=1s then b x200000 b=1s paused", for: .days(365))
    #expect(fires == [50_001, 50_000])
    #expect(board.states == ["a finished 0/1", "b running 0:01 1/1"])
    #expect(board.board.timers.alertCount == 0)
  }
}
