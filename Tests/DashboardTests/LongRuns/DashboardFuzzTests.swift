import Fuzzing
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Random messages in any order: ends of commands, also of timers that do not exist, and any sizes, texts and times.
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
  /// The end of a command, which is made from a random state.
  case commandEnded(SplitMix)
  case pass(uptime: Duration, wall: Duration)

  init(_ random: inout SplitMix) {
    switch random.below(30) {
    case 0...4: self = .commandEnded(SplitMix(state: random.next()))
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

/// A dashboard with random messages.
private struct RandomMessages {
  private var clocks = ManualClocks()
  private var wallStep = Duration.zero
  private var board = Board()
  var dashboard: Dashboard
  var now: ClockReading { clocks.now }

  init(_ options: DisplayOptions) {
    dashboard = Dashboard(options: options, size: Size(width: 80, height: 24))
    let specs: [TimerSpec] = [
      TimerSpec(name: "tea", kind: .once(.minutes(3)), sound: .ring, successor: "tea"),
      TimerSpec(kind: .every(.seconds(2), count: 8), command: "true", backoff: .minutes(1)),
      TimerSpec(name: "日", kind: .stopwatch), TimerSpec(kind: .idle(.seconds(1)), note: "x"),
    ]
    _ = dashboard.start(with: [.start(specs)], on: &board, at: now)
    show()
  }

  mutating func perform(_ step: DashboardStep) {
    switch step {
    case .message(let message): _ = dashboard.update(message, &board, at: now)
    case .commandEnded(var random):
      let change = board.commandEnded(
        TimerID(random.below(8)), random.result(), isRunning: random.below(2) == 0, at: now)
      dashboard.follow(change, of: &board, at: now)
    case .pass(let uptime, let wall):
      clocks.advance(by: uptime)
      clocks.adjustWall(by: wall - uptime)
      dashboard.follow(board.advance(to: now), of: &board, at: now)
    }
    show()
  }

  /// Lets the checks read the dashboard as it is during a call.
  private mutating func show() {
    dashboard.board = board
    dashboard.now = now
    dashboard.keepSelectionVisible()
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
  fileprivate mutating func result() -> CommandResult {
    let reason = "no \u{1B}[2J such 日 file"
    let ending: CommandResult.Ending =
      one(of: [
        .exited(Int32(below(256))), .killed(by: 9), .timedOut,
        .notStarted(reason: reason),
      ])
    return CommandResult(ending, lastLine: below(2) == 0 ? "" : reason)
  }
}
