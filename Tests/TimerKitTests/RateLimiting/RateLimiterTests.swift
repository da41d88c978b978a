import Fuzzing
import Testing

@testable import TimerKit

@Suite struct RateLimiterTests {
  let clock = VirtualClock()

  private func limiter(_ limit: Int, burst: Int? = nil) throws -> RateLimiter {
    try RateLimiter(limit: limit, per: .seconds(1), burst: burst, clock: .virtual(clock))
  }

  @Test func aBucketEmptiesAndFills() throws {
    let limiter = try limiter(10, burst: 3)
    #expect(limiter.available == 3)
    #expect(limiter.tryAcquire(2) == .acquired && limiter.tryAcquire() == .acquired)
    #expect(limiter.tryAcquire() == .refused(retryAfter: .milliseconds(100)))
    #expect(limiter.available == 0)
    clock.advance(by: .milliseconds(99))
    #expect(limiter.tryAcquire() == .refused(retryAfter: .milliseconds(1)))
    clock.advance(by: .milliseconds(1))
    #expect(limiter.available == 1 && limiter.tryAcquire() == .acquired)
    clock.advance(by: .seconds(60))
    #expect(limiter.available == 3)
    // No wait helps.
    #expect(limiter.tryAcquire(4) == .invalid(.invalidPermits(4, maximum: 3)))
    #expect(limiter.available == 3)
  }

  /// Whoever waits as long as an outcome says is admitted then. Other outcomes do not depend on the time.
  @Test(arguments: 1...20) func aRefusalIsTrue(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let limiter = try limiter(1 + random.below(20), burst: 1 + random.below(9))
    let keyed = try KeyedRateLimiter<Int>(
      limit: limiter.limit, per: .seconds(1), burst: limiter.burst, keyLimit: 4,
      clock: .virtual(clock))
    for _ in 0..<400 {
      let count = random.below(limiter.burst + 4) - 2
      let key = random.below(8)
      for isKeyed in [false, true] {
        func take() -> RateLimiter.Outcome {
          isKeyed ? keyed.tryAcquire(count, for: key) : limiter.tryAcquire(count)
        }
        let before = isKeyed ? keyed.available(for: key) : limiter.available
        let outcome = take()
        switch outcome {
        case .acquired: #expect(count == 0 || before >= count)
        case .invalid: #expect(count < 0 || count > limiter.burst)
        case .refused(let wait), .noRoom(let wait):
          #expect(before < count && wait > .zero)
          clock.advance(by: wait - .nanoseconds(1))
          // An access of another one takes nothing.
          if !isKeyed { _ = take() } else { _ = keyed.available(for: key) }
          clock.advance(by: .nanoseconds(1))
          #expect(take() == .acquired)
        }
      }
      clock.advance(by: .milliseconds(Int64(random.below(400))))
    }
  }

  @Test func noPermitsAreAlwaysThere() async throws {
    let limiter = try limiter(10, burst: 2)
    let keyed = try KeyedRateLimiter<Int>(
      limit: 10, per: .seconds(1), burst: 2, keyLimit: 1, clock: .virtual(clock))
    _ = (limiter.tryAcquire(2), keyed.tryAcquire(2, for: 1))
    #expect(limiter.tryAcquire(0) == .acquired)
    #expect(keyed.tryAcquire(0, for: 1) == .acquired && keyed.tryAcquire(0, for: 2) == .acquired)
    try await limiter.acquire(0)
    try await keyed.acquire(0, for: 2)
    #expect(limiter.available == 0 && keyed.available(for: 1) == 0 && keyed.keyCount == 1)
  }

  @Test(arguments: [-1, Int.min]) func aNegativeNumberIsAnError(_ count: Int) async throws {
    let limiter = try limiter(10)
    let keyed = try KeyedRateLimiter<Int>(limit: 10, per: .seconds(1), clock: .virtual(clock))
    let error = TimerConfigurationError.invalidPermits(count, maximum: 10)
    #expect(limiter.tryAcquire(count) == .invalid(error))
    #expect(keyed.tryAcquire(count, for: 1) == .invalid(error))
    let negative = TimerConfigurationError.invalidPermits(count, maximum: nil)
    await #expect(throws: negative) { try await limiter.acquire(count) }
    await #expect(throws: negative) { try await keyed.acquire(count, for: 1) }
    #expect(limiter.available == 10 && keyed.available(for: 1) == 10)
  }

  @Test func theHeaderHasWholeSeconds() {
    let seconds = [
      (Duration.nanoseconds(1), 1), (.seconds(1), 1), (.milliseconds(1_001), 2), (.zero, 0),
      (.seconds(-3), 0), (.seconds(Int64.max), Int(Int64.max)),
    ]
    for (time, expected) in seconds {
      #expect(RateLimiter.Outcome.refused(retryAfter: time).retryAfterSeconds == expected)
      #expect(RateLimiter.Outcome.noRoom(retryAfter: time).retryAfterSeconds == expected)
    }
    #expect(RateLimiter.Outcome.acquired.retryAfterSeconds == nil)
    #expect(RateLimiter.Outcome.invalid(.wallClock).retryAfterSeconds == nil)
  }

  @Test func aResetFillsTheBucket() throws {
    let limiter = try limiter(10)
    _ = limiter.tryAcquire(9)
    limiter.reset()
    #expect(limiter.available == 10 && limiter.tryAcquire(10) == .acquired)
  }

  /// The reference counts every permit of each window that follows an empty bucket.
  @Test(arguments: [1, 3, 7, 1_000]) func noPeriodHasMorePermits(_ limit: Int) throws {
    let limiter = try limiter(limit, burst: 1)
    var taken: [Duration] = []
    for step in 0..<4_000 {
      if limiter.tryAcquire() == .acquired { taken.append(.milliseconds(step)) }
      clock.advance(by: .milliseconds(1))
    }
    for begin in taken {
      #expect(taken.count { $0 > begin && $0 <= begin + .seconds(1) } <= limit)
    }
    #expect(taken.count >= 3 * limit)
  }

  @Test func invalidValuesAreRefused() {
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .limit)) {
      try RateLimiter(limit: 0, per: .seconds(1))
    }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .burst)) {
      try RateLimiter(limit: 1, per: .seconds(1), burst: 0)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .period)) {
      try RateLimiter(limit: 1, per: .zero)
    }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .keyLimit)) {
      try KeyedRateLimiter<Int>(limit: 1, per: .seconds(1), keyLimit: 0)
    }
  }

  /// A wall clock that is set back would give no permits for the whole step.
  @Test func aWallClockIsRefused() {
    for clock in [TimerClock.wall, .virtual(VirtualClock(.wall))] {
      #expect(throws: TimerConfigurationError.wallClock) {
        try RateLimiter(limit: 1, per: .seconds(1), clock: clock)
      }
      #expect(throws: TimerConfigurationError.wallClock) {
        try KeyedRateLimiter<Int>(limit: 1, per: .seconds(1), clock: clock)
      }
    }
  }

  /// No number overflows.
  @Test(arguments: [1, 2, Int.max]) func extremeCountsSaturate(_ count: Int) throws {
    let limiter = try RateLimiter(
      limit: 1, per: .nanoseconds(Int64.max), burst: count, clock: .virtual(clock))
    #expect(limiter.tryAcquire() == .acquired)
    _ = limiter.tryAcquire(count)
    _ = limiter.tryAcquire(0)
    clock.advance(by: .nanoseconds(Int64.max / 2))
    #expect(limiter.available >= 0)
  }

  /// Waiting calls get their permits in order, and nothing overtakes them.
  @Test func waitingCallsAreServedInOrder() async throws {
    let limiter = try limiter(10, burst: 1)
    #expect(limiter.tryAcquire() == .acquired)
    let order = Recorder<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          try await limiter.acquire()
          order.append(number)
        }
        await clock.waitForSleepingTasks(number)
      }
      #expect(limiter.tryAcquire() == .refused(retryAfter: .milliseconds(400)))
      for count in 1...3 {
        await clock.advance(by: .milliseconds(100))
        await wait { order.all.count == count }
      }
      try await group.waitForAll()
    }
    #expect(order.all == [1, 2, 3])
  }

  @Test func aCancelledCallGivesItsPermitsBack() async throws {
    let limiter = try limiter(10, burst: 1)
    #expect(limiter.tryAcquire() == .acquired)
    let task = Task { try await limiter.acquire(5) }
    await clock.waitForSleepingTasks(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await clock.advance(by: .milliseconds(100))
    #expect(limiter.tryAcquire() == .acquired)
  }

  /// The later call keeps its time, and nothing overtakes it.
  @Test func aCancelledCallBeforeAnotherOneGivesNothingBack() async throws {
    let limiter = try limiter(10, burst: 1)
    #expect(limiter.tryAcquire() == .acquired)
    let first = Task { try await limiter.acquire() }
    await clock.waitForSleepingTasks(1)
    let second = Task { try await limiter.acquire() }
    await clock.waitForSleepingTasks(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(limiter.tryAcquire() == .refused(retryAfter: .milliseconds(300)))
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(limiter.tryAcquire() == .refused(retryAfter: .milliseconds(200)))
  }

  /// It takes longer than a clock can measure until the bucket is full.
  @Test(arguments: [(Duration.days(365), 300), (.seconds(Int64.max), 1), (.days(999_999), 5)])
  func aSlowBucketEmpties(_ period: Duration, _ burst: Int) throws {
    let limiter = try RateLimiter(limit: 1, per: period, burst: burst, clock: .virtual(clock))
    let keyed = try KeyedRateLimiter<Int>(
      limit: 1, per: period, burst: burst, clock: .virtual(clock))
    clock.advance(by: .seconds(1))
    for left in (0..<burst).reversed() {
      #expect(limiter.tryAcquire() == .acquired && keyed.tryAcquire(for: 1) == .acquired)
      #expect(limiter.available == left)
    }
    for outcome in [limiter.tryAcquire(), keyed.tryAcquire(for: 1)] {
      guard case .refused(let time) = outcome else {
        Issue.record("acquired")
        continue
      }
      #expect(time > .days(364))
    }
  }
}

private func wait(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
