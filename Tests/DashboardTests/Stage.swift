import Platform
import Synchronization
import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import CarillonRuntime

/// What one timer told of itself, and when.
private struct Letter: Sendable {
  var id: TimerID
  var sender: any LiveTimer
  var news: TimerNews?
  var status: TimerStatus
  var now: TimerClock.Instant
}

private final class Mailbox: Sendable {
  private let letters = Mutex<[Letter]>([])

  func post(
    _ id: TimerID, _ timer: any LiveTimer, _ news: TimerNews?, at now: TimerClock.Instant
  ) {
    let letter = Letter(id: id, sender: timer, news: news, status: timer.status, now: now)
    letters.withLock { $0.append(letter) }
  }

  func takeAll() -> [Letter] {
    letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
  }
}

/// The dashboard with real timers on a virtual clock: it performs the effects as the program
/// does, and brings what the timers tell of themselves back at the moment at which it happened.
final class Stage {
  /// 2026-07-01 14:29:00 UTC.
  static let begin = WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000)

  /// Times of day are those of the process's zone; here it is UTC.
  private static let zone: Void = {
    setenv("TZ", "UTC0", 1)
    tzset()
  }()

  let clock: VirtualClock
  var dashboard: Dashboard
  /// All that was asked for so far.
  private(set) var effects: [Effect] = []
  private var timers: [TimerID: any LiveTimer] = [:]
  private let mailbox = Mailbox()
  private let wall: VirtualClock
  private var wallOffset: Duration

  init(
    _ line: String = "", width: Int = 80, height: Int = 24, options: DisplayOptions = .init(),
    startingAt start: Duration = .seconds(1000)
  ) throws {
    _ = Self.zone
    clock = VirtualClock(startingAt: start, wall: Self.begin)
    wall = VirtualClock(.wall, wall: Self.begin)
    wallOffset = .nanoseconds(Self.begin.nanosecondsSince1970) - start
    dashboard = Dashboard(options: options, size: Size(width: width, height: height))
    if !line.isEmpty { perform(dashboard.start(try TimerSpec.parse(line: line), at: now)) }
  }

  var now: ClockReading { moment(at: clock.now) }

  func moment(at uptime: TimerClock.Instant) -> ClockReading {
    ClockReading(
      uptime: uptime, boot: TimerClock.continuous.instant(nanoseconds: uptime.nanoseconds),
      wall: WallInstant(nanosecondsSince1970: uptime.nanoseconds).advanced(by: wallOffset),
      secondsFromUTC: 0, wallClock: .virtual(wall))
  }

  func advance(by duration: Duration) {
    clock.advance(by: duration)
    wall.advance(by: duration)
    deliver()
  }

  /// The clock on the wall is set, by so much.
  func stepWall(by change: Duration) {
    wall.stepWall(by: change)
    wallOffset += change
    deliver()
  }

  func send(_ message: Message) {
    perform(dashboard.update(message, at: now))
  }

  func press(_ keys: Key...) {
    for key in keys { send(.input(.key(key))) }
  }

  /// Presses the keys of a text faster than any timer answers.
  func typeAhead(_ text: String) {
    let asked = text.flatMap { dashboard.update(.input(.key(.character($0))), at: now) }
    perform(asked)
  }

  /// Presses the keys of a text, one by one.
  func type(_ text: String) {
    for character in text { press(.character(character)) }
  }

  /// Adds a timer by its words and selects it.
  func add(_ line: String) throws {
    press(.character("a"))
    type(line)
    press(.enter)
    let spec = try TimerSpec.parse(timer: line)
    try #require(dashboard.selectedRow?.spec == spec)
  }

  var frame: Canvas { dashboard.view(at: now) }
  var lines: [String] { frame.lines }
  var notice: String? { dashboard.notice?.text }

  /// The rows' names in their order, the selected one in brackets.
  var order: String {
    dashboard.rows.rows.enumerated()
      .map { $0.offset == dashboard.selected ? "[\($0.element.label)]" : $0.element.label }
      .joined(separator: " ")
  }

  func timer(_ name: String) throws -> Repeater {
    let row = try #require(dashboard.rows.rows.first { $0.name == name })
    return try #require(timers[row.id] as? Repeater)
  }

  func snapshot(_ name: String) throws -> Repeater.Snapshot { try timer(name).snapshot }

  func status(of id: TimerID) -> TimerStatus? { timers[id]?.status }

  func selectedSnapshot() throws -> Repeater.Snapshot {
    let row = try #require(dashboard.selectedRow)
    return try #require(timers[row.id] as? Repeater).snapshot
  }

  func timeLeft(_ name: String) throws -> Duration? {
    try snapshot(name).timeLeft(at: clock.now)
  }

  private func perform(_ new: [Effect]) {
    effects += new
    for effect in new {
      switch effect {
      case .create(let id, let spec, let checkpoint): create(id, spec, restoring: checkpoint)
      case .send(let command, let id):
        guard let timer = timers[id] else {
          Issue.record("\(command) was sent to a timer that is not there")
          continue
        }
        do { try timer.perform(command) } catch { Issue.record(error) }
        answer(timer, id)
      case .remove(let id): timers.removeValue(forKey: id)?.end()
      case .run, .repeatBell, .ring, .notify, .redraw, .suspend, .lab, .quit: break
      }
    }
    if !new.isEmpty { deliver() }
  }

  private func create(_ id: TimerID, _ spec: TimerSpec, restoring checkpoint: TimerCheckpoint?) {
    timers.removeValue(forKey: id)?.end()
    do {
      let timer = try spec.makeTimer(
        restoring: checkpoint, clock: .virtual(clock), wall: .virtual(wall), queue: nil)
      timers[id] = timer
      let kind = timer.status.clock
      timer.tell { [mailbox, clock, wall, wallOffset] timer, news in
        let now =
          kind == .wall
          ? TimerClock.virtual(clock).instant(nanoseconds: 0)
            .advanced(by: .nanoseconds(wall.now.nanoseconds) - wallOffset)
          : clock.now
        mailbox.post(id, timer, news, at: now)
      }
      if checkpoint == nil { try timer.perform(.start) }
      answer(timer, id)
    } catch {
      Issue.record("\(spec.text): \(error)")
    }
  }

  private func answer(_ timer: any LiveTimer, _ id: TimerID) {
    mailbox.post(id, timer, nil, at: clock.now)
  }

  private func deliver() {
    // What one clock brought comes among what the other did, as it happened.
    let letters = mailbox.takeAll().enumerated()
      .sorted { ($0.element.now, $0.offset) < ($1.element.now, $1.offset) }.map(\.element)
    for letter in letters where timers[letter.id] === letter.sender {
      perform(
        dashboard.update(
          .timer(letter.id, letter.news, letter.status), at: moment(at: letter.now)))
    }
  }
}
