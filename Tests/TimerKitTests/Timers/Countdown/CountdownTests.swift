import Testing

@testable import TimerKit

@Suite struct CountdownTests {
  let clock = VirtualClock()
  let received = Recorder<Int>()

  private func make(
    from steps: Int, every interval: Duration = .seconds(1),
    missedSteps: Repeater.MissedTicks = .skip,
    handler: @escaping @Sendable (Countdown) -> Void = { _ in }
  ) throws -> Countdown {
    try Countdown(from: steps, every: interval, missedSteps: missedSteps, clock: .virtual(clock)) {
      [received] countdown, remainingSteps in
      received.append(remainingSteps)
      handler(countdown)
    }
  }

  @Test func aConfigurationIsCheckedAndKept() throws {
    var configuration = Repeater.Configuration(
      .interval(.seconds(2)), mode: .finite(3), tolerance: .milliseconds(5), missedTicks: .delay)
    let countdown = try Countdown(configuration, clock: .virtual(clock)) {
      [received] _, remainingSteps in received.append(remainingSteps)
    }
    #expect(countdown.snapshot.configuration == configuration)
    countdown.start()
    clock.advance(by: .seconds(6))
    #expect(received.all == [2, 1, 0])
    configuration.mode = .infinite
    #expect(throws: TimerConfigurationError.infiniteCountdown) {
      _ = try Countdown(configuration) { _, _ in }
    }
    let schedule = Repeater.Configuration(
      .schedule(try .daily(hour: 7)), mode: .finite(2))
    #expect(throws: TimerConfigurationError.notWallClock(.suspending)) {
      _ = try Countdown(schedule, clock: .virtual(clock)) { _, _ in }
    }
  }

  @Test func deliversTheStepsLeftAndFinishes() throws {
    let countdown = try make(from: 5)
    #expect(countdown.remainingSteps == 5)
    countdown.start()
    clock.advance(by: .seconds(2))
    #expect(countdown.remainingSteps == 3)
    clock.advance(by: .seconds(60))
    #expect(received.all == [4, 3, 2, 1, 0])
    #expect(countdown.state == .finished)
    #expect(countdown.remainingSteps == 0)
  }

  @Test func theScheduleCanBeChanged() throws {
    let countdown = try make(from: 4)
    countdown.start()
    clock.advance(by: .seconds(1))
    countdown.setInterval(.seconds(10))
    clock.advance(by: .seconds(9))
    #expect(countdown.adjustTimeLeft(by: .seconds(4)) == .changed)
    clock.advance(by: .seconds(4))
    #expect(received.all == [3])
    clock.advance(by: .seconds(1))
    #expect(received.all == [3, 2])
    #expect(countdown.setRemainingSteps(5) == .changed)
    #expect(countdown.step() == .changed)
    #expect(received.all == [3, 2, 4])
    countdown.setInterval(.seconds(1))
    #expect(countdown.reset() == .changed)
    #expect(countdown.remainingSteps == 4)
    clock.advance(by: .seconds(9))
    #expect(received.count == 3)
    #expect(countdown.step(pausing: true) == .changed)
    #expect(received.all.last == 3)
  }

  @Test func everyStepIsDeliveredEvenIfLate() throws {
    for policy in [Repeater.MissedTicks.skip, .delay, .burst(limit: 9)] {
      let late = Recorder<Int>()
      let countdown = try Countdown(
        from: 6, every: .seconds(1), missedSteps: policy, clock: .virtual(clock)
      ) { [clock] _, remainingSteps in
        late.append(remainingSteps)
        if remainingSteps == 4 { clock.advance(by: .milliseconds(2_500)) }
      }
      countdown.start()
      clock.advance(by: .seconds(20))
      #expect(late.all == [5, 4, 3, 2, 1, 0], "\(policy)")
    }
  }

  /// The start and its first step are due together.
  @Test func aStepThatAnObserverOfTheStartRevokesIsNotSkipped() throws {
    let countdown = try Countdown(
      from: 3, every: .seconds(1), startingAfter: .zero, clock: .virtual(clock)
    ) { [received] _, remainingSteps in received.append(remainingSteps) }
    countdown.observe { countdown, event in
      if case .state(from: .idle, _) = event { countdown.pause() }
    }
    let starter = DeadlineTimer(clock: .virtual(clock)) { _, _ in countdown.start() }
    starter.schedule(after: .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(countdown.state == .paused && countdown.remainingSteps == 3)
    #expect(countdown.snapshot.staleCount == 1)
    countdown.start()
    clock.advance(by: .seconds(10))
    #expect(received.all == [2, 1, 0])
  }

  @Test func isCurrentAppliesToTheTicksOfObservers() throws {
    let countdown = try make(from: 3)
    let ticks = Recorder<Countdown.Tick>()
    countdown.observe { _, event in
      if case .delivery(let tick) = event { ticks.append(tick) }
    }
    countdown.start()
    clock.advance(by: .seconds(1))
    #expect(ticks.all.map(\.remainingIterations) == [2])
    #expect(countdown.isCurrent(ticks.all[0]))
    countdown.adjustTimeLeft(by: .seconds(1))
    #expect(!countdown.isCurrent(ticks.all[0]))
  }

  @Test func theHandlerCanBeReplacedAndCanCancel() throws {
    let countdown = try make(from: 3) { $0.cancel() }
    let other = Recorder<Int>()
    countdown.setHandler { countdown, remainingSteps in
      other.append(remainingSteps)
      if remainingSteps == 1 { countdown.cancel() }
    }
    countdown.start()
    clock.advance(by: .seconds(9))
    #expect(other.all == [2, 1])
    #expect(received.count == 0)
    #expect(countdown.state == .cancelled)
    #expect(countdown.start() == .refused(.cancelled))
  }

  @Test func invalidInputThrowsATypedErrorAndChangesNothing() throws {
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .steps)) {
      _ = try make(from: 0)
    }
    #expect(throws: TimerConfigurationError.invalidCount(-3, parameter: .steps)) {
      _ = try make(from: -3)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .interval)) {
      _ = try make(from: 3, every: .zero)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      _ = try Countdown(from: 3, every: .seconds(1), tolerance: .seconds(-1)) { _, _ in }
    }
    let countdown = try make(from: 3)
    countdown.start()
    let before = countdown.snapshot
    #expect(
      countdown.setInterval(.zero)
        == .refused(.invalid(.invalidDuration(.zero, parameter: .interval))))
    #expect(
      countdown.setRemainingSteps(0) == .refused(.invalid(.invalidCount(0, parameter: .steps))))
    #expect(countdown.snapshot == before)
  }

  @Test func isEqualToItselfOnly() throws {
    let countdown = try make(from: 1)
    #expect(countdown == countdown)
    #expect(try countdown != make(from: 1))
  }
}
