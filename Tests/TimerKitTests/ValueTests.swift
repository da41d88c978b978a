import Testing

@testable import TimerKit

@Suite struct ValueTests {
  @Test func durationsOfLongerUnits() {
    #expect(Duration.minutes(3) == .seconds(180))
    #expect(Duration.hours(2) == .seconds(7_200))
    #expect(Duration.days(2) == .seconds(172_800))
  }

  @Test func nanosecondsAreRoundedToTheNearest() {
    // None of these is exact in binary.
    #expect(Duration.seconds(1.1).clampedNanoseconds == 1_100_000_000)
    #expect(Duration.seconds(0.3).clampedNanoseconds == 300_000_000)
    #expect(Duration.seconds(-1.1).clampedNanoseconds == -1_100_000_000)
    for tenths in 1...1_000 {
      let duration = Duration.seconds(Double(tenths) / 10)
      #expect(duration.clampedNanoseconds == Int64(tenths) * 100_000_000)
    }
    for (attoseconds, nanoseconds) in [(499_999_999, 0), (500_000_000, 1), (1_499_999_999, 1)] {
      let duration = Duration(secondsComponent: 0, attosecondsComponent: Int64(attoseconds))
      #expect(duration.clampedNanoseconds == nanoseconds)
      #expect((.zero - duration).clampedNanoseconds == -nanoseconds)
    }
    // What rounds to nothing is no interval, and may be a delay.
    let least = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(throws: TimerError.invalidInterval(least)) { try least.checkedInterval() }
    #expect(throws: Never.self) { try least.checkedDelay() }
  }

  @Test func nanosecondsAreClamped() {
    let least = Duration(secondsComponent: 0, attosecondsComponent: 1)
    #expect(Duration.zero.clampedNanoseconds == 0)
    #expect(Duration.microseconds(1.5).clampedNanoseconds == 1_500)
    #expect(
      Duration(secondsComponent: 1, attosecondsComponent: 1_000_000_001).clampedNanoseconds
        == 1_000_000_001)
    #expect(
      (Duration.nanoseconds(Int64.max) + .nanoseconds(1) - least).clampedNanoseconds == .max)
    #expect(Duration.seconds(-3).clampedNanoseconds == -3_000_000_000)
    #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).clampedNanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).clampedNanoseconds == .max)
  }

  @Test func instantsSaturate() {
    let now = TimelineInstant(nanoseconds: 5)
    let past = TimelineInstant(nanoseconds: -5)
    #expect(now.advanced(by: .seconds(Int64.max)) == .distantFuture)
    #expect(past.advanced(by: .seconds(Int64.min)).nanoseconds == .min)
    #expect(past.duration(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(now.duration(to: TimelineInstant(nanoseconds: .min)) == .nanoseconds(Int64.min))
    #expect(past < now)
  }

  @Test func errorsSayWhatIsWrong() {
    let errors: [TimerError] = [
      .cancelled, .invalidInterval(.zero), .invalidCount(0), .invalidTolerance(.seconds(-1)),
    ]
    #expect(
      errors.map(\.description) == [
        "the timer was cancelled and cannot be used again",
        "an interval must be longer than zero, not 0.0 seconds",
        "a count must be at least 1, not 0",
        "a tolerance cannot be negative, as -1.0 seconds is",
      ])
  }

  @Test func statesAreNamed() {
    #expect(Repeater.State.executing.description == "executing")
    for phase in Repeater.Phase.allCases {
      #expect(phase.shown(whileExecuting: false).rawValue == phase.rawValue)
      #expect(phase.shown(whileExecuting: true) == .executing)
    }
  }

  @Test func modesKnowTheirCount() {
    #expect(Repeater.Mode.once.count == 1)
    #expect(Repeater.Mode.finite(7).count == 7)
    #expect(Repeater.Mode.infinite.count == nil)
  }
}
