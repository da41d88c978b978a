import Testing

@testable import TimerKit

/// A timer that fires once can be due immediately.
@Suite struct ZeroIntervalTests {
  let clock = VirtualClock()
  let ticks = Recorder<Repeater.Tick>()

  @Test(arguments: [Repeater.MissedTicks.skip, .delay, .burst(limit: 3)])
  func isDueImmediately(_ policy: Repeater.MissedTicks) throws {
    let timer = try Repeater(
      interval: .zero, mode: .once, missedTicks: policy, clock: .virtual(clock)
    ) { [ticks] in ticks.append($1) }
    timer.start()
    #expect(timer.timeLeft == .zero)
    #expect(ticks.count == 0)
    clock.advance(by: .zero)
    #expect(ticks.all.map(\.deadline) == [clock.now])
    #expect(ticks.all.map(\.isLast) == [true])
    #expect(timer.state == .finished)
    clock.advance(by: .days(1))
    #expect(ticks.count == 1)
  }

  @Test func isLateWithoutMissingTicks() throws {
    let timer = try Repeater(interval: .zero, mode: .once, clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
    let busy = DeadlineTimer(clock: .virtual(clock)) { [clock] _, _ in
      timer.start()
      clock.advance(by: .seconds(5))
    }
    busy.schedule(at: clock.now)
    clock.advance(by: .zero)
    #expect(ticks.all.map(\.missedCount) == [0])
    #expect(ticks.all.map(\.lateness) == [.seconds(5)])
  }

  @Test func canBeRestartedInItsHandler() throws {
    let timer = try Repeater(interval: .zero, mode: .once, clock: .virtual(clock)) {
      [ticks] timer, tick in
      ticks.append(tick)
      if ticks.count < 3 { timer.start() }
    }
    timer.start()
    clock.advance(by: .zero)
    #expect(ticks.count == 3)
  }

  @Test func theIntervalOfAOnceTimerCanBecomeZero() throws {
    let timer = try Repeater.once(after: .seconds(9), clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
    #expect(timer.setInterval(.zero) == .changed)
    #expect(timer.snapshot.configuration.interval == .zero)
    clock.advance(by: .zero)
    #expect(ticks.count == 1)
    #expect(timer.restart(every: .zero) == .changed)
    clock.advance(by: .zero)
    #expect(ticks.count == 2)
  }

  @Test func canBeRestored() throws {
    let timer = try Repeater(interval: .zero, mode: .once, clock: .virtual(clock)) { _, _ in }
    timer.start()
    let checkpoint = timer.checkpoint
    let again = try Repeater(restoring: checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)) {
      [ticks] in ticks.append($1)
    }
    clock.advance(by: .zero)
    #expect(ticks.count == 1)
    #expect(again.state == .finished)
    let caughtUp = try Repeater(restoring: checkpoint, clock: .virtual(clock)) { _, _ in }
    #expect(caughtUp.state == .finished)
    #expect(caughtUp.snapshot.deadlinesPassedBeforeRestore == 1)
  }

  @Test func firesOnTheSystemClock() async throws {
    let (fires, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    let timer = try Repeater.once(after: .zero) { _, tick in
      continuation.yield(tick)
      continuation.finish()
    }
    var count = 0
    for await tick in fires {
      count += 1
      #expect(tick.lateness >= .zero)
    }
    #expect(count == 1)
    await timer.cancelAndWait()
  }

  @Test func aRepeatingTimerNeedsAnInterval() throws {
    for mode in [Repeater.Mode.infinite, .finite(2)] {
      #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .interval)) {
        try Repeater(interval: .zero, mode: mode) { _, _ in }
      }
    }
    #expect(
      throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .oneShotInterval)
    ) {
      try Repeater.once(after: .seconds(-1)) { _, _ in }
    }
    let timer = try Repeater(interval: .zero, mode: .once, clock: .virtual(clock)) { _, _ in }
    #expect(
      timer.setInterval(.nanoseconds(-1))
        == .refused(
          .invalid(.invalidDuration(.nanoseconds(-1), parameter: .oneShotInterval))))
  }
}
