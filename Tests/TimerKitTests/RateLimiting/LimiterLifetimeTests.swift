import Dispatch
import Testing

@testable import TimerKit

/// Limiters can be dropped in any state, from any thread, and leave nothing behind.
@Suite struct LimiterLifetimeTests {
  private final class Census: Sendable {
    let living = Guarded(0)
  }

  /// Lives in handlers and values; counted while it does.
  private final class Token: Sendable {
    let census: Census

    init(_ census: Census) {
      self.census = census
      census.living.withLock { $0 += 1 }
    }

    deinit { census.living.withLock { $0 -= 1 } }
  }

  /// What a limiter can be doing when it is dropped.
  private enum Situation: CaseIterable {
    case untouched
    case waiting
    case ready
    case dropped
    case cancelled
    case observed
  }

  private static func makeAll(
    _ queue: DispatchQueue, _ census: Census
  ) throws -> [any CallLimiter<Token>] {
    let delay = Duration.microseconds(20)
    let token = Token(census)
    let edges = try DebounceEdges.allCases.map { edges in
      try Debouncer<Token>(delay: delay, edges: edges, queue: queue) { _, _ in
        withExtendedLifetime(token) {}
      }
    }
    let modes = try [ThrottleMode.fixed, .fixed(immediateFire: false), .deferred].map { mode in
      try Throttler<Token>(interval: delay, mode: mode, queue: queue) { _, _ in
        withExtendedLifetime(token) {}
      }
    }
    return edges + modes
  }

  private static func bring(
    _ limiter: any CallLimiter<Token>, to situation: Situation, _ census: Census
  ) {
    guard situation != .untouched else { return }
    if situation == .observed { _ = limiter.events() }
    for _ in 0..<3 { limiter.call(Token(census)) }
    if situation == .ready { limiter.flush() }
    if situation == .dropped { limiter.cancelPending() }
    if situation == .cancelled { limiter.cancel() }
  }

  @Test func droppedInEverySituationOnAnyThread() async throws {
    let queue = DispatchQueue(label: "dropped")
    let census = Census()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<60 {
        let situation = Situation.allCases[(thread + round) % Situation.allCases.count]
        guard let limiters = try? Self.makeAll(queue, census) else { return }
        for limiter in limiters { Self.bring(limiter, to: situation, census) }
        let keyed = try? KeyedDebouncer<Int, Token>(
          delay: .microseconds(20), edges: .both, queue: queue
        ) { _, _, _ in }
        for key in 0..<5 { keyed?.call(Token(census), for: key % 3) }
      }
    }
    queue.sync {}
    #expect(census.living.withLock { $0 } == 0)
  }

  @Test func droppedInsideItsOwnHandler() throws {
    let clock = VirtualClock()
    let deliverer = Guarded<(any CallLimiter<Int>)?>(nil)
    let calls = Recorder<Int>()
    @Sendable func drop(_ value: Int) {
      calls.append(value)
      let dropped = deliverer.withLock { $0.take() }
      withExtendedLifetime(dropped) {}
    }
    let makers: [() throws -> any CallLimiter<Int>] = [
      { try Debouncer(delay: .seconds(1), edges: .both, clock: .virtual(clock)) { drop($1) } },
      { try Debouncer(delay: .seconds(1), clock: .virtual(clock)) { drop($1) } },
      { try Throttler(interval: .seconds(1), clock: .virtual(clock)) { drop($1) } },
      {
        try Throttler(interval: .seconds(1), mode: .deferred, clock: .virtual(clock)) { drop($1) }
      },
    ]
    for (index, make) in makers.enumerated() {
      weak var gone: (any CallLimiter<Int>)?
      do {
        let limiter = try make()
        gone = limiter
        deliverer.withLock { $0 = limiter }
        limiter.call(index)
        limiter.call(-1)
      }
      clock.advance(by: .seconds(3))
      #expect(gone == nil)
    }
    // What was pending went with it: of each, only the first delivery.
    #expect(calls.all == [0, -1, 2, -1])
  }

  @Test func theDriversTableIsEmptyWhenLimitersAreGone() throws {
    let clock = VirtualClock()
    for _ in 0..<10 {
      let limiters = try (0..<1_000).map { number in
        try Debouncer<Int>(delay: .seconds(1 + number), edges: .both, clock: .virtual(clock)) {
          _, _ in
        }
      }
      for limiter in limiters {
        for value in 0..<3 { limiter.call(value) }
      }
      for limiter in limiters.prefix(300) { limiter.cancelPending() }
      for limiter in limiters.prefix(600).suffix(300) { limiter.cancel() }
    }
    let usage = clock.driver.usage
    #expect(usage.slots == usage.freeSlots)
    #expect(usage.entries <= 130)
  }

  /// However many calls: one value at most is kept for each, and one alarm.
  @Test func callsLeaveNoGrowth() throws {
    let clock = VirtualClock()
    let debouncer = try Debouncer<Token>(delay: .seconds(60), clock: .virtual(clock)) { _, _ in }
    let throttler = try Throttler<Token>(interval: .seconds(60), clock: .virtual(clock)) { _, _ in }
    let keyed = try KeyedThrottler<Int, Token>(interval: .seconds(60), clock: .virtual(clock)) {
      _, _, _ in
    }
    let census = Census()
    for round in 0..<20_000 {
      debouncer.call(Token(census))
      throttler.call(Token(census))
      keyed.call(Token(census), for: round % 4)
      if round % 100 == 0 { debouncer.cancelPending() }
      #expect(census.living.withLock { $0 } <= 1 + 1 + 4)
    }
    #expect(keyed.keyCount == 4)
    let usage = clock.driver.usage
    #expect(usage.slots - usage.freeSlots == 3)
    #expect(usage.entries <= 130)
  }

  @Test func tenThousandMadeAndDroppedLeaveNothing() throws {
    let queue = DispatchQueue(label: "growth")
    let census = Census()
    // The driver of the queue goes with its last timer; this one keeps it.
    let keeper = try Debouncer<Int>(delay: .seconds(60), queue: queue) { _, _ in }
    keeper.call(1)
    for _ in 0..<5 {
      let limiters = try (0..<350).flatMap { _ in try Self.makeAll(queue, census) }
      for (index, limiter) in limiters.enumerated() {
        Self.bring(limiter, to: Situation.allCases[index % Situation.allCases.count], census)
      }
      let keyed = try KeyedThrottler<Int, Token>(interval: .seconds(60), queue: queue) { _, _, _ in
      }
      for key in 0..<4_000 { keyed.call(Token(census), for: key % 2_000) }
      #expect(census.living.withLock { $0 } > limiters.count)
    }
    queue.sync {}
    #expect(census.living.withLock { $0 } == 0)
    let usage = TimerClock.suspending.source.driver(for: queue).usage
    #expect(usage.slots - usage.freeSlots == 1)
    #expect(usage.entries <= 130)
    withExtendedLifetime(keeper) {}
  }
}
