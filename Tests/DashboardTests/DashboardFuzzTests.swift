import Fuzzing
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Any messages in any order: news of timers that do other things than they were asked for, or that
/// are not there; answers late or never; any sizes, texts and times.
@Suite struct DashboardFuzzTests {
  @Test func whateverComesNothingTrapsAndEverythingAgrees() {
    let found = faults(
      sequences: 8, steps: 20..<150,
      setup: {
        DisplayOptions(
          isASCII: $0.below(2) == 0, hasColor: $0.below(2) == 0, uses24Hours: $0.below(2) == 0,
          showsTenths: $0.below(2) == 0, showsClock: $0.below(2) == 0)
      }, step: { DashboardStep(&$0) },
      fault: { options, steps in
        var play = AnyMessages(options)
        for (index, step) in steps.enumerated() {
          play.perform(step)
          if let fault = play.fault { return "step \(index): \(fault)" }
        }
        return nil
      })
    #expect(found == [])
  }
}

private enum DashboardStep: Sendable {
  case message(Message)
  /// The effects so far are performed; no timer moves.
  case answers
  case pass(uptime: Duration, wall: Duration)

  init(_ random: inout SplitMix) {
    let id = TimerID(random.below(8))
    switch random.below(30) {
    case 0...6:
      self = .message(.board(.timer(id, random.event(), random.status())))
    case 7: self = .message(.board(.timer(id, .changed, random.status())))
    case 8:
      self = .message(
        .board(.commandEnded(id, random.result(), isRunning: random.below(2) == 0)))
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
        random.one(of: [.resumed, .labLeft, .input(.focus(true)), .error("no \u{1B}[2J room")]))
    case 14...15:
      // A year at most: no machine is up for centuries. Its clock can be set to anything.
      let seconds = Duration.seconds(random.below(random.below(5) == 0 ? 31_536_000 : 99))
      let step = random.below(5) == 0 ? Duration.seconds(random.edge()) : .zero
      self = .pass(uptime: seconds, wall: seconds + step)
    case 16...20: self = .answers
    case 21: self = .message(.input(.key(.enter)))
    case 22: self = .message(.input(.key(.character("a"))))
    default: self = .message(.input(.key(random.one(of: RandomPlay.keys))))
    }
  }
}

/// A dashboard without timers: what it is told is made up.
private struct AnyMessages {
  var dashboard: Dashboard
  var now = ClockReading(
    uptime: .init(nanoseconds: 1_000_000_000_000),
    boot: .init(nanoseconds: 1_000_000_000_000, on: .continuous),
    wall: Stage.begin, secondsFromUTC: 7200)
  var unanswered: [Effect] = []

  init(_ options: DisplayOptions) {
    dashboard = Dashboard(options: options, size: Size(width: 80, height: 24))
    let specs: [TimerSpec] = [
      TimerSpec(name: "tea", kind: .once(.minutes(3)), repeatsBell: true, next: "tea"),
      TimerSpec(kind: .every(.seconds(2), count: 8), command: "true", backoff: .minutes(1)),
      TimerSpec(name: "日", kind: .stopwatch), TimerSpec(kind: .idle(.seconds(1)), note: "x"),
    ]
    unanswered = dashboard.start(with: [.start(specs)], at: now)
  }

  mutating func perform(_ step: DashboardStep) {
    switch step {
    case .message(let message): unanswered += dashboard.update(message, at: now)
    case .pass(let uptime, let wall):
      now.uptime = now.uptime.advanced(by: uptime)
      now.boot = now.boot.advanced(by: uptime)
      now.wall = now.wall.advanced(by: wall)
    case .answers:
      let asked = unanswered
      unanswered = []
      for case .board(let effect) in asked {
        switch effect {
        case .create(let id, let spec, let checkpoint):
          let status = (checkpoint ?? TimerCheckpoint(startOf: spec, at: now)).status(at: now)
          unanswered += dashboard.update(.board(.timer(id, .changed, status)), at: now)
        case .control(let action, let ids, let cause):
          let outcomes = action.outcomes(ofUnmoved: ids, in: dashboard, at: now)
          unanswered += dashboard.update(.board(.controlled(action, outcomes, cause)), at: now)
        case .remove, .run, .ring, .repeatBell, .notify, .report: break
        }
      }
    }
  }

  var fault: String? {
    if let fault = dashboard.disagreement { return fault }
    let frame = dashboard.frame(at: now).canvas
    if frame.size != dashboard.size { return "drawn in another size" }
    if let cursor = frame.cursor, !frame.bounds.contains(cursor) { return "cursor outside" }
    if dashboard.options.isASCII, !frame.isASCII { return "not ASCII: \(frame.text)" }
    if let stale = dashboard.frame(at: now).nextRedraw, stale <= now.uptime {
      return "stale at \(stale), and it is \(now.uptime)"
    }
    return nil
  }
}

extension SplitMix {
  fileprivate mutating func event() -> Board.TimerEvent {
    switch below(3) {
    case 0: .changed
    case 1: .stale
    default:
      .fired(
        Fire(
          lateness: below(3) == 0 ? nil : time(), missed: count(),
          due: below(3) == 0 ? nil : instant(on: .suspending),
          iteration: below(3) == 0 ? nil : count()))
    }
  }

  fileprivate mutating func status() -> TimerStatus {
    let phase = one(of: TimerState.shown)
    let isRunning = phase == .running
    let left = phase == .paused ? time() : nil
    switch below(5) {
    case 0...1:
      let isExecuting = below(4) == 0
      let mode: Repeater.Mode = one(of: [.once, .infinite, .finite(count())])
      let interval = time()
      let clock: TimerClock.Kind = one(of: [.suspending, .continuous, .wall])
      return .repeater(
        Repeater.Snapshot(
          configuration: .init(.interval(interval), mode: mode), clock: clock, state: phase,
          isExecuting: isExecuting, remainingIterations: below(2) == 0 ? nil : count(),
          deadline: isRunning ? instant(on: clock) : nil, frozenTimeLeft: left,
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
          phaseNumber: count(), remainingRounds: below(2) == 0 ? nil : count(),
          deadline: isRunning ? instant(on: .suspending) : nil, frozenTimeLeft: left,
          deliveredCount: count()))
    case 3:
      return .stopwatch(
        Stopwatch.Snapshot(
          state: one(of: [.idle, .running, .paused, .cancelled]),
          origin: isRunning ? .init(nanoseconds: Int64(below(1 << 39))) : nil,
          frozenElapsed: isRunning ? nil : time(),
          laps: (0..<below(3)).map { .init(number: $0 + 1, time: time(), total: time()) },
          deliveredCount: count()))
    default:
      return .calls(
        CallSnapshot(
          state: one(of: [.idle, .pending, .executing, .cancelled]), pendingCount: count(),
          callCount: count(), deliveredCount: count(), staleCount: count(),
          deadline: isRunning ? instant(on: .suspending) : nil))
    }
  }

  fileprivate mutating func result() -> CommandResult {
    let reason = "no \u{1B}[2J such 日 file"
    let ending: CommandResult.Ending =
      one(of: [
        .exited(Int32(below(256))), .killed(by: 9), .timedOut,
        .notStarted(reason: reason),
      ])
    return CommandResult(ending, lastLine: below(2) == 0 ? "" : reason)
  }

  private mutating func time() -> Duration { .nanoseconds(max(1, edge())) }

  /// As many as there can have been, and more.
  private mutating func count() -> Int { below(8) == 0 ? Int(max(0, edge()) >> 16) : below(9) }

  private mutating func instant(on kind: TimerClock.Kind) -> TimerClock.Instant {
    TimerClock(kind).instant(
      nanoseconds: below(4) == 0 ? edge() : 1_000_000_000_000 + Int64(below(1 << 40)))
  }
}

extension TimerAction {
  /// The outcomes for timers that stay as they are, whatever is asked of them.
  func outcomes(
    ofUnmoved ids: [TimerID], in dashboard: Dashboard, at now: ClockReading
  ) -> [ControlOutcome] {
    let statuses = ids.compactMap { id in dashboard.rows[id].map { (id: id, status: $0.status) } }
    return commands(for: statuses, at: now).compactMap { id, command in
      guard let status = dashboard.rows[id]?.status else { return nil }
      let result: ControlOutcome.Result =
        switch command {
        case .success(let command): .changed(command)
        case .failure(let refusal): .refused(refusal)
        }
      return ControlOutcome(id: id, result: result, before: status, after: status)
    }
  }
}
