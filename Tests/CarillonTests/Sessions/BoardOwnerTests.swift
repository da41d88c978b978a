import Dashboard
import Foundation
import Platform
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// A board without a screen, which saves its session in a folder of its own.
@MainActor
final class TestBoard: FrontEnd {
  var board: Board { live.board }
  let live: BoardOwner
  let store: SessionStore
  /// The folder of the state.
  let state: URL
  private let ownership: SessionOwnership?

  init(_ line: String, events: RecentEvents? = nil) throws {
    state = FileManager.default.temporaryDirectory.appendingPathComponent(
      "carillon-board-\(UUID().uuidString)")
    let environment = ["XDG_STATE_HOME": state.path]
    store = try #require(SessionStore(environment: environment))
    var launch = try LaunchOptions.opening(store)
    launch.events = events
    if !line.isEmpty { launch.specs = try TimerSpec.parse(arguments: [line]) }
    ownership = launch.ownership
    live = BoardOwner(launch, environment: environment) { _, _ in }
    live.frontEnd = self
    for command in launch.commands { _ = perform(command) }
    live.startSaving()
  }

  func remove() {
    ownership?.release()
    try? FileManager.default.removeItem(at: state)
  }

  func saved() throws -> [String]? {
    try store.load().map { bytes in
      try SessionFile(bytes).timers().map { "\($0.spec.title) \($0.state)" }
    }
  }

  @discardableResult
  func perform(_ command: Board.Command) -> [Report] { live.perform(command) }

  /// The transitions, in order.
  private(set) var transitions: [Transition] = []

  func show(_ transitions: [Transition]) { self.transitions += transitions }
  func show(error: String) {}
  func end(newOwner: String?) {}
}

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct BoardOwnerTests {
  /// A client that watched the previous owner gets the events after the last one that it has received.
  @Test func eventsContinueAfterAHandOver() throws {
    let events = RecentEvents(feed: "a", last: 7, text: "{\"6\"}\n{\"7\"}\n")
    let board = try TestBoard("tea=3m", events: events)
    defer { board.remove() }
    let feed = board.live.events
    let added = try #require(feed.recent).last
    #expect(added > 7)
    board.perform(.control(.pause, [board.board.timers[0].id]))
    let missed = { (number: Int?, name: String?) in
      let (last, missed) = feed.follow(
        after: number.map { EventPosition(feed: name, number: $0) })
      #expect(last.feed == "a")
      return (last.number, missed.map { String(decoding: $0, as: UTF8.self) })
    }
    let (last, lines) = missed(6, "a")
    #expect(last == 6 && lines.count == added + 1 - 6, "\(lines)")
    #expect(lines.first == "{\"7\"}\n")
    #expect(lines.last?.contains(#""event":"paused""#) == true, "\(lines)")
    #expect(missed(added, "a").1 == [lines.last])
    #expect(missed(nil, nil) == (added + 1, []))
    // Older ones are not kept.
    #expect(missed(0, "a").0 == 5 && missed(.max, "a").0 == 5 && missed(.min, "a").0 == 5)
    // The numbers of an owner that ended without a hand-over, lower or higher, say nothing about these.
    for number in [0, 6, added + 1, .max, .min] { #expect(missed(number, "b").0 == 5) }
    // A client of an older version does not know its feed.
    #expect(missed(6, nil).1 == lines && missed(.max, nil).0 == 5)
  }

  /// Without a client, events cost nothing; the newest ones are kept, up to a limit.
  @Test func recentEventsAreKept() throws {
    let board = try TestBoard("tea=3m")
    defer { board.remove() }
    #expect(board.live.events.recent == nil)
    #expect(board.live.events.follow(after: nil).last.number == 0)
    var recent = RecentEvents()
    for number in 1...100 {
      recent.add(Array("\(number) \(String(repeating: "x", count: 99_990))\n".utf8))
    }
    #expect(recent.last == 100 && (1 << 20...4 << 20).contains(recent.text.utf8.count))
    #expect(
      recent.lines(after: EventPosition(feed: recent.feed, number: 98)).map { $0.prefix(3) }
        == [Array("99 ".utf8), Array("100".utf8)].map { $0[...] })
    let next = RecentEvents(feed: recent.feed, last: recent.last, text: recent.text)
    #expect(next?.feed == recent.feed && next?.text == recent.text)
    #expect(RecentEvents().feed != RecentEvents().feed)
    #expect(RecentEvents(feed: nil, last: 1, text: "1\n2\n") == nil)
    #expect(RecentEvents(feed: nil, last: .max, text: "") == nil)
  }

  @Test func positionsAreReadAsTheyAreWritten() {
    for position in [EventPosition(feed: "a1", number: 0), EventPosition(feed: nil, number: .max)] {
      #expect(EventPosition("\(position)") == position)
    }
    for text in ["", ":", "a", "a:", "a:b", "a:1:2", "a:1 ", "99999999999999999999"] {
      #expect(EventPosition(text) == nil, "\(text)")
    }
  }

  /// A client that mutes a session is answered when that is saved.
  @Test func aMuteIsSaved() async throws {
    let board = try TestBoard("tea=3m")
    defer { board.remove() }
    for expected in [true, false] {
      var isMuted: Bool?
      board.perform(.mute(expected))
      board.live.whenSaved { [store = board.store] error in
        #expect(error == nil)
        isMuted =
          (try? store.load()).flatMap { $0 }.flatMap { try? SessionFile($0).board.isMuted } ?? false
      }
      try await until { isMuted == expected }
    }
  }

  /// An error at the end says what could not be written.
  @Test func theErrorsOfTheEndAreComplete() throws {
    let board = try TestBoard("tea=3m")
    defer { board.remove() }
    for name in ["history", "sessions"] {
      let path = "\(board.state.path)/carillon/\(name)"
      try? FileManager.default.removeItem(atPath: path)
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
    }
    let recorder = try #require(board.live.recorder)
    recorder.record([
      .record(
        StretchRecord(
          id: 1, timer: "tea", kind: .once, start: 1_782_916_140_000, end: 1_782_916_320_000,
          ending: .finished, activeTime: 180_000))
    ])
    let errors = board.live.stop()
    let place = "\(board.state.path)/carillon"
    #expect(errors.count == 2, "\(errors)")
    #expect(errors.first?.hasPrefix("the history cannot be written: \(place)/history/") == true)
    #expect(errors.last?.hasPrefix("the session cannot be saved: \(place)/sessions/") == true)
  }

  /// A board that has handed its session over ends when it is idle. The command of a deleted timer goes on until its end.
  @Test func theCommandOfADeletedTimerIsAwaited() async throws {
    let board = try TestBoard("poll=every 1h run 'sleep 0.5'")
    defer { board.remove() }
    let poll = board.board.timers[0].id
    board.perform(.control(.fire(pausing: false), [poll]))
    try await until { !board.live.isIdle }
    board.perform(.delete([poll]))
    var isIdle = false
    board.live.whenIdle { isIdle = true }
    #expect(!isIdle)
    try await until { isIdle }
    #expect(board.live.isIdle)
  }

  /// A board does not end by itself in the middle of a hand-over.
  @Test func anUnconfirmedHandOverIsNotIdle() throws {
    let board = try TestBoard("tea=3m")
    defer { board.remove() }
    #expect(board.live.isIdle)
    #expect(board.live.stopForHandOver() == nil)
    var idleCount = 0
    board.live.whenIdle { idleCount += 1 }
    #expect(!board.live.isIdle && idleCount == 0)
    board.live.resumeAfterHandOver()
    #expect(board.live.isIdle && idleCount == 1)
  }

  // MARK: The clocks of the system

  /// Timers that became due during a hand-over fire while they are taken over.
  @Test func noFireOfATakenOverTimerIsLost() async throws {
    let count = 2_000
    let board = try TestBoard("")
    defer { board.remove() }
    let begin = ClockReading.now().moved(by: .seconds(-3))
    let specs = Array(repeating: try TimerSpec.parse(timer: "every 1s x1"), count: count)
    let saved = SavedBoard(Board(specs, at: begin), for: .session, at: begin)
    board.perform(.takeOver(try RestoredBoard(saved, savedAt: begin)))
    try await until { board.transitions.count { $0.fire != nil } == count }
  }

  @Test func firesArriveInOrderWithTheirState() async throws {
    let board = try TestBoard("every 5ms x20 missed burst 100")
    defer { board.remove() }
    try await until { board.board.timers[0].state == .finished }
    let fires = board.transitions.filter { $0.fire != nil }
    #expect(fires.compactMap { $0.fire?.iteration } == Array(1...20))
    #expect(fires.map(\.machine.deliveredCount) == Array(1...20))
    #expect(fires.map(\.event) == Array(repeating: .fired, count: 19) + [.finished])
  }

  /// A loop that takes no time delays nothing else.
  @Test func aLoopWithoutTimeLeavesTheQueueFree() async throws {
    let board = try TestBoard("x=every 10s x1 now then x")
    defer { board.remove() }
    try await until { board.board.timers[0].counts.delivered > 1000 }
    board.perform(.delete([board.board.timers[0].id]))
    #expect(board.board.timers.isEmpty)
  }

  @Test func aFailedHandOverKeepsWhatTheTimersHave() throws {
    let board = try TestBoard("every 1h x3 stopwatch debounce 1h")
    defer { board.remove() }
    board.perform(.control(.fire(pausing: false), [board.board.timers[0].id]))
    #expect(board.live.stopForHandOver() == nil)
    #expect(board.perform(.control(.pause, [board.board.timers[0].id]))[0].isFailure)
    let before = board.board.timers.all
    board.live.resumeAfterHandOver()
    #expect(board.board.timers.all == before)
    #expect(board.board.timers[0].machine.iterations == .counted(left: 2, of: 3))
  }
}
