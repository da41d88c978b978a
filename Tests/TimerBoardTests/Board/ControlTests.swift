import Testing
import TimerKit

@testable import TimerBoard

/// A case of ``ControlTests``: the actions on the first timer after some seconds.
struct ControlCase: Sendable, CustomTestStringConvertible {
  var line: String
  var seconds: Int
  var actions: [TimerAction]
  var state: String
  var report: String

  init(_ line: String, _ seconds: Int, _ actions: [TimerAction], _ state: String, _ report: String)
  {
    (self.line, self.seconds, self.actions) = (line, seconds, actions)
    (self.state, self.report) = (state, report)
  }

  var testDescription: String { "\(line): \(actions)" }

  func makeBoard() throws -> VirtualBoard {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(seconds))
    for action in actions { board.handle(.control(action, [board.board.timers[0].id])) }
    return board
  }
}

@Suite struct ControlTests {
  /// Each action, on each kind that supports it.
  @Test(arguments: [
    ControlCase("t=3m", 10, [.toggle], "t paused 2:50 1/1", "t: paused"),
    ControlCase("t=3m paused", 10, [.toggle], "t running 3:00 1/1", "t: started"),
    ControlCase("t=stopwatch paused", 10, [.toggle], "t running 0:00", "t: started"),
    ControlCase("t=stopwatch", 10, [.pause, .toggle], "t running 0:10", "t: resumed"),
    ControlCase("t=3s", 10, [.toggle], "t running 0:03 1/1", "t: restarted"),
    ControlCase("t=3m", 10, [.start], "t running 2:50 1/1", "t: already running"),
    ControlCase("t=3m", 10, [.pause], "t paused 2:50 1/1", "t: paused"),
    ControlCase("t=3m", 10, [.reset(restart: true)], "t running 3:00 1/1", "t: restarted"),
    ControlCase("t=3m", 10, [.reset(restart: false)], "t idle 1/1", "t: reset and stopped"),
    ControlCase(
      "t=every 1m x3", 10, [.fire(pausing: false)], "t running 0:50 2/3", "t: fired"),
    ControlCase(
      "t=every 1m x3", 10, [.fire(pausing: true)], "t paused 0:50 2/3", "t: fired and paused"),
    ControlCase("t=3m", 10, [.adjustTime(.more)], "t running 3:00 1/1", "t: 10s added"),
    ControlCase("t=3m", 10, [.adjustTime(.less)], "t running 2:40 1/1", "t: 10s removed"),
    ControlCase(
      "t=3m", 10, [.adjustTime(.exactly(.zero - .minutes(5)))], "t finished 0/1",
      "t: 5m removed, ends now"),
    ControlCase(
      "t=3m", 10, [.adjustTime(.exactly(.hours(1)))], "t running 1:02:50 1/1", "t: 1h added"),
    ControlCase(
      "t=every 45s", 5, [.stepInterval(longer: true)],
      "t running 0:55 ∞",
      "t: interval 45s → 1m"),
    ControlCase(
      "t=every 45s", 5, [.stepInterval(longer: false)],
      "t running 0:25 ∞",
      "t: interval 45s → 30s"),
    ControlCase(
      "t=every 1m x3", 5, [.adjustIterations(by: 1)], "t running 0:55 4/4", "t: 4 of 4 left"),
    ControlCase(
      "t=every 1m x3", 5, [.adjustIterations(by: -1)], "t running 0:55 2/3", "t: 2 of 3 left"),
    ControlCase("t=cycle 25m/5m x4", 60, [.skip], "t rest 5:00 4/4", "t: skipped to rest"),
    ControlCase(
      "t=cycle 25m/5m x4", 60, [.fire(pausing: false)], "t rest 5:00 4/4", "t: skipped to rest"),
    ControlCase("t=cycle 25m/5m x4", 60, [.toggle], "t paused 24:00 4/4", "t: paused"),
    ControlCase(
      "t=cycle 25m/5m x4", 60, [.adjustTime(.more)], "t work 25:00 4/4", "t: 1m added"),
    ControlCase("t=cycle 1m/5s x1", 5, [.skip], "t finished 0/1", "t: skipped to its end"),
    ControlCase("t=stopwatch", 61, [.lap], "t running 1:01", "t: lap 1, 1:01.00"),
    ControlCase("t=stopwatch", 61, [.toggle], "t paused 1:01", "t: paused"),
    ControlCase("t=stopwatch", 61, [.reset(restart: true)], "t running 0:00", "t: restarted"),
    ControlCase("t=debounce 2s", 5, [.fire(pausing: false)], "t running 2s", "t: triggered"),
    ControlCase("t=throttle 2s", 5, [.fire(pausing: false)], "t idle", "t: triggered"),
    ControlCase("t=coalesce 2s", 5, [.fire(pausing: false)], "t running 2s", "t: triggered"),
    ControlCase("t=idle 2s", 5, [.reset(restart: true)], "t idle", "t: nothing is pending"),
    ControlCase("t=at 14:30", 10, [.toggle], "t paused 1/1", "t: paused"),
    ControlCase(
      "t=daily 14:30 x3", 70, [.fire(pausing: false)], "t running 23:59:50 1/3", "t: fired"),
  ])
  func actionsChangeTheTimer(_ controlCase: ControlCase) throws {
    let board = try controlCase.makeBoard()
    #expect(board.states == [controlCase.state])
    #expect(board.report == controlCase.report)
  }

  /// Two equal actions both take effect, because the timer decides each time.
  @Test(arguments: [
    ControlCase("t=3m", 10, [.toggle, .toggle], "t running 2:50 1/1", "t: resumed"),
    ControlCase("t=3m", 10, [.pause, .pause], "t paused 2:50 1/1", "t: already paused"),
    ControlCase(
      "t=3m", 10, [.adjustTime(.more), .adjustTime(.more)], "t running 3:10 1/1", "t: 10s added"),
    ControlCase(
      "t=every 45s", 0,
      [
        .stepInterval(longer: true),
        .stepInterval(longer: true),
      ],
      "t running 2:00 ∞", "t: interval 1m → 2m"),
    ControlCase(
      "t=every 1m x3", 0, [.adjustIterations(by: -1), .adjustIterations(by: -1)],
      "t running 1:00 1/3", "t: 1 of 3 left"),
    ControlCase(
      "t=every 1m x3", 0, [.fire(pausing: false), .fire(pausing: false)], "t running 1:00 1/3",
      "t: fired"),
    ControlCase("t=cycle 25m/5m x4", 0, [.skip, .skip], "t work 25:00 3/4", "t: skipped to work"),
    ControlCase("t=stopwatch", 5, [.lap, .lap], "t running 0:05", "t: lap 2, 0:00.00"),
    ControlCase(
      "t=3m", 10, [.reset(restart: false), .reset(restart: true)], "t running 3:00 1/1",
      "t: restarted"),
  ])
  func repeatedActionsTakeEffect(_ controlCase: ControlCase) throws {
    let board = try controlCase.makeBoard()
    #expect(board.states == [controlCase.state])
    #expect(board.report == controlCase.report)
  }

  /// A failed action changes nothing and has a reason.
  @Test(
    arguments: [
      ("t=3s", 10, .fire(pausing: false), .finished),
      ("t=3s", 10, .adjustTime(.less), .finished),
      ("t=cycle 1s x1", 10, .skip, .finished),
      ("t=3m", 0, .skip, ControlRefusal("no phases to skip")),
      ("t=3m", 0, .lap, .noLaps),
      ("t=cycle 25m/5m", 0, .lap, .noLaps),
      (
        "t=every 100d", 0, .stepInterval(longer: true),
        .longestInterval
      ),
      (
        "t=every 1s", 0, .stepInterval(longer: false),
        .shortestInterval
      ),
      (
        "t=every 1s", 0, .adjustIterations(by: 1),
        ControlRefusal("no count of iterations to change")
      ),
      ("t=every 1m x2", 60, .adjustIterations(by: -1), ControlRefusal("at its last iteration")),
      ("t=every 1m x1000000000", 0, .adjustIterations(by: 1), .mostIterations),
      ("t=daily 20:00", 0, .adjustTime(.more), ControlRefusal("follows the time of day; edit it")),
      ("t=at 2026-07-01T14:30", 90, .start, ControlRefusal("its date is past; edit it")),
      (
        "t=cycle 25m/5m", 0, .adjustIterations(by: 1),
        ControlRefusal("a cycle; edit its phases and rounds")
      ),
      ("t=stopwatch", 0, .fire(pausing: false), ControlRefusal("a stopwatch; it never fires")),
      ("t=stopwatch paused", 0, .lap, ControlRefusal("not running; start it first")),
      (
        "t=debounce 2s", 0, .toggle,
        ControlRefusal("waits for triggers; it can only be triggered and reset")
      ),
      (
        "t=throttle 2s", 0, .adjustTime(.more),
        ControlRefusal("waits for triggers; it can only be triggered and reset")
      ),
      (
        "t=idle 2s", 0, .pause,
        ControlRefusal("waits for triggers; it can only be triggered and reset")
      ),
    ] as [(String, Int, TimerAction, ControlRefusal)])
  func failedActionsAreReported(
    _ line: String, _ seconds: Int, _ action: TimerAction, _ refusal: ControlRefusal
  )
    throws
  {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(seconds))
    let before = (states: board.states, log: board.board.log)
    try board.control(action, "t")
    #expect(board.report == "t: \(refusal)")
    #expect(board.states == before.states)
    #expect(board.board.log == before.log)
    board.handle(.undo)
    #expect(board.report == "nothing to undo")
  }

  /// A timer that was never started, and one with no time left to remove.
  @Test func timeChangesCanFail() throws {
    let board = try VirtualBoard("t=3m")
    try board.control(.reset(restart: false), "t")
    try board.control(.adjustTime(.more), "t")
    #expect(board.report == "t: not started; start it first")
    try board.control(.start, "t")
    try board.control(.pause, "t")
    try board.control(.adjustTime(.exactly(.minutes(-3))), "t")
    try board.control(.adjustTime(.less), "t")
    #expect(board.report == "t: no time left to remove")
    try board.control(.setInterval(.zero, .fromNow), "t")
    #expect(board.states == ["t paused 0:00 1/1"])
  }

  /// A toggle of several timers pauses the running ones, or starts all if none runs.
  @Test func actionsApplyToSeveralTimers() throws {
    let board = try VirtualBoard("a=3m b=3m paused c=stopwatch d=debounce 1s")
    let ids = try board.ids("a", "b", "c", "d")
    board.handle(.control(.toggle, ids))
    #expect(
      board.states == ["a paused 3:00 1/1", "b paused 3:00 1/1", "c paused 0:00", "d idle"])
    #expect(board.report == "2 timers: paused")
    board.handle(.control(.toggle, ids))
    #expect(
      board.states == ["a running 3:00 1/1", "b running 3:00 1/1", "c running 0:00", "d idle"])
    #expect(board.report == "3 timers: started; 1 refused")
  }

  /// Hooks and watchers learn of each change, also of those that keep the state, and of their undo.
  @Test(
    arguments: [
      (.control(.adjustTime(.more), []), ["t changed"], ["t changed"]),
      (.control(.adjustIterations(by: 1), []), ["t changed"], ["t changed"]),
      (.control(.setInterval(.minutes(1), .fromNow), []), ["t changed"], ["t changed"]),
      (.edit(TimerID(0), TimerSpec(name: "u", kind: .stopwatch)), ["u changed"], ["t changed"]),
      (.control(.pause, []), ["t paused"], ["t changed"]),
      (.delete([]), ["t deleted"], ["t added"]),
      (.add([TimerSpec(name: "u", kind: .stopwatch)]), ["u added", "u started"], ["u deleted"]),
    ] as [(Board.Command, [String], [String])])
  func everyChangeIsATransition(
    _ command: Board.Command, _ transitions: [String], _ undone: [String]
  ) throws {
    let board = try VirtualBoard("t=every 45s x8")
    _ = board.newTransitions()
    let id = board.board.timers[0].id
    let applied: Board.Command =
      switch command {
      case .control(let action, _): .control(action, [id])
      case .edit(_, let spec): .edit(id, spec)
      case .delete: .delete([id])
      default: command
      }
    board.handle(applied)
    #expect(board.newTransitions() == transitions)
    board.handle(.undo)
    #expect(board.newTransitions() == undone)
  }

  /// A restart of a run is no reset, and a timer that a chain starts is started.
  @Test func restartsAndStartsOfChainsAreTransitions() throws {
    let board = try VirtualBoard("tea=1s then egg egg=5s paused")
    _ = board.newTransitions()
    try board.control(.reset(restart: true), "tea")
    #expect(board.newTransitions() == ["tea restarted"])
    try board.control(.reset(restart: false), "tea")
    try board.control(.reset(restart: true), "tea")
    #expect(board.newTransitions() == ["tea reset", "tea started"])
    board.advance(by: .seconds(1))
    #expect(board.newTransitions().last == "egg started")
    try board.control(.reset(restart: true), "tea")
    board.advance(by: .seconds(1))
    #expect(board.newTransitions().last == "egg restarted")
  }

  /// Several timers for which the action has no effect.
  @Test func anActionWithoutEffectIsReported() throws {
    let board = try VirtualBoard("a=3m b=3m egg=5s")
    board.advance(by: .seconds(6))
    board.handle(.control(.start, try board.ids("a", "b")))
    #expect(board.report == "2 timers: already running")
    board.handle(.control(.pause, try board.ids("a", "b")))
    board.handle(.control(.pause, try board.ids("a", "b")))
    #expect(board.report == "2 timers: already paused")
    board.handle(.control(.pause, try board.ids("a", "egg")))
    #expect(board.report == "2 timers: unchanged")
  }

  /// An interval that the user sets is the base of the next back-off.
  @Test func aSetIntervalEndsTheBackoff() throws {
    let board = try VirtualBoard("poll=every 5s backoff 5m run false")
    let id = try board.ids("poll")[0]
    board.advance(by: .seconds(6))
    board.commandEnded(id, CommandResult(.exited(1)))
    #expect(board.board.timers[0].period == .seconds(10))
    #expect(board.board.timers[0].intervalBeforeBackoff == .seconds(5))
    try board.control(.setInterval(.seconds(20), .fromNow), "poll")
    board.commandEnded(id, CommandResult(.exited(0)))
    #expect(board.board.timers[0].period == .seconds(20))
  }
}
