import Testing
import TimerBoardFixtures
import TimerKit

@testable import TimerBoard

/// A board whose live timers follow virtual clocks, without a screen.
final class VirtualBoard {
  static let begin = VirtualModel.startTime

  private let virtual = VirtualModel(continuousAt: .seconds(5000))
  private(set) var reports: [Report] = []

  var board: Board { virtual.model.board }
  /// The requests to the services, and the reports that no command has caused.
  var effects: [Board.Effect] { virtual.services.effects }
  /// The timers that were removed.
  var removedTimers: [TimerID] { virtual.services.removedTimers }
  /// A Boolean value that indicates whether the command of a timer that is removed has begun.
  var hasCommandBegun: Bool {
    get { virtual.services.hasCommandBegun }
    set { virtual.services.hasCommandBegun = newValue }
  }
  var now: ClockReading { virtual.now }

  init(_ line: String = "") throws {
    if !line.isEmpty { handle(.start(try TimerSpec.parse(arguments: [line]))) }
  }

  func handle(_ command: Board.Command) {
    reports += virtual.model.perform(command)
    virtual.receive()
  }

  func takeTransitions() -> [String] {
    virtual.services.takeTransitions().map { "\($0.spec.title) \($0.event)" }
  }

  func takeHistory() -> [HistoryLine] { virtual.services.takeHistory() }

  func endStretches() { virtual.model.endStretches() }

  func apply(_ event: Board.Event) {
    virtual.model.receive(event)
    virtual.receive()
  }

  func advance(by duration: Duration) { virtual.advance(by: duration) }

  /// Simulates a machine that sleeps.
  func sleep(for duration: Duration) { virtual.sleep(for: duration) }

  /// Sets the time of day.
  func adjustWall(by change: Duration) { virtual.adjustWall(by: change) }

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
      #expect(timer.status == virtual.model.liveTimer(timer.id)?.status, "\(timer.label)")
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
    (reports.last ?? virtual.services.change.reports.last).map { report in
      report.label.isEmpty ? report.text : "\(report.label): \(report.text)"
    }
  }

  var lastLogEntry: String? {
    board.log.entries.last.map { "\($0.label): \($0.event.text)" }
  }
}

/// Hand-overs, by way of the JSON of a session file.
extension VirtualBoard {
  /// The board as another process can continue it.
  var savedBoard: SavedBoard { SavedBoard(board, for: .session, at: now) }

  /// Continues a board that another process has saved.
  func takeOver(
    _ saved: SavedBoard, savedAt wall: WallInstant = VirtualBoard.begin, after gap: Duration = .zero
  ) throws {
    let read = try SavedBoard(json: saved.jsonLine)
    handle(.takeOver(try read.savedTimers(at: wall), read, after: gap))
  }

  func takeOver(_ other: VirtualBoard, after gap: Duration = .zero) throws {
    try takeOver(other.savedBoard, savedAt: other.now.wall, after: gap)
  }
}

extension SavedTimer {
  /// Returns timers that begin at the time, with identifiers from 1.
  static func timers(_ specs: [TimerSpec], at now: ClockReading) -> [SavedTimer] {
    zip(specs, 1...).map { spec, number in
      var timer = SavedTimer(startOf: spec, at: now)
      timer.id = TimerID(number)
      return timer
    }
  }
}
