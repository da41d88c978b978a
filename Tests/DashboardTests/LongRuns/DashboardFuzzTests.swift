import Fuzzing
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Random messages in any order: events of timers that behave unexpectedly or do not exist, late or
/// missing responses, and any sizes, texts and times.
@Suite struct DashboardFuzzTests {
  @Test func randomMessagesKeepTheDashboardConsistent() {
    let found = failures(
      sequences: 8, steps: 20..<150,
      setup: {
        DisplayOptions(
          isASCII: $0.below(2) == 0, hasColor: $0.below(2) == 0, uses24Hours: $0.below(2) == 0,
          showsTenths: $0.below(2) == 0, showsClock: $0.below(2) == 0)
      }, step: { DashboardStep(&$0) },
      failure: { options, steps in
        var run = RandomMessages(options)
        for (index, step) in steps.enumerated() {
          run.perform(step)
          if let fault = run.fault { return "step \(index): \(fault)" }
        }
        return nil
      })
    #expect(found == [])
  }
}

private enum DashboardStep: Sendable {
  case message(Message)
  /// An event that is made from a random state, because its instants are those of the model's clocks.
  case event(SplitMix)
  case pass(uptime: Duration, wall: Duration)

  init(_ random: inout SplitMix) {
    switch random.below(30) {
    case 0...8: self = .event(SplitMix(state: random.next()))
    case 9:
      let isSmall = random.below(2) == 0
      let size = Size(
        width: random.below(isSmall ? 30 : 200), height: random.below(isSmall ? 8 : 60))
      self = .message(.resized(size))
    case 10: self = .message(.input(.paste(TimerSpec.random(using: &random).text)))
    case 11: self = .message(.input(.paste("note '\u{1B}[2J\r\n\u{0}日\u{301}👨‍👩‍👧 " + "x 8")))
    case 12:
      let point = Point(x: Int(random.edge()), y: Int(random.edge()))
      self = .message(.input(.mouse(MouseEvent(.press(button: random.below(9)), at: point))))
    case 13:
      self = .message(
        random.one(of: [.resumed, .labClosed, .input(.focus(true)), .error("no \u{1B}[2J room")]))
    case 14...15:
      // At most a year of uptime. The wall clock can be set to any time.
      let seconds = Duration.seconds(random.below(random.below(5) == 0 ? 31_536_000 : 99))
      let step = random.below(5) == 0 ? Duration.seconds(random.edge()) : .zero
      self = .pass(uptime: seconds, wall: seconds + step)
    case 21: self = .message(.input(.key(.enter)))
    case 22: self = .message(.input(.key(.character("a"))))
    default: self = .message(.input(.key(random.one(of: RandomRun.keys))))
    }
  }
}

/// A dashboard with random messages, and events of timers that the live timers did not have.
private struct RandomMessages {
  let still = StillModel()
  var dashboard: Dashboard
  var now: ClockReading { still.now }

  init(_ options: DisplayOptions) {
    dashboard = Dashboard(still.model, options: options, size: Size(width: 80, height: 24))
    let specs: [TimerSpec] = [
      TimerSpec(name: "tea", kind: .once(.minutes(3)), sound: .ring, successor: "tea"),
      TimerSpec(kind: .every(.seconds(2), count: 8), command: "true", backoff: .minutes(1)),
      TimerSpec(name: "日", kind: .stopwatch), TimerSpec(kind: .idle(.seconds(1)), note: "x"),
    ]
    dashboard.start(with: [.start(specs)], at: now)
  }

  mutating func perform(_ step: DashboardStep) {
    switch step {
    case .message(let message): _ = dashboard.update(message, at: now)
    case .event(var random):
      still.model.receive(random.boardEvent(on: still.clock))
      dashboard.boardChanged(reports: [], at: now)
    case .pass(let uptime, let wall):
      still.now.suspending = now.suspending.advanced(by: uptime)
      still.now.continuous = now.continuous.advanced(by: uptime)
      still.now.wall = now.wall.advanced(by: wall)
    }
  }

  var fault: String? {
    if let fault = dashboard.inconsistency { return fault }
    let frame = dashboard.frame(at: now).canvas
    if frame.size != dashboard.size { return "the frame has the wrong size" }
    if let cursor = frame.cursor, !frame.bounds.contains(cursor) {
      return "the cursor is outside the frame"
    }
    if dashboard.options.isASCII, !frame.isASCII { return "not ASCII: \(frame.text)" }
    if let redraw = dashboard.frame(at: now).nextRedraw, redraw <= now.suspending {
      return "next redraw at \(redraw), now \(now.suspending)"
    }
    return nil
  }
}

extension SplitMix {
  fileprivate mutating func boardEvent(
    on clock: (TimerClock.Kind) -> TimerClock
  ) -> Board.Event {
    let id = TimerID(below(8))
    switch below(9) {
    case 0...6: return .timer(id, event(on: clock), status(on: clock))
    case 7: return .timer(id, .changed, status(on: clock))
    default: return .commandEnded(id, result(), isRunning: below(2) == 0)
    }
  }

  private mutating func event(on clock: (TimerClock.Kind) -> TimerClock) -> Board.TimerEvent {
    switch below(3) {
    case 0: .changed
    case 1: .stale
    default:
      .fired(
        Fire(
          lateness: below(3) == 0 ? nil : time(), missed: count(),
          due: below(3) == 0 ? nil : instant(on: clock(.suspending)),
          iteration: below(3) == 0 ? nil : count()))
    }
  }

  private mutating func status(on clocks: (TimerClock.Kind) -> TimerClock) -> TimerStatus {
    let clock = clocks
    let phase = one(of: TimerState.displayOrder)
    let isRunning = phase == .running
    let left = phase == .paused ? time() : nil
    switch below(5) {
    case 0...1:
      let isExecuting = below(4) == 0
      let mode: Repeater.Mode = one(of: [.once, .infinite, .finite(count())])
      let interval = time()
      let kind: TimerClock.Kind = one(of: [.suspending, .continuous, .wall])
      return .repeater(
        Repeater.Snapshot(
          configuration: .init(.interval(interval), mode: mode), clock: kind, state: phase,
          isExecuting: isExecuting, remainingIterations: below(2) == 0 ? nil : count(),
          deadline: isRunning ? instant(on: clock(kind)) : nil, pausedTimeLeft: left,
          deliveredCount: count(),
          missedCount: count(), staleCount: count()))
    case 2:
      let phases = (0...below(3)).map { Cycle.Phase("p\($0)", time()) }
      let index = below(phases.count)
      return .cycle(
        Cycle.Snapshot(
          configuration: .init(phases, rounds: below(2) == 0 ? nil : count()), state: phase,
          position: below(4) == 0
            ? nil : Cycle.Position(phase: phases[index], index: index, round: count()),
          phaseIndex: count(), remainingRounds: below(2) == 0 ? nil : count(),
          deadline: isRunning ? instant(on: clock(.suspending)) : nil, pausedTimeLeft: left,
          deliveredCount: count()))
    case 3:
      return .stopwatch(
        Stopwatch.Snapshot(
          state: one(of: [.idle, .running, .paused, .cancelled]),
          origin: isRunning
            ? clock(.suspending).instant(nanoseconds: Int64(below(1 << 39))) : nil,
          elapsedWhenStopped: isRunning ? nil : time(),
          laps: (0..<below(3)).map { .init(number: $0 + 1, time: time(), total: time()) },
          deliveredCount: count()))
    default:
      return .triggered(
        CallSnapshot(
          state: one(of: [.idle, .pending, .cancelled]), pendingCount: count(),
          callCount: count(), deliveredCount: count(), staleCount: count(),
          deadline: isRunning ? instant(on: clock(.suspending)) : nil))
    }
  }

  private mutating func result() -> CommandResult {
    let reason = "no \u{1B}[2J such 日 file"
    let ending: CommandResult.Ending =
      one(of: [
        .exited(Int32(below(256))), .killed(by: 9), .timedOut,
        .notStarted(reason: reason),
      ])
    return CommandResult(ending, lastLine: below(2) == 0 ? "" : reason)
  }

  private mutating func time() -> Duration { .nanoseconds(max(1, edge())) }

  /// A plausible count, or a larger one.
  private mutating func count() -> Int { below(8) == 0 ? Int(max(0, edge()) >> 16) : below(9) }

  private mutating func instant(on clock: TimerClock) -> TimerClock.Instant {
    clock.instant(
      nanoseconds: below(4) == 0 ? edge() : 1_000_000_000_000 + Int64(below(1 << 40)))
  }
}

/// A model whose live timers never move: their clocks stand still, while the readings of the board's clocks change.
final class StillModel {
  private final class Reading {
    var now: ClockReading

    init(_ now: ClockReading) { self.now = now }
  }

  let model: TimerModel
  private let clocks: [TimerClock.Kind: TimerClock]
  private let reading: Reading
  var now: ClockReading {
    get { reading.now }
    set { reading.now = newValue }
  }

  init() {
    func clock(_ kind: TimerClock.Kind) -> TimerClock {
      .virtual(VirtualClock(kind, startingAt: .seconds(1000), wall: Fixture.startTime))
    }
    let (suspending, continuous, wall) = (clock(.suspending), clock(.continuous), clock(.wall))
    clocks = [.suspending: suspending, .continuous: continuous, .wall: wall]
    let reading = Reading(
      ClockReading(
        suspending: suspending.now, continuous: continuous.now, wall: Fixture.startTime,
        zone: .utc, wallClock: wall))
    self.reading = reading
    model = TimerModel(
      Board(),
      clocks: TimerClocks(continuous: continuous, suspending: suspending, wall: wall),
      queue: nil, readClocks: { reading.now }, wake: {})
  }

  func clock(_ kind: TimerClock.Kind) -> TimerClock { clocks[kind] ?? TimerClock(kind) }
}
