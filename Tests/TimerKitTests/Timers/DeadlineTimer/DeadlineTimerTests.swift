import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// What a deadline timer promises, on the system's clock and on a virtual one alike.
@Suite struct DeadlineTimerTests {
  @Test(arguments: ClockFixture.allCases)
  func firesOnceAndNotBeforeItsDeadline(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<(scheduled: TimerClock.Instant, now: TimerClock.Instant)>()
    let timer = stage.timer { fires.append(($1, stage.clock.now)) }
    let deadline = stage.later(5)
    stage.held {
      #expect(timer.schedule(at: deadline) == .changed)
      #expect(timer.deadline == deadline)
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(5)))
    #expect(fires.all.map(\.scheduled) == [deadline])
    #expect(fires.all.allSatisfy { $0.now >= deadline })
    #expect(timer.deadline == nil)
  }

  @Test(arguments: ClockFixture.allCases)
  func firesAtTheNewestDeadlineOnly(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let later = stage.timer { fires.append($1) }
    let earlier = stage.timer { fires.append($1) }
    let (first, second) = (stage.later(10), stage.later(20))
    stage.held {
      later.schedule(at: first)
      later.schedule(at: second.advanced(by: .nanoseconds(1)))
      earlier.schedule(at: second)
      earlier.schedule(at: first.advanced(by: .nanoseconds(1)))
    }
    await stage.pass(until: second.advanced(by: .milliseconds(2)))
    #expect(
      fires.all == [
        first.advanced(by: .nanoseconds(1)), second.advanced(by: .nanoseconds(1)),
      ])
  }

  @Test(arguments: ClockFixture.allCases)
  func neverFiresWithoutADeadline(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let deadline = stage.later(5)
    let unscheduled = stage.timer { fires.append($1) }
    let cancelled = stage.timer { fires.append($1) }
    let never = stage.timer { fires.append($1) }
    stage.held {
      unscheduled.schedule(at: deadline)
      #expect(unscheduled.unschedule() == .changed)
      #expect(unscheduled.unschedule() == .unchanged)
      cancelled.schedule(at: deadline)
      #expect(cancelled.cancel() == .changed)
      #expect(cancelled.cancel() == .unchanged)
      #expect(cancelled.schedule(at: deadline) == .refused(.cancelled))
      #expect(cancelled.unschedule() == .refused(.cancelled))
      never.schedule(at: stage.clock.instant(nanoseconds: .max))
      _ = stage.timer { fires.append($1) }.schedule(at: deadline)
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(1)))
    #expect(fires.all == [])
    withExtendedLifetime((unscheduled, cancelled, never)) {}
  }

  @Test(arguments: ClockFixture.allCases)
  func comesBackFromTheDistantFuture(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let timer = stage.timer { fires.append($1) }
    timer.schedule(at: stage.clock.instant(nanoseconds: .max))
    let deadline = stage.later(2)
    timer.schedule(at: deadline)
    await stage.pass(until: deadline)
    #expect(fires.all == [deadline])
  }

  @Test(arguments: ClockFixture.allCases)
  func aPastDeadlineIsDueAtOnce(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let timer = stage.timer { fires.append($1) }
    for deadline in [
      stage.clock.instant(nanoseconds: .min), stage.clock.instant(nanoseconds: 0), stage.later(-1),
    ] {
      timer.schedule(at: deadline)
      await stage.pass(until: stage.clock.now)
      #expect(fires.all.last == deadline)
    }
    #expect(fires.count == 3)
  }

  @Test(arguments: ClockFixture.allCases)
  func firesInTheOrderOfDeadlinesAndThenOfCreation(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<Int>()
    let deadline = stage.later(5)
    var random = SplitMix(state: 7)
    let timers = (0..<40).map { number in stage.timer { _, _ in fires.append(number) } }
    stage.held {
      // Armed in any order, some of them more than once.
      for number in Array(timers.indices).shuffled(using: &random) + [3, 39, 17, 20, 0] {
        timers[number].schedule(at: deadline.advanced(by: .nanoseconds(number / 10)))
      }
      timers[5].schedule(at: deadline.advanced(by: .nanoseconds(99)))
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(1)))
    #expect(fires.all == timers.indices.filter { $0 != 5 } + [5])
  }

  @Test(arguments: ClockFixture.allCases)
  func canBeArmedInItsOwnHandler(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<TimerClock.Instant>()
    let start = stage.later(2)
    let timer = stage.timer { timer, scheduled in
      fires.append(scheduled)
      if fires.count < 100 { timer.schedule(at: scheduled.advanced(by: .microseconds(20))) }
    }
    timer.schedule(at: start)
    await stage.pass(until: start.advanced(by: .microseconds(20 * 99)))
    #expect(fires.all == (0..<100).map { start.advanced(by: .microseconds(20 * $0)) })
  }

  @Test(arguments: ClockFixture.allCases)
  func whatAHandlerArmsFiresInItsPlace(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<String>()
    let start = stage.later(2)
    let armed = stage.timer { _, _ in fires.append("armed by first") }
    let first = stage.timer { _, scheduled in
      fires.append("first")
      armed.schedule(at: scheduled.advanced(by: .milliseconds(1)))
    }
    let second = stage.timer { _, _ in fires.append("second") }
    stage.held {
      second.schedule(at: start.advanced(by: .milliseconds(2)))
      first.schedule(at: start)
    }
    await stage.pass(until: start.advanced(by: .milliseconds(3)))
    #expect(fires.all == ["first", "armed by first", "second"])
    withExtendedLifetime((first, second, armed)) {}
  }

  @Test(arguments: ClockFixture.allCases)
  func whatAHandlerMovesDoesNotFireForTheOldDeadline(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<String>()
    let deadline = stage.later(2)
    let later = deadline.advanced(by: .milliseconds(2))
    let mover = Guarded<[DeadlineTimer]>([])
    let first = stage.timer { _, _ in
      fires.append("first")
      mover.withLock { timers in
        timers[0].cancel()
        timers[1].schedule(at: later)
        timers[2].unschedule()
      }
    }
    let cancelled = stage.timer { _, _ in fires.append("cancelled") }
    let moved = stage.timer { fires.append($1 == later ? "moved" : "too early") }
    let unscheduled = stage.timer { _, _ in fires.append("unscheduled") }
    mover.withLock { $0 = [cancelled, moved, unscheduled] }
    stage.held {
      for timer in [first, cancelled, moved, unscheduled] { timer.schedule(at: deadline) }
    }
    await stage.pass(until: later)
    #expect(fires.all == ["first", "moved"])
  }

  @Test(arguments: ClockFixture.allCases)
  func canBeDroppedInItsOwnHandler(_ fixture: ClockFixture) async {
    let stage = fixture.make()
    let fires = Recorder<Int>()
    let deliverer = Guarded<DeadlineTimer?>(nil)
    let deadline = stage.later(1)
    stage.held {
      let timer = stage.timer { timer, scheduled in
        fires.append(1)
        timer.schedule(at: scheduled)
        // What the test held; the driver's own reference goes when this returns.
        let last = deliverer.withLock { $0.take() }
        withExtendedLifetime(last) {}
      }
      timer.schedule(at: deadline)
      deliverer.withLock { $0 = timer }
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(2)))
    #expect(fires.count == 1)
  }

  @Test(arguments: ClockFixture.allCases)
  func toleranceDelaysButKeepsTheOrder(_ fixture: ClockFixture) async throws {
    let stage = fixture.make()
    let fires = Recorder<(number: Int, early: Bool)>()
    let start = stage.later(2)
    let timers = try (0..<20).map { number in
      try DeadlineTimer(
        tolerance: .milliseconds(number % 3 * 4), clock: stage.clock, queue: stage.queue
      ) {
        fires.append((number, stage.clock.now < $1))
      }
    }
    stage.held {
      for (number, timer) in timers.enumerated() {
        timer.schedule(at: start.advanced(by: .microseconds(300 * number)))
      }
    }
    await stage.pass(until: start.advanced(by: .milliseconds(30)))
    #expect(fires.all.map(\.number) == Array(0..<20))
    #expect(!fires.all.contains { $0.early })
    withExtendedLifetime(timers) {}
  }
}
