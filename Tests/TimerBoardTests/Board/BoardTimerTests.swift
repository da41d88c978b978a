import Testing
import TimerKit

@testable import TimerBoard

/// The properties of a timer on a board: its end, its period, its overtime, its texts and its counts.
@Suite struct BoardTimerTests {
  /// The seconds until the run ends, after 14:29:00.
  @Test(
    arguments: [
      ("t=3m", 180), ("t=every 1m x3", 180), ("t=cycle 2m/1m x2", 300), ("t=at 14:40", 660),
      // Several fires at a time of day, and runs without an end.
      ("t=daily 14:40 x3", nil), ("t=daily 14:40", nil), ("t=every 1m", nil),
      ("t=stopwatch", nil), ("t=3m paused", nil),
    ] as [(String, Int?)])
  func theEndOfARun(_ line: String, _ seconds: Int?) throws {
    let board = try VirtualBoard(line)
    let end = seconds.map { VirtualBoard.begin.advanced(by: .seconds($0)) }
    #expect(board.timer.end(at: board.now) == end)
  }

  // MARK: The period until a time of day

  /// It begins when the timer starts, and ends at the same time of day if the clock is set.
  @Test func aPeriodKeepsItsBeginning() throws {
    let board = try VirtualBoard("t=daily 15:00")
    #expect(board.timer.period == .minutes(31))
    board.adjustWall(by: .minutes(10))
    board.handle(.silence)
    #expect(board.timer.timeLeft(at: board.now) == .minutes(21))
    #expect(board.timer.period == .minutes(31))
  }

  @Test func aPauseEndsThePeriod() throws {
    let board = try VirtualBoard("t=daily 15:00")
    try board.control(.pause, "t")
    #expect(board.timer.period == nil)
    board.advance(by: .minutes(11))
    try board.control(.start, "t")
    #expect(board.timer.period == .minutes(20))
  }

  @Test func aChangeOfTheKindEndsThePeriod() throws {
    let board = try VirtualBoard("t=daily 15:00")
    board.handle(.edit(try board.ids("t")[0], try TimerSpec.parse(timer: "t=stopwatch")))
    #expect(board.timer.period == nil && board.timer.wallOccurrences == nil)
  }

  // MARK: Overtime

  /// A new run has no overtime, even if it ends without an alert.
  @Test func aRestartEndsTheOvertime() throws {
    let board = try VirtualBoard("tea=3s")
    board.advance(by: .seconds(10))
    board.handle(.acknowledge)
    #expect(board.timer.timeText(at: board.now) == "+0:07")
    board.handle(.edit(try board.ids("tea")[0], try TimerSpec.parse(timer: "tea=3s silent")))
    try board.control(.reset(restart: true), "tea")
    #expect(board.savedTimers[0].over == nil)
    #expect(board.timer.longestTime == .seconds(3))
    board.advance(by: .seconds(5))
    #expect(board.timer.state == .finished)
    #expect(board.timer.timeText(at: board.now) == nil)
  }

  /// Only a countdown and an alarm have overtime. The alert of another timer leaves none.
  @Test(arguments: ["t=every 2s x2", "t=cycle 2s/2s x1"])
  func anAlertWithoutOvertime(_ line: String) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(10))
    #expect(board.timer.needsAttention && board.timer.overtime(at: board.now) == nil)
    board.handle(.acknowledge)
    #expect(board.savedTimers[0].over == nil)
    #expect(board.timer.longestTime == .seconds(2))
  }

  @Test func aRestoredTimerHasItsOvertime() throws {
    let old = try VirtualBoard("tea=3m")
    old.advance(by: .seconds(200))
    let board = try VirtualBoard()
    try board.restore(old, .keepTimeLeft, after: .seconds(60))
    #expect(board.timer.timeText(at: board.now) == "+0:20")
  }

  // MARK: Sessions

  /// The fires of the process before are counted, too.
  @Test func aRestoredTimerContinuesItsCounts() throws {
    let old = try VirtualBoard("poll=every 1m")
    old.sleep(for: .seconds(330))
    let board = try VirtualBoard()
    try board.restore(old, .keepTimeLeft)
    #expect(board.timer.counts.delivered == 1 && board.timer.counts.missed == 4)
    board.advance(by: .seconds(30))
    #expect(board.lastLogEntry == "poll: fired, 2nd")
  }

  // MARK: Texts

  /// An edit can leave fewer rounds than were done.
  @Test func noRoundsAreLeftAfterTheLast() throws {
    let board = try VirtualBoard("work=4s then rest x5 rest=2s paused")
    board.advance(by: .seconds(12))
    #expect(board.timer.kindAndSuccessorText == "once 4s → rest ×3")
    let spec = try TimerSpec.parse(timer: "work=4s then rest x1", in: .trusted)
    board.handle(.edit(board.timer.id, spec))
    #expect(board.timer.kindAndSuccessorText == "once 4s → rest ×0")
  }

  /// Back-off does not change the kind; an interval that the user sets does, also if it is the current one.
  @Test(arguments: [10, 20]) func theKindHasTheIntervalOfTheUser(seconds: Int) throws {
    let line = "poll=every 5s backoff 5m run false"
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(6))
    let id = board.timer.id
    let failure = CommandResult(.exited(1))
    board.commandEnded(id, failure)
    #expect(board.timer.period == .seconds(10) && board.timer.kindAndSuccessorText == "every 5s")
    try board.control(.setInterval(.seconds(seconds), .fromNow), "poll")
    #expect(board.timer.kindAndSuccessorText == "every \(seconds)s")
    // An edit to the interval that back-off has reached does, too.
    board.handle(.edit(id, try TimerSpec.parse(timer: line)))
    board.commandEnded(id, failure)
    #expect(board.timer.period == .seconds(10) && board.timer.kindAndSuccessorText == "every 5s")
    let edited = try TimerSpec.parse(timer: "poll=every 10s backoff 5m run false")
    board.handle(.edit(id, edited))
    #expect(board.report == "poll: changed to every 10s")
    #expect(board.timer.searchText.contains("every 10s"))
  }
}
