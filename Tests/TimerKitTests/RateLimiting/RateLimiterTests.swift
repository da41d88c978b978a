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
    #expect(limiter.tryAcquire(4) == .refused(retryAfter: .milliseconds(100)))
    #expect(limiter.available == 3)
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
  }

  /// No number overflows.
  @Test(arguments: [1, 2, Int.max]) func extremeCountsSaturate(_ count: Int) throws {
    let limiter = try RateLimiter(
      limit: 1, per: .nanoseconds(Int64.max), burst: count, clock: .virtual(clock))
    #expect(limiter.tryAcquire() == .acquired)
    _ = limiter.tryAcquire(count)
    _ = limiter.tryAcquire(0)
    _ = limiter.tryAcquire(-1)
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

  @Test func keysAreSeparate() throws {
    let limiter = try KeyedRateLimiter<Int>(
      limit: 10, per: .seconds(1), burst: 1, clock: .virtual(clock))
    #expect(limiter.tryAcquire(for: 1) == .acquired && limiter.tryAcquire(for: 2) == .acquired)
    #expect(limiter.tryAcquire(for: 1) == .refused(retryAfter: .milliseconds(100)))
    clock.advance(by: .milliseconds(100))
    #expect(limiter.tryAcquire(for: 1) == .acquired)
  }

  /// A keyed limiter behaves as one limiter for each key, also when its generations change.
  @Test(arguments: 1...20) func equalsALimiterForEachKey(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let keyed = try KeyedRateLimiter<Int>(
      limit: 4, per: .seconds(1), burst: 3, clock: .virtual(clock))
    let single = try (0..<5).map { _ in try limiter(4, burst: 3) }
    for _ in 0..<500 {
      let key = Int.random(in: 0..<5, using: &random)
      let count = Int.random(in: 1...4, using: &random)
      #expect(keyed.tryAcquire(count, for: key) == single[key].tryAcquire(count))
      clock.advance(by: .milliseconds(Int64.random(in: 0...700, using: &random)))
    }
  }

  @Test func theMemoryIsBounded() throws {
    let limiter = try KeyedRateLimiter<Int>(
      limit: 1, per: .seconds(1), keyLimit: 100, clock: .virtual(clock))
    for key in 0..<100 { #expect(limiter.tryAcquire(for: key) == .acquired) }
    #expect(limiter.tryAcquire(for: 100) == .refused(retryAfter: .seconds(1)))
    #expect(limiter.keyCount == 100)
    clock.advance(by: .seconds(1))
    #expect(limiter.tryAcquire(for: 0) == .acquired)
    clock.advance(by: .seconds(1))
    #expect(limiter.tryAcquire(for: 100) == .acquired && limiter.keyCount <= 2)
  }
}

@Suite struct RetryTests {
  private struct Failure: Error, Equatable { var attempt: Int }

  let clock = VirtualClock()

  private func retry(
    _ retries: Int, within limit: Duration? = nil, succeedingAt success: Int,
    onlyIf isWorthRetrying: (any Error) -> Bool = { _ in true }
  ) async throws -> Int {
    try await withRetry(
      Backoff(from: .seconds(1), jitter: .off, retries: retries), within: limit,
      clock: .virtual(.immediate()), onlyIf: isWorthRetrying
    ) { attempt in
      guard attempt >= success else { throw Failure(attempt: attempt) }
      return attempt
    }
  }

  @Test func anOperationIsRepeatedUntilItSucceeds() async throws {
    #expect(try await retry(8, succeedingAt: 1) == 1)
    #expect(try await retry(8, succeedingAt: 5) == 5)
  }

  @Test func theLastErrorIsThrown() async throws {
    await #expect(throws: Failure(attempt: 4)) { try await retry(3, succeedingAt: 9) }
    // Delays of 1 and 2 s fit into 5 s, and the next one, of 4 s, does not.
    await #expect(throws: Failure(attempt: 3)) {
      try await retry(8, within: .seconds(5), succeedingAt: 9)
    }
    await #expect(throws: Failure(attempt: 2)) {
      try await retry(8, succeedingAt: 9) { ($0 as? Failure)?.attempt != 2 }
    }
  }

  @Test func cancellationEndsTheWait() async throws {
    let clock = clock
    let task = Task {
      try await withRetry(Backoff(from: .seconds(1)), clock: .virtual(clock)) { attempt in
        throw Failure(attempt: attempt)
      }
    }
    await clock.waitForSleepingTasks(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

private func wait(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}
