import Testing
import TimerKit

@testable import TimerBoard

/// A board on a machine that sleeps.
@Suite struct SleepTests {
  /// Each timer after a minute, ten minutes of sleep, and a moment.
  @Test(arguments: [
    ("t=3m", "t finished 0/1", 1),
    ("t=3m awake", "t running 2:00 1/1", 0),
    ("t=1h", "t running 49:00 1/1", 0),
    ("t=1h awake", "t running 59:00 1/1", 0),
    // Eleven minutes are two periods of five, of which one was missed.
    ("t=every 5m", "t running 4:00 ∞", 1),
    ("t=every 5m x8", "t running 4:00 7/8", 1),
    ("t=every 5m missed delay", "t running 5:00 ∞", 1),
    ("t=every 5m missed burst", "t running 4:00 ∞", 2),
    ("t=every 5m awake", "t running 4:00 ∞", 0),
    ("t=cycle 4m/3m", "t rest 3:00 ∞", 1),
    ("t=cycle 4m/3m awake", "t work 3:00 ∞", 0),
    ("t=stopwatch", "t running 11:00", 0),
    ("t=stopwatch awake", "t running 1:00", 0),
    ("t=at 14:35", "t finished 0/1", 1),
    ("t=daily 14:35", "t running 23:55:00 ∞", 1),
  ])
  func timersCountThroughSleep(_ line: String, _ state: String, _ fires: Int) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .minutes(1))
    board.sleep(for: .minutes(10))
    #expect(board.states == [state])
    #expect(board.board.timers[0].counts.delivered == fires)
    // What a session stores of it is the same.
    let next = try VirtualBoard()
    try next.takeOver(board)
    #expect(next.states == [state])
  }

  /// A fire that was due in the sleep is late by the rest of the sleep.
  @Test func whatFellDueFiresLate() throws {
    let board = try VirtualBoard("tea=3m")
    board.sleep(for: .minutes(10))
    let timer = board.board.timers[0]
    #expect(timer.lateness == .minutes(7))
    #expect(board.board.log.entries.last?.event.text == "finished")
  }

  /// Several fires in the sleep are one fire afterwards, which counts the others as missed.
  @Test func fallsDueOnce() throws {
    let board = try VirtualBoard("poll=every 1m")
    board.sleep(for: .seconds(330))
    #expect(board.board.timers[0].counts.delivered == 1)
    #expect(board.board.timers[0].counts.missed == 4)
    #expect(board.states == ["poll running 0:30 ∞"])
  }

  @Test func triggeredTimersCountThroughSleep() throws {
    for (line, fires) in [
      ("t=debounce 5m", 1), ("t=debounce 5m awake", 0), ("t=idle 5m", 1), ("t=idle 5m awake", 0),
      ("t=coalesce 5m", 1), ("t=coalesce 5m awake", 0),
    ] {
      let board = try VirtualBoard(line)
      try board.control(.fire(pausing: false), "t")
      board.sleep(for: .minutes(10))
      #expect(board.board.timers[0].counts.delivered == fires, "\(line)")
    }
    // After the sleep an interval has passed, so that the call is delivered at once.
    for (line, fires) in [("t=throttle 5m", 2), ("t=throttle 5m awake", 1)] {
      let board = try VirtualBoard(line)
      try board.control(.fire(pausing: false), "t")
      board.sleep(for: .minutes(10))
      try board.control(.fire(pausing: false), "t")
      #expect(board.board.timers[0].counts.delivered == fires, "\(line)")
    }
  }

  /// A paused timer keeps its time, and a chain continues at the wake-up.
  @Test func pausesAndChainsThroughSleep() throws {
    let board = try VirtualBoard("tea=3m paused then egg egg=5m paused then tea eggs=5m")
    board.sleep(for: .minutes(4))
    #expect(
      board.states == ["tea paused 3:00 1/1", "egg paused 5:00 1/1", "eggs running 1:00 1/1"])
    try board.control(.start, "tea")
    board.sleep(for: .minutes(4))
    // The successor starts when the machine wakes, because nothing ran before.
    #expect(
      board.states == ["tea finished 0/1", "egg running 5:00 1/1", "eggs finished 0/1"])
  }

  /// Setting the clock is not sleep.
  @Test func theClockOfACountdownIsNotTheTimeOfDay() throws {
    let board = try VirtualBoard("tea=3m")
    board.adjustWall(by: .hours(1))
    #expect(board.states == ["tea running 3:00 1/1"])
  }

  @Test func anEditChangesTheClockAndKeepsTheTime() throws {
    for line in ["t=3m", "t=cycle 3m/1m", "t=stopwatch", "t=every 3m x3"] {
      let board = try VirtualBoard(line)
      board.advance(by: .minutes(1))
      let before = board.states
      let spec = try TimerSpec.parse(timer: "\(line) awake")
      board.handle(.edit(try board.ids("t")[0], spec))
      #expect(board.states == before)
      board.sleep(for: .minutes(2))
      #expect(board.states == before, "\(line)")
      board.handle(.undo)
      board.sleep(for: .seconds(30))
      #expect(board.states != before, "\(line)")
    }
  }

  /// The time that a stretch counts is that of its timer.
  @Test func stretchesCountThroughSleep() throws {
    let board = try VirtualBoard("tea=3m nap=20m work=20m awake")
    board.advance(by: .minutes(1))
    board.sleep(for: .minutes(2))
    board.advance(by: .minutes(1))
    board.endRuns()
    let records = board.newHistory().compactMap { line -> String? in
      guard case .record(let record) = line else { return nil }
      return "\(record.timer) \(record.activeTime / 1000)"
    }
    #expect(records == ["tea 180", "nap 240", "work 120"])
  }
}
