import Testing

@testable import TimerKit

@Suite struct ValueTests {
  @Test func durationsOfLongerUnits() {
    #expect(Duration.minutes(3) == .seconds(180))
    #expect(Duration.hours(2) == .seconds(7_200))
    #expect(Duration.days(2) == .seconds(172_800))
  }

  @Test func nanosecondsAreClampedAndNeverRoundedToZero() {
    #expect(Duration.zero.clampedNanoseconds == 0)
    #expect(Duration.microseconds(1.5).clampedNanoseconds == 1_500)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 1).clampedNanoseconds == 1)
    #expect(
      Duration(secondsComponent: 1, attosecondsComponent: 1_000_000_001).clampedNanoseconds
        == 1_000_000_002)
    #expect(Duration.seconds(-3).clampedNanoseconds == -3_000_000_000)
    #expect(Duration.seconds(Int64.max).clampedNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).clampedNanoseconds == .min)
    #expect(Duration.nanoseconds(Int64.max).clampedNanoseconds == .max)
  }

  @Test func instantsSaturate() {
    let now = TimerClock.Instant(nanoseconds: 5)
    let past = TimerClock.Instant(nanoseconds: -5)
    #expect(now.advanced(by: .seconds(Int64.max)) == .distantFuture)
    #expect(past.advanced(by: .seconds(Int64.min)).nanoseconds == .min)
    #expect(past.duration(to: .distantFuture) == .nanoseconds(Int64.max))
    #expect(now.duration(to: TimerClock.Instant(nanoseconds: .min)) == .nanoseconds(Int64.min))
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
