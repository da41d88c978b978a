import Testing

@testable import TimerKit

/// A Repeater that follows a schedule. Other tests check the occurrences of a schedule in a time zone:
/// these tests ask the schedule for them.
@Suite struct RepeaterScheduleTests {
  let clock = VirtualClock(
    .wall, wall: WallInstant(nanosecondsSince1970: 1_780_000_000_000_000_000))
  let ticks = Recorder<Repeater.Tick>()
  let daily: WallSchedule

  init() throws {
    daily = try .daily(hour: 12)
  }

  private func make(
    _ schedule: WallSchedule? = nil, _ mode: Repeater.Mode = .infinite,
    _ missedTicks: Repeater.MissedTicks = .skip
  ) throws -> Repeater {
    try Repeater(
      schedule: schedule ?? daily, mode: mode, missedTicks: missedTicks, clock: .virtual(clock)
    ) {
      [ticks] in ticks.append($1)
    }
  }

  private func occurrences(
    _ count: Int, after moment: TimerClock.Instant
  ) throws -> [TimerClock.Instant] {
    var all: [TimerClock.Instant] = []
    while all.count < count {
      let last = try #require((all.last ?? moment).wallInstant)
      let next = try #require(daily.next(after: last))
      all.append(clock.instant(next.nanosecondsSince1970))
    }
    return all
  }

  private func advance(to moment: TimerClock.Instant) {
    clock.advance(by: clock.now.duration(to: moment))
  }

  @Test func ticksAtEveryOccurrence() throws {
    let expected = try occurrences(5, after: clock.now)
    let timer = try make()
    timer.start()
    #expect(timer.snapshot.deadline == expected[0])
    #expect(timer.timeLeft == clock.now.duration(to: expected[0]))
    advance(to: expected[4])
    #expect(ticks.all.map(\.deadline) == expected)
    #expect(ticks.all.allSatisfy { $0.missedCount == 0 && $0.lateness == .zero })
    #expect(timer.snapshot.configuration.schedule == daily)
    #expect(timer.snapshot.configuration.interval == nil)
  }

  @Test func aFiniteScheduleFinishes() throws {
    let expected = try occurrences(3, after: clock.now)
    let timer = try make(daily, .finite(2))
    timer.start()
    advance(to: expected[2])
    #expect(ticks.all.map(\.deadline) == Array(expected[..<2]))
    #expect(timer.state == .finished)
    #expect(timer.start() == .changed)
    advance(to: expected[2].advanced(by: .days(1) + .hours(2)))
    #expect(ticks.count == 3)
  }

  @Test func aDateFiresOnce() throws {
    let date = try WallSchedule.at(year: 2026, month: 8, day: 1, hour: 12)
    let timer = try make(date)
    timer.start()
    #expect(timer.snapshot.configuration.mode == .once)
    clock.advance(by: .days(365))
    #expect(ticks.all.map(\.isLast) == [true])
    #expect(timer.state == .finished)
    #expect(timer.start() == .refused(.noOccurrence))
    #expect(timer.restart() == .refused(.noOccurrence))
    #expect(timer.state == .finished)
    timer.reset()
    #expect(timer.state == .idle)
    clock.adjustWall(by: .days(-365))
    timer.start()
    clock.advance(by: .days(365))
    #expect(ticks.count == 2)
  }

  @Test func aDateHasOneIteration() throws {
    let date = try WallSchedule.at(year: 2026, month: 8, day: 1, hour: 12)
    let timer = try make(date, .finite(3))
    timer.start()
    #expect(timer.setRemainingIterations(1) == .unchanged)
    #expect(timer.setRemainingIterations(3) == .refused(.followsSchedule))

    let modes: [(Repeater.Mode, Int?)] = [(.infinite, nil), (.finite(3), 3)]
    let again = try modes.map { mode, remaining in
      try restored(
        Repeater.Checkpoint(
          configuration: .init(.schedule(date), mode: mode), clock: .wall, state: .running,
          remainingIterations: remaining, timeLeft: nil, takenAt: clock.wallNow))
    }
    #expect(again.allSatisfy { $0.snapshot.remainingIterations == 1 })
    clock.advance(by: .days(365))
    #expect(ticks.count == 3)
    #expect(([timer] + again).allSatisfy { $0.state == .finished })
  }

  @Test func aDateThatPassesDuringAPauseIsDropped() throws {
    let timer = try make(.at(year: 2026, month: 8, day: 1, hour: 12))
    timer.start()
    timer.pause()
    clock.advance(by: .days(365))
    #expect(timer.start() == .refused(.noOccurrence))
    #expect(timer.state == .paused)
    #expect(ticks.count == 0)
  }

  @Test(arguments: [
    (Repeater.MissedTicks.skip, [3]), (.delay, [0]), (.burst(limit: 2), [0, 2]),
    (.burst(limit: 9), [0, 0, 0, 0]),
  ])
  func occurrencesMissedDuringASuspendAreCounted(_ policy: Repeater.MissedTicks, _ missed: [Int])
    throws
  {
    let expected = try occurrences(5, after: clock.now)
    let timer = try make(daily, .infinite, policy)
    timer.start()
    clock.suspend(for: clock.now.duration(to: expected[3].advanced(by: .hours(1))))
    #expect(ticks.all.map(\.missedCount) == missed)
    #expect(ticks.all.map(\.deadline) == Array(expected[..<missed.count]))
    #expect(timer.snapshot.deadline == expected[4])
    advance(to: expected[4])
    #expect(ticks.all.last?.deadline == expected[4])
  }

  @Test func aStepForwardMissesATickAndAStepBackRepeatsNothing() throws {
    let expected = try occurrences(6, after: clock.now)
    let timer = try make()
    timer.start()
    clock.adjustWall(by: clock.now.duration(to: expected[2].advanced(by: .seconds(1))))
    #expect(ticks.all.map(\.missedCount) == [2])
    clock.adjustWall(by: .days(-2))
    advance(to: expected[2].advanced(by: .hours(1)))
    #expect(ticks.count == 1)
    advance(to: expected[3])
    #expect(ticks.all.map(\.deadline) == [expected[0], expected[3]])
    // Nor does a new start.
    clock.adjustWall(by: .days(-3))
    timer.pause()
    #expect(timer.timeLeft == nil)
    timer.start()
    #expect(timer.snapshot.deadline == expected[4])
    // A reset does repeat it: it starts from the current clock.
    timer.restart()
    #expect(timer.snapshot.deadline == expected[1])
  }

  @Test func occurrencesDuringAPauseAreSkipped() throws {
    let expected = try occurrences(4, after: clock.now)
    let timer = try make()
    timer.start()
    timer.pause()
    #expect(timer.snapshot.pausedTimeLeft == nil)
    advance(to: expected[2])
    timer.start()
    advance(to: expected[3])
    #expect(ticks.all.map(\.deadline) == [expected[3]])
    #expect(ticks.all.map(\.missedCount) == [0])
  }

  @Test func aManualFireKeepsTheSchedule() throws {
    let expected = try occurrences(1, after: clock.now)
    let timer = try make()
    timer.start()
    timer.fire()
    #expect(ticks.all.map(\.isManual) == [true])
    advance(to: expected[0])
    #expect(ticks.all.map(\.deadline).last == expected[0])
  }

  @Test func theIntervalOfAScheduleCannotBeChanged() throws {
    let timer = try make()
    timer.start()
    let before = timer.snapshot
    #expect(timer.setInterval(.seconds(1)) == .refused(.followsSchedule))
    #expect(timer.adjustTimeLeft(by: .seconds(1)) == .refused(.followsSchedule))
    #expect(timer.restart(every: .seconds(1)) == .refused(.followsSchedule))
    #expect(timer.snapshot == before)
    timer.cancel()
    #expect(timer.setInterval(.seconds(1)) == .refused(.cancelled))
    #expect(timer.adjustTimeLeft(by: .seconds(1)) == .refused(.cancelled))
  }

  @Test func aScheduleRequiresAWallClock() {
    for kind in [TimerClock.Kind.suspending, .continuous] {
      #expect(throws: TimerConfigurationError.notWallClock(kind)) {
        try Repeater(schedule: daily, clock: .virtual(VirtualClock(kind))) { _, _ in }
      }
      #expect(throws: TimerConfigurationError.notWallClock(kind)) {
        try Repeater(schedule: daily, clock: TimerClock(kind)) { _, _ in }
      }
    }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .count)) {
      try make(daily, .finite(0))
    }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .burstLimit)) {
      try make(daily, .infinite, .burst(limit: 0))
    }
  }
}

// MARK: - Checkpoints
extension RepeaterScheduleTests {
  private func restored(
    _ checkpoint: Repeater.Checkpoint, _ policy: RestorePolicy = .catchUp
  ) throws -> Repeater {
    try Repeater(restoring: checkpoint, policy: policy, clock: .virtual(clock)) { [ticks] in
      ticks.append($1)
    }
  }

  /// A schedule can end before the iterations do.
  @Test func catchUpCountsOnlyOccurrences() throws {
    let date = try WallSchedule.at(year: 2026, month: 8, day: 1, hour: 12)
    let due = try #require(date.next(after: clock.wallNow))
    var checkpoint = Repeater.Checkpoint(
      configuration: .init(.schedule(date), mode: .finite(3)), clock: .wall, state: .running,
      remainingIterations: 3, timeLeft: clock.wallNow.duration(to: due), takenAt: clock.wallNow)
    #expect(checkpoint.catchUp(to: due.advanced(by: .hours(1))) == 1)
    #expect(checkpoint.state == .finished && checkpoint.remainingIterations == 0)
  }

  @Test func catchUpUsesUpElapsedOccurrences() throws {
    let expected = try occurrences(5, after: clock.now)
    let timer = try make(daily, .finite(4))
    timer.start()
    let checkpoint = timer.checkpoint
    #expect(checkpoint.configuration.schedule == daily)
    timer.cancel()
    advance(to: expected[1])
    let again = try restored(checkpoint)
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 2)
    #expect(again.snapshot.remainingIterations == 2)
    #expect(again.snapshot.deadline == expected[2])
    #expect(again.timeLeft == clock.now.duration(to: expected[2]))
    // With `keepTimeLeft` no iterations are used up, but past occurrences stay past.
    let kept = try restored(checkpoint, .keepTimeLeft)
    #expect(kept.snapshot.remainingIterations == 4)
    #expect(kept.snapshot.deadline == expected[2])
    #expect(kept.snapshot.deadlinesPassedBeforeRestore == 0)
    kept.cancel()
    advance(to: expected[4])
    #expect(ticks.all.map(\.deadline) == [expected[2], expected[3]])
    #expect(try restored(checkpoint).state == .finished)
  }

  /// The clock was wrong when the checkpoint was taken, by two days or by decades.
  @Test(arguments: [2, 27_000], RestorePolicy.allCases)
  func aClockSetBackBetweenTwoRunsMovesTheNextFire(days: Int, policy: RestorePolicy) throws {
    let expected = try occurrences(3, after: clock.now)
    clock.adjustWall(by: .days(days))
    let timer = try make()
    timer.start()
    let checkpoint = timer.checkpoint
    timer.cancel()
    clock.adjustWall(by: .days(-days))
    let again = try restored(checkpoint, policy)
    #expect(again.snapshot.deadline == expected[0])
    #expect(again.snapshot.deadlinesPassedBeforeRestore == 0)
  }

  /// The time left is irrelevant, for example after a change of the time zone.
  @Test(arguments: [Duration.seconds(1), .hours(9), .days(20_000)])
  func aWrongTimeLeftIsIgnored(left: Duration) throws {
    let expected = try occurrences(3, after: clock.now)
    let timer = try make(daily, .finite(2))
    timer.start()
    var checkpoint = timer.checkpoint
    checkpoint.timeLeft = left
    timer.cancel()
    let again = try restored(checkpoint)
    #expect(again.snapshot.deadline == expected[0])
    #expect(again.snapshot.remainingIterations == 2)
    advance(to: expected[0])
    #expect(try restored(checkpoint).snapshot.remainingIterations == 1)
  }

  @Test func anOccurrenceDueAtTheCheckpointCountsAsElapsed() throws {
    let expected = try occurrences(2, after: clock.now)
    let timer = try make(daily, .finite(2))
    timer.start()
    var checkpoint = timer.checkpoint
    checkpoint.takenAt = try #require(expected[0].wallInstant)
    checkpoint.timeLeft = .zero
    timer.cancel()
    advance(to: expected[0])
    let again = try restored(checkpoint)
    #expect(again.snapshot.remainingIterations == 1)
    #expect(again.snapshot.deadline == expected[1])
  }

  @Test func aPausedTimerStaysPaused() throws {
    let expected = try occurrences(2, after: clock.now)
    let timer = try make()
    timer.start()
    timer.pause()
    let checkpoint = timer.checkpoint
    #expect(checkpoint.timeLeft == nil)
    advance(to: expected[0])
    let again = try restored(checkpoint)
    #expect(again.state == .paused)
    again.start()
    #expect(again.snapshot.deadline == expected[1])
  }

  @Test func aPastDateIsFinishedOrRefused() throws {
    let timer = try make(.at(year: 2026, month: 8, day: 1, hour: 12))
    timer.start()
    let checkpoint = timer.checkpoint
    clock.suspend(for: .days(365))
    #expect(try restored(checkpoint).state == .finished)
    #expect(throws: RestoreError.noOccurrence) { try restored(checkpoint, .keepTimeLeft) }
  }

  @Test func theClockOfTheCheckpointIsTheDefault() throws {
    let timer = try make()
    let again = try Repeater(restoring: timer.checkpoint) { _, _ in }
    #expect(again.snapshot.clock == .wall)
    again.start()
    #expect(try #require(again.snapshot.deadline) > TimerClock.wall.now)
  }
}
