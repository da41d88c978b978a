import Testing
import TimerKit

@testable import TimerBoard

/// Edits of finished and of extended timers, and the limits of back-off and of overtime.
@Suite struct TimerEditTests {
  /// A finished timer starts from the beginning, also if its interval or its phases stay.
  @Test(arguments: [
    ("t=every 2s x2", "t=every 2s x5", "t running 0:02 5/5"),
    ("t=cycle 2s/1s x1", "t=cycle 2s/1s x2", "t work 0:02 2/2"),
  ])
  func anEditedTimerThatHasFinishedStartsFromTheBeginning(
    _ line: String, _ edited: String, _ state: String
  ) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(5))
    #expect(board.timer.state == .finished)
    board.handle(.edit(board.timer.id, try TimerSpec.parse(timer: edited)))
    #expect(board.states == [state])
  }

  /// Iterations that were added to the run are not added to the new number.
  @Test func anEditSetsTheNumberOfAnExtendedRun() throws {
    let board = try VirtualBoard("t=every 1m x3")
    try board.control(.adjustIterations(by: 2), "t")
    board.advance(by: .seconds(10))
    #expect(board.states == ["t running 0:50 5/5"])
    board.handle(.edit(board.timer.id, try TimerSpec.parse(timer: "t=every 1m x4")))
    #expect(board.states == ["t running 0:50 4/4"])
  }

  // MARK: Back-off

  private func fail(_ board: VirtualBoard) {
    let result = CommandResult(.exited(1))
    board.commandEnded(board.timer.id, result)
  }

  /// The time that is left does not begin anew once the interval has reached its limit.
  @Test func aFailureAtTheLongestIntervalKeepsTheTimeLeft() throws {
    let board = try VirtualBoard("poll=every 5s backoff 10s run x")
    fail(board)
    #expect(board.states == ["poll running 0:10 ∞"])
    board.advance(by: .seconds(3))
    fail(board)
    #expect(board.states == ["poll running 0:07 ∞"])
    #expect(board.lastLogEntry == "poll: exit 1")
  }

  /// The number of failures has no limit: the next one uses a limit of the interval that the user has increased.
  @Test func aLongerLimitAppliesAfterManyFailures() throws {
    let board = try VirtualBoard("poll=every 5s backoff 30s run x")
    for _ in 0..<70 { fail(board) }
    #expect(board.timer.period == .seconds(30))
    let edited = try TimerSpec.parse(timer: "poll=every 5s backoff 1m run x")
    board.handle(.edit(board.timer.id, edited))
    fail(board)
    #expect(board.timer.period == .minutes(1))
  }

  // MARK: Overtime

  /// It stops after an hour, also in the session.
  @Test func acknowledgedOvertimeIsAtMostAnHour() throws {
    let board = try VirtualBoard("tea=3s")
    board.advance(by: .seconds(3))
    board.sleep(for: .hours(2))
    board.handle(.acknowledge)
    #expect(board.timer.overtime(at: board.now) == .hours(1))
    #expect(board.timer.timeText(at: board.now) == "+1:00:00")
    #expect(board.savedTimers[0].over == 3600)
  }

  /// A reading of the clocks that is older than the end of the run gives no negative overtime.
  @Test func overtimeIsNeverNegative() throws {
    let board = try VirtualBoard("tea=3s")
    let before = board.now
    board.advance(by: .seconds(3))
    #expect(board.timer.timeText(at: before) == "+0:00")
    #expect(SavedFields(board.timer, at: before).over == 0)
  }
}
