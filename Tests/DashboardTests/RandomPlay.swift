import Fuzzing
import TerminalCore
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Plays the dashboard at random: keys, texts, sizes, and time that goes by.
struct RandomPlay {
  let stage: Stage
  private var random: SplitMix
  static let keys = Bindings.standard.all.flatMap(\.keys)
    .filter {
      ![.quit, .interrupt, .suspend].contains(Bindings.standard.action(for: $0, in: .global))
    }

  init(seed: UInt64, options: DisplayOptions = .init()) throws {
    var random = SplitMix(state: seed)
    stage = try Stage(
      "tea=3m sets=every 4s x8 poll=every 700ms slow=1h paused 每日=every 2d", options: options,
      startingAt: .nanoseconds(Int64.random(in: 0...10_000_000_000, using: &random)))
    self.random = random
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60: stage.press(Self.keys.randomElement(using: &random) ?? .escape)
    case 60..<64: addTimer()
    case 64..<70: stage.send(.resized(size()))
    case 70..<72: stage.press(.escape, .escape)
    case 72..<73: stage.send(.input(.paste("every 3s note '每日 ~ \u{1b}'")))
    case 73..<74: stage.send(.resumed)
    case 74..<75: stage.send(.input(.focus(true)))
    case 75..<76:
      let point = Point(
        x: Int.random(in: 0..<130, using: &random), y: Int.random(in: 0..<40, using: &random))
      let kinds: [MouseEvent.Kind] = [.press(button: 1), .scrollUp, .scrollDown, .drag(button: 1)]
      stage.send(
        .input(.mouse(MouseEvent(kinds.randomElement(using: &random) ?? .scrollUp, at: point))))
    case 76..<80: stage.press(Key(.character("é"), [.alt]), .tab, Key(.up, .shift))
    case 80..<90: advance(upTo: 1_000_000_000)
    case 90..<98: advance(upTo: 20_000_000_000)
    default: advance(upTo: 10_000_000_000_000)
    }
  }

  private mutating func addTimer() {
    guard stage.dashboard.rows.count < 40 else {
      return stage.press(.escape, .escape, .character("d"))
    }
    stage.press(.escape, .escape, .character("a"))
    stage.send(.input(.paste(TimerSpec.random(using: &random).text)))
    stage.press(.enter)
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
    let shortest = stage.dashboard.rows.all.compactMap(\.status.period).min() ?? duration
    stage.advance(by: min(duration, shortest * 200))
  }

  mutating func moment(after now: ClockReading, before end: TimerClock.Instant?) -> ClockReading {
    let day: Int64 = 86_400_000_000_000
    let last = end.map { $0.nanoseconds - 1 } ?? now.uptime.nanoseconds + 3 * day
    return stage.moment(
      at: TimerClock.virtual(stage.clock).instant(
        nanoseconds: Int64.random(in: now.uptime.nanoseconds...last, using: &random)))
  }
}
