import Testing

@testable import TimerKit

@Suite struct RepeaterTests {
  let clock = VirtualClock()
  let ticks = Recorder<Repeater.Tick>()

  private func make(
    every interval: Duration = .seconds(1), _ mode: Repeater.Mode = .infinite
  ) throws -> Repeater {
    try Repeater(interval: interval, mode: mode, clock: .virtual(clock)) { [ticks] _, tick in
      ticks.append(tick)
    }
  }

  @Test func invalidInputThrowsATypedErrorAndChangesNothing() throws {
    for interval in [Duration.zero, .nanoseconds(-1), .seconds(-5)] {
      #expect(throws: TimerConfigurationError.invalidDuration(interval, parameter: .interval)) {
        try make(every: interval)
      }
      let timer = try make()
      #expect(
        timer.setInterval(interval)
          == .refused(.invalid(.invalidDuration(interval, parameter: .interval))))
      #expect(
        timer.restart(every: interval)
          == .refused(.invalid(.invalidDuration(interval, parameter: .interval))))
      #expect(timer.snapshot.generation == 0)
    }
    for count in [0, -1] {
      #expect(throws: TimerConfigurationError.invalidCount(count, parameter: .count)) {
        try make(.finite(count))
      }
      let timer = try make(.finite(2))
      #expect(
        timer.setRemainingIterations(count)
          == .refused(.invalid(.invalidCount(count, parameter: .remainingIterations))))
    }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .burstLimit)) {
      try Repeater(interval: .seconds(1), missedTicks: .burst(limit: 0)) { _, _ in }
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try Repeater(interval: .seconds(1), tolerance: .seconds(-1)) { _, _ in }
    }
  }

  @Test func theLargestDurationsAreClampedAndNeverElapse() throws {
    let huge = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
    let timer = try make(every: huge)
    timer.start()
    timer.setInterval(.nanoseconds(Int64.max), counting: .fromLastFire)
    timer.adjustTimeLeft(by: huge)
    timer.pause()
    timer.start()
    clock.advance(by: .days(365 * 200))
    #expect(ticks.count == 0)
    timer.adjustTimeLeft(by: Duration.zero - huge)
    clock.advance(by: .zero)
    #expect(ticks.count == 1)
  }

  /// 2³¹ nanoseconds, where a narrower integer would overflow.
  @Test(arguments: [Int64(1) << 31, 1 << 32, 1 << 53, 1 << 61])
  func intervalsAroundAPowerOfTwoAreExact(_ power: Int64) throws {
    for interval in [power - 1, power] {
      let start = clock.now
      let timer = try Repeater.once(after: .nanoseconds(interval), clock: .virtual(clock)) {
        [ticks] _, tick in
        ticks.append(tick)
      }
      let before = ticks.count
      clock.advance(by: .nanoseconds(interval - 1))
      #expect(ticks.count == before)
      clock.advance(by: .nanoseconds(1))
      #expect(ticks.all.last?.deadline == start.advanced(by: .nanoseconds(interval)))
      #expect(timer.state == .finished)
    }
  }

  @Test func manyTicksDoNotDrift() throws {
    let timer = try Repeater(interval: .nanoseconds(333), clock: .virtual(clock)) { _, _ in }
    timer.start()
    clock.advance(by: .nanoseconds(333 * 20_000))
    #expect(timer.snapshot.deliveredCount == 20_000)
    let deadline = timer.snapshot.deadline
    #expect(deadline == clock.instant(333 * 20_001))
  }

  @Test func isCurrentDistinguishesALateHandler() throws {
    let results = Recorder<Bool>()
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { timer, tick in
      results.append(timer.isCurrent(tick))
      #expect(timer.setInterval(.seconds(5)) == .changed)
      results.append(timer.isCurrent(tick))
    }
    timer.start()
    clock.advance(by: .seconds(1))
    #expect(results.all == [true, false])
  }

  @Test func snapshotIsConsistent() throws {
    let timer = try Repeater(
      interval: .seconds(10), mode: .finite(5), tolerance: .seconds(2),
      missedTicks: .burst(limit: 3),
      clock: .virtual(clock)
    ) { [ticks] timer, tick in
      ticks.append(tick)
      #expect(timer.snapshot.isExecuting)
      #expect(timer.isExecuting)
      #expect(timer.snapshot.state == .running)
      #expect(timer.state == .running)
      #expect(timer.snapshot.lastLateness == tick.lateness)
    }
    timer.start()
    clock.advance(by: .seconds(14))
    let snapshot = timer.snapshot
    #expect(snapshot.state == .running)
    #expect(!snapshot.isExecuting)
    #expect(!timer.isExecuting)
    #expect(snapshot.configuration.mode == .finite(5))
    #expect(snapshot.configuration.interval == .seconds(10))
    #expect(snapshot.configuration.tolerance == .seconds(2))
    #expect(snapshot.configuration.missedTicks == .burst(limit: 3))
    #expect(snapshot.clock == .suspending)
    #expect(snapshot.remainingIterations == 4)
    #expect(snapshot.timeLeft(at: clock.now) == .seconds(6))
    #expect(snapshot.timeLeft(at: clock.now.advanced(by: .seconds(60))) == .zero)
    #expect(snapshot.deliveredCount == 1)
    #expect(snapshot.lastLateness == .zero)
    #expect(timer.timeLeft == .seconds(6))
  }

  @Test func onceAndEveryStartTheTimer() throws {
    let once = try Repeater.once(after: .seconds(2), clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
    let thrice = try Repeater.every(.seconds(1), count: 3, clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
    let endless = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    #expect([once, thrice, endless].map(\.state) == [.running, .running, .running])
    clock.advance(by: .seconds(9))
    #expect(ticks.count == 4)
    #expect([once, thrice, endless].map(\.state) == [.finished, .finished, .running])
    #expect(once.id != thrice.id)
    #expect(once == once)
    #expect(once != thrice)
  }

  @Test func timersFireInOrderOfDeadlineAndThenOfCreation() throws {
    let order = Recorder<String>()
    let timers = try ["a", "b", "c"].map { name in
      try Repeater(interval: .seconds(2), clock: .virtual(clock)) { _, _ in order.append(name) }
    }
    let quick = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { _, _ in
      order.append("quick")
    }
    quick.start()
    for timer in timers.reversed() { timer.start() }
    clock.advance(by: .seconds(2))
    #expect(order.all == ["quick", "a", "b", "c", "quick"])
    withExtendedLifetime((timers, quick)) {}
  }
}
