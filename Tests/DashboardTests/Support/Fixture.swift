import Platform
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// A dashboard with a model whose timers follow virtual clocks.
final class Fixture {
  static let startTime = VirtualModel.startTime

  /// Timers that follow the time of day do so in the time zone of the process: here, UTC.
  private static let zone: Void = {
    setenv("TZ", "UTC0", 1)
    tzset()
  }()

  let virtual: VirtualModel
  var dashboard: Dashboard
  private var hasBoardChanged = false
  private var newReports: [Report] = []
  /// The effects of the dashboard so far.
  private(set) var effects: [Effect] = []
  /// The requests to the services.
  var boardEffects: [Board.Effect] { virtual.services.effects }
  var model: TimerModel { virtual.model }
  var clock: VirtualClock { virtual.suspending }
  var now: ClockReading { virtual.now }

  init(
    _ line: String = "", width: Int = 80, height: Int = 16, options: DisplayOptions = .init(),
    startingAt start: Duration = .seconds(1000), at time: WallInstant = startTime,
    in zone: LocalZone = .utc
  ) throws {
    _ = Self.zone
    virtual = VirtualModel(startingAt: start, at: time, in: zone, isMuted: options.isMuted)
    dashboard = Dashboard(
      virtual.model, options: options, size: TerminalCore.Size(width: width, height: height))
    virtual.services.onChange = { [unowned self] change in
      hasBoardChanged = true
      newReports += change.reports
    }
    if !line.isEmpty {
      dashboard.start(with: [.start(try TimerSpec.parse(arguments: [line]))], at: now)
      deliver()
    }
  }

  /// Returns the reading at another instant, assuming that no clock is set in the meantime.
  func moment(at suspending: TimerClock.Instant) -> ClockReading { now.moved(to: suspending) }

  func advance(by duration: Duration) {
    virtual.advance(by: duration, applying: !holdsEvents)
    deliver()
  }

  /// Simulates a machine that sleeps.
  func sleep(for duration: Duration) {
    virtual.sleep(for: duration)
    deliver()
  }

  /// Sets the wall clock forward or back.
  func adjustWall(by change: Duration) {
    virtual.adjustWall(by: change)
    deliver()
  }

  func send(_ message: Message) {
    followBoard()
    effects += dashboard.update(message, at: now)
    deliver()
  }

  func apply(_ event: Board.Event, at instant: ClockReading? = nil) {
    model.receive(event, at: instant)
    deliver()
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
      followBoard()
      let (count, effects) = dashboard.update(rest, at: now)
      self.effects += effects
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
    send(.reports(model.perform(command)))
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
    try #require(dashboard.selectedRow?.spec == spec)
  }

  var frame: Canvas { dashboard.frame(at: now).canvas }
  var lines: [String] { frame.lines }
  /// The line of the newest alert.
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
    dashboard.rows.all.enumerated()
      .map { $0.offset == dashboard.selected ? "[\($0.element.label)]" : $0.element.label }
      .joined(separator: " ")
  }

  func timer(_ name: String) throws -> Repeater {
    let row = try #require(dashboard.rows.all.first { $0.name == name })
    return try #require(model.liveTimer(row.id) as? Repeater)
  }

  func snapshot(_ name: String) throws -> Repeater.Snapshot { try timer(name).snapshot }

  func status(of id: TimerID) -> TimerStatus? { model.liveTimer(id)?.status }

  func selectedSnapshot() throws -> Repeater.Snapshot {
    let row = try #require(dashboard.selectedRow)
    return try #require(model.liveTimer(row.id) as? Repeater).snapshot
  }

  func timeLeft(_ name: String) throws -> Duration? {
    try snapshot(name).timeLeft(at: virtual.continuous.now)
  }

  /// A Boolean value that indicates whether timer events are held back, as on a busy main queue.
  var holdsEvents = false

  private func deliver() {
    guard !holdsEvents else { return }
    virtual.receive()
    followBoard()
    dashboard.keepSelectionVisible()
  }

  private func followBoard() {
    guard hasBoardChanged else { return }
    hasBoardChanged = false
    dashboard.boardChanged(reports: newReports, at: now)
    newReports = []
  }
}

extension Dashboard {
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
