import Testing

@testable import TimerKit

@Suite struct ValueTests {
  @Test func durationsHaveLongerUnits() {
    #expect(Duration.minutes(3) == .seconds(180))
    #expect(Duration.hours(2) == .seconds(7_200))
    #expect(Duration.days(2) == .seconds(172_800))
    #expect(Duration.minutes(1.5) == .seconds(90))
    #expect(Duration.hours(-0.25) == .seconds(-900))
    #expect(Duration.days(0.5) == .seconds(43_200))
    #expect(Duration.minutes(Int.max) == .seconds(Int64.max))
    #expect(Duration.hours(Int.min) == .seconds(Int64.min))
    #expect(Duration.days(UInt64.max) == .seconds(Int64.max))
  }

  /// No number ends the process, nor does a timer with such a duration.
  @Test(arguments: ["minutes", "hours", "days"])
  func fractionsAreClamped(_ name: String) throws {
    func unit(_ count: Double) -> Duration {
      switch name {
      case "minutes": .minutes(count)
      case "hours": .hours(count)
      default: .days(count)
      }
    }
    for huge in [1e300, .infinity, .greatestFiniteMagnitude, 0x1p63] {
      #expect(unit(huge) == .seconds(Int64.max) && unit(-huge) == .seconds(Int64.min))
      let timer = try Repeater.once(after: unit(huge), clock: .virtual(VirtualClock())) { _, _ in }
      #expect(timer.state == .running)
    }
    #expect(unit(.nan) == .zero && unit(-.nan) == .zero && unit(.signalingNaN) == .zero)
    #expect(unit(-0.0) == .zero && unit(.leastNonzeroMagnitude) == .zero)
    for exponent in 40..<70 {
      let number = Double(sign: .plus, exponent: exponent, significand: 1)
      #expect(unit(number) <= .seconds(Int64.max) && unit(number) > unit(1))
      #expect(unit(-number) >= .seconds(Int64.min))
    }
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
    // A value that rounds to zero is no valid interval, but a valid delay.
    let least = Duration(secondsComponent: 0, attosecondsComponent: 1)
    for parameter in TimerConfigurationError.DurationParameter.allCases {
      let error = TimerConfigurationError.invalidDuration(least, parameter: parameter)
      #expect((try? least.checked(parameter)) == (parameter.allowsZero ? 0 : nil))
      if !parameter.allowsZero { #expect(throws: error) { try least.checked(parameter) } }
    }
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
    let now = TimerClock.suspending.instant(nanoseconds: 5)
    let past = TimerClock.suspending.instant(nanoseconds: -5)
    let end = TimerClock.suspending.instant(nanoseconds: .max)
    #expect(now.advanced(by: .seconds(Int64.max)) == end)
    #expect(past.advanced(by: .seconds(Int64.min)).nanoseconds == .min)
    #expect(past.duration(to: end) == .nanoseconds(Int64.max))
    #expect(
      now.duration(to: TimerClock.suspending.instant(nanoseconds: .min)) == .nanoseconds(Int64.min))
    #expect(past < now)
  }

  @Test func configurationErrorsAreDescribed() {
    let errors: [TimerConfigurationError] = [
      .invalidFactor(0.5), .noPhases, .infiniteCountdown, .notWallClock(.continuous),
    ]
    #expect(
      errors.map(\.description) == [
        "invalid factor 0.5 (expected at least 1)",
        "no phases (expected at least one)",
        "infinite countdown (expected a finite number of steps)",
        "invalid clock 'continuous' for a schedule (expected wall)",
      ])
  }

  @Test func errorsNameTheParameterAndItsBound() {
    #expect(
      TimerConfigurationError.DurationParameter.allCases.map {
        TimerConfigurationError.invalidDuration(.seconds(-1), parameter: $0).description
      } == [
        "invalid interval -1.0 seconds (expected at least 1 ns)",
        "invalid one-shot interval -1.0 seconds (expected zero or more)",
        "invalid start delay -1.0 seconds (expected zero to 292 years)",
        "invalid jitter -1.0 seconds (expected zero or more)",
        "invalid throttle interval -1.0 seconds (expected zero or more)",
        "invalid delay -1.0 seconds (expected zero or more)",
        "invalid maximum wait -1.0 seconds (expected zero or more)",
        "invalid quiet time -1.0 seconds (expected zero or more)",
        "invalid tolerance -1.0 seconds (expected zero or more)",
        "invalid duration of a phase -1.0 seconds (expected at least 1 ns)",
        "invalid alarm time -1.0 seconds (expected at least 1 ns)",
        "invalid lifetime -1.0 seconds (expected at least 1 ns)",
        "invalid initial delay -1.0 seconds (expected at least 1 ns)",
        "invalid maximum delay -1.0 seconds (expected at least 1 ns)",
        "invalid period -1.0 seconds (expected at least 1 ns)",
      ])
    #expect(
      TimerConfigurationError.CountParameter.allCases.map {
        TimerConfigurationError.invalidCount($0.allowsZero ? -1 : 0, parameter: $0).description
      } == [
        "invalid count 0 (expected at least 1)",
        "invalid number of remaining iterations 0 (expected at least 1)",
        "invalid number of steps 0 (expected at least 1)",
        "invalid number of rounds 0 (expected at least 1)",
        "invalid burst limit 0 (expected at least 1)",
        "invalid number of retries -1 (expected 0 or more)",
        "invalid batch count 0 (expected at least 1)",
        "invalid limit of pending values 0 (expected at least 1)",
        "invalid limit 0 (expected at least 1)",
        "invalid burst 0 (expected at least 1)",
        "invalid limit of keys 0 (expected at least 1)",
      ])
  }

  @Test func otherErrorsAreDescribed() {
    let configurations: [TimerConfigurationError] = [
      .invalidPermits(6, maximum: 5), .invalidPermits(-1, maximum: nil), .wallClock,
      .initialDelayAboveMaximum(.seconds(5), maximum: .seconds(1)),
    ]
    #expect(
      configurations.map(\.description) == [
        "invalid number of permits 6 (expected 0 to 5)",
        "invalid number of permits -1 (expected 0 or more)",
        "invalid clock 'wall' for a rate limit (expected suspending or continuous)",
        "invalid initial delay 5.0 seconds (expected at most the maximum delay, 1.0 seconds)",
      ])
    let restoring: [RestoreError] = [
      .invalidState(.cancelled), .noOccurrence, .invalidElapsedTime(.seconds(-1)),
      .invalidPhaseIndex(5), .configuration(.noPhases),
    ]
    #expect(
      restoring.map(\.description) == [
        "invalid state 'cancelled'", "the schedule has no further occurrence",
        "invalid elapsed time -1.0 seconds (expected zero or more)", "invalid phase index 5",
        "no phases (expected at least one)",
      ])
    let schedules: [WallScheduleError] = [
      .invalidTime(hour: 24, minute: 0, second: 0), .invalidDate(year: 2027, month: 2, day: 29),
      .noWeekdays,
    ]
    #expect(
      schedules.map(\.description) == [
        "invalid time 24:0:0 (expected 0:00:00 to 23:59:59)",
        "invalid date 2027-2-29 (expected a date from 1678 to 2261)",
        "no days of the week (expected at least one)",
      ])
    let containers: [TimeLimitedError] = [
      .expired, .taken, .cancelled,
      .configuration(.invalidDuration(.zero, parameter: .lifetime)),
    ]
    #expect(
      containers.map(\.description) == [
        "the value has expired", "the value was taken", "the container was cancelled",
        "invalid lifetime 0.0 seconds (expected at least 1 ns)",
      ])
  }

  @Test func ticksAreDescribedInOneLine() {
    let deadline = TimerClock.suspending.instant(nanoseconds: 0)
    var tick = Repeater.Tick(iteration: 3, remainingIterations: nil, deadline: deadline)
    #expect(tick.description == "tick 3")
    tick.remainingIterations = 5
    tick.missedCount = 2
    tick.lateness = .milliseconds(200)
    #expect(tick.description == "tick 3, 5 left, 2 missed, 0.2 seconds late")
    tick.isManual = true
    #expect(tick.description.hasPrefix("manual tick 3, "))
    let (work, rest) = (Cycle.Phase("work", .seconds(1)), Cycle.Phase("rest", .seconds(1)))
    var change = Cycle.Tick(
      ended: .init(phase: work, index: 0, round: 2), begun: .init(phase: rest, index: 1, round: 2),
      remainingRounds: 1, deadline: deadline)
    #expect(change.description == "work → rest, round 2")
    change.begun = nil
    change.missedCount = 1
    change.lateness = .seconds(3)
    #expect(change.description == "work → end, round 2, 1 missed, 3.0 seconds late")
  }

  @Test func statesAreDescribed() {
    #expect(
      TimerState.allCases.map(\.description) == [
        "idle", "running", "paused", "finished", "cancelled",
      ])
    let states: [CallState] = [.idle, .pending, .cancelled]
    #expect(states.map(\.description) == ["idle", "pending", "cancelled"])
    let held: [TimeLimitedState] = [.holding, .expired, .taken, .cancelled]
    #expect(held.map(\.description) == ["holding", "expired", "taken", "cancelled"])
  }

  @Test func modesHaveTheirCount() {
    #expect(Repeater.Mode.once.count == 1)
    #expect(Repeater.Mode.finite(7).count == 7)
    #expect(Repeater.Mode.infinite.count == nil)
  }
}
