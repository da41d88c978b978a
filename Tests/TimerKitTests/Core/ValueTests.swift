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
    let end = TimerClock.Instant(nanoseconds: .max)
    #expect(now.advanced(by: .seconds(Int64.max)) == end)
    #expect(past.advanced(by: .seconds(Int64.min)).nanoseconds == .min)
    #expect(past.duration(to: end) == .nanoseconds(Int64.max))
    #expect(now.duration(to: TimerClock.Instant(nanoseconds: .min)) == .nanoseconds(Int64.min))
    #expect(past < now)
  }

  @Test func errorsSayWhatIsWrong() {
    let errors: [TimerConfigurationError] = [
      .invalidInterval(.zero), .invalidDelay(.seconds(-1)), .invalidTolerance(.seconds(-1)),
      .invalidCount(0), .invalidFactor(0.5), .noPhases, .notWallClock(.continuous),
    ]
    #expect(
      errors.map(\.description) == [
        "invalid interval 0.0 seconds (expected more than zero)",
        "invalid delay -1.0 seconds (expected zero or more)",
        "invalid tolerance -1.0 seconds (expected zero or more)",
        "invalid count 0 (expected at least 1)",
        "invalid factor 0.5 (expected at least 1)",
        "no phases (expected at least one)",
        "invalid clock 'continuous' for a schedule (expected wall)",
      ])
  }

  @Test func statesAreNamed() {
    #expect(TimerState.executing.description == "executing")
    #expect(
      TimerState.allCases.map(\.description) == [
        "idle", "running", "executing", "paused", "finished", "cancelled",
      ])
  }

  @Test func modesKnowTheirCount() {
    #expect(Repeater.Mode.once.count == 1)
    #expect(Repeater.Mode.finite(7).count == 7)
    #expect(Repeater.Mode.infinite.count == nil)
  }
}
