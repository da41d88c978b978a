import Testing

@testable import TimerKit

/// A Repeater that follows a schedule. What a zone makes of that schedule is tested elsewhere: here
/// the occurrences are asked for.
@Suite struct RepeaterScheduleTests {
  let timeline = VirtualClock(
    kind: .wall, wall: TimerClock.Instant(nanoseconds: 1_780_000_000_000_000_000))
  let ticks = Recorder<Repeater.Tick>()
  let daily: WallSchedule

  init() throws {
    daily = try .daily(hour: 12)
  }

  private func make(
    _ schedule: WallSchedule? = nil, _ mode: Repeater.Mode = .infinite,
    _ missed: Repeater.MissedTicks = .skip
  ) throws -> Repeater {
    try Repeater(on: schedule ?? daily, mode: mode, missed: missed, timeline: timeline) {
      [ticks] in ticks.append($1)
    }
  }

  private func occurrences(_ count: Int, after moment: TimerClock.Instant) throws -> [TimerClock.Instant]
  {
    var all: [TimerClock.Instant] = []
    while all.count < count {
      all.append(try #require(daily.next(after: all.last ?? moment)))
    }
    return all
  }

  private func advance(to moment: TimerClock.Instant) {
    timeline.advance(by: timeline.now.duration(to: moment))
  }

  @Test func ticksAtEveryOccurrence() throws {
    let expected = try occurrences(5, after: timeline.now)
    let timer = try make()
    try timer.start()
    #expect(timer.snapshot.deadline == expected[0])
    #expect(timer.timeLeft == timeline.now.duration(to: expected[0]))
    advance(to: expected[4])
    #expect(ticks.all.map(\.scheduled) == expected)
    #expect(ticks.all.allSatisfy { $0.missed == 0 && $0.lateness == .zero })
    #expect(timer.snapshot.schedule == daily)
    #expect(timer.snapshot.interval == .zero)
  }

  @Test func aFiniteOneFinishes() throws {
    let expected = try occurrences(3, after: timeline.now)
    let timer = try make(daily, .finite(2))
    try timer.start()
    advance(to: expected[2])
    #expect(ticks.all.map(\.scheduled) == Array(expected[..<2]))
    #expect(timer.state == .finished)
    #expect(try timer.start())
    advance(to: expected[2].advanced(by: .days(1) + .hours(2)))
    #expect(ticks.count == 3)
  }

  @Test func aDateComesOnce() throws {
    let date = try WallSchedule.at(year: 2026, month: 8, day: 1, hour: 12)
    let timer = try make(date)
    try timer.start()
    #expect(timer.snapshot.mode == .once)
    timeline.advance(by: .days(365))
    #expect(ticks.all.map(\.isLast) == [true])
    #expect(timer.state == .finished)
    #expect(throws: TimerError.noOccurrence) { try timer.start() }
    #expect(throws: TimerError.noOccurrence) { try timer.reset() }
    #expect(timer.state == .finished)
    try timer.reset(restart: false)
    #expect(timer.state == .idle)
    timeline.stepWall(by: .days(-365))
    try timer.start()
    timeline.advance(by: .days(365))
    #expect(ticks.count == 2)
  }

  @Test func aDateThatPassesDuringAPauseIsGone() throws {
    let timer = try make(.at(year: 2026, month: 8, day: 1, hour: 12))
    try timer.start()
    try timer.pause()
    timeline.advance(by: .days(365))
    #expect(throws: TimerError.noOccurrence) { try timer.start() }
    #expect(timer.state == .paused)
    #expect(ticks.count == 0)
  }

  @Test(arguments: [
    (Repeater.MissedTicks.skip, [3]), (.delay, [0]), (.burst(limit: 2), [0, 2]),
    (.burst(limit: 9), [0, 0, 0, 0]),
  ])
  func whatASuspendMissesIsCounted(_ policy: Repeater.MissedTicks, _ missed: [Int]) throws {
    let expected = try occurrences(5, after: timeline.now)
    let timer = try make(daily, .infinite, policy)
    try timer.start()
    timeline.suspend(for: timeline.now.duration(to: expected[3].advanced(by: .hours(1))))
    #expect(ticks.all.map(\.missed) == missed)
    #expect(ticks.all.map(\.scheduled) == Array(expected[..<missed.count]))
    #expect(timer.snapshot.deadline == expected[4])
    advance(to: expected[4])
    #expect(ticks.all.last?.scheduled == expected[4])
  }

  @Test func aStepForwardIsAMissedTickAndOneBackRepeatsNothing() throws {
    let expected = try occurrences(6, after: timeline.now)
    let timer = try make()
    try timer.start()
    timeline.stepWall(by: timeline.now.duration(to: expected[2].advanced(by: .seconds(1))))
    #expect(ticks.all.map(\.missed) == [2])
    timeline.stepWall(by: .days(-2))
    advance(to: expected[2].advanced(by: .hours(1)))
    #expect(ticks.count == 1)
    advance(to: expected[3])
    #expect(ticks.all.map(\.scheduled) == [expected[0], expected[3]])
    // Nor does a new start.
    timeline.stepWall(by: .days(-3))
    try timer.pause()
    #expect(timer.timeLeft == nil)
    try timer.start()
    #expect(timer.snapshot.deadline == expected[4])
    // But a reset does: it begins by the clock as it is.
    try timer.reset()
    #expect(timer.snapshot.deadline == expected[1])
  }

  @Test func aPauseLetsOccurrencesGoBy() throws {
    let expected = try occurrences(4, after: timeline.now)
    let timer = try make()
    try timer.start()
    try timer.pause()
    #expect(timer.snapshot.frozenTimeLeft == nil)
    advance(to: expected[2])
    try timer.start()
    advance(to: expected[3])
    #expect(ticks.all.map(\.scheduled) == [expected[3]])
    #expect(ticks.all.map(\.missed) == [0])
  }

  @Test func aManualFireMovesNothing() throws {
    let expected = try occurrences(1, after: timeline.now)
    let timer = try make()
    try timer.start()
    try timer.fire()
    #expect(ticks.all.map(\.isManual) == [true])
    advance(to: expected[0])
    #expect(ticks.all.map(\.scheduled).last == expected[0])
  }

  @Test func itHasNoIntervalToChange() throws {
    let timer = try make()
    try timer.start()
    let before = timer.snapshot
    #expect(throws: TimerError.followsSchedule) { try timer.setInterval(.seconds(1)) }
    #expect(throws: TimerError.followsSchedule) { try timer.adjustTimeLeft(by: .seconds(1)) }
    #expect(throws: TimerError.followsSchedule) { try timer.reset(interval: .seconds(1)) }
    #expect(timer.snapshot == before)
    timer.cancel()
    #expect(throws: TimerError.cancelled) { try timer.setInterval(.seconds(1)) }
  }

  @Test func itNeedsTheTimeOfDay() {
    for kind in [TimerClock.Kind.uptime, .boot] {
      #expect(throws: TimerError.needsWallClock) {
        try Repeater(on: daily, timeline: VirtualClock(kind: kind)) { _, _ in }
      }
      #expect(throws: TimerError.needsWallClock) {
        try Repeater(on: daily, timeline: TimerClock(kind)) { _, _ in }
      }
    }
    #expect(throws: TimerError.invalidCount(0)) { try make(daily, .finite(0)) }
    #expect(throws: TimerError.invalidCount(0)) { try make(daily, .infinite, .burst(limit: 0)) }
  }
}

// MARK: - Checkpoints
extension RepeaterScheduleTests {
  private func restored(
    _ checkpoint: Repeater.Checkpoint, _ resumption: RestorePolicy = .catchUp
  ) throws -> Repeater {
    try Repeater(restoring: checkpoint, resumption, on: timeline) { [ticks] in ticks.append($1) }
  }

  @Test func isRestoredWithWhatWentBy() throws {
    let expected = try occurrences(5, after: timeline.now)
    let timer = try make(daily, .finite(4))
    try timer.start()
    let checkpoint = timer.checkpoint
    #expect(checkpoint.schedule == daily)
    timer.cancel()
    advance(to: expected[1])
    let again = try restored(checkpoint)
    #expect(again.snapshot.elapsedWhileStoppedCount == 2)
    #expect(again.snapshot.remainingIterations == 2)
    #expect(again.snapshot.deadline == expected[2])
    #expect(again.timeLeft == timeline.now.duration(to: expected[2]))
    // Frozen, they are not used up; but what is past is past.
    let frozen = try restored(checkpoint, .frozen)
    #expect(frozen.snapshot.remainingIterations == 4)
    #expect(frozen.snapshot.deadline == expected[2])
    #expect(frozen.snapshot.elapsedWhileStoppedCount == 0)
    frozen.cancel()
    advance(to: expected[4])
    #expect(ticks.all.map(\.scheduled) == [expected[2], expected[3]])
    #expect(try restored(checkpoint).state == .finished)
  }

  @Test func theClockSetBackBetweenTwoRunsRepeatsNothing() throws {
    let expected = try occurrences(3, after: timeline.now)
    let timer = try make()
    try timer.start()
    advance(to: expected[1])
    let checkpoint = timer.checkpoint
    timer.cancel()
    timeline.stepWall(by: .days(-2))
    let again = try restored(checkpoint)
    #expect(again.snapshot.deadline == expected[2])
    #expect(again.snapshot.elapsedWhileStoppedCount == 0)
  }

  @Test func aPausedOneStaysPaused() throws {
    let expected = try occurrences(2, after: timeline.now)
    let timer = try make()
    try timer.start()
    try timer.pause()
    let checkpoint = timer.checkpoint
    #expect(checkpoint.timeLeft == nil)
    advance(to: expected[0])
    let again = try restored(checkpoint)
    #expect(again.state == .paused)
    try again.start()
    #expect(again.snapshot.deadline == expected[1])
  }

  @Test func aDateThatIsPastIsFinishedOrRefused() throws {
    let timer = try make(.at(year: 2026, month: 8, day: 1, hour: 12))
    try timer.start()
    let checkpoint = timer.checkpoint
    timeline.suspend(for: .days(365))
    #expect(try restored(checkpoint).state == .finished)
    #expect(throws: TimerError.noOccurrence) { try restored(checkpoint, .frozen) }
  }

  @Test func withoutATimelineItFollowsTheClockItFollowed() throws {
    let timer = try make()
    let again = try Repeater(restoring: timer.checkpoint) { _, _ in }
    #expect(again.snapshot.clock == .wall)
    try again.start()
    #expect(try #require(again.snapshot.deadline) > TimerClock.wall.now)
  }
}
