import Testing

@testable import TimerKit

/// The descriptions that logs print.
@Suite struct DescriptionTests {
  let clock = VirtualClock()

  @Test func eventsAreDescribed() throws {
    typealias Event = TimerEvent<CallState, Int>
    #expect("\(Event.state(from: .idle, to: .pending))" == "idle → pending")
    #expect("\(Event.delivery(7))" == "7")
    #expect("\(Event.stale(generation: 3))" == "stale fire of generation 3")
    let tick = Repeater.Tick(
      iteration: 3, remainingIterations: nil, deadline: clock.now)
    #expect("\(Repeater.Event.delivery(tick))" == "tick 3")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
    (1_798_788_600_250_000_000, "2027-01-01T07:30:00.25Z"),
    (951_782_400_000_000_001, "2000-02-29T00:00:00.000000001Z"),
    (.max, "2262-04-11T23:47:16.854775807Z"), (.min, "1677-09-21T00:12:43.145224192Z"),
  ])
  func wallInstantsAreDescribedInUTC(_ nanoseconds: Int64, _ text: String) {
    #expect("\(WallInstant(nanosecondsSince1970: nanoseconds))" == text)
  }

  @Test func clocksAreDescribed() {
    let clocks: [TimerClock] = [
      .suspending, .continuous, .wall, .virtual(clock), .virtual(VirtualClock(.wall)),
    ]
    #expect(
      clocks.map(\.description) == [
        "suspending", "continuous", "wall", "virtual suspending", "virtual wall",
      ])
  }

  @Test func schedulesAreDescribed() throws {
    let schedules = [
      try WallSchedule.at(year: 2027, month: 1, day: 9, hour: 7, minute: 5),
      try .daily(hour: 23, minute: 59, second: 58),
      try .weekdays([.friday, .monday], hour: 0),
    ]
    #expect(
      schedules.map(\.description) == [
        "2027-01-09 07:05:00", "every day 23:59:58", "Monday, Friday 00:00:00",
      ])
    let days: [WallSchedule.Weekdays] = [
      [], .all, .weekend, .mondayToFriday, WallSchedule.Weekdays(rawValue: 128),
      WallSchedule.Weekdays(rawValue: 255),
    ]
    #expect(
      days.map(\.description) == [
        "no days", "every day", "Saturday, Sunday",
        "Monday, Tuesday, Wednesday, Thursday, Friday", "no days", "every day",
      ])
  }

  @Test func settingsAreDescribed() {
    let modes: [Repeater.Mode] = [.once, .finite(5), .infinite]
    #expect(modes.map(\.description) == ["once", "5 times", "infinite"])
    let policies: [Repeater.MissedTicks] = [.skip, .delay, .burst(limit: 3)]
    #expect(policies.map(\.description) == ["skip", "delay", "burst of at most 3"])
  }

  @Test func deliveriesAndCountsAreDescribed() {
    let lap = Stopwatch.Lap(number: 2, time: .seconds(1.5), total: .seconds(4))
    #expect("\(lap)" == "lap 2, 1.5 seconds, 4.0 seconds in total")
    var run = BackgroundRun(
      callCount: 1, generation: 0, deadline: clock.now, lateness: .zero)
    #expect("\(run)" == "run for 1 call")
    run.callCount = 3
    run.lateness = .milliseconds(200)
    #expect("\(run)" == "run for 3 calls, 0.2 seconds late")
    var snapshot = CallSnapshot(
      state: .pending, pendingCount: 1, callCount: 5, deliveredCount: 2, staleCount: 0,
      deadline: nil)
    #expect("\(snapshot)" == "pending, 5 calls: 2 delivered, 1 pending, 2 dropped")
    snapshot.discardedCount = 1
    #expect("\(snapshot)" == "pending, 5 calls: 2 delivered (1 discarded), 1 pending, 2 dropped")
    snapshot.isExecuting = true
    #expect("\(snapshot)".hasPrefix("pending, executing, 5 calls: "))
  }

  @Test func timersAreDescribedWithTheirStates() throws {
    let virtual = TimerClock.virtual(clock)
    let repeater = try Repeater.every(.seconds(1), clock: virtual) { _, _ in }
    #expect("\(repeater)" == "Repeater (running)")
    repeater.cancel()
    #expect("\(repeater)" == "Repeater (cancelled)")
    let debouncer = try Debouncer<Int>(delay: .seconds(1), clock: virtual)
    #expect("\(debouncer)" == "Debouncer<Int> (idle)")
    let timers: [any ObservableTimer] = [
      Stopwatch(clock: virtual), try TimeLimited(7, for: .seconds(1), clock: virtual),
    ]
    #expect(timers.map { "\($0)" } == ["Stopwatch (idle)", "TimeLimited<Int> (holding)"])
    let deadline = DeadlineTimer(clock: virtual) { _, _ in }
    #expect("\(deadline)" == "DeadlineTimer (no deadline)")
    deadline.schedule(at: clock.now.advanced(by: .seconds(12.5)))
    #expect("\(deadline)" == "DeadlineTimer (suspending 12.5 seconds)")
    deadline.cancel()
    #expect("\(deadline)" == "DeadlineTimer (cancelled)")
  }
}
