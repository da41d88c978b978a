import Synchronization
import Testing
import TimerKit

@testable import TimerBoard

/// A board whose live timers follow virtual clocks: it performs the board's effects and applies the timers'
/// events, without a screen.
final class VirtualBoard {
  /// 2026-07-01 14:29:00 UTC, a Wednesday.
  static let begin = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)

  private(set) var board = Board()
  /// All effects so far.
  private(set) var effects: [Board.Effect] = []
  private var timers: [TimerID: any LiveTimer] = [:]
  private let clock = VirtualClock(startingAt: .seconds(1000), wall: begin)
  private let continuous = VirtualClock(.continuous, startingAt: .seconds(5000), wall: begin)
  private let wall = VirtualClock(.wall, wall: begin)
  private let events = EventQueue()
  private var isApplying = false

  init(_ line: String = "") throws {
    if !line.isEmpty { handle(.start(try TimerSpec.parse(line: line))) }
  }

  var now: ClockReading {
    ClockReading(
      suspending: clock.now, continuous: continuous.now,
      wall: wall.now.wallInstant ?? Self.begin, secondsFromUTC: 0, wallClock: .virtual(wall))
  }

  func handle(_ command: Board.Command) { perform(board.handle(command, at: now)) }

  func takeTransitions() -> [String] {
    board.takeTransitions().map { "\($0.spec.title) \($0.event)" }
  }

  func takeHistory() -> [HistoryLine] { board.takeHistory() }

  func endStretches() { board.endStretches(at: now) }

  func apply(_ event: Board.Event) { perform(board.apply(event, at: now)) }

  func advance(by duration: Duration) {
    // Second by second, so that the events of both clocks are merged in order.
    var left = duration
    while left > .zero {
      let step = min(left, .seconds(1))
      clock.advance(by: step)
      continuous.advance(by: step)
      wall.advance(by: step)
      applyEvents()
      left -= step
    }
  }

  /// Simulates a machine that sleeps.
  func sleep(for duration: Duration) {
    for clock in [clock, continuous, wall] { clock.suspend(for: duration) }
    applyEvents()
  }

  /// Sets the time of day.
  func adjustWall(by change: Duration) {
    for clock in [clock, continuous, wall] { clock.adjustWall(by: change) }
    applyEvents()
  }

  func ids(_ names: String...) throws -> [TimerID] {
    try names.map { try #require(board.timers.timer(named: $0)).id }
  }

  func control(_ action: TimerAction, _ name: String) throws {
    handle(.control(action, try ids(name)))
  }

  /// The first timer, which is often the only one.
  var timer: BoardTimer { board.timers[0] }

  /// The number of fires of each timer.
  var fires: [Int] { board.timers.all.map(\.counts.delivered) }

  /// True if no timer runs.
  var isOver: Bool { board.timers.all.allSatisfy { $0.status.state != .running } }

  /// Each timer in one line, such as `tea running 2:50 1/1`, from the status of the live timers.
  var states: [String] {
    board.timers.all.map { timer in
      #expect(timer.status == timers[timer.id]?.status, "\(timer.label)")
      return ([timer.label] + state(of: timer)).joined(separator: " ")
    }
  }

  private func state(of timer: BoardTimer) -> [String] {
    if case .triggered = timer.status {
      return ["\(timer.status.state)"]
        + (timer.status.timeLeft(at: now).map { [DurationText.text($0)] } ?? [])
    }
    let saved = SavedTimer(timer.spec, timer.checkpoint(at: now))
    return [saved.stateText(at: now), saved.timeText(at: now), saved.iterationsText(at: now)]
      .compactMap { $0 }
  }

  /// The newest report, such as `tea: paused`.
  var report: String? {
    effects.reversed().lazy.compactMap { effect in
      guard case .report(let report) = effect else { return nil }
      return report.label.isEmpty ? report.text : "\(report.label): \(report.text)"
    }.first
  }

  var lastLogEntry: String? {
    board.log.entries.last.map { "\($0.label): \($0.event.text)" }
  }

  private func perform(_ new: [Board.Effect]) {
    for effect in new {
      effects.append(effect)
      switch effect {
      case .create(let id, let spec, let checkpoint): create(id, spec, restoring: checkpoint)
      case .control(let action, let ids, let cause):
        let live = ids.compactMap { id in timers[id].map { (id: id, timer: $0) } }
        apply(.controlled(action, action.perform(on: live, at: now), cause))
      case .remove(let id): timers.removeValue(forKey: id)?.end()
      case .run, .ringOnce, .repeatBell, .notify, .report: break
      }
    }
    if !new.isEmpty { applyEvents() }
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
      timer.observe { [events] timer, event in
        events.add((id, timer, event, timer.status(with: event)))
      }
      if checkpoint == nil { try timer.perform(.start) }
      apply(.timer(id, .changed, timer.status))
    } catch {
      apply(.notCreated(id, "\(error)"))
    }
  }

  /// Applies events in their order: those that they cause come after those that are there already.
  private func applyEvents() {
    guard !isApplying else { return }
    isApplying = true
    defer { isApplying = false }
    while case let batch = events.takeAll(), !batch.isEmpty {
      for (id, sender, event, status) in batch where timers[id] === sender {
        apply(.timer(id, event, status))
      }
    }
  }
}

private final class EventQueue: Sendable {
  typealias Entry = (TimerID, any LiveTimer, Board.TimerEvent, TimerStatus)
  private let entries = Mutex<[Entry]>([])

  func add(_ entry: sending Entry) { entries.withLock { $0.append(entry) } }

  func takeAll() -> [Entry] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
