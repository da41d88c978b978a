import Testing

@testable import TimerKit

@Suite struct WakePlanTests {
  typealias Schedule = WakePlan.Schedule
  let second: Int64 = 1_000_000_000

  @Test func onlyAnEarlierAlarmReschedulesTheSource() {
    var plan = WakePlan()
    #expect(plan.schedule(by: 100) == Schedule(at: 100, interval: 0))
    #expect(plan.schedule(by: 100) == nil)
    #expect(plan.schedule(by: 200) == nil)
    #expect(plan.schedule(by: 50) == Schedule(at: 50, interval: 0))
    #expect(plan.schedule(by: -50) == Schedule(at: 0, interval: 0))
  }

  /// A one-shot source that has fired is not set: to assume otherwise would lose the next wake.
  @Test func aFiredSourceIsSetAgain() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    #expect(plan.schedule(within: nil, now: second) == nil)
    #expect(plan.schedule(by: second * 2) == Schedule(at: second * 2, interval: 0))
  }

  /// Rescheduling must not clear a pending fire: the due alarm would wait for the new time.
  @Test func aPendingFireIsNotRescheduled() {
    var plan = WakePlan()
    _ = plan.schedule(by: 100)
    #expect(plan.schedule(by: second) == nil)
  }

  @Test func aSteadyGapIsScheduledOnce() {
    var plan = WakePlan()
    var schedules: [Schedule] = []
    func append(_ schedule: Schedule?) { if let schedule { schedules.append(schedule) } }
    append(plan.schedule(by: second))
    for tick in 1...100 {
      let next = Int64(tick + 1) * second
      append(plan.schedule(within: (next, next), now: Int64(tick) * second + 60_000))
    }
    #expect(
      schedules == [Schedule(at: second, interval: 0), Schedule(at: 2 * second, interval: second)])
  }

  @Test func aRepeatingSourceStopsWhenNoAlarmIsSet() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    _ = plan.schedule(within: (2 * second, 2 * second), now: second)
    #expect(plan.schedule(within: nil, now: 2 * second) == Schedule(at: .max, interval: 0))
    #expect(plan.schedule(within: nil, now: 3 * second) == nil)
  }

  /// Late by several intervals: the next fire is at the next multiple of the interval.
  @Test func aLateRepeatingSourceKeepsItsInterval() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    _ = plan.schedule(within: (2 * second, 2 * second), now: second)
    #expect(plan.schedule(within: (6 * second, 6 * second), now: 5 * second + 1) == nil)
    #expect(
      plan.schedule(within: (8 * second, 8 * second), now: 6 * second)
        == Schedule(at: 8 * second, interval: 2 * second))
  }

  @Test func aFireWithinTheToleranceIsNotRescheduled() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    _ = plan.schedule(within: (2 * second, 2 * second), now: second)
    #expect(plan.schedule(within: (2 * second + 1, 4 * second), now: 2 * second) == nil)
    #expect(plan.schedule(within: (4 * second + 1, 5 * second), now: 3 * second) != nil)
  }

  @Test func denseDeadlinesShareAWake() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    #expect(
      plan.schedule(within: (second + 10, second + 10), now: second)
        == Schedule(at: second + WakePlan.coalescingWindow, interval: WakePlan.coalescingWindow))
    #expect(plan.schedule(within: (second + 60_000, second + 60_000), now: second + 50_000) == nil)
  }

  @Test func neverIsNotARepeatingInterval() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    #expect(plan.schedule(within: (second * 2, .max), now: second) == nil)
    #expect(plan.next == Schedule(at: .max, interval: 0))
    _ = plan.schedule(by: second * 3)
    _ = plan.schedule(within: (second * 4, second * 4), now: second * 3)
    #expect(
      plan.schedule(within: (second * 9, .max), now: second * 4)
        == Schedule(at: .max, interval: 0))
  }

  /// The alarm after the next one sets no interval if it shares the wake-up, or may never come.
  @Test(arguments: [(0, false), (50_000, false), (50_001, true), (.max, false)])
  func onlyALaterFireIsScheduledWithTheNext(after gap: Int64, isScheduled: Bool) {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    let next = 3 * second
    let schedule = plan.schedule(
      within: (next, next), following: next.addingSaturated(gap), now: second)
    #expect(schedule == Schedule(at: next, interval: isScheduled ? gap : 2 * second))
  }

  /// With a tolerance, the wake-up after the next one depends on more alarms.
  @Test func anAlarmWithAToleranceIsScheduledAlone() {
    var plan = WakePlan()
    _ = plan.schedule(by: second)
    let schedule = plan.schedule(
      within: (2 * second, 3 * second), following: 7 * second, now: second)
    #expect(schedule == Schedule(at: 3 * second, interval: 2 * second))
  }

  /// A source that has not fired repeats nothing.
  @Test func anEarlierAlarmSetsNoInterval() {
    var plan = WakePlan()
    _ = plan.schedule(by: 5 * second)
    #expect(
      plan.schedule(within: (2 * second, 2 * second), following: 3 * second, now: second)
        == Schedule(at: 2 * second, interval: 0))
    #expect(plan.schedule(within: nil, now: second) == Schedule(at: .max, interval: 0))
  }

  /// A hundred timers at 1 Hz, spread over the second, each with a tolerance of half a second.
  @Test func toleranceMakesTimersShareWakes() {
    var table = AlarmTable()
    var plan = WakePlan()
    let target = Silent()
    var slots: [UInt32: Int64] = [:]
    for number in 0..<100 {
      let slot = table.register(target, tolerance: second / 2)
      let deadline = Int64(number) * second / 100 + second
      _ = table.arm(slot, creationNumber: UInt64(slot), at: deadline)
      slots[slot] = deadline
    }
    _ = table.nextWake().map { plan.schedule(by: $0.latest) }
    var (wakes, schedules) = (0, 0)
    while plan.next.at < 11 * second {
      let now = plan.next.at
      wakes += 1
      var late: Int64 = 0
      for (slot, deadline) in slots where deadline <= now {
        late = max(late, now - deadline)
        slots[slot] = deadline + second
      }
      while table.takeDue(through: now) != nil {}
      for (slot, deadline) in slots {
        _ = table.arm(slot, creationNumber: UInt64(slot), at: deadline)
      }
      #expect(late <= second / 2)
      let bounds = table.nextWake()
      if plan.schedule(within: bounds, following: table.followingTime, now: now) != nil {
        schedules += 1
      }
    }
    #expect(wakes <= 21)
    #expect(schedules <= 2)
  }

  /// Of timers that fire one by one, the source is scheduled for two at a time.
  @Test func everyOtherFireReschedulesTheSource() {
    let (wakes, schedules) = run(intervals: [1_000_000_000, 700_000_000, 450_000_000, 310_000_000])
    #expect(wakes > 700)
    #expect(schedules <= wakes * 11 / 20)
  }

  /// A timeout far ahead is not the next fire of a timer that repeats.
  @Test func aSteadyGapIsKeptBesideALaterAlarm() {
    let (wakes, schedules) = run(intervals: [1_000_000_000, 3_600_000_000_000])
    #expect(wakes == 100)
    #expect(schedules <= 4)
  }

  /// Runs timers for 100 seconds, with a wake-up at each fire of the source and 20 µs later.
  private func run(intervals: [Int64]) -> (wakes: Int, schedules: Int) {
    var table = AlarmTable()
    var plan = WakePlan()
    let target = Silent()
    var timers: [UInt32: (deadline: Int64, interval: Int64)] = [:]
    for interval in intervals {
      let slot = table.register(target, tolerance: 0)
      _ = table.arm(slot, creationNumber: UInt64(slot), at: interval)
      timers[slot] = (interval, interval)
    }
    _ = table.nextWake().map { plan.schedule(by: $0.latest) }
    var (wakes, schedules) = (0, 0)
    while plan.next.at <= 100 * second {
      let now = plan.next.at + 20_000
      wakes += 1
      while table.takeDue(through: now) != nil {}
      for (slot, timer) in timers where timer.deadline <= now {
        #expect(now - timer.deadline <= WakePlan.coalescingWindow + 20_000)
        timers[slot]?.deadline += timer.interval
        _ = table.arm(
          slot, creationNumber: UInt64(slot), at: timer.deadline + timer.interval)
      }
      let bounds = table.nextWake()
      if plan.schedule(within: bounds, following: table.followingTime, now: now) != nil {
        schedules += 1
      }
    }
    return (wakes, schedules)
  }

  /// According to the clock the source has not fired; but it has, and would not fire again by
  /// itself.
  @Test func aFiredSourceIsSetAgainAfterAClockStepBack() {
    var plan = WakePlan()
    #expect(plan.schedule(by: 5 * second) == Schedule(at: 5 * second, interval: 0))
    plan.sourceFired()
    let again = plan.schedule(within: (5 * second, 5 * second), now: 2 * second)
    #expect(again == Schedule(at: 5 * second, interval: 0))
    // Nor does it keep a repeating interval that would be left unchanged.
    plan.sourceFired()
    let next = plan.schedule(within: (6 * second, 6 * second), now: 5 * second)
    #expect(next == Schedule(at: 6 * second, interval: 0))
  }

  private final class Silent: AlarmTarget {
    var timerDeadline: Int64? { nil }
    func handle(_ call: DriverCall, at now: Int64) {}
  }
}
