import Fuzzing
import Testing

@testable import TimerKit

@Suite struct BackoffTests {
  private static let jitters = BackoffJitter.allCases

  private func seeded(
    from initial: Duration = .milliseconds(100), factor: Double = 2,
    upTo maximum: Duration = .seconds(10), jitter: BackoffJitter, retries: Int? = nil,
    seed: UInt64 = 7
  ) throws -> Backoff<SplitMix> {
    try Backoff(
      from: initial, factor: factor, upTo: maximum, jitter: jitter, retries: retries,
      using: SplitMix(state: seed))
  }

  @Test func doublesUpToTheMaximumWithoutJitter() throws {
    let backoff = try Backoff(
      from: .milliseconds(100), upTo: .seconds(1), jitter: .off, retries: 6)
    #expect(Array(backoff) == [100, 200, 400, 800, 1_000, 1_000].map { .milliseconds($0) })
  }

  @Test func theFactorCanBeFractional() throws {
    let backoff = try Backoff(from: .nanoseconds(1), factor: 1.5, jitter: .off, retries: 7)
    #expect(Array(backoff) == [1, 1, 2, 3, 5, 7, 11].map { .nanoseconds($0) })
    let constant = try Backoff(from: .seconds(1), factor: 1, jitter: .off, retries: 3)
    #expect(Array(constant) == [.seconds(1), .seconds(1), .seconds(1)])
    let leap = try Backoff(from: .seconds(1), factor: .infinity, jitter: .off, retries: 3)
    #expect(Array(leap) == [.seconds(1), .seconds(60), .seconds(60)])
  }

  /// The default of the maximum is a minute.
  @Test func aFirstDelayAboveTheMaximumIsAnError() throws {
    for (initial, maximum) in [(Duration.seconds(5), Duration.seconds(1)), (.seconds(61), nil)] {
      let error = TimerConfigurationError.initialDelayAboveMaximum(
        initial, maximum: maximum ?? .minutes(1))
      for jitter in Self.jitters {
        #expect(throws: error) {
          _ =
            try maximum.map { try Backoff(from: initial, upTo: $0, jitter: jitter) }
            ?? Backoff(from: initial, jitter: jitter)
        }
      }
    }
    let equal = try Backoff(from: .seconds(1), upTo: .seconds(1), jitter: .off, retries: 2)
    #expect(Array(equal) == [.seconds(1), .seconds(1)])
  }

  @Test func fullJitterIsBetweenZeroAndTheExponential() throws {
    var sums: [Int64] = Array(repeating: 0, count: 10)
    for seed in 0..<2_000 {
      let backoff = try seeded(jitter: .full, retries: 10, seed: UInt64(seed))
      for (index, delay) in backoff.enumerated() {
        let bound = min(Duration.milliseconds(100 << index), .seconds(10))
        #expect(delay > .zero && delay <= bound)
        sums[index] += delay.clampedNanoseconds
      }
    }
    // Half of the bound on average: 100 ms, 200 ms … of 2,000 each.
    for (index, sum) in sums.enumerated() {
      let half = Double(min(100_000_000 << index, 10_000_000_000)) / 2
      #expect(abs(Double(sum) / 2_000 - half) < half / 10)
    }
  }

  @Test func decorrelatedJitterIsAtMostThreeTimesThePrevious() throws {
    var reached = Set<Duration>()
    for seed in 0..<500 {
      let backoff = try seeded(jitter: .decorrelated, retries: 20, seed: UInt64(seed))
      var previous = Duration.milliseconds(100)
      for delay in backoff {
        #expect(delay >= .milliseconds(100) && delay <= min(previous * 3, .seconds(10)))
        previous = delay
        reached.insert(delay)
      }
    }
    #expect(reached.contains(.seconds(10)))
    #expect(reached.count > 5_000)
  }

  @Test(arguments: jitters)
  func theSameSeedGivesTheSameIntervals(jitter: BackoffJitter) throws {
    let first = Array(try seeded(jitter: jitter, retries: 50))
    #expect(first == Array(try seeded(jitter: jitter, retries: 50)))
    #expect(
      (first == Array(try seeded(jitter: jitter, retries: 50, seed: 8))) == (jitter == .off))
  }

  /// On every platform: neither the generator nor its use depends on the platform.
  @Test func aKnownSeedGivesKnownIntervals() throws {
    let full = try seeded(jitter: .full, retries: 3, seed: 42)
    #expect(full.map(\.clampedNanoseconds) == [74_156_488, 31_982_079, 111_440_453])
    let decorrelated = try seeded(jitter: .decorrelated, retries: 3, seed: 42)
    #expect(decorrelated.map(\.clampedNanoseconds) == [248_312_976, 203_132_437, 241_918_666])
  }

  @Test func resetRestartsTheGrowthAndKeepsTheGenerator() throws {
    var plain = try Backoff(from: .seconds(1), upTo: .seconds(9), jitter: .off, retries: 5)
    var yielded: [Duration?] = []
    for _ in 0..<3 { yielded.append(plain.next()) }
    #expect(plain.retryCount == 3)
    plain.reset()
    #expect(plain.retryCount == 0)
    for _ in 0..<6 { yielded.append(plain.next()) }
    #expect(yielded == [1, 2, 4, 1, 2, 4, 8, 9, nil].map { $0.map(Duration.seconds) })
    #expect(plain.retryCount == 5)

    for jitter in [BackoffJitter.full, .decorrelated] {
      var chance = try seeded(jitter: jitter)
      let first = (0..<4).map { _ in chance.next() }
      chance.reset()
      let second = (0..<4).map { _ in chance.next() }
      #expect(first != second)
      #expect(second.compactMap { $0 }.allSatisfy { $0 <= .milliseconds(2_700) })
    }
  }

  @Test func aSequenceContinuesFromTheCurrentInterval() throws {
    var backoff = try Backoff(from: .seconds(1), jitter: .off, retries: 4)
    _ = backoff.next()
    #expect(Array(backoff) == [.seconds(2), .seconds(4), .seconds(8)])
    #expect(Array(backoff.prefix(1)) == [.seconds(2)])
    #expect(backoff.retryCount == 1)
  }

  @Test(arguments: jitters)
  func noIntervalIsAboveTheMaximum(jitter: BackoffJitter) throws {
    let backoff = try seeded(
      from: .seconds(2), upTo: .seconds(2), jitter: jitter, retries: 20)
    for delay in backoff { #expect(delay > .zero && delay <= .seconds(2)) }
  }

  @Test(arguments: jitters)
  func nothingOverflows(jitter: BackoffJitter) throws {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    for factor in [1, 2, 1e300, .infinity, .greatestFiniteMagnitude] {
      for initial in [Duration.nanoseconds(1), .seconds(9_000_000_000), longest] {
        let backoff = try seeded(
          from: initial, factor: factor, upTo: longest, jitter: jitter, retries: 200)
        for delay in backoff { #expect(delay > .zero && delay <= .nanoseconds(Int64.max)) }
      }
    }
  }

  @Test func invalidInputThrowsATypedError() {
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .initialDelay)) {
      try Backoff(from: .zero)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .maximumDelay))
    {
      try Backoff(from: .seconds(1), upTo: .seconds(-1))
    }
    #expect(throws: TimerConfigurationError.invalidFactor(0.5)) {
      try Backoff(from: .seconds(1), factor: 0.5)
    }
    #expect(throws: (any Error).self) { try Backoff(from: .seconds(1), factor: .nan) }
    #expect(throws: TimerConfigurationError.invalidCount(-1, parameter: .retries)) {
      try Backoff(from: .seconds(1), retries: -1)
    }
    #expect(
      "\(TimerConfigurationError.invalidFactor(0.5))" == "invalid factor 0.5 (expected at least 1)")
  }
}
