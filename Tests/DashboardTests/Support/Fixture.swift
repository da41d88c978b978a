import Platform
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// A dashboard and a board, with clocks that a test moves.
final class Fixture {
  static let startTime = ManualClocks.startTime

  /// Timers that follow the time of day do so in the time zone of the process: here, UTC.
  private static let zone: Void = {
    setenv("TZ", "UTC0", 1)
    tzset()
  }()

  var board: Board
  var dashboard: Dashboard
  private var clocks: ManualClocks
  /// The effects of the dashboard so far.
  private(set) var effects: [Effect] = []
  /// The requests of the board so far.
  private(set) var requests: [Change.Request] = []
  /// The fires, each with its command, so far.
  private(set) var commands: [(command: String, fire: Transition)] = []
  var now: ClockReading { clocks.now }

  init(
    _ line: String = "", width: Int = 80, height: Int = 16, options: DisplayOptions = .init(),
    startingAt start: Duration = .seconds(1000), at time: WallInstant = startTime,
    in zone: LocalZone = .utc
  ) throws {
    _ = Self.zone
    clocks = ManualClocks(startingAt: start, at: time, in: zone)
    board = Board(isMuted: options.isMuted)
    dashboard = Dashboard(
      options: options, size: TerminalCore.Size(width: width, height: height))
    dashboard.now = now
    if !line.isEmpty {
      let commands = [Board.Command.start(try TimerSpec.parse(arguments: [line]))]
      note(dashboard.start(with: commands, on: &board, at: now))
      deliver()
    }
  }

  /// Returns the reading at another instant, assuming that no clock is set in the meantime.
  func moment(at suspending: TimerClock.Instant) -> ClockReading { now.moved(to: suspending) }

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

  /// Moves the clocks without a wake-up, as on a busy main queue.
  func delay(by duration: Duration) { clocks.advance(by: duration) }

  /// Simulates a machine that sleeps.
  func sleep(for duration: Duration) {
    clocks.sleep(for: duration)
    deliver()
  }

  /// Sets the wall clock forward or back.
  func adjustWall(by change: Duration) {
    clocks.adjustWall(by: change)
    deliver()
  }

  func send(_ message: Message) {
    let (change, new) = dashboard.update(message, &board, at: now)
    note(change)
    effects += new
    deliver()
  }

  func commandEnded(_ id: TimerID, _ result: CommandResult, isRunning: Bool = false) {
    follow(board.commandEnded(id, result, isRunning: isRunning, at: now))
    deliver()
  }

  private func note(_ change: Change) {
    requests += change.requests
    for case .dropWaitingCommands(let id) in change.requests { board.forgetCommand(ofDeleted: id) }
    for step in change.steps {
      for case .run(let command) in step.requests {
        if let fire = step.transition { commands.append((command, fire)) }
      }
    }
  }

  /// Lets the dashboard follow what the board has done by itself.
  private func follow(_ change: Change) {
    note(change)
    if !change.isEmpty { dashboard.follow(change, of: &board, at: now) }
  }

  func press(_ keys: Key...) {
    for key in keys { send(.input(.key(key))) }
  }

  /// Sends inputs that arrive together.
  /// - Returns: The number of changes as which they were handled; `nil` if the rest was refused.
  @discardableResult
  func arrive(_ inputs: [TerminalInput]) -> Int? {
    var rest = inputs[...]
    var changes = 0
    while !rest.isEmpty {
      let (count, change, new) = dashboard.update(rest, &board, at: now)
      note(change)
      effects += new
      deliver()
      guard let count else { return nil }
      rest = rest.dropFirst(count)
      changes += 1
    }
    return changes
  }

  /// Acknowledges all alerts.
  func acknowledge() { perform(.acknowledge) }

  /// Performs a command of another process.
  func perform(_ command: Board.Command) {
    let change = board.perform(command, at: now)
    note(change)
    send(.reports(change.reports))
  }

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
    try #require(selectedRow?.spec == spec)
  }

  var frame: Canvas { rendered.canvas }
  var rendered: RenderedFrame { dashboard.frame(of: board, at: now) }
  var lines: [String] { frame.lines }
  /// The line of the newest alert; empty if there is none.
  var band: String {
    for sign in [" more   Space ", "Space done", "ready   Space start", "ready, ", "rang"] {
      if let line = lines.first(where: { $0.contains(sign) }) { return line }
    }
    return ""
  }
  var notice: String? { dashboard.notice?.text }

  /// The labels of the rows in order, the selected one in brackets.
  var order: String {
    rows.all.enumerated()
      .map { $0.offset == dashboard.selected ? "[\($0.element.label)]" : $0.element.label }
      .joined(separator: " ")
  }

  var rows: TimerList { board.timers }
  var selectedRow: BoardTimer? { dashboard.selectedRow }

  func snapshot(_ name: String) throws -> Repeater.Snapshot {
    let timer = try #require(board.timers.timer(named: name))
    return try #require(timer.machine.repeater)
  }

  func selectedSnapshot() throws -> Repeater.Snapshot {
    let row = try #require(selectedRow)
    return try #require(row.machine.repeater)
  }

  func timeLeft(_ name: String) throws -> Duration? {
    try #require(board.timers.timer(named: name)).timeLeft(at: now)
  }

  private func deliver() {
    repeat { follow(board.advance(to: now)) } while board.isDue(at: now)
    // Tests read the dashboard as it is during a call.
    dashboard.board = board
    dashboard.now = now
    dashboard.keepSelectionVisible()
  }
}

extension Dashboard {
  func frame(at now: ClockReading) -> RenderedFrame { frame(of: board, at: now) }
  var farewell: String? { farewell(of: board) }
  var settings: [DashboardSetting: String] { settings(of: board) }

  mutating func use(_ settings: [DashboardSetting: String]) {
    var board = board
    use(settings, on: &board, at: now)
    self.board = board
  }

  /// The number of days from the selected day of the history to the first day of the fixture.
  var historyDaysAgo: Int {
    let today = CivilDate(day: Int(Fixture.startTime.nanosecondsSince1970 / 86_400_000_000_000))
    return historyState.selectedDaysAgo(lastDay: today)
  }
}

extension Theme {
  static let light = all[1]
  static let highContrast = all[2]
  /// Copies of well-known themes, such as Nord.
  static let wellKnown = Array(all.dropFirst(4))
}
