import Testing
import TimerKit

@testable import TimerBoard

/// Commands on the board, and the consequences of fires: other timers, the bell, commands.
@Suite struct BoardTests {
  @Test func startReportsNothing() throws {
    let board = try VirtualBoard("tea=3m sets=every 45s x8")
    #expect(board.states == ["tea running 3:00 1/1", "sets running 0:45 8/8"])
    #expect(board.report == nil && board.board.log.entries.isEmpty)
  }

  /// Timers that were requested at launch are reported only if they get another name, and cannot be undone.
  @Test func aNameThatIsTakenAtLaunchIsReported() throws {
    let board = try VirtualBoard("tea=3m")
    board.handle(.start(try TimerSpec.parse(arguments: ["tea=5m"])))
    #expect(board.report == "tea: added as tea-2; the name is taken")
    board.handle(.undo)
    #expect(board.report == "nothing to undo" && board.board.timers.count == 2)
  }

  @Test func addedTimersStart() throws {
    let board = try VirtualBoard("tea=3m")
    board.handle(.add([]))
    #expect(board.report == nil)
    board.handle(.add(try TimerSpec.parse(arguments: ["egg=5m paused"])))
    #expect(board.states == ["tea running 3:00 1/1", "egg paused 5:00 1/1"])
    #expect(board.report == "egg: added")
    board.handle(.add(try TimerSpec.parse(arguments: ["a=1m b=1m"])))
    #expect(board.report == "2 timers: added")
    #expect(board.board.timers.count == 4)
  }

  @Test func duplicatesTimers() throws {
    let board = try VirtualBoard("tea=3m tea-2=1m")
    board.advance(by: .seconds(10))
    board.handle(.duplicate(try board.ids("tea")))
    #expect(board.report == "tea: copied as tea-3")
    #expect(
      board.states == ["tea running 2:50 1/1", "tea-3 running 3:00 1/1", "tea-2 running 0:50 1/1"])
    board.handle(.duplicate(try board.ids("tea", "tea-2")))
    #expect(board.report == "2 timers: copied")
  }

  @Test func deletesAndMovesTimers() throws {
    let board = try VirtualBoard("a=3m b=3m c=3m")
    board.handle(.move(try board.ids("c")[0], to: 0))
    #expect(board.board.timers.all.map(\.label) == ["c", "a", "b"])
    board.handle(.delete(try board.ids("a")))
    #expect(board.report == "a: deleted")
    #expect(board.board.timers.all.map(\.label) == ["c", "b"])
    #expect(board.board.timers.count(of: .running) == 2)
  }

  @Test(arguments: [
    ("t=3m", "t=3m", "t: unchanged", "t running 2:50 1/1"),
    ("t=3m", "t=3m note x", "t: changed", "t running 2:50 1/1"),
    ("t=3m", "t=3m paused", "t: changed", "t paused 2:50 1/1"),
    ("t=every 1m x3", "t=every 1m x5", "t: changed to every 1m ×5", "t running 0:50 5/5"),
    ("t=every 1m x3", "t=every 2m x3", "t: changed to every 2m ×3", "t running 2:00 3/3"),
    ("t=3m", "t=stopwatch", "t: changed to stopwatch", "t running 0:00"),
    ("t=debounce 2s", "t=daily 14:40 x3", "t: changed to daily 14:40 ×3", "t running 10:50 3/3"),
  ])
  func editsATimer(_ line: String, _ edited: String, _ report: String, _ state: String) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(10))
    board.handle(.edit(board.board.timers[0].id, try TimerSpec.parse(timer: edited)))
    #expect(board.report == report)
    #expect(board.states == [state])
  }

  /// A running timer stays in its round; one that has finished begins its chain anew.
  @Test func editsATimerInAChain() throws {
    let board = try VirtualBoard("work=4s then rest x3 rest=2s paused")
    let id = try board.ids("work")[0]
    for (time, edited, text) in [
      (6, "work=5s then rest x3", "once 5s → rest ×2"),
      (5, "work=6s then rest x3", "once 6s → rest ×3"),
    ] {
      board.advance(by: .seconds(time))
      board.handle(.edit(id, try TimerSpec.parse(timer: edited, in: .trusted)))
      #expect(board.board.timers[0].kindAndSuccessorText == text)
    }
  }

  /// The end of the new run starts the next timer, which the end of a snooze does not.
  @Test func anEditEndsASnooze() throws {
    let board = try VirtualBoard("tea=3s then egg egg=5m paused")
    board.advance(by: .seconds(5))
    try board.control(.adjustTime(.more), "tea")
    let edited = try TimerSpec.parse(timer: "tea=10s then egg", in: .trusted)
    board.handle(.edit(try board.ids("tea")[0], edited))
    board.advance(by: .seconds(10))
    #expect(board.states == ["tea finished 0/1", "egg running 5:00 1/1"])
  }

  /// Pauses all running timers, and resumes the same timers.
  @Test func pausesAndResumesAllTimers() throws {
    let board = try VirtualBoard("a=3m b=3m paused c=stopwatch d=daily 20:00 e=debounce 2s")
    board.handle(.pauseAll)
    #expect(board.board.timers.count(of: .running) == 0)
    #expect(board.report == "3 timers: paused")
    board.handle(.pauseAll)
    #expect(board.report == "3 timers: resumed")
    #expect(board.states[1] == "b paused 3:00 1/1")
    #expect(board.board.timers.count(of: .running) == 3)
    board.handle(.pauseAll)
    try board.control(.start, "a")
    try board.control(.pause, "a")
    board.handle(.pauseAll)
    #expect(board.report == "2 timers: resumed")
    let empty = try VirtualBoard("a=3m paused")
    empty.handle(.pauseAll)
    #expect(empty.report == "nothing is running")
  }

  @Test func mutesTheBoard() throws {
    let board = try VirtualBoard("a=1s")
    board.handle(.mute(true))
    #expect(board.report == "bell and notifications off")
    board.advance(by: .seconds(2))
    #expect(!board.requests.contains { $0 == .ringOnce })
    board.handle(.mute(false))
    #expect(board.report == "bell and notifications on")
  }

  /// The bell repeats until every alert is acknowledged.
  @Test func theBellRepeatsUntilAcknowledged() throws {
    let board = try VirtualBoard("a=1s ring b=2s")
    board.advance(by: .seconds(3))
    #expect(board.board.timers.all.map(\.needsAttention) == [true, true])
    #expect(board.board.newestAlertStart != nil)
    #expect(board.requests.contains(.repeatBell(true)) && board.requests.contains(.ringOnce))
    board.handle(.acknowledge)
    #expect(board.board.timers.all.map(\.needsAttention) == [false, false])
    #expect(board.board.newestAlertStart == nil)
    #expect(board.requests.last == .repeatBell(false))
    let count = board.requests.count
    board.handle(.acknowledge)
    #expect(board.requests.count == count)
  }

  @Test func aFinishedTimerStartsTheNext() throws {
    let board = try VirtualBoard(
      "a=3s then b b=every 2s x2 paused then c c=cycle 1s/1s x1 paused then d d=debounce 1s")
    board.advance(by: .seconds(3))
    #expect(board.states[1] == "b running 0:02 2/2")
    #expect(board.lastLogEntry == "b: started by a")
    board.advance(by: .seconds(4))
    #expect(board.states[2] == "c work 0:01 1/1")
    board.advance(by: .seconds(1))
    #expect(board.states[3] == "d running 1s")
    // An edit without a name keeps the name, and so the chain.
    board.handle(.edit(try board.ids("b")[0], TimerSpec(kind: .once(.seconds(2)))))
    try board.control(.reset(restart: true), "a")
    board.advance(by: .seconds(3))
    #expect(board.lastLogEntry == "b: started by a")
  }

  /// The start of the next timer is not a user action: it is neither reported nor undone.
  @Test func aChainedStartIsNotUndone() throws {
    let board = try VirtualBoard("a=1s then b b=1m")
    board.advance(by: .seconds(2))
    #expect(board.states == ["a finished 0/1", "b running 0:59 1/1"])
    #expect(board.report == nil)
    board.handle(.undo)
    #expect(board.report == "nothing to undo")
  }

  @Test func chainsCanLoop() throws {
    let board = try VirtualBoard("a=2s then b b=1s paused then a")
    board.advance(by: .seconds(7))
    #expect(board.states == ["a running 0:01 1/1", "b finished 0/1"])
  }

  /// The interval grows with each consecutive failure, up to its limit, and is restored by a
  /// success.
  @Test func failuresIncreaseTheInterval() throws {
    let board = try VirtualBoard("poll=every 5s backoff 30s run x")
    let id = board.board.timers[0].id
    func end(_ status: Int32) {
      board.commandEnded(id, CommandResult(.exited(status)))
    }
    for interval in [10, 20, 30, 30] {
      board.advance(by: .seconds(30))
      #expect(board.requests.last == .run("x"))
      end(1)
      #expect(board.board.timers[0].machine.period == .seconds(interval))
      #expect(board.board.timers[0].spec.text == "poll=every 5s backoff 30s run x")
    }
    end(0)
    #expect(board.board.timers[0].machine.period == .seconds(5))
    end(1)
    #expect(board.lastLogEntry == "poll: exit 1, next in 10s")
    try board.control(.stepInterval(longer: true), "poll")
    #expect(board.report == "poll: interval 10s → 10s")
    board.commandEnded(TimerID(99), CommandResult(.timedOut))
    // A deleted timer returns with the interval that it had.
    end(1)
    #expect(board.board.timers[0].machine.period == .seconds(20))
    board.handle(.delete([id]))
    board.handle(.undo)
    #expect(board.board.timers[0].machine.period == .seconds(20))
  }

  /// A session that was saved 100 seconds ago.
  @Test(
    arguments: [
      (
        RestorePolicy.catchUp,
        [
          "sets running 0:35 6/8", "pomo work 23:20 4/4", "sw running 1:40", "p paused 1:00 1/1",
          "a finished 0/1", "b running 3:30 1/1", "noon running 21:31:00 ∞", "save idle",
        ], "while carillon was not running: sets fired 2 times, a finished"
      ),
      (
        .keepTimeLeft,
        [
          "sets running 0:45 8/8", "pomo work 25:00 4/4", "sw running 0:00", "p paused 1:00 1/1",
          "a running 0:10 1/1", "b paused 5:00 1/1", "noon running 21:31:00 ∞", "save idle",
        ], nil
      ),
    ] as [(RestorePolicy, [String], String?)])
  func restoresASession(_ policy: RestorePolicy, _ states: [String], _ report: String?) throws {
    let other = try VirtualBoard(
      """
      sets=every 45s x8 pomo=cycle 25m/5m x4 sw=stopwatch p=1m paused a=10s then b
      b=5m paused noon=daily 12:00 save=debounce 2s
      """)
    other.adjustWall(by: .seconds(-100))
    let board = try VirtualBoard()
    try board.restore(other, policy, after: .seconds(100))
    #expect(board.states == states)
    #expect(board.report == report)
  }

  /// A timer that fires once and has finished is not saved; the others are restored unchanged.
  @Test func savedTimersAreRestored() throws {
    let board = try VirtualBoard("a=1s b=every 10s x3 c=stopwatch d=cycle 5s/5s")
    board.advance(by: .seconds(2))
    board.handle(.acknowledge)
    let next = try VirtualBoard()
    try next.restore(board, .keepTimeLeft)
    #expect(next.states == Array(board.states.dropFirst()))
  }

  /// A timer that is not restored precedes the chain in the session.
  @Test func aRestoredChainContinues() throws {
    let board = try VirtualBoard("egg=1s work=4s then rest x3 rest=2s paused")
    board.advance(by: .seconds(5))
    board.handle(.acknowledge)
    let next = try VirtualBoard()
    try next.restore(board, .catchUp)
    #expect(next.states == ["work finished 0/1", "rest running 0:01 1/1"])
    next.advance(by: .seconds(1))
    #expect(next.states == ["work running 0:04 1/1", "rest finished 0/1"])
  }
}
