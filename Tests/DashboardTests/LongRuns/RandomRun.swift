import Fuzzing
import TerminalCore
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Random use of a dashboard: keys, pasted text, sizes and passing time.
struct RandomRun {
  let fixture: Fixture
  private var random: SplitMix
  static let keys = Bindings.standard.all.flatMap(\.keys)
    .filter {
      ![.quit, .interrupt, .suspend].contains(Bindings.standard.action(for: $0, in: .global))
    }

  init(seed: UInt64, options: DisplayOptions = .init()) throws {
    var random = SplitMix(state: seed)
    fixture = try Fixture(
      "tea=3m sets=every 4s x8 poll=every 700ms slow=1h paused 每日=every 2d", options: options,
      startingAt: .nanoseconds(Int64.random(in: 0...10_000_000_000, using: &random)))
    self.random = random
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60: fixture.press(Self.keys.randomElement(using: &random) ?? .escape)
    case 60..<64: addTimer()
    case 64..<70: fixture.send(.resized(size()))
    case 70..<72: fixture.press(.escape, .escape)
    case 72..<73: fixture.send(.input(.paste("every 3s note '每日 ~ \u{1b}'")))
    case 73..<74: fixture.send(.resumed)
    case 74..<75: fixture.send(.input(.focus(true)))
    case 75..<76:
      let point = Point(
        x: Int.random(in: 0..<130, using: &random), y: Int.random(in: 0..<40, using: &random))
      let kinds: [MouseEvent.Kind] = [.press(button: 1), .scrollUp, .scrollDown, .drag(button: 1)]
      fixture.send(
        .input(.mouse(MouseEvent(kinds.randomElement(using: &random) ?? .scrollUp, at: point))))
    case 76..<80: fixture.press(Key(.character("é"), [.alt]), .tab, Key(.up, .shift))
    case 80..<90: advance(upTo: 1_000_000_000)
    case 90..<98: advance(upTo: 20_000_000_000)
    default: advance(upTo: 10_000_000_000_000)
    }
  }

  private mutating func addTimer() {
    guard fixture.dashboard.rows.count < 40 else {
      return fixture.press(.escape, .escape, .character("d"))
    }
    fixture.press(.escape, .escape, .character("a"))
    fixture.send(.input(.paste(TimerSpec.random(using: &random).text)))
    fixture.press(.enter)
  }

  private mutating func size() -> Size {
    let small = Int.random(in: 0..<4, using: &random) > 0
    return Size(
      width: Int.random(in: 0...(small ? 45 : 130), using: &random),
      height: Int.random(in: 0...(small ? 12 : 40), using: &random))
  }

  private mutating func advance(upTo nanoseconds: Int64) {
    let duration = Duration.nanoseconds(Int64.random(in: 0...nanoseconds, using: &random))
    // A timer of a few milliseconds would fire millions of times in hours.
    let shortest = fixture.dashboard.rows.all.compactMap(\.machine.period).min() ?? duration
    fixture.advance(by: min(duration, shortest * 200))
  }

  mutating func randomTime(after now: ClockReading, before end: TimerClock.Instant?) -> ClockReading
  {
    let day: Int64 = 86_400_000_000_000
    let last = end.map { $0.nanoseconds - 1 } ?? now.suspending.nanoseconds + 3 * day
    return fixture.moment(
      at: TimerClock.suspending.instant(
        nanoseconds: Int64.random(in: now.suspending.nanoseconds...last, using: &random)))
  }
}
