import Testing
import TimerKit

@testable import TimerBoard

/// The fires of timers, and the ends of commands.
@Suite struct EventTests {
  @Test func firesAreTransitions() throws {
    let board = try VirtualBoard("e=every 10s x2 c=cycle 5s/20s")
    _ = board.newTransitions()
    board.advance(by: .seconds(20))
    #expect(board.newTransitions() == ["c phase", "e fired", "e finished"])
  }

  @Test func runsBeginWithTheirCommands() throws {
    let board = try VirtualBoard("a=1h")
    let id = board.timer.id
    board.advance(by: .seconds(5))
    board.handle(.duplicate([id]))
    board.advance(by: .seconds(5))
    board.handle(.edit(id, TimerSpec(name: "a", kind: .once(.hours(2)))))
    board.advance(by: .seconds(5))
    board.endRuns()
    let records = board.newHistory().compactMap { line -> String? in
      guard case .record(let record) = line else { return nil }
      return "\(record.timer) \(record.ending) \(record.activeTime)"
    }
    #expect(records == ["a edited 10000", "a ended 5000", "a-2 ended 10000"])
  }

  /// The end of a run and its last fire are one event.
  @Test func theLastFireEndsTheRun() throws {
    let board = try VirtualBoard("t=10s")
    board.advance(by: .seconds(10))
    #expect(board.savedTimers[0].state == .finished && board.board.timers.alertCount == 1)
    #expect(board.newTransitions().last == "t finished")
  }

  /// After the clock was set, alarms are due at another time.
  @Test func alarmsFollowTheClock() throws {
    let board = try VirtualBoard("a=at 15:00 b=every 10s")
    let due = try #require(board.timer.due(at: board.now))
    board.adjustWall(by: .minutes(10))
    #expect(board.timer.due(at: board.now) == due.advanced(by: .zero - .minutes(10)))
  }

  @Test func aTimerThatCannotBeMadeIsReported() throws {
    let board = try VirtualBoard()
    var spec = TimerSpec(name: "t", kind: .once(.seconds(1)))
    spec.tolerance = .seconds(-1)
    board.handle(.add([spec]))
    #expect(board.board.timers.isEmpty)
    #expect(board.report?.hasPrefix("t: ") == true && board.reports.last?.isFailure == true)
    #expect(board.lastLogEntry?.hasPrefix("t: removed: ") == true)
  }

  /// Only failures, and the first success after one, are logged.
  @Test func successesAreNotLogged() throws {
    let board = try VirtualBoard("t=every 10s run x")
    let count = { board.board.log.entries.count }
    for (status, logged) in [(0, 0), (0, 0), (1, 1), (0, 2), (0, 2)] as [(Int32, Int)] {
      board.commandEnded(board.timer.id, CommandResult(.exited(status)))
      #expect(count() == logged)
    }
  }

  @Test func aTriggeredTimerDoesNotStandReady() throws {
    let board = try VirtualBoard("a=5s then d wait d=debounce 1m")
    board.advance(by: .seconds(5))
    #expect(board.board.timers[1].state == .running)
    #expect(!board.board.timers[1].standsReady)
  }

  @Test func snoozingEndsTheAlert() throws {
    let board = try VirtualBoard("t=5s")
    for expected in [["t acknowledged", "t started"], ["t started"]] {
      board.advance(by: .minutes(6))
      if expected.count == 1 { board.handle(.acknowledge) }
      _ = board.newTransitions()
      try board.control(.adjustTime(.more), "t")
      #expect(board.newTransitions() == expected)
    }
  }

  @Test func aSnoozedAlarmRuns() throws {
    let board = try VirtualBoard("t=at 14:30 paused")
    try board.control(.start, "t")
    board.advance(by: .minutes(2))
    try board.control(.adjustTime(.more), "t")
    #expect(board.board.timers[0].state == .running)
  }
}
