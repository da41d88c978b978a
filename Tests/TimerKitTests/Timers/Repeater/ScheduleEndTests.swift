import Fuzzing
import Testing

@testable import TimerKit

/// A timer whose schedule ends finishes with its last occurrence.
@Suite(.enabled(if: hasZones, "install tzdata")) struct ScheduleEndTests {
  private let clock: VirtualClock
  private let ticks = Recorder<Repeater.Tick>()
  /// Three times, until 30 November.
  private let lessons: WallSchedule

  init() throws {
    clock = VirtualClock(.wall, wall: try RandomSchedule.instant(day: 28, hour: 8))
    lessons = try .daily(hour: 9).until(year: 2026, month: 11, day: 30)
      .inTimeZone(TimeZoneRules("UTC"))
  }

  private func make(
    _ schedule: WallSchedule? = nil, _ mode: Repeater.Mode = .infinite,
    _ missedTicks: Repeater.MissedTicks = .skip, jitter: Duration? = nil
  ) throws -> Repeater {
    let timer = try Repeater(
      schedule: schedule ?? lessons, mode: mode, missedTicks: missedTicks, jitter: jitter,
      clock: .virtual(clock)
    ) { [ticks] in ticks.append($1) }
    timer.start()
    return timer
  }

  private func expectEnd(_ timer: Repeater, _ location: SourceLocation = #_sourceLocation) {
    #expect(timer.state == .finished, sourceLocation: location)
    #expect(timer.timeLeft == nil && timer.snapshot.deadline == nil, sourceLocation: location)
    #expect(timer.start() == .refused(.noOccurrence), sourceLocation: location)
    #expect(timer.restart() == .refused(.noOccurrence), sourceLocation: location)
    #expect(timer.fire() == .refused(.finished), sourceLocation: location)
    #expect(timer.checkpoint.state == .finished, sourceLocation: location)
  }

  @Test(arguments: [Repeater.MissedTicks.skip, .delay, .burst(limit: 2)], [nil, 5] as [Int?])
  func theLastOccurrenceIsTheLastTick(_ policy: Repeater.MissedTicks, count: Int?) throws {
    let timer = try make(lessons, Repeater.Mode(count: count), policy)
    clock.advance(by: .days(30))
    #expect(ticks.all.map(\.isLast) == [false, false, true])
    #expect(ticks.all.map(\.remainingIterations) == (count == nil ? [nil, nil, nil] : [4, 3, 0]))
    expectEnd(timer)
  }

  @Test func severalTimesOnOneDateEnd() throws {
    let date = WallSchedule.Days.date(year: 2026, month: 11, day: 28)
    let schedules = [
      try WallSchedule(date, at: [(10, 0), (11, 0)]),
      try WallSchedule(date, every: .minutes(90), from: (10, 0), through: (12, 0)),
    ]
    for schedule in schedules {
      let before = ticks.count
      let timer = try make(try schedule.inTimeZone(TimeZoneRules("UTC")))
      clock.advance(by: .days(2))
      #expect(ticks.all.dropFirst(before).map(\.isLast) == [false, true])
      expectEnd(timer)
      clock.adjustWall(by: .days(-2))
    }
  }

  @Test func anEndThatIsReachedLateIsTheLastTickOfABurst() throws {
    for (policy, missed) in [
      (Repeater.MissedTicks.skip, [2]), (.delay, [0]), (.burst(limit: 2), [0, 1]),
      (.burst(limit: 9), [0, 0, 0]),
    ] {
      let clock = VirtualClock(.wall, wall: try RandomSchedule.instant(day: 28, hour: 8))
      let ticks = Recorder<Repeater.Tick>()
      let timer = try Repeater.following(lessons, missedTicks: policy, clock: .virtual(clock)) {
        ticks.append($1)
      }
      clock.suspend(for: .days(10))
      #expect(ticks.all.map(\.missedCount) == missed)
      #expect(ticks.all.map(\.isLast) == missed.indices.map { $0 == missed.count - 1 })
      expectEnd(timer)
    }
  }

  /// With `.delay`, occurrences that come while handlers run are left out, here the last one.
  @Test func aScheduleThatEndsDuringAHandlerEndsTheTimer() async throws {
    let clock = clock
    let timer = try Repeater.following(
      lessons, missedTicks: .delay, clock: .virtual(clock)
    ) { [ticks] _, tick in
      ticks.append(tick)
      if ticks.count == 2 { clock.advance(by: .days(5)) }
    }
    let events = timer.events(endingOnFinish: true)
    clock.move(by: .days(30))
    #expect(ticks.count == 2)
    expectEnd(timer)
    var last: Repeater.Event?
    for await event in events { last = event }
    #expect(last == .state(from: .running, to: .finished))
  }

  /// A control that drops the rest of a burst leaves nothing to wait for.
  @Test func newIterationsInTheLastBurstEndTheTimer() throws {
    let timer = try Repeater(
      schedule: lessons, mode: .finite(9), missedTicks: .burst(limit: 9), clock: .virtual(clock)
    ) { timer, _ in #expect(timer.setRemainingIterations(5) == .changed) }
    timer.start()
    clock.suspend(for: .days(10))
    #expect(timer.snapshot.deliveredCount == 1)
    expectEnd(timer)
  }

  @Test func eventsAndTicksEnd() async throws {
    let timer = try make()
    let events = timer.events(endingOnFinish: true)
    let ofTimer = timer.ticks
    let ofSchedule = try Repeater.ticks(schedule: lessons, clock: .virtual(clock))
    let counts = await clock.run {
      async let one = ofTimer.reduce(into: 0) { count, _ in count += 1 }
      async let two = ofSchedule.reduce(into: 0) { count, _ in count += 1 }
      async let three = events.reduce(into: 0) { count, _ in count += 1 }
      await clock.advance(by: .days(30))
      return await [one, two, three]
    }
    #expect(counts == [3, 3, 4])
  }

  @Test func theTicksOfAScheduleEndWithADelayedHandler() async throws {
    let ticks = try Repeater.ticks(schedule: lessons, missedTicks: .delay, clock: .virtual(clock))
    let count = await clock.run {
      async let count = ticks.reduce(into: 0) { count, _ in count += 1 }
      await clock.advance(by: .days(30))
      return await count
    }
    #expect(count == 3)
  }

  /// A countdown ends with 0, also if its schedule ends before its steps do.
  @Test func aCountdownEndsWithItsSchedule() throws {
    let steps = Recorder<Int>()
    let configuration = Repeater.Configuration(.schedule(lessons), mode: .finite(10))
    let countdown = try Countdown(configuration, clock: .virtual(clock)) { steps.append($1) }
    countdown.start()
    clock.advance(by: .days(30))
    #expect(steps.all == [9, 8, 0])
    #expect(countdown.state == .finished && countdown.remainingSteps == 0)
    #expect(countdown.start() == .refused(.noOccurrence))
  }

  @Test func aResetAfterTheClockWasSetBackBeginsAgain() throws {
    let timer = try make()
    clock.advance(by: .days(30))
    clock.adjustWall(by: .days(-30))
    // The same occurrences do not fire twice.
    #expect(timer.start() == .refused(.noOccurrence))
    #expect(timer.reset() == .changed && timer.start() == .changed)
    clock.advance(by: .days(30))
    #expect(ticks.all.map(\.isLast) == [false, false, true, false, false, true])
    expectEnd(timer)
  }

  // MARK: - Random schedules

  @Test func aRandomScheduleEndsItsTimer() {
    let failures = Fuzzing.failures(
      sequences: 2_000, steps: 0..<20, setup: { RandomSchedule(&$0) },
      step: { Int64(1 + $0.below(20 * 3_600)) }, failure: { $0.endFault($1) })
    #expect(failures == [])
  }

  /// An asynchronous loop over each of them ends, with one tick for each occurrence.
  @Test func theTicksOfARandomScheduleEnd() async throws {
    var random = SplitMix(state: 1)
    for _ in 0..<100 {
      let schedule = RandomSchedule(&random)
      let clock = schedule.makeClock()
      let ticks = try Repeater.ticks(
        schedule.configuration(.infinite), clock: .virtual(clock))
      let all = await clock.run {
        async let all = ticks.reduce(into: []) { $0.append($1) }
        await clock.advance(by: .days(90))
        return await all
      }
      #expect(all.map(\.iteration) == Array(0..<schedule.occurrences.count).map { $0 + 1 })
      #expect(all.filter(\.isLast).count == (all.isEmpty ? 0 : 1))
    }
  }
}

extension RandomSchedule {
  /// Compares a timer, in steps of some seconds, with the occurrences and with what a checkpoint says.
  fileprivate func endFault(_ steps: [Int64]) -> String? {
    let clock = makeClock()
    let ticks = Recorder<Repeater.Tick>()
    let configuration = configuration(mode)
    let handler: Repeater.Handler = { ticks.append($1) }
    guard let timer = try? Repeater(configuration, clock: .virtual(clock), handler: handler) else {
      return "no timer"
    }
    if timer.start() == .refused(.noOccurrence) { return occurrences.isEmpty ? nil : "refused" }
    for step in steps {
      var checkpoint = timer.checkpoint
      clock.advance(by: .seconds(step))
      // Without a random delay, each occurrence is delivered in time.
      guard jitter == nil else { continue }
      checkpoint.catchUp(to: clock.wallNow)
      guard checkpoint.state == timer.state else {
        return "checkpoint \(checkpoint.state), timer \(timer.state)"
      }
      if checkpoint.remainingIterations != timer.snapshot.remainingIterations {
        return "checkpoint \(checkpoint), timer \(timer.snapshot)"
      }
    }
    clock.advance(by: .days(90))
    let all = ticks.all
    let count = min(occurrences.count, mode.count ?? .max)
    if all.count != count { return "\(all.count) ticks, not \(count)" }
    if all.dropLast().contains(where: \.isLast) || all.last?.isLast != true {
      return "last ticks \(all.map(\.isLast))"
    }
    let snapshot = timer.snapshot
    let left = [snapshot.remainingIterations, all.last?.remainingIterations]
    if left.contains(where: { $0 != (mode.count == nil && !isOneTime ? nil : 0) }) {
      return "left \(left)"
    }
    if snapshot.state != .finished || snapshot.deadline != nil || timer.timeLeft != nil {
      return "\(snapshot)"
    }
    return timer.start() == .refused(.noOccurrence) ? nil : "a new start"
  }
}
