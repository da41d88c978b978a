import Testing

@testable import TimerKit

/// Timers as values: what they add to the state machine, which has its own tests.
@Suite struct RepeaterValueTests {
  private let origin = TimerClock.suspending.instant(nanoseconds: 0)

  private func at(_ seconds: Int64) -> TimerClock.Instant { origin + .seconds(seconds) }

  private func deliveries<Value: TimerValue>(
    of value: inout Value, to now: TimerClock.Instant
  ) -> [Value.Delivery] {
    var deliveries: [Value.Delivery] = []
    while let delivery = value.advance(to: now) { deliveries.append(delivery) }
    return deliveries
  }

  private func every(
    _ seconds: Int64, _ mode: Repeater.Mode = .infinite,
    _ missedTicks: Repeater.MissedTicks = .skip, tolerance: Duration = .zero,
    jitter: Duration? = nil, seed: UInt64 = 0
  ) throws -> Repeater.Value {
    try Repeater.Value(
      interval: .seconds(seconds), mode: mode, tolerance: tolerance, missedTicks: missedTicks,
      jitter: jitter, seed: seed)
  }

  @Test func itDeliversWhatIsDue() throws {
    var timer = try every(10, .finite(3))
    #expect(timer.state == .idle && timer.wakeUp == nil)
    #expect(timer.start(at: at(0)) == .changed)
    #expect(timer.advance(to: at(9)) == nil)
    #expect(timer.deadline == at(10) && timer.wakeUp == at(10)...at(10))
    #expect(timer.timeLeft(at: at(4)) == .seconds(6))
    let first = timer.advance(to: at(11))
    #expect(first?.iteration == 1 && first?.deadline == at(10) && first?.lateness == .seconds(1))
    #expect(timer.advance(to: at(11)) == nil)
    // The second one is merged into the third one.
    let last = timer.advance(to: at(35))
    #expect(last?.iteration == 2 && last?.missedCount == 1 && last?.remainingIterations == 1)
    #expect(deliveries(of: &timer, to: at(40)).map(\.isLast) == [true])
    #expect(timer.state == .finished && timer.wakeUp == nil && timer.deadline == nil)
    #expect(timer.snapshot.deliveredCount == 3 && timer.snapshot.missedCount == 1)
  }

  @Test func anEarlierTimeDeliversNothing() throws {
    var timer = try every(10)
    timer.start(at: at(100))
    timer.fire(at: at(101))
    #expect(timer.advance(to: at(50)) == nil)
    #expect(deliveries(of: &timer, to: at(111)).map(\.isManual) == [true, false])
  }

  @Test func requestsAndDeadlinesComeInTheOrderOfTheirTimes() throws {
    var timer = try every(10)
    timer.start(at: at(0))
    timer.fire(at: at(10))
    timer.fire(at: at(12))
    #expect(timer.wakeUp == at(10)...at(10) && timer.deadline == at(10))
    // A deadline is first if it has the time of a request.
    let ticks = deliveries(of: &timer, to: at(25))
    #expect(ticks.map(\.isManual) == [false, true, true])
    #expect(ticks.map(\.deadline) == [at(10), at(10), at(12)])
    #expect(ticks[0].missedCount == 1)
    timer.fire(at: at(26))
    #expect(timer.wakeUp == at(26)...at(26) && timer.deadline == at(30))
  }

  @Test func theToleranceIsInTheWakeUp() throws {
    var timer = try every(10, tolerance: .seconds(2))
    timer.start(at: at(0))
    #expect(timer.wakeUp == at(10)...at(12))
    // A request does not wait for it.
    timer.fire(at: at(11))
    #expect(timer.wakeUp == at(10)...at(11))
    timer = try every(10, tolerance: .seconds(9))
    timer.start(at: at(0))
    #expect(timer.wakeUp == at(10)...at(15))
    #expect(timer.snapshot.configuration.tolerance == .seconds(9))
  }

  @Test func aDeadlineAtTheLatestInstantNeverComes() throws {
    var timer = try Repeater.Value(interval: .seconds(Int64.max))
    let latest = TimerClock.suspending.instant(nanoseconds: .max)
    timer.start(at: at(1))
    #expect(timer.wakeUp == nil)
    #expect(timer.advance(to: latest) == nil && timer.catchUp(to: latest) == 0)
  }

  @Test func aCopyIsIndependent() throws {
    var timer = try every(10, .finite(3), jitter: .seconds(3))
    timer.start(at: at(0))
    timer.fire(at: at(1))
    let before = timer
    #expect(deliveries(of: &timer, to: at(100)).count == 2)
    #expect(timer != before && before.state == .running)
    var copy = before
    #expect(deliveries(of: &copy, to: at(100)).count == 2)
    // The delays follow from the seed.
    #expect(copy == timer && copy.hashValue == timer.hashValue)
  }

  @Test func whatWasUndoneLeavesNoTrace() throws {
    var timer = try every(10, .finite(5))
    timer.start(at: at(0))
    let before = timer.snapshot
    timer.fire(at: at(1))
    _ = timer.advance(to: at(1))
    #expect(timer.snapshot.remainingIterations == 4)
    var twin = try every(10, .finite(5))
    twin.start(at: at(0))
    #expect(twin.snapshot == before)
    // A box that has been emptied equals one that was never used.
    _ = twin.fire(at: at(1))
    _ = twin.advance(to: at(1))
    #expect(twin == timer)
  }

  @Test(arguments: [
    (0, 3, 2, Int64?.some(40)), (1, 2, 3, 30), (2, 1, 4, 20), (3, 0, 5, 10), (9, 0, 5, 10),
  ]) func deadlinesPassWithoutDeliveries(
    left: Int, passed: Int, remaining: Int, deadline: Int64?
  ) throws {
    var timer = try every(10, .finite(5))
    timer.start(at: at(0))
    #expect(timer.catchUp(to: at(35), leaving: left) == passed)
    #expect(timer.remainingIterations == remaining)
    #expect(timer.deadline == deadline.map(at))
    #expect(timer.snapshot.deliveredCount == 0)
    // One tick for those that were left, with the others as missed ones.
    let tick = timer.advance(to: at(35))
    #expect(tick?.missedCount == (left == 0 ? nil : min(left, 3) - 1))
    #expect(tick?.iteration == (left == 0 ? nil : passed + 1))
    #expect(timer.deadline == at(40))
  }

  @Test func theLastDeadlineFinishes() throws {
    var timer = try every(10, .finite(3))
    timer.start(at: at(0))
    #expect(timer.end(by: at(29)) == nil && timer.end(by: at(30)) == at(30))
    let before = timer
    #expect(timer.catchUp(to: at(1000)) == 3)
    #expect(timer.state == .finished && timer.end(by: at(1000)) == nil)
    timer = before
    #expect(timer.catchUp(to: at(1000), leaving: 1) == 2)
    #expect(timer.deadline == at(30) && timer.end(by: at(1000)) == at(30))
    #expect(deliveries(of: &timer, to: at(30)).map(\.isLast) == [true])
  }

  @Test func theRestOfABurstPassesFirst() throws {
    var timer = try every(10, .finite(20), .burst(limit: 5))
    timer.start(at: at(0))
    #expect(timer.advance(to: at(45))?.deadline == at(10))
    // Three ticks of the burst wait, for 20, 30 and 40.
    var copy = timer
    #expect(copy.catchUp(to: at(65), leaving: 3) == 2)
    #expect(deliveries(of: &copy, to: at(65)).map(\.deadline) == [at(40), at(50), at(60)])
    #expect(timer.catchUp(to: at(65)) == 5)
    #expect(timer.deadline == at(70) && timer.remainingIterations == 14)
    #expect(timer.advance(to: at(65)) == nil)
    #expect(timer.end(by: at(500)) == at(200))
  }

  @Test(.timeLimit(.minutes(1))) func longTimesAndCountsAreOneStep() throws {
    var timer = try Repeater.Value(interval: .nanoseconds(1), mode: .finite(Int.max))
    timer.start(at: at(0))
    #expect(timer.catchUp(to: at(1_000_000_000)) == 1_000_000_000_000_000_000)
    timer = try Repeater.Value(interval: .seconds(1), mode: .finite(1_000_000_000))
    timer.start(at: at(0))
    #expect(timer.end(by: at(2_000_000_000)) == at(1_000_000_000))
    #expect(timer.catchUp(to: at(2_000_000_000), leaving: 1) == 999_999_999)
    #expect(timer.deadline == at(1_000_000_000))
  }

  @Test(.timeLimit(.minutes(1))) func occurrencesOfAScheduleAreCounted() throws {
    let wall = TimerClock.wall.instant(nanoseconds: 0)
    let daily = try WallSchedule(cron: "0 9 * * *", timeZone: TimeZoneRules("UTC"))
    var timer = try Repeater.Value(schedule: daily, mode: .finite(100_000))
    timer.start(at: wall)
    #expect(timer.deadline == wall + .hours(9))
    #expect(timer.end(by: wall + .days(99_999)) == nil)
    var copy = timer
    #expect(copy.catchUp(to: wall + .days(20), leaving: 2) == 18)
    #expect(copy.deadline == wall + .days(18) + .hours(9))
    // A pause keeps what is due, and what has passed does not come again when the clock is set back.
    copy.pause(at: wall + .days(20))
    copy.start(at: wall)
    #expect(copy.deadline == wall)
    let kept = copy.advance(to: wall)
    #expect(kept?.missedCount == 1 && copy.deadline == wall + .days(20) + .hours(9))
    #expect(timer.catchUp(to: wall + .days(20)) == 20)
    #expect(timer.deadline == wall + .days(20) + .hours(9))
  }

  @Test func aCheckpointGoesBothWays() throws {
    var timer = try every(10, .finite(5))
    timer.start(at: at(0))
    _ = timer.advance(to: at(12))
    let wall = WallInstant(nanosecondsSince1970: 0)
    let checkpoint = timer.checkpoint(at: at(13), wall: wall)
    #expect(checkpoint.timeLeft == .seconds(7))
    var restored = try Repeater.Value(
      restoring: checkpoint, at: at(500), wall: wall.advanced(by: .seconds(30)))
    // The deadlines 20, 30 and 40 passed meanwhile: 13 + 30 = 43.
    #expect(restored.deadline == at(507) && restored.remainingIterations == 1)
    #expect(restored.snapshot.deadlinesPassedBeforeRestore == 3)
    restored = try Repeater.Value(
      restoring: checkpoint, policy: .keepTimeLeft, at: at(500),
      wall: wall.advanced(by: .seconds(30)))
    #expect(restored.checkpoint(at: at(500), wall: wall) == checkpoint)
    let live = try Repeater(restoring: checkpoint, policy: .keepTimeLeft) { _, _ in }
    #expect(live.snapshot.remainingIterations == 4)
  }

  @Test func invalidConfigurationsAreTheErrorsOfLiveTimers() throws {
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .interval)) {
      try every(0)
    }
    #expect(throws: TimerConfigurationError.notWallClock(.suspending)) {
      try Repeater.Value(schedule: .daily(hour: 9), clock: .suspending)
    }
    var timer = try every(10)
    #expect(
      timer.setInterval(.zero, at: at(0))
        == .refused(.invalid(.invalidDuration(.zero, parameter: .interval))))
    #expect(
      timer.setRemainingIterations(0)
        == .refused(.invalid(.invalidCount(0, parameter: .remainingIterations))))
    #expect(timer.reset(at: at(0)) == .unchanged)
  }

  @Test func anInstantOfAnotherClockTraps() async {
    await #expect(processExitsWith: .failure) {
      var timer = try Repeater.Value(interval: .seconds(1))
      timer.start(at: VirtualClock().now)
    }
  }
}
