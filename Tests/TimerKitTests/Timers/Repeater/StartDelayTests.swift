import Testing

@testable import TimerKit

/// The first tick of a run that does not wait for an interval. The random controls of `RepeaterPropertyTests` include
/// start delays, too.
@Suite struct StartDelayTests {
  let clock = VirtualClock()
  let seconds = Recorder<Int64>()

  private func timer(
    after delay: Duration, mode: Repeater.Mode = .infinite
  ) throws -> Repeater {
    try Repeater(
      interval: .seconds(30), mode: mode, startingAfter: delay, clock: .virtual(clock)
    ) { [seconds] _, tick in seconds.append(tick.deadline.nanoseconds / 1_000_000_000) }
  }

  @Test func theFirstTickComesAtOnceAndTheGridStartsThere() throws {
    let timer = try Repeater.every(
      .seconds(30), count: 3, startingAfter: .zero, clock: .virtual(clock)
    ) {
      [seconds] _, tick in
      #expect(tick.iteration == seconds.count + 1 && tick.lateness == .zero && !tick.isManual)
      seconds.append(tick.deadline.nanoseconds / 1_000_000_000)
    }
    clock.advance(by: .zero)
    #expect(seconds.all == [0])
    #expect(timer.snapshot.remainingIterations == 2 && timer.timeLeft == .seconds(30))
    clock.advance(by: .minutes(5))
    #expect(seconds.all == [0, 30, 60] && timer.state == .finished)
  }

  @Test func eachRunBeginsWithTheDelay() throws {
    let timer = try timer(after: .seconds(5), mode: .finite(2))
    timer.start()
    clock.advance(by: .seconds(40))
    #expect(seconds.all == [5, 35] && timer.state == .finished)
    timer.start()
    clock.advance(by: .seconds(6))
    timer.restart()
    clock.advance(by: .seconds(5))
    timer.restart(every: .seconds(10))
    clock.advance(by: .seconds(20))
    #expect(seconds.all == [5, 35, 45, 51, 56, 66])
    timer.reset()
    #expect(
      timer.snapshot.deadline == nil && timer.snapshot.configuration.startDelay == .seconds(5))
  }

  @Test func aPauseKeepsTheTimeLeftOfTheDelay() throws {
    let timer = try timer(after: .seconds(5))
    timer.start()
    clock.advance(by: .seconds(2))
    timer.pause()
    #expect(timer.timeLeft == .seconds(3))
    clock.advance(by: .seconds(10))
    timer.start()
    clock.advance(by: .seconds(33))
    #expect(seconds.all == [15, 45])
  }

  @Test func controlsDuringTheDelay() throws {
    let timer = try timer(after: .seconds(20))
    timer.start()
    // A manual tick is an iteration, and moves nothing.
    timer.fire()
    #expect(timer.timeLeft == .seconds(20))
    // The first fire has no fire before it.
    timer.setInterval(.seconds(10), counting: .fromLastFire)
    #expect(timer.timeLeft == .seconds(20))
    timer.setInterval(.seconds(12), counting: .fromNextFire)
    timer.adjustTimeLeft(by: .seconds(-15))
    #expect(timer.timeLeft == .seconds(5))
    clock.advance(by: .seconds(17))
    #expect(seconds.all == [0, 5, 17])
    // Afterward there is one.
    timer.setInterval(.seconds(6), counting: .fromLastFire)
    #expect(timer.timeLeft == .seconds(6))
    timer.restart()
    timer.setInterval(.seconds(7))
    #expect(timer.timeLeft == .seconds(7))
  }

  @Test func aTimerThatIsBusyAtItsStartMissesTicks() throws {
    let late = VirtualClock(.continuous)
    let timer = try Repeater.every(.seconds(30), startingAfter: .zero, clock: .virtual(late)) {
      [seconds] _, tick in seconds.append(Int64(tick.missedCount))
    }
    late.suspend(for: .seconds(95))
    #expect(seconds.all.last == 3 && timer.timeLeft == .seconds(25))
  }

  /// A tolerance does not delay a first tick that is to come at once.
  @Test func theToleranceIsLimitedByTheDelay() throws {
    var machine = try RepeaterStateMachine(
      Repeater.Configuration(.interval(.seconds(30)), startingAfter: .seconds(2)))
    #expect(machine.start(at: 0) == .changed)
    #expect(machine.maximumTolerance == 1_000_000_000)
    _ = machine.handleArmedAlarm(at: 2_000_000_000)
    #expect(machine.maximumTolerance == 15_000_000_000)
  }

  @Test func aCheckpointKeepsTheDelayAndTheTimeLeft() throws {
    let timer = try timer(after: .seconds(20), mode: .finite(4))
    timer.start()
    clock.advance(by: .seconds(5))
    let checkpoint = timer.checkpoint
    #expect(checkpoint.timeLeft == .seconds(15))
    timer.cancel()
    let again = try Repeater(restoring: checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)) {
      [seconds] _, tick in seconds.append(tick.deadline.nanoseconds / 1_000_000_000)
    }
    // The first fire still has no fire before it.
    again.setInterval(.seconds(10), counting: .fromLastFire)
    #expect(again.timeLeft == .seconds(15))
    again.setInterval(.seconds(30), counting: .fromNextFire)
    clock.advance(by: .seconds(45))
    #expect(seconds.all == [20, 50])
    again.restart()
    #expect(again.timeLeft == .seconds(20))
    // Two deadlines have passed: after 15 and after 45 seconds.
    var caughtUp = checkpoint
    #expect(caughtUp.catchUp(to: checkpoint.takenAt.advanced(by: .seconds(50))) == 2)
    #expect(caughtUp.timeLeft == .seconds(25) && caughtUp.remainingIterations == 2)
  }

  @Test func aCountdownCanBeginAtOnce() throws {
    let steps = Recorder<Int>()
    let countdown = try Countdown(
      from: 3, every: .seconds(1), startingAfter: .zero, clock: .virtual(clock)
    ) { [steps] _, left in steps.append(left) }
    countdown.start()
    clock.advance(by: .zero)
    #expect(steps.all == [2])
    clock.advance(by: .seconds(2))
    #expect(steps.all == [2, 1, 0])
  }

  @Test func ticksAndOperationsCanBeginAtOnce() async throws {
    let clock = clock
    let seconds = seconds
    try await clock.run {
      let ticks = try Repeater.ticks(
        every: .seconds(10), count: 2, startingAfter: .seconds(1), clock: .virtual(clock))
      async let read: Void = {
        for await tick in ticks { seconds.append(tick.deadline.nanoseconds / 1_000_000_000) }
      }()
      await clock.advance(by: .seconds(11))
      await read
      let timer = try Repeater.every(
        .seconds(10), count: 1, startingAfter: .zero, clock: .virtual(clock), overlap: .skip
      ) { _, tick in seconds.append(tick.deadline.nanoseconds / 1_000_000_000) }
      await clock.advance(by: .zero)
      #expect(timer.state == .finished)
    }
    #expect(seconds.all == [1, 11, 11])
  }

  @Test(arguments: [
    Duration.nanoseconds(-1), .seconds(-3), .seconds(1e12), .nanoseconds(Int64.max),
  ])
  func anInvalidDelayIsAnError(_ delay: Duration) {
    let error = TimerConfigurationError.invalidDuration(delay, parameter: .startDelay)
    #expect(throws: error) { try timer(after: delay) }
    #expect(throws: error) {
      try Countdown(from: 3, every: .seconds(1), startingAfter: delay) { _, _ in }
    }
    #expect("\(error)".hasSuffix("(expected zero to 292 years)"))
  }

  @Test func aScheduleHasNoDelay() throws {
    let schedule = try WallSchedule.daily(hour: 9)
    #expect(throws: TimerConfigurationError.startDelayOfSchedule) {
      try Repeater(Repeater.Configuration(.schedule(schedule), startingAfter: .zero)) { _, _ in }
    }
    #expect(
      "\(TimerConfigurationError.startDelayOfSchedule)"
        == "start delay of a schedule (expected none)")
  }
}
