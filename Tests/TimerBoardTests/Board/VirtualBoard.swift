import Testing
import TimerBoardFixtures
import TimerKit

@testable import TimerBoard

/// A board with clocks that a test moves, and what it has changed.
final class VirtualBoard {
  static let begin = ManualClocks.startTime

  private(set) var board: Board
  private var clocks: ManualClocks
  private(set) var reports: [Report] = []
  /// The requests of the board, in order.
  private(set) var requests: [Change.Request] = []
  private var transitions: [Transition] = []
  private var history: [HistoryLine] = []

  /// A Boolean value that indicates whether the command of a timer that is removed has begun.
  var hasCommandBegun = false
  var now: ClockReading { clocks.now }

  init(_ line: String = "", seed: UInt64 = 0) throws {
    board = Board(seed: seed)
    clocks = ManualClocks(continuousAt: .seconds(5000))
    if !line.isEmpty { handle(.start(try TimerSpec.parse(arguments: [line]))) }
  }

  private func receive(_ change: Change) {
    reports += change.reports
    requests += change.requests
    transitions += change.transitions
    history += change.history
    for case .dropWaitingCommands(let id) in change.requests where !hasCommandBegun {
      board.forgetCommand(ofDeleted: id)
    }
  }

  /// Lets the board advance until nothing is due.
  private func deliver() {
    repeat { receive(board.advance(to: now)) } while board.isDue(at: now)
  }

  func handle(_ command: Board.Command) {
    receive(board.perform(command, at: now))
    deliver()
  }

  func commandEnded(_ id: TimerID, _ result: CommandResult, isRunning: Bool = false) {
    receive(board.commandEnded(id, result, isRunning: isRunning, at: now))
  }

  /// The timers that were removed.
  var removedTimers: [TimerID] {
    requests.compactMap { if case .dropWaitingCommands(let id) = $0 { id } else { nil } }
  }

  func newTransitions() -> [String] {
    defer { transitions = [] }
    return transitions.map { "\($0.spec.title) \($0.event)" }
  }

  func newHistory() -> [HistoryLine] {
    defer { history = [] }
    return history
  }

  func endRuns() { receive(board.endRuns(at: now)) }

  /// Advances all clocks together, from wake-up to wake-up.
  func advance(by duration: Duration) {
    var left = duration
    repeat {
      let step = min(left, max(.nanoseconds(1), clocks.timeToWakeUp(of: board) ?? left))
      clocks.advance(by: step)
      deliver()
      left -= step
    } while left > .zero
  }

  /// Simulates a machine that sleeps.
  func sleep(for duration: Duration) {
    clocks.sleep(for: duration)
    deliver()
  }

  /// Sets the time of day.
  func adjustWall(by change: Duration) {
    clocks.adjustWall(by: change)
    deliver()
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
  var isOver: Bool { board.timers.all.allSatisfy { $0.state != .running } }

  /// Each timer in one line, such as `tea running 2:50 1/1`.
  var states: [String] { board.timers.all.map { $0.stateLine(at: now) } }

  /// The newest report, such as `tea: paused`.
  var report: String? {
    reports.last.map { report in
      report.label.isEmpty ? report.text : "\(report.label): \(report.text)"
    }
  }

  var lastLogEntry: String? {
    board.log.entries.last.map { "\($0.label): \($0.event.text)" }
  }
}

extension BoardTimer {
  /// The timer in one line, such as `tea running 2:50 1/1`.
  func stateLine(at now: ClockReading) -> String { "\(label) \(stateWords(at: now))" }

  /// The state in words, such as `running 2:50 1/1`.
  func stateWords(at now: ClockReading) -> String {
    let words =
      machine.calls == nil
      ? [stateText, machine.timeText(at: now), iterationsText]
      : ["\(state)", timeLeft(at: now).map { DurationText.text($0) }]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}

/// Saved boards, by way of the JSON of a session file.
extension VirtualBoard {
  /// The board as a file stores it.
  var savedBoard: SavedBoard { SavedBoard(board, for: .session, at: now) }
  /// The timers as a file stores them.
  var savedTimers: [SavedFields] { savedBoard.timers }

  /// Returns the board as another process reads it.
  func saved(_ change: (inout SavedBoard) -> Void = { _ in }) throws -> RestoredBoard {
    var saved = try SavedBoard(json: savedBoard.jsonLine)
    change(&saved)
    return try RestoredBoard(saved, savedAt: now)
  }

  /// Continues a board that another process has saved.
  /// - Parameter gap: The time in which no process ran the timers.
  func takeOver(_ other: VirtualBoard, after gap: Duration = .zero) throws {
    clocks = other.clocks
    clocks.advance(by: gap)
    handle(.takeOver(try other.saved()))
  }

  /// Restores the timers of another board, at its time and a time later.
  func restore(
    _ other: VirtualBoard, _ policy: RestorePolicy = .catchUp, after gap: Duration = .zero
  ) throws {
    clocks = other.clocks
    clocks.advance(by: gap)
    handle(.restore(try other.saved(), policy))
  }
}
