import Testing

@testable import TimerKit

/// What fires once can fire at once; what repeats cannot do so without a pause.
@Suite struct RepeaterZeroTests {
  let timeline = VirtualTimeline(startingAt: TimelineInstant(nanoseconds: 1_000))
  let ticks = Recorder<Repeater.Tick>()

  private func make(
    _ interval: Duration = .zero, _ mode: Repeater.Mode = .once,
    missed: Repeater.MissedTicks = .skip
  ) throws -> Repeater {
    try Repeater(every: interval, mode: mode, missed: missed, on: timeline) {
      [ticks] _, tick in ticks.append(tick)
    }
  }

  private func run() { timeline.advance(by: .zero) }

  @Test(arguments: [Repeater.MissedTicks.skip, .delay, .burst(limit: 3)])
  func firesAtOnceAtEveryStart(_ missed: Repeater.MissedTicks) throws {
    let timer = try make(missed: missed)
    for count in 1...3 {
      #expect(try timer.start())
      run()
      #expect(ticks.count == count)
      #expect(timer.state == .finished)
    }
    #expect(ticks.all.allSatisfy { $0.scheduled == timeline.now && $0.missed == 0 && $0.isLast })
  }

  /// Late as well, as on a queue that is busy.
  @Test func lateIsNotMissed() throws {
    let timer = try make()
    try timer.start()
    timeline.suspend(for: .seconds(1))
    timeline.advance(by: .seconds(1))
    #expect(ticks.all.map(\.missed) == [0])
    #expect(timer.snapshot.missedCount == 0)
  }

  @Test func afterResetAndSetInterval() throws {
    let timer = try make(.seconds(1))
    try timer.reset(interval: .zero)
    run()
    #expect(ticks.count == 1)
    try timer.reset(interval: .seconds(1))
    for change in [Repeater.IntervalChange.fromNow, .fromLastFire] {
      try timer.setInterval(.zero, change)
      run()
      #expect(timer.state == .finished)
      try timer.reset(interval: .seconds(1))
    }
    try timer.setInterval(.zero, .nextPeriod)
    run()
    #expect(ticks.count == 3)
    timeline.advance(by: .seconds(1))
    #expect(ticks.count == 4)
    // It is paused with nothing left.
    try timer.start()
    try timer.pause()
    run()
    #expect(ticks.count == 4)
    #expect(timer.timeLeft == .zero)
    try timer.start()
    run()
    #expect(ticks.count == 5)
  }

  @Test func restored() throws {
    let timer = try make()
    try timer.start()
    for resumption in [Resumption.frozen, .byClock] {
      let restored = try Repeater(restoring: timer.checkpoint, resumption, on: timeline) {
        [ticks] _, tick in ticks.append(tick)
      }
      run()
      #expect(restored.state == .finished)
    }
  }

  @Test(arguments: [Repeater.Mode.infinite, .finite(1), .finite(5)])
  func repeatingAtZeroIsRefused(_ mode: Repeater.Mode) throws {
    // Half a nanosecond is one, and less is none.
    for interval in [Duration.zero, .nanoseconds(-1), Duration(attoseconds: 499_999_999)] {
      let refused = TimerError.invalidInterval(interval)
      #expect(throws: refused) { try make(interval, mode) }
      let timer = try make(.seconds(1), mode)
      #expect(throws: refused) { try timer.reset(interval: interval) }
      #expect(throws: refused) { try timer.setInterval(interval) }
    }
    _ = try make(Duration(attoseconds: 500_000_000), mode)
  }

  @Test func negativeIsRefused() throws {
    let refused = TimerError.invalidInterval(.nanoseconds(-1))
    #expect(throws: refused) { try make(.nanoseconds(-1)) }
    let timer = try make()
    #expect(throws: refused) { try timer.reset(interval: .nanoseconds(-1)) }
    #expect(throws: refused) { try timer.setInterval(.nanoseconds(-1)) }
  }

  @Test func onTheSystem() async throws {
    let (fires, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater.once(after: .zero) { _, _ in continuation.finish() }
    for await _ in fires {}
    withExtendedLifetime(timer) {}
  }
}
