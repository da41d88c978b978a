import TerminalCore
import TimerBoard
import TimerKit

/// The highlighted example of an empty board at work: a timer that nobody has started, with its own time. It plays for a
/// minute after the highlight has moved, so that an unattended screen is not redrawn.
struct ExamplePreview {
  let row: Row
  let caption: String
  /// The instant of the next picture; `nil` after the minute.
  let nextChange: TimerClock.Instant?

  private static let length = Duration.seconds(60)
  private static let frame = Duration.milliseconds(100)

  /// - Parameter since: The instant since which the example is highlighted.
  init?(of example: FirstMinute.Example, since: TimerClock.Instant, in context: RowContext) {
    let now = context.now
    let shown = min(Self.length, max(.zero, since.duration(to: now.suspending)))
    nextChange = shown < Self.length ? now.suspending.advanced(by: Self.frame) : nil
    // It starts over after its span.
    let passed = shown * example.speed
    let time =
      example.begin + .nanoseconds(passed.clampedNanoseconds % example.span.clampedNanoseconds)
    guard let specs = try? TimerSpec.parse(arguments: [example.text]),
      let timer = Self.timer(specs, example, after: time, at: now)
    else { return nil }
    row = Row(of: timer, in: context)
    caption = example.speed == 1 ? "preview" : "preview, \(example.speed) times as fast"
  }

  /// Returns the timer as it is after a time, with what its user does meanwhile.
  private static func timer(
    _ specs: [TimerSpec], _ example: FirstMinute.Example, after time: Duration, at now: ClockReading
  ) -> BoardTimer? {
    let begin = now.moved(by: .zero - time)
    var board = Board()
    _ = board.perform(.start(specs), at: begin)
    guard let id = board.timers.all.first?.id else { return nil }
    for press in example.presses where press <= time {
      board.advance(from: begin, to: press)
      _ = board.perform(.control(example.action, [id]), at: begin.moved(by: press))
    }
    board.advance(from: begin, to: time)
    return board.timers[id]
  }
}

extension Board {
  /// Advances from wake-up to wake-up, so that nothing is late.
  fileprivate mutating func advance(from begin: ClockReading, to time: Duration) {
    let end = begin.moved(by: time)
    // The examples fire a few times in their spans.
    for _ in 0..<64 {
      let next = TimerClock.Kind.allCases.compactMap { clock in
        wakeUp(on: clock).map { begin.duration(to: $0.lowerBound) }
      }.min()
      guard let next, next < time else { break }
      _ = advance(to: begin.moved(by: max(.zero, next)))
    }
    _ = advance(to: end)
  }
}
