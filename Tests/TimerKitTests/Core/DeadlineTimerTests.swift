import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// What an alarm promises, on the system's timeline and on a virtual one alike.
@Suite struct AlarmContractTests {
  @Test(arguments: TimelineFixture.allCases)
  func ringsOnceAndNotBeforeItsDeadline(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<(scheduled: TimerClock.Instant, now: TimerClock.Instant)>()
    let alarm = stage.alarm { rings.append(($1, stage.timeline.now)) }
    let deadline = stage.later(5)
    stage.held {
      #expect(alarm.schedule(at: deadline))
      #expect(alarm.deadline == deadline)
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(5)))
    #expect(rings.all.map(\.scheduled) == [deadline])
    #expect(rings.all.allSatisfy { $0.now >= deadline })
    #expect(alarm.deadline == nil)
  }

  @Test(arguments: TimelineFixture.allCases)
  func ringsAtTheNewestDeadlineOnly(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<TimerClock.Instant>()
    let later = stage.alarm { rings.append($1) }
    let earlier = stage.alarm { rings.append($1) }
    let (first, second) = (stage.later(10), stage.later(20))
    stage.held {
      later.schedule(at: first)
      later.schedule(at: second.advanced(by: .nanoseconds(1)))
      earlier.schedule(at: second)
      earlier.schedule(at: first.advanced(by: .nanoseconds(1)))
    }
    await stage.pass(until: second.advanced(by: .milliseconds(2)))
    #expect(
      rings.all == [
        first.advanced(by: .nanoseconds(1)), second.advanced(by: .nanoseconds(1)),
      ])
  }

  @Test(arguments: TimelineFixture.allCases)
  func neverRingsWithoutADeadline(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<TimerClock.Instant>()
    let deadline = stage.later(5)
    let unscheduled = stage.alarm { rings.append($1) }
    let cancelled = stage.alarm { rings.append($1) }
    let never = stage.alarm { rings.append($1) }
    stage.held {
      unscheduled.schedule(at: deadline)
      #expect(unscheduled.unschedule())
      #expect(!unscheduled.unschedule())
      cancelled.schedule(at: deadline)
      #expect(cancelled.cancel())
      #expect(!cancelled.cancel())
      #expect(!cancelled.schedule(at: deadline))
      never.schedule(at: .distantFuture)
      _ = stage.alarm { rings.append($1) }.schedule(at: deadline)
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(1)))
    #expect(rings.all == [])
    withExtendedLifetime((unscheduled, cancelled, never)) {}
  }

  @Test(arguments: TimelineFixture.allCases)
  func comesBackFromTheDistantFuture(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<TimerClock.Instant>()
    let alarm = stage.alarm { rings.append($1) }
    alarm.schedule(at: .distantFuture)
    let deadline = stage.later(2)
    alarm.schedule(at: deadline)
    await stage.pass(until: deadline)
    #expect(rings.all == [deadline])
  }

  @Test(arguments: TimelineFixture.allCases)
  func aPastDeadlineIsDueAtOnce(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<TimerClock.Instant>()
    let alarm = stage.alarm { rings.append($1) }
    for deadline in [TimerClock.Instant(nanoseconds: .min), .init(nanoseconds: 0), stage.later(-1)] {
      alarm.schedule(at: deadline)
      await stage.pass(until: stage.timeline.now)
      #expect(rings.all.last == deadline)
    }
    #expect(rings.count == 3)
  }

  @Test(arguments: TimelineFixture.allCases)
  func ringsInTheOrderOfDeadlinesAndThenOfCreation(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<Int>()
    let deadline = stage.later(5)
    var random = SplitMix(state: 7)
    let alarms = (0..<40).map { number in stage.alarm { _, _ in rings.append(number) } }
    stage.held {
      // Armed in any order, some of them more than once.
      for number in Array(alarms.indices).shuffled(using: &random) + [3, 39, 17, 20, 0] {
        alarms[number].schedule(at: deadline.advanced(by: .nanoseconds(number / 10)))
      }
      alarms[5].schedule(at: deadline.advanced(by: .nanoseconds(99)))
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(1)))
    #expect(rings.all == alarms.indices.filter { $0 != 5 } + [5])
  }

  @Test(arguments: TimelineFixture.allCases)
  func canBeArmedInItsOwnHandler(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<TimerClock.Instant>()
    let start = stage.later(2)
    let alarm = stage.alarm { alarm, scheduled in
      rings.append(scheduled)
      if rings.count < 100 { alarm.schedule(at: scheduled.advanced(by: .microseconds(20))) }
    }
    alarm.schedule(at: start)
    await stage.pass(until: start.advanced(by: .microseconds(20 * 99)))
    #expect(rings.all == (0..<100).map { start.advanced(by: .microseconds(20 * $0)) })
  }

  @Test(arguments: TimelineFixture.allCases)
  func whatAHandlerArmsRingsInItsPlace(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<String>()
    let start = stage.later(2)
    let armed = stage.alarm { _, _ in rings.append("armed by first") }
    let first = stage.alarm { _, scheduled in
      rings.append("first")
      armed.schedule(at: scheduled.advanced(by: .milliseconds(1)))
    }
    let second = stage.alarm { _, _ in rings.append("second") }
    stage.held {
      second.schedule(at: start.advanced(by: .milliseconds(2)))
      first.schedule(at: start)
    }
    await stage.pass(until: start.advanced(by: .milliseconds(3)))
    #expect(rings.all == ["first", "armed by first", "second"])
    withExtendedLifetime((first, second, armed)) {}
  }

  @Test(arguments: TimelineFixture.allCases)
  func whatAHandlerMovesDoesNotRingForTheOldDeadline(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<String>()
    let deadline = stage.later(2)
    let later = deadline.advanced(by: .milliseconds(2))
    let mover = Guarded<[DeadlineTimer]>([])
    let first = stage.alarm { _, _ in
      rings.append("first")
      mover.withLock { alarms in
        alarms[0].cancel()
        alarms[1].schedule(at: later)
        alarms[2].unschedule()
      }
    }
    let cancelled = stage.alarm { _, _ in rings.append("cancelled") }
    let moved = stage.alarm { rings.append($1 == later ? "moved" : "too early") }
    let unscheduled = stage.alarm { _, _ in rings.append("unscheduled") }
    mover.withLock { $0 = [cancelled, moved, unscheduled] }
    stage.held {
      for alarm in [first, cancelled, moved, unscheduled] { alarm.schedule(at: deadline) }
    }
    await stage.pass(until: later)
    #expect(rings.all == ["first", "moved"])
  }

  @Test(arguments: TimelineFixture.allCases)
  func canBeDroppedInItsOwnHandler(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<Int>()
    let deliverer = Guarded<Alarm?>(nil)
    let deadline = stage.later(1)
    stage.held {
      let alarm = stage.alarm { alarm, scheduled in
        rings.append(1)
        alarm.schedule(at: scheduled)
        // What the test held; the driver's own reference goes when this returns.
        let last = deliverer.withLock { $0.take() }
        withExtendedLifetime(last) {}
      }
      alarm.schedule(at: deadline)
      deliverer.withLock { $0 = alarm }
    }
    await stage.pass(until: deadline.advanced(by: .milliseconds(2)))
    #expect(rings.count == 1)
  }

  @Test(arguments: TimelineFixture.allCases)
  func toleranceDelaysButKeepsTheOrder(_ fixture: TimelineFixture) async {
    let stage = fixture.make()
    let rings = Recorder<(number: Int, early: Bool)>()
    let start = stage.later(2)
    let alarms = (0..<20).map { number in
      DeadlineTimer(tolerance: .milliseconds(number % 3 * 4), on: stage.timeline, queue: stage.queue) {
        rings.append((number, stage.timeline.now < $1))
      }
    }
    stage.held {
      for (number, alarm) in alarms.enumerated() {
        alarm.schedule(at: start.advanced(by: .microseconds(300 * number)))
      }
    }
    await stage.pass(until: start.advanced(by: .milliseconds(30)))
    #expect(rings.all.map(\.number) == Array(0..<20))
    #expect(!rings.all.contains { $0.early })
    withExtendedLifetime(alarms) {}
  }
}
