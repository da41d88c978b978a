import Testing

@testable import TimerKit

@Suite struct RepeaterCheckpointTests {
  let clock = VirtualClock(wall: WallInstant(nanosecondsSince1970: 1_700_000_000_000_000_000))
  let ticks = Recorder<Repeater.Tick>()

  private func make(_ mode: Repeater.Mode = .finite(5)) throws -> Repeater {
    try Repeater(
      interval: .seconds(10), mode: mode, tolerance: .seconds(1), missedTicks: .delay,
      clock: .virtual(clock)
    ) { _, _ in }
  }

  private func restored(
    _ checkpoint: Repeater.Checkpoint, _ policy: RestorePolicy
  ) throws -> Repeater {
    try Repeater(restoring: checkpoint, policy: policy, clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
  }

  @Test func keepsTheWholeConfiguration() throws {
    let timer = try make()
    let checkpoint = timer.checkpoint
    #expect(
      checkpoint
        == Repeater.Checkpoint(
          configuration: .init(
            .interval(.seconds(10)), mode: .finite(5), tolerance: .seconds(1),
            missedTicks: .delay), clock: .suspending, state: .idle, remainingIterations: 5,
          timeLeft: nil,
          takenAt: clock.wallNow))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.checkpoint == checkpoint)
  }

  @Test func keepTimeLeftResumesWithTheTimeLeft() throws {
    let timer = try make()
    timer.start()
    clock.advance(by: .seconds(14))
    let checkpoint = timer.checkpoint
    timer.cancel()
    clock.advance(by: .hours(5))
    let again = try restored(checkpoint, .keepTimeLeft)
    #expect(again.state == .running)
    #expect(again.timeLeft == .seconds(6))
    #expect(again.snapshot.remainingIterations == 4)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 0)
    clock.advance(by: .seconds(6))
    #expect(ticks.all.map(\.iteration) == [2])
  }

  /// The instant can be before the beginning of the clock.
  @Test func anOverdueTimerKeepsItsDeadline() throws {
    let clock = VirtualClock()
    let repeater = try Repeater(
      restoring: Repeater.Checkpoint(
        configuration: .init(.interval(.seconds(10))), state: .running, remainingIterations: nil,
        timeLeft: .seconds(-5), takenAt: clock.wallNow), policy: .keepTimeLeft,
      clock: .virtual(clock)
    ) { _, _ in }
    #expect(repeater.snapshot.deadline?.nanoseconds == -5_000_000_000)
    let cycle = try Cycle(
      restoring: Cycle.Checkpoint(
        configuration: .init([.init("work", .seconds(10))]), state: .running, phaseIndex: 0,
        timeLeft: .seconds(-5), takenAt: clock.wallNow), policy: .keepTimeLeft,
      clock: .virtual(clock)
    ) { _, _ in }
    #expect(cycle.snapshot.deadline?.nanoseconds == -5_000_000_000)
  }

  @Test func catchUpUsesUpElapsedIterations() throws {
    let timer = try make()
    timer.start()
    clock.advance(by: .seconds(4))
    let checkpoint = timer.checkpoint
    timer.cancel()
    clock.advance(by: .seconds(21))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 2)
    #expect(again.snapshot.remainingIterations == 3)
    #expect(again.timeLeft == .seconds(5))
    #expect(ticks.count == 0)
    clock.advance(by: .seconds(5))
    #expect(ticks.all.map(\.iteration) == [3])
  }

  @Test func catchUpFinishesWhenNoIterationsAreLeft() throws {
    let timer = try make(.finite(2))
    timer.start()
    let checkpoint = timer.checkpoint
    clock.advance(by: .seconds(500))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .finished)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 2)
    #expect(again.snapshot.remainingIterations == 0)
    #expect(again.start() == .changed)
    #expect(again.snapshot.remainingIterations == 2)
  }

  @Test(arguments: [
    // seconds gone, periods gone, seconds left
    (0, 0, 6), (5, 0, 1), (6, 1, 10), (15, 1, 1), (16, 2, 10), (106, 11, 10),
  ])
  func catchUpKeepsThePeriods(gone: Int, periods: Int, left: Int) {
    var checkpoint = Repeater.Checkpoint(
      configuration: .init(.interval(.seconds(10))), state: .running, remainingIterations: nil,
      timeLeft: .seconds(6), takenAt: WallInstant(nanosecondsSince1970: 5))
    let wall = checkpoint.takenAt.advanced(by: .seconds(gone))
    #expect(checkpoint.catchUp(to: wall) == periods)
    #expect(checkpoint.timeLeft == .seconds(left))
    #expect(checkpoint.takenAt == wall)
    #expect(checkpoint.catchUp(to: wall) == 0)
  }

  @Test func aClockSetBackUsesUpNothing() {
    var checkpoint = Repeater.Checkpoint(
      configuration: .init(.interval(.seconds(10)), mode: .once), state: .running,
      remainingIterations: 1,
      timeLeft: .seconds(6), takenAt: WallInstant(nanosecondsSince1970: 5_000))
    #expect(checkpoint.catchUp(to: WallInstant(nanosecondsSince1970: 1)) == 0)
    #expect(checkpoint.timeLeft == .seconds(6))
  }

  @Test func aPausedTimerStaysPaused() throws {
    let timer = try make()
    timer.start()
    clock.advance(by: .seconds(3))
    timer.pause()
    let checkpoint = timer.checkpoint
    clock.advance(by: .hours(1))
    let again = try restored(checkpoint, .catchUp)
    #expect(again.state == .paused)
    #expect(again.timeLeft == .seconds(7))
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 0)
  }

  @Test func aCheckpointTakenInAHandlerEqualsOneAfterItsReturn() throws {
    let taken = Recorder<Repeater.Checkpoint>()
    let timer = try Repeater(interval: .seconds(10), missedTicks: .delay, clock: .virtual(clock)) {
      timer, _ in
      taken.append(timer.checkpoint)
    }
    timer.start()
    clock.advance(by: .seconds(10))
    let checkpoint = try #require(taken.all.first)
    #expect(checkpoint.state == .running)
    let again = try restored(checkpoint, .keepTimeLeft)
    #expect(again.state == .running)
    #expect(again.timeLeft == .seconds(10))
  }

  @Test func aCheckpointTakenInTheLastHandlerIsFinished() throws {
    let taken = Recorder<Repeater.Checkpoint>()
    let timer = try Repeater.once(after: .seconds(1), clock: .virtual(clock)) { timer, _ in
      taken.append(timer.checkpoint)
    }
    clock.advance(by: .seconds(1))
    #expect(taken.all.map(\.state) == [.finished])
    #expect(try restored(taken.all[0], .catchUp).state == .finished)
    withExtendedLifetime(timer) {}
  }

  @Test func invalidCheckpointsAreRefused() throws {
    var checkpoint = try make().checkpoint
    checkpoint.state = .running
    checkpoint.remainingIterations = 0
    #expect(throws: RestoreError.configuration(.invalidCount(0, parameter: .remainingIterations))) {
      try restored(checkpoint, .keepTimeLeft)
    }
    checkpoint.remainingIterations = 2
    checkpoint.configuration.timing = .interval(.zero)
    #expect(throws: RestoreError.configuration(.invalidDuration(.zero, parameter: .interval))) {
      try restored(checkpoint, .catchUp)
    }
    checkpoint.configuration.timing = .interval(.seconds(1))
    checkpoint.configuration.tolerance = .seconds(-1)
    #expect(
      throws: RestoreError.configuration(.invalidDuration(.seconds(-1), parameter: .tolerance))
    ) {
      try restored(checkpoint, .keepTimeLeft)
    }
    checkpoint.configuration.tolerance = .zero
    checkpoint.configuration.mode = .finite(0)
    #expect(throws: RestoreError.configuration(.invalidCount(0, parameter: .count))) {
      try restored(checkpoint, .keepTimeLeft)
    }
    for state in [TimerState.cancelled] {
      checkpoint.state = state
      #expect(throws: RestoreError.invalidState(state)) { try restored(checkpoint, .keepTimeLeft) }
    }
  }

  @Test func inconsistentCheckpointsAreCorrected() throws {
    var checkpoint = try make().checkpoint
    checkpoint.state = .paused
    checkpoint.remainingIterations = nil
    checkpoint.timeLeft = .seconds(-5)
    let timer = try restored(checkpoint, .keepTimeLeft)
    #expect(timer.snapshot.remainingIterations == 5)
    #expect(timer.timeLeft == .zero)
  }

  /// More can be left than the mode allows.
  @Test func iterationsAreCountedFromOneWhenMoreAreLeftThanTheMode() throws {
    let original = try make()
    original.setRemainingIterations(7)
    let timer = try restored(original.checkpoint, .keepTimeLeft)
    timer.fire()
    #expect(ticks.all.map(\.iteration) == [1])
    #expect(ticks.all.map(\.remainingIterations) == [6])
  }
}
