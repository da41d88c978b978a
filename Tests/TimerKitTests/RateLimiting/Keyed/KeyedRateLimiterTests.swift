import Fuzzing
import Synchronization
import Testing

@testable import TimerKit

@Suite struct KeyedRateLimiterTests {
  let clock = VirtualClock()

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
    let single = try (0..<5).map { _ in
      try RateLimiter(limit: 4, per: .seconds(1), burst: 3, clock: .virtual(clock))
    }
    for _ in 0..<500 {
      let key = Int.random(in: 0..<5, using: &random)
      let count = Int.random(in: 1...4, using: &random)
      #expect(keyed.available(for: key) == single[key].available)
      #expect(keyed.tryAcquire(count, for: key) == single[key].tryAcquire(count))
      if random.below(20) == 0 {
        keyed.reset(for: key)
        single[key].reset()
      }
      clock.advance(by: .milliseconds(Int64.random(in: 0...700, using: &random)))
    }
  }

  @Test func theMemoryIsBounded() throws {
    let limiter = try KeyedRateLimiter<Int>(
      limit: 1, per: .seconds(1), keyLimit: 100, clock: .virtual(clock))
    for key in 0..<100 { #expect(limiter.tryAcquire(for: key) == .acquired) }
    #expect(limiter.tryAcquire(for: 100) == .noRoom(retryAfter: .seconds(2)))
    #expect(limiter.keyCount == 100 && limiter.available(for: 100) == 0)
    clock.advance(by: .seconds(1))
    #expect(limiter.tryAcquire(for: 0) == .acquired)
    // The other keys are removed then.
    #expect(limiter.tryAcquire(for: 100) == .noRoom(retryAfter: .seconds(1)))
    clock.advance(by: .seconds(1))
    #expect(limiter.tryAcquire(for: 100) == .acquired && limiter.keyCount <= 2)
  }

  /// Others that are refused meanwhile take nothing, and change nothing.
  @Test(arguments: 1...40) func aNewKeyIsAdmittedWhenItsRefusalSays(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let limiter = try KeyedRateLimiter<Int>(
      limit: 5, per: .seconds(1), burst: 1 + random.below(5), keyLimit: 50, clock: .virtual(clock))
    var key = 0
    repeat {
      clock.advance(by: .milliseconds(Int64(random.below(4))))
      key += 1
    } while limiter.tryAcquire(for: key) == .acquired
    var waited = Duration.zero
    guard case .noRoom(let wait) = limiter.tryAcquire(for: -1) else {
      Issue.record("acquired")
      return
    }
    while waited < wait {
      let step = min(wait - waited, .milliseconds(1 + random.below(300)))
      clock.advance(by: step)
      waited += step
      if waited < wait, random.below(2) == 0 {
        guard case .noRoom(let left) = limiter.tryAcquire(for: -2) else { return }
        #expect(left <= wait - waited)
      }
    }
    #expect(limiter.tryAcquire(for: -1) == .acquired)
  }

  @Test func aWaitingCallIsServedInItsTurn() async throws {
    let limiter = try KeyedRateLimiter<String>(
      limit: 10, per: .seconds(1), burst: 1, clock: .virtual(clock))
    let clock = clock
    let times = try await clock.run {
      #expect(limiter.tryAcquire(for: "a") == .acquired)
      async let first = acquire(1, "a", limiter)
      async let other = acquire(1, "b", limiter)
      await clock.advance(by: .zero)
      async let many = acquire(30, "a", limiter)
      await clock.advance(by: .zero)
      // Nothing overtakes them, also after the time in which a bucket fills.
      #expect(limiter.tryAcquire(for: "a") == .refused(retryAfter: .milliseconds(3_200)))
      await clock.advance(by: .seconds(2))
      #expect(limiter.tryAcquire(for: "a") == .refused(retryAfter: .milliseconds(1_200)))
      #expect(limiter.available(for: "a") == 0 && limiter.available(for: "b") == 1)
      await clock.advance(by: .seconds(3))
      return try await [first, other, many]
    }
    #expect(times == [100, 0, 3_100])
    #expect(limiter.tryAcquire(for: "c") == .acquired && limiter.keyCount == 1)
  }

  /// Takes permits, and returns the milliseconds at which they were there.
  private func acquire(
    _ count: Int, _ key: String, _ limiter: KeyedRateLimiter<String>
  ) async throws -> Int64 {
    try await limiter.acquire(count, for: key)
    return clock.now.nanoseconds / 1_000_000
  }

  @Test func aCancelledCallGivesItsPermitsBack() async throws {
    let limiter = try KeyedRateLimiter<String>(
      limit: 10, per: .seconds(1), burst: 1, clock: .virtual(clock))
    #expect(limiter.tryAcquire(for: "a") == .acquired)
    let first = Task { try await limiter.acquire(5, for: "a") }
    await clock.waitForSleepingTasks(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(limiter.tryAcquire(for: "a") == .refused(retryAfter: .milliseconds(100)))
    // Those of a call before another one are lost.
    let second = Task { try await limiter.acquire(for: "a") }
    await clock.waitForSleepingTasks(1)
    let third = Task { try await limiter.acquire(for: "a") }
    await clock.waitForSleepingTasks(2)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(limiter.tryAcquire(for: "a") == .refused(retryAfter: .milliseconds(300)))
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(limiter.tryAcquire(for: "a") == .refused(retryAfter: .milliseconds(200)))
  }

  @Test func aNewKeyWaitsForRoom() async throws {
    let clock = clock
    let limiter = try KeyedRateLimiter<String>(
      limit: 1, per: .seconds(1), keyLimit: 1, clock: .virtual(clock))
    let times = try await clock.run {
      #expect(limiter.tryAcquire(for: "a") == .acquired)
      async let time = acquire(1, "b", limiter)
      await clock.advance(by: .seconds(9))
      return try await [time]
    }
    #expect(times == [2_000])
  }

  /// Permits that tasks have taken in advance outlast the generations, and the key makes room when its bucket is full.
  @Test(arguments: [1, 2, 5, 30]) func anOverdrawnBucketKeepsItsKey(_ count: Int) async throws {
    let clock = clock
    let limiter = try KeyedRateLimiter<String>(
      limit: 10, per: .seconds(1), burst: 2, keyLimit: 1, clock: .virtual(clock))
    #expect(limiter.tryAcquire(2, for: "a") == .acquired)
    let task = Task { try await limiter.acquire(count, for: "a") }
    await clock.waitForSleepingTasks(1)
    for step in 0..<count {
      let left = Duration.milliseconds(100 * (count + 1 - step))
      #expect(limiter.tryAcquire(for: "a") == .refused(retryAfter: left))
      #expect(limiter.keyCount == 1)
      clock.move(by: .milliseconds(100))
    }
    try await task.value
    guard case .noRoom(let wait) = limiter.tryAcquire(for: "b") else {
      Issue.record("there is room")
      return
    }
    clock.move(by: wait)
    #expect(limiter.tryAcquire(for: "b") == .acquired && limiter.keyCount == 1)
  }

  @Test func aNewKeyGetsTheRoomOfAnOverdrawnBucket() async throws {
    let clock = clock
    let limiter = try KeyedRateLimiter<String>(
      limit: 10, per: .seconds(1), burst: 1, keyLimit: 1, clock: .virtual(clock))
    let task = Task { try await limiter.acquire(40, for: "a") }
    await clock.waitForSleepingTasks(1)
    guard case .noRoom(let wait) = limiter.tryAcquire(for: "b") else {
      Issue.record("there is room")
      return
    }
    #expect(wait >= .seconds(4))
    clock.move(by: wait)
    #expect(limiter.tryAcquire(for: "b") == .acquired && limiter.keyCount == 1)
    try await task.value
  }

  // MARK: - Many keys

  private struct Key: Hashable, Sendable {
    let number: Int
    let object: Counted

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// An object that calls a closure when it is destroyed.
  private final class Counted: Sendable {
    let onDestroy: @Sendable () -> Void
    init(_ onDestroy: @escaping @Sendable () -> Void) { self.onDestroy = onDestroy }
    deinit { onDestroy() }
  }

  /// While the keys of a generation are destroyed, calls go on. Here they are not destroyed before a call has returned.
  @Test(arguments: [10, 5_000]) func keysAreDestroyedOutsideTheMutex(_ count: Int) async throws {
    let limiter = try KeyedRateLimiter<Key>(
      limit: 1, per: .seconds(1), clock: .virtual(clock))
    let (destructions, destroyed) = AsyncStream.makeStream(of: Bool.self)
    let unused = Counted {}
    for number in 0..<count {
      // It needs the mutex of the limiter.
      let object = Counted { [weak limiter] in
        destroyed.yield(limiter.map { $0.keyCount <= 1 } ?? true)
      }
      #expect(limiter.tryAcquire(for: Key(number: number, object: object)) == .acquired)
    }
    clock.move(by: .seconds(3))
    #expect(limiter.tryAcquire(for: Key(number: -1, object: unused)) == .acquired)
    #expect(limiter.keyCount == 1)
    var left = count
    for await isRemoved in destructions {
      #expect(isRemoved)
      left -= 1
      if left == 0 { break }
    }
  }
}
