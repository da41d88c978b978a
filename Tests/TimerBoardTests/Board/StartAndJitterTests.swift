import Testing
import TimerKit

@testable import TimerBoard

/// Timers of the grammar with `now` and with `jitter`.
@Suite struct StartAndJitterTests {
  @Test func aTimerWithNowFiresAtItsStart() throws {
    let board = try VirtualBoard("poll=every 30s x3 now")
    board.advance(by: .zero)
    #expect(board.fires == [1] && board.states == ["poll running 0:30 2/3"])
    board.advance(by: .seconds(60))
    #expect(board.fires == [3] && board.states == ["poll finished 0/3"])
    // So does each run.
    try board.control(.reset(restart: true), "poll")
    board.advance(by: .zero)
    #expect(board.fires == [4] && board.states == ["poll running 0:30 2/3"])
  }

  @Test func aPausedTimerWithNowIsAtItsBeginning() throws {
    let board = try VirtualBoard("poll=every 30s now paused")
    #expect(board.states == ["poll paused 0:00 ∞"] && !board.timer.machine.hasRun)
    // The first fire stays at the start if the interval becomes longer.
    try board.control(.setInterval(.minutes(1), .fromLastFire), "poll")
    try board.control(.toggle, "poll")
    board.advance(by: .zero)
    #expect(board.fires == [1] && board.states == ["poll running 1:00 ∞"])
    board.advance(by: .seconds(10))
    try board.control(.toggle, "poll")
    #expect(board.timer.machine.hasRun)
  }

  /// The fire at the start is not repeated by a process that continues the session.
  @Test func aSavedTimerContinuesOnItsGrid() throws {
    let board = try VirtualBoard("poll=every 30s now jitter 10s")
    board.advance(by: .seconds(100))
    let expected = try #require(grid(of: board))
    let other = try VirtualBoard()
    try other.takeOver(board)
    #expect(other.timer.spec.text == "poll=every 30s now jitter 10s")
    #expect(other.timer.counts.delivered == board.timer.counts.delivered)
    let left = try #require(grid(of: other))
    #expect(left == expected)
    other.advance(by: .seconds(60))
    #expect(other.timer.counts.delivered == board.timer.counts.delivered + 2)
  }

  /// The time left until the next fire without its delay.
  private func grid(of board: VirtualBoard) -> Duration? {
    guard let snapshot = board.timer.machine.repeater else { return nil }
    return board.timer.timeLeft(at: board.now).map { $0 - snapshot.jitterDelay }
  }

  /// A random delay is no time that an edit adds to the grid.
  @Test func anEditKeepsTheGrid() throws {
    let board = try VirtualBoard("poll=every 30s jitter 10s")
    board.advance(by: .seconds(5))
    board.handle(.edit(board.timer.id, try TimerSpec.parse(timer: "poll=every 30s jitter 20s")))
    #expect(grid(of: board) == .seconds(25))
    board.handle(.edit(board.timer.id, try TimerSpec.parse(timer: "poll=every 30s")))
    #expect(board.states == ["poll running 0:25 ∞"])
  }

  /// A shorter interval limits the delay: the session can still be read.
  @Test func aShorterIntervalLimitsTheJitter() throws {
    let board = try VirtualBoard("poll=every 30s jitter 20s")
    try board.control(.setInterval(.seconds(1), .fromNow), "poll")
    board.advance(by: .seconds(20))
    #expect(board.timer.counts.delivered >= 18)
    let other = try VirtualBoard()
    try other.takeOver(board)
    #expect(other.timer.spec.text == "poll=every 1s jitter 20s")
  }
}
