import Testing

@testable import TimerKit

/// A timer that fires once can have a zero interval; a repeating timer cannot.
@Suite struct RepeaterZeroTests {
  let clock = VirtualClock(startingAt: .nanoseconds(1_000))
  let ticks = Recorder<Repeater.Tick>()

  private func make(
    _ interval: Duration = .zero, _ mode: Repeater.Mode = .once,
    missedTicks: Repeater.MissedTicks = .skip
  ) throws -> Repeater {
    try Repeater(interval: interval, mode: mode, missedTicks: missedTicks, clock: .virtual(clock)) {
      [ticks] _, tick in ticks.append(tick)
    }
  }

  private func run() { clock.advance(by: .zero) }

  @Test(arguments: [Repeater.MissedTicks.skip, .delay, .burst(limit: 3)])
  func firesImmediatelyAtEveryStart(_ missed: Repeater.MissedTicks) throws {
    let timer = try make(missedTicks: missed)
    for count in 1...3 {
      #expect(timer.start() == .changed)
      run()
      #expect(ticks.count == count)
      #expect(timer.state == .finished)
    }
    #expect(ticks.all.allSatisfy { $0.deadline == clock.now && $0.missedCount == 0 && $0.isLast })
  }

  /// The fire is also late, as on a busy queue.
  @Test func aLateFireIsNotMissed() throws {
    let timer = try make()
    timer.start()
    clock.suspend(for: .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(ticks.all.map(\.missedCount) == [0])
    #expect(timer.snapshot.missedCount == 0)
  }

  @Test func firesAfterResetAndSetInterval() throws {
    let timer = try make(.seconds(1))
    timer.restart(every: .zero)
    run()
    #expect(ticks.count == 1)
    timer.restart(every: .seconds(1))
    for change in [Repeater.IntervalStart.fromNow, .fromLastFire] {
      timer.setInterval(.zero, counting: change)
      run()
      #expect(timer.state == .finished)
      timer.restart(every: .seconds(1))
    }
    timer.setInterval(.zero, counting: .fromNextFire)
    run()
    #expect(ticks.count == 3)
    clock.advance(by: .seconds(1))
    #expect(ticks.count == 4)
    // It is paused with no time left.
    timer.start()
    timer.pause()
    run()
    #expect(ticks.count == 4)
    #expect(timer.timeLeft == .zero)
    timer.start()
    run()
    #expect(ticks.count == 5)
  }

  @Test func canBeRestored() throws {
    let timer = try make()
    timer.start()
    let checkpoint = timer.checkpoint
    for policy in RestorePolicy.allCases {
      let restored = try Repeater(restoring: checkpoint, policy: policy, clock: .virtual(clock)) {
        [ticks] _, tick in ticks.append(tick)
      }
      run()
      #expect(restored.state == .finished)
      #expect(restored.snapshot.deadlinesPassedBeforeRestore == (policy == .catchUp ? 1 : 0))
    }
    // One of them is that of the first timer.
    #expect(ticks.count == 2)
  }

  @Test(arguments: [Repeater.Mode.infinite, .finite(5)])
  func aRepeatingTimerThrowsForZero(_ mode: Repeater.Mode) throws {
    // Half a nanosecond rounds to one, and less rounds to zero.
    for interval in [Duration.zero, .nanoseconds(-1), Duration(attoseconds: 499_999_999)] {
      let refused = TimerConfigurationError.invalidDuration(interval, parameter: .interval)
      #expect(throws: refused) { try make(interval, mode) }
      let timer = try make(.seconds(1), mode)
      #expect(timer.restart(every: interval) == .refused(.invalid(refused)))
      #expect(timer.setInterval(interval) == .refused(.invalid(refused)))
    }
    _ = try make(Duration(attoseconds: 500_000_000), mode)
  }

  /// A count can be added to a timer that fires once. Its interval of zero stays.
  @Test func moreIterationsFireAtOnceOneAfterTheOther() throws {
    let timer = try make(.zero, .once)
    #expect(Repeater.Mode.once == .finite(1))
    #expect(timer.setRemainingIterations(3) == .changed)
    timer.start()
    run()
    #expect(ticks.all.map(\.iteration) == [1, 2, 3])
    #expect(ticks.all.map(\.missedCount) == [0, 0, 0])
    #expect(timer.state == .finished)
  }

  @Test func aNegativeIntervalThrows() throws {
    let refused = TimerConfigurationError.invalidDuration(
      .nanoseconds(-1), parameter: .oneShotInterval)
    #expect(throws: refused) { try make(.nanoseconds(-1)) }
    let timer = try make()
    #expect(timer.restart(every: .nanoseconds(-1)) == .refused(.invalid(refused)))
    #expect(timer.setInterval(.nanoseconds(-1)) == .refused(.invalid(refused)))
  }

  @Test func firesOnTheSystemClock() async throws {
    let (fires, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater.once(after: .zero) { _, _ in continuation.finish() }
    for await _ in fires {}
    withExtendedLifetime(timer) {}
  }
}
