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
    _ = board.newTransitions()
    for transition in ["t phase", "t phase", "t finished"] {
      try board.control(.skip, "t")
      #expect(board.newTransitions() == [transition])
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
}
