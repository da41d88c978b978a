import Platform
import Synchronization
import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// An event of a timer with its time.
private struct TimerMessage: Sendable {
  var id: TimerID
  var sender: any LiveTimer
  var event: Board.TimerEvent
  var status: TimerStatus
  var now: TimerClock.Instant
}

private final class MessageQueue: Sendable {
  private let messages = Mutex<[TimerMessage]>([])

  func post(_ message: TimerMessage) { messages.withLock { $0.append(message) } }

  func takeAll() -> [TimerMessage] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

/// A dashboard with real timers on a virtual clock. It performs the effects as the program does, and
/// applies each timer's events at their times.
final class Fixture {
  /// 2026-07-01 14:29:00 UTC.
  static let startTime = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)

  /// Times of day are in the time zone of the process: here, UTC.
  private static let zone: Void = {
    setenv("TZ", "UTC0", 1)
    tzset()
  }()

  let clock: VirtualClock
  var dashboard: Dashboard
  /// The effects so far.
  private(set) var effects: [Effect] = []
  var boardEffects: [Board.Effect] {
    effects.compactMap { if case .board(let effect) = $0 { effect } else { nil } }
  }

  private var timers: [TimerID: any LiveTimer] = [:]
  private let messages = MessageQueue()
  private let continuous: VirtualClock
  private let wall: VirtualClock
  private var wallOffset: Duration
  private var continuousOffset = Duration.zero

  init(
    _ line: String = "", width: Int = 80, height: Int = 16, options: DisplayOptions = .init(),
    startingAt start: Duration = .seconds(1000)
  ) throws {
    _ = Self.zone
    clock = VirtualClock(startingAt: start, wall: Self.startTime)
    continuous = VirtualClock(.continuous, startingAt: start, wall: Self.startTime)
    wall = VirtualClock(.wall, wall: Self.startTime)
    wallOffset = .nanoseconds(Self.startTime.nanosecondsSince1970) - start
    dashboard = Dashboard(options: options, size: TerminalCore.Size(width: width, height: height))
    if !line.isEmpty {
      perform(dashboard.start(with: [.start(try TimerSpec.parse(line: line))], at: now))
    }
  }

  var now: ClockReading { moment(at: clock.now) }

  func moment(at suspending: TimerClock.Instant) -> ClockReading {
    ClockReading(
      suspending: suspending,
      continuous: continuous.now.advanced(by: clock.now.duration(to: suspending)),
      wall: WallInstant(nanosecondsSince1970: suspending.nanoseconds).advanced(by: wallOffset),
      secondsFromUTC: 0, wallClock: .virtual(wall))
  }

  func advance(by duration: Duration) {
    clock.advance(by: duration)
    continuous.advance(by: duration)
    wall.advance(by: duration)
    deliver()
  }

  /// Simulates a machine that sleeps.
  func sleep(for duration: Duration) {
    for clock in [clock, continuous, wall] { clock.suspend(for: duration) }
    wallOffset += duration
    continuousOffset += duration
    deliver()
  }

  /// Sets the wall clock forward or back.
  func adjustWall(by change: Duration) {
    wall.adjustWall(by: change)
    wallOffset += change
    deliver()
  }

  func send(_ message: Message) {
    perform(dashboard.update(message, at: now))
  }

  func apply(_ event: Board.Event) { send(.board(event)) }

  func press(_ keys: Key...) {
    for key in keys { send(.input(.key(key))) }
  }

  /// Acknowledges all alerts.
  func acknowledge() { send(.boardCommand(.acknowledge)) }

  /// Presses the keys of a text, one by one.
  func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// Adds a timer from its text and selects it.
  func add(_ line: String) throws {
    press(.character("a"))
    type(line)
    press(.enter)
    let spec = try TimerSpec.parse(timer: line)
    try #require(dashboard.selectedRow?.spec == spec)
  }

  var frame: Canvas { dashboard.frame(at: now).canvas }
  var lines: [String] { frame.lines }
  var notice: String? { dashboard.notice?.text }

  /// The labels of the rows in order, the selected one in brackets.
  var order: String {
    dashboard.rows.all.enumerated()
      .map { $0.offset == dashboard.selected ? "[\($0.element.label)]" : $0.element.label }
      .joined(separator: " ")
  }

  func timer(_ name: String) throws -> Repeater {
    let row = try #require(dashboard.rows.all.first { $0.name == name })
    return try #require(timers[row.id] as? Repeater)
  }

  func snapshot(_ name: String) throws -> Repeater.Snapshot { try timer(name).snapshot }

  func status(of id: TimerID) -> TimerStatus? { timers[id]?.status }

  func selectedSnapshot() throws -> Repeater.Snapshot {
    let row = try #require(dashboard.selectedRow)
    return try #require(timers[row.id] as? Repeater).snapshot
  }

  func timeLeft(_ name: String) throws -> Duration? {
    try snapshot(name).timeLeft(at: continuous.now)
  }

  private func perform(_ new: [Effect]) {
    effects += new
    for case .board(let effect) in new {
      switch effect {
      case .create(let id, let spec, let checkpoint): create(id, spec, restoring: checkpoint)
      case .control(let action, let ids, let cause):
        let live = ids.compactMap { id in timers[id].map { (id: id, timer: $0) } }
        #expect(live.count == ids.count, "\(action) was sent to a timer that does not exist")
        let outcomes = action.perform(on: live, at: now)
        perform(dashboard.update(.board(.controlled(action, outcomes, cause)), at: now))
      case .remove(let id): timers.removeValue(forKey: id)?.end()
      case .run, .repeatBell, .ringOnce, .notify, .report: break
      }
    }
    if !new.isEmpty { deliver() }
  }

  private func create(_ id: TimerID, _ spec: TimerSpec, restoring checkpoint: TimerCheckpoint?) {
    timers.removeValue(forKey: id)?.end()
    do {
      let timer = try spec.makeTimer(
        restoring: checkpoint,
        clocks: TimerClocks(
          continuous: .virtual(continuous), suspending: .virtual(clock), wall: .virtual(wall)),
        queue: nil)
      timers[id] = timer
      let kind = timer.status.clock
      let clock = [.wall: wall, .continuous: continuous][kind] ?? clock
      timer.observe { [messages] timer, event in
        messages.post(
          TimerMessage(id: id, sender: timer, event: event, status: timer.status, now: clock.now))
      }
      if checkpoint == nil { try timer.perform(.start) }
      perform(dashboard.update(.board(.timer(id, .changed, timer.status)), at: now))
    } catch {
      Issue.record("\(spec.text): \(error)")
    }
  }

  /// A Boolean value that indicates whether timer events are held back, as on a busy main queue.
  var holdsEvents = false

  private func deliver() {
    if holdsEvents { return }
    defer { dashboard.keepSelectionVisible() }
    // The events of both clocks are merged in the order of their times.
    let messages = messages.takeAll().map { (message: $0, instant: instant(of: $0.now)) }
      .enumerated()
      .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
      .map(\.element)
    for (message, instant) in messages where timers[message.id] === message.sender {
      perform(
        dashboard.update(
          .board(.timer(message.id, message.event, message.status)), at: moment(at: instant)))
    }
  }

  /// Returns an instant of any of the clocks on the suspending clock.
  private func instant(of instant: TimerClock.Instant) -> TimerClock.Instant {
    let offset: Duration =
      switch instant.clockKind {
      case .suspending: .zero
      case .continuous: continuousOffset
      case .wall: wallOffset
      }
    return TimerClock.virtual(clock).instant(nanoseconds: instant.nanoseconds)
      .advanced(by: .zero - offset)
  }
}

extension Dashboard {
  /// The number of days from the selected day of the history to the first day of the fixture.
  var historyDaysAgo: Int {
    let today = CivilDate(day: Int(Fixture.startTime.nanosecondsSince1970 / 86_400_000_000_000))
    return historyState.selectedDaysAgo(lastDay: today)
  }
}
