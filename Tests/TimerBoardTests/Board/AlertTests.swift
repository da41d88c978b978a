import Testing
import TimerKit

@testable import TimerBoard

/// Chimes, overtime and snoozing.
@Suite struct AlertTests {
  private func chimes(_ board: VirtualBoard) -> [String] {
    board.requests.compactMap { effect in
      switch effect {
      case .ringOnce: "bell"
      case .repeatBell(let isOn): isOn ? "bell on" : "bell off"
      case .notify(let notification): "\(notification.timer) \(notification.text)"
      default: nil
      }
    }
  }

  /// Each kind of timer with its bells and notifications within 25 s, after 14:29:00.
  @Test(arguments: [
    ("t=5s", ["bell", "t finished"]), ("t=5s silent", []), ("t=5s chime", ["bell", "t finished"]),
    ("t=every 10s", []), ("t=every 10s x2", ["bell", "t finished"]),
    ("t=every 10s chime", ["bell", "t fired, 1st", "bell", "t fired, 2nd"]),
    ("t=every 10s sound glass", ["bell", "t fired, 1st", "bell", "t fired, 2nd"]),
    ("t=every 10s x2 silent", []),
    ("t=every 10s ring", ["bell on", "t fired, 1st", "t fired, 2nd"]),
    ("t=at 14:29:05", ["bell", "t finished"]), ("t=daily 14:29:05", ["bell", "t fired, 1st"]),
    ("t=daily 14:29:05 silent", []),
    (
      "t=cycle 10s/5s", ["bell", "t rest begins", "bell", "t work begins", "bell", "t rest begins"]
    ),
    ("t=cycle 10s/5s silent", []), ("t=cycle 5s/5s x1", ["bell", "t finished"]),
    ("t=stopwatch", []),
  ])
  func timersChime(_ line: String, _ expected: [String]) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(25))
    #expect(chimes(board) == expected)
  }

  @Test(arguments: [("t=5s", nil), ("t=5s sound glass", "glass"), ("t=5s ring sound /a", "/a")])
  func aChimePlaysTheSoundOfItsTimer(_ line: String, _ sound: String?) throws {
    let board = try VirtualBoard(line)
    board.advance(by: .seconds(25))
    let sounds = board.requests.compactMap { effect -> String?? in
      if case .notify(let notification) = effect { notification.sound } else { nil }
    }
    #expect(sounds == [sound])
  }

  @Test func triggeredTimersAreSilentUnlessTheyChime() throws {
    for (line, expected) in [
      ("t=debounce 2s", []), ("t=debounce 2s chime", ["bell", "t fired, 1st"]),
      ("t=throttle 5s", []), ("t=idle 2s chime", ["bell", "t fired, 1st"]),
    ] {
      let board = try VirtualBoard(line)
      try board.control(.fire(pausing: false), "t")
      board.advance(by: .seconds(5))
      #expect(chimes(board) == expected, "\(line)")
    }
  }

  private func texts(_ board: VirtualBoard) -> [String?] {
    board.board.timers.all.map { $0.timeText(at: board.now) }
  }

  @Test func aFinishedTimerCountsUpUntilAcknowledged() throws {
    let board = try VirtualBoard("tea=3m alarm=at 14:31 quiet=1m silent sets=every 1m x2")
    board.advance(by: .seconds(262))
    #expect(texts(board) == ["+1:22", "+2:22", nil, nil])
    #expect(board.board.timerWithNewestAlert?.name == "tea" && board.board.timers.alertCount == 3)
    board.handle(.acknowledge)
    board.advance(by: .minutes(5))
    #expect(texts(board) == ["+1:22", "+2:22", nil, nil])
    #expect(board.board.timerWithNewestAlert == nil && board.board.timers.alertCount == 0)
    try board.control(.reset(restart: true), "tea")
    #expect(texts(board)[0] == "3:00")
  }

  @Test func overtimeStandsStillAfterAnHour() throws {
    let board = try VirtualBoard("tea=3m")
    board.advance(by: .minutes(70))
    #expect(texts(board) == ["+1:00:00"])
    #expect(board.board.timers[0].alert != nil)
  }

  /// It counts from the instant at which the timer was due, also through sleep.
  @Test func overtimeCountsThroughSleep() throws {
    let board = try VirtualBoard("tea=3m nap=1m awake")
    board.sleep(for: .minutes(10))
    #expect(texts(board) == ["+7:00", "1:00"])
    board.advance(by: .minutes(1))
    board.sleep(for: .minutes(5))
    #expect(texts(board) == ["+13:00", "+5:00"])
  }

  /// A session continues what is over, and forgets what was acknowledged.
  @Test func overtimeIsSaved() throws {
    let board = try VirtualBoard("tea=3m egg=30s nap=6m")
    board.advance(by: .minutes(1))
    board.handle(.acknowledge)
    board.advance(by: .minutes(3))
    let later = board.now.moved(by: .minutes(3))
    #expect(texts(board) == ["+1:00", "+0:30", "2:00"])
    let status = Board(listing: try board.saved(), .catchUp, at: later)
    #expect(status.timers.all.map { $0.timeText(at: later) } == ["+4:00", "+0:30", "+1:00"])
    let next = try VirtualBoard()
    try next.restore(board, .catchUp, after: .minutes(3))
    #expect(texts(next) == ["+4:00", "+1:00"])
    #expect(next.board.timers.alertCount == 2)
    // A hand-over takes what was acknowledged, too.
    let other = try VirtualBoard()
    try other.takeOver(board, after: .seconds(1))
    #expect(texts(other) == ["+1:01", "+0:30", "1:59"])
  }

  @Test func snoozingFiresAgainInFiveMinutes() throws {
    let board = try VirtualBoard("tea=3m")
    board.advance(by: .minutes(4))
    try board.control(.adjustTime(.more), "tea")
    #expect(board.report == "tea: snoozed for 5m")
    #expect(board.states == ["tea running 5:00 1/1"] && board.board.timers.alertCount == 0)
    board.advance(by: .minutes(5))
    #expect(texts(board) == ["+0:00"] && board.board.timers[0].counts.delivered == 2)
    try board.control(.adjustTime(.exactly(.minutes(5))), "tea")
    #expect(board.states == ["tea running 5:00 1/1"])
    board.handle(.undo)
    #expect(board.states == ["tea finished 0/1"])
    try board.control(.reset(restart: true), "tea")
    #expect(board.states == ["tea running 3:00 1/1"])
  }

  @Test func otherKindsAreSnoozed() throws {
    for (line, state) in [
      ("t=at 14:29:05", "t running 5:00 1/1"), ("t=every 2s x2", "t running 5:00 1/2"),
      ("t=cycle 2s/2s x1", "t work 5:00 1/1"),
    ] {
      let board = try VirtualBoard(line)
      board.advance(by: .seconds(10))
      try board.control(.adjustTime(.more), "t")
      #expect(board.states == [state], "\(line)")
      board.advance(by: .minutes(5))
      #expect(board.board.timers[0].state == .finished && board.board.timers.alertCount == 1)
    }
    // An alarm moves, and undo moves it back.
    let board = try VirtualBoard("t=at 14:29:05")
    board.advance(by: .seconds(10))
    try board.control(.adjustTime(.more), "t")
    #expect(board.board.timers[0].spec.text == "t=at 14:34:10")
    board.handle(.undo)
    #expect(board.board.timers[0].spec.text == "t=at 14:29:05")
  }

  @Test func aSilencedBellLeavesTheAlert() throws {
    let board = try VirtualBoard("a=1s ring b=2s ring")
    board.advance(by: .seconds(3))
    #expect(board.board.timers.ringingCount == 2)
    board.handle(.silence)
    #expect(board.requests.last == .repeatBell(false))
    #expect(board.board.timers.ringingCount == 0 && board.board.timers.alertCount == 2)
    try board.control(.reset(restart: true), "a")
    #expect(board.board.timers.alertCount == 1 && board.board.timerWithNewestAlert?.name == "b")
    board.handle(.delete(try board.ids("b")))
    #expect(board.board.timers.alertCount == 0 && board.board.newestAlertStart == nil)
  }

  /// A timer that rings again keeps its place among the alerts.
  @Test func theNewestAlertIsTheOneThatBeganLast() throws {
    let board = try VirtualBoard("a=every 10s ring b=15s")
    board.advance(by: .seconds(25))
    #expect(board.board.timerWithNewestAlert?.name == "b")
  }

  @Test func acknowledgingIsATransition() throws {
    let board = try VirtualBoard("tea=5s egg=1h")
    board.advance(by: .seconds(6))
    _ = board.newTransitions()
    board.handle(.acknowledge)
    #expect(board.newTransitions() == ["tea acknowledged"])
  }

  @Test func mutingStopsTheBell() throws {
    let board = try VirtualBoard("t=every 10s ring")
    board.advance(by: .seconds(11))
    board.handle(.mute(true))
    #expect(chimes(board).last == "bell off")
    #expect(board.board.timers.alertCount == 1 && board.board.timers.ringingCount == 0)
  }

  @Test func aMutedTimerDoesNotRing() throws {
    let board = try VirtualBoard("t=every 10s ring")
    board.handle(.mute(true))
    board.advance(by: .seconds(11))
    #expect(board.board.timers.alertCount == 1 && board.board.timers.ringingCount == 0)
    board.handle(.mute(false))
    board.advance(by: .seconds(10))
    #expect(board.board.timers.ringingCount == 1)
    #expect(chimes(board) == ["bell on", "t fired, 2nd"])
  }

  /// A deleted timer returns with its alert as the newest one; its bell stays off.
  @Test func anAlertReturnsWithItsTimer() throws {
    let board = try VirtualBoard("egg=5s t=every 10s ring")
    board.advance(by: .seconds(11))
    board.handle(.delete(try board.ids("t")))
    #expect(board.board.timerWithNewestAlert?.name == "egg")
    board.handle(.undo)
    #expect(board.board.timerWithNewestAlert?.name == "t" && board.board.timers.alertCount == 2)
    #expect(chimes(board).last == "bell off" && board.board.timers.ringingCount == 0)
  }

  @Test func theOrderOfAlertsDoesNotGrow() throws {
    let board = try VirtualBoard("a=1s then b b=1s paused then a")
    board.advance(by: .seconds(200))
    #expect(board.board.timers.all.allSatisfy { $0.counts.delivered > 90 })
    #expect(board.board.alertOrder.count < 30)
    #expect(board.board.timers.alertCount == 0 && board.board.timerWithNewestAlert == nil)
  }

  /// A chain without end leaves nothing in the order, and the other alerts keep theirs.
  @Test func theOrderOfAlertsIsKept() throws {
    let board = try VirtualBoard("egg=1s tea=2s a=1s then b b=1s paused then a")
    for _ in 0..<100 {
      board.advance(by: .seconds(2))
      #expect(board.board.timerWithNewestAlert?.name == "tea")
    }
    #expect(board.board.alertOrder.count < 30 && board.board.timers.alertCount == 2)
    try board.control(.reset(restart: false), "tea")
    #expect(board.board.timerWithNewestAlert?.name == "egg")
  }

  /// Links that ring leave entries below newer ones, until there are too many.
  @Test(arguments: 10..<60)
  func theOrderOfAlertsIsKeptBesideManyOldOnes(_ seconds: Int) throws {
    let board = try VirtualBoard("egg=1s tea=2s a=1s ring then b b=1s ring paused then a")
    board.advance(by: .seconds(seconds))
    #expect(board.board.alertOrder.count < 30)
    for name in ["a", "b"] { try board.control(.reset(restart: false), name) }
    #expect(board.board.timerWithNewestAlert?.name == "tea")
    try board.control(.reset(restart: false), "tea")
    #expect(board.board.timerWithNewestAlert?.name == "egg")
  }

  /// A link that starts its successor raises no alert; one that rings, one that waits and the last one do.
  @Test func onlyTheEndOfAChainIsAnAlert() throws {
    let board = try VirtualBoard("egg=1s a=2s then b x2 b=2s paused")
    board.advance(by: .seconds(7))
    #expect(board.board.timers.alertCount == 1 && board.board.timerWithNewestAlert?.name == "egg")
    #expect(texts(board)[1] == nil)
    board.advance(by: .seconds(2))
    #expect(board.board.timers.alertCount == 2 && board.board.timerWithNewestAlert?.name == "b")
    for (line, name) in [
      ("a=1s ring then b b=1h paused", "a"), ("a=1s then b wait b=1h paused", "b"),
    ] {
      let board = try VirtualBoard(line)
      board.advance(by: .seconds(2))
      #expect(board.board.timerWithNewestAlert?.name == name)
    }
    let saved = try VirtualBoard("a=2s then b x2 b=2s paused")
    for (seconds, alerts) in [(7, [false, false]), (9, [false, true])] {
      let later = saved.now.moved(by: .seconds(seconds))
      let timers = Board(listing: try saved.saved(), .catchUp, at: later).timers.all
      #expect(timers.map(\.needsAttention) == alerts)
    }
  }

  /// A timer that waits for a start waits until it is started or dismissed, whatever else is acknowledged.
  @Test func acknowledgingLeavesWaitingTimersReady() throws {
    let board = try VirtualBoard("egg=4s pom=cycle 3s/9s x3 wait a=1s then b wait b=1h paused")
    board.advance(by: .seconds(5))
    #expect(board.board.timers.alertCount == 4 && board.board.timers.readyCount == 2)
    board.handle(.acknowledge)
    #expect(board.board.timers.alertCount == 2 && board.board.timers.readyCount == 2)
    board.handle(.dismiss(try board.ids("pom")[0]))
    #expect(board.board.timers.readyCount == 1 && board.states[1] == "pom paused 0:09 3/3")
    try board.control(.start, "b")
    #expect(board.board.timers.alertCount == 0)
  }

  @Test func soundsExcludeEachOther() {
    for text in ["3m ring silent", "3m silent chime", "3m chime ring"] {
      #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(timer: text) }
    }
  }
}
