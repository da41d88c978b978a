import Fuzzing
import Testing

@testable import TimerKit

/// Time that passes without deliveries: one step is the same as many.
@Suite struct CatchUpTests {
  private struct Timer<Value: PausableTimerValue>: Sendable {
    var value: Value
    let clock: TimerClock
    let unit: Duration
    /// The time of a first advance, which leaves the rest of a burst undelivered.
    let lateness: Int
    /// All that the value shows.
    let text: @Sendable (Value) -> String
  }

  private func repeater(_ random: inout SplitMix) throws -> Timer<Repeater.Value> {
    var setup = RepeaterTwins.setup(&random)
    setup.configuration.jitter = nil
    if random.below(4) == 0, setup.configuration.schedule != nil {
      // A schedule that ends: with five times on one day.
      let date = WallSchedule.Days.date(year: 2026, month: 10, day: 25)
      setup.configuration.timing = .schedule(
        try WallSchedule(date, every: .minutes(20), from: (1, 0), through: (4, 0)))
    }
    let (kind, unit) = RepeaterTwins.clock(of: setup)
    return Timer(
      value: try Repeater.Value(setup.configuration, clock: TimerClock(kind)),
      clock: TimerClock(kind), unit: unit, lateness: random.below(60)
    ) { "\($0.snapshot)" }
  }

  private func cycle(_ random: inout SplitMix) throws -> Timer<Cycle.Value> {
    let setup = CycleTwins.setup(&random)
    return Timer(
      value: try Cycle.Value(setup.configuration, clock: TimerClock(setup.kind)),
      clock: TimerClock(setup.kind), unit: .nanoseconds(1), lateness: random.below(60)
    ) { "\($0.snapshot)" }
  }

  @Test func repeaters() {
    let failures = Fuzzing.failures(
      sequences: 2_000, steps: 1..<6, setup: { random in Result { try repeater(&random) } },
      step: { $0.below(40) }, failure: { timer, steps in fault(timer, steps) })
    #expect(failures == [])
  }

  @Test func cycles() {
    let failures = Fuzzing.failures(
      sequences: 1_000, steps: 1..<6, setup: { random in Result { try cycle(&random) } },
      step: { $0.below(40) }, failure: { timer, steps in fault(timer, steps) })
    #expect(failures == [])
  }

  private func fault<Value>(
    _ timer: Result<Timer<Value>, any Error>, _ steps: [Int]
  ) -> String? {
    do {
      let timer = try timer.get()
      // The last Sunday of October 2026 in Europe, before clocks are set back.
      var now = timer.clock.instant(nanoseconds: 1_792_800_000_000_000_000)
      var value = timer.value
      value.start(at: now)
      now += timer.unit * timer.lateness
      _ = value.advance(to: now)
      return fault(value, at: now, steps.map { timer.unit * $0 }, timer.text)
    } catch {
      return "\(error)"
    }
  }

  private func fault<Value: PausableTimerValue>(
    _ value: Value, at begin: TimerClock.Instant, _ steps: [Duration],
    _ text: (Value) -> String
  ) -> String? {
    let end = steps.reduce(begin) { $0 + $1 }
    var one = value
    let passed = one.catchUp(to: end)
    // Many steps.
    var many = value
    var now = begin
    var passedByMany = many.catchUp(to: now)
    for step in steps {
      now += step
      passedByMany += many.catchUp(to: now)
    }
    guard text(many) == text(one), passedByMany == passed else {
      return "in many steps \(passedByMany) \(text(many)), not \(passed) \(text(one))"
    }
    // From deadline to deadline, which ends at the end of the run.
    var single = value
    var last: TimerClock.Instant?
    single.catchUp(to: begin)
    while let next = single.deadline, next <= end {
      last = next
      single.catchUp(to: next)
    }
    if value.state == .running, single.state == .finished, let last, value.end(by: end) != last {
      return "end \(value.end(by: end) as Any), not \(last)"
    }
    if single.state == .running, value.end(by: end) != nil { return "ends, but still runs" }
    // Some of the deadlines are left, and then passed.
    for left in 0...passed + 1 {
      var some = value
      let first = some.catchUp(to: end, leaving: left)
      guard first == max(0, passed - left) else { return "\(first) passed, leaving \(left)" }
      if left > 0, passed > 0, some.state != .running { return "finished, leaving \(left)" }
      guard first + some.catchUp(to: end) == passed, text(some) == text(one) else {
        return "after leaving \(left): \(text(some)), not \(text(one))"
      }
    }
    return nil
  }
}
