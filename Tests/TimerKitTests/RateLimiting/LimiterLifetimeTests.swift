import Dispatch
import Testing

@testable import TimerKit

/// Limiters can be released in any state and from any thread, and leak nothing.
@Suite struct LimiterLifetimeTests {
  private final class InstanceCounter: Sendable {
    let liveCount = Guarded(0)
  }

  /// An object that handlers and values capture, counted while it is alive.
  private final class Token: Sendable {
    let instances: InstanceCounter

    init(_ instances: InstanceCounter) {
      self.instances = instances
      instances.liveCount.withLock { $0 += 1 }
    }

    deinit { instances.liveCount.withLock { $0 -= 1 } }
  }

  /// The situations in which a limiter is released.
  private enum Situation: CaseIterable {
    case untouched
    case waiting
    case ready
    case dropped
    case cancelled
    case observed
  }

  private static func makeAll(
    _ queue: DispatchQueue, _ instances: InstanceCounter
  ) throws -> [any CallLimiter<Token>] {
    let delay = Duration.microseconds(20)
    let token = Token(instances)
    let edges = try DebounceEdges.allCases.map { edges in
      try Debouncer<Token>(delay: delay, edges: edges, queue: queue) { _, _ in
        withExtendedLifetime(token) {}
      }
    }
    let modes = try [ThrottleMode.fromDelivery, .fromDelivery(firstAtOnce: false), .deferred].map {
      mode in
      try Throttler<Token>(interval: delay, mode: mode, queue: queue) { _, _ in
        withExtendedLifetime(token) {}
      }
    }
    return edges + modes
  }

  private static func bring(
    _ limiter: any CallLimiter<Token>, to situation: Situation, _ instances: InstanceCounter
  ) {
    guard situation != .untouched else { return }
    if situation == .observed { _ = limiter.events() }
    for _ in 0..<3 { limiter.call(Token(instances)) }
    if situation == .ready { limiter.flush() }
    if situation == .dropped { limiter.cancelPending() }
    if situation == .cancelled { limiter.cancel() }
  }

  @Test func canBeReleasedInEverySituationOnAnyThread() async throws {
    let queue = DispatchQueue(label: "dropped")
    let instances = InstanceCounter()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<60 {
        let situation = Situation.allCases[(thread + round) % Situation.allCases.count]
        guard let limiters = try? Self.makeAll(queue, instances) else { return }
        for limiter in limiters { Self.bring(limiter, to: situation, instances) }
        let keyed = try? KeyedDebouncer<Int, Token>(
          delay: .microseconds(20), edges: .both, queue: queue
        ) { _, _, _ in }
        for key in 0..<5 { keyed?.call(Token(instances), for: key % 3) }
      }
    }
    queue.sync {}
    #expect(instances.liveCount.withLock { $0 } == 0)
  }

  @Test func canBeReleasedInItsOwnHandler() throws {
    let clock = VirtualClock()
    let reference = Guarded<(any CallLimiter<Int>)?>(nil)
    let calls = Recorder<Int>()
    @Sendable func drop(_ value: Int) {
      calls.append(value)
      let dropped = reference.withLock { $0.take() }
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
        reference.withLock { $0 = limiter }
        limiter.call(index)
        limiter.call(-1)
      }
      clock.advance(by: .seconds(3))
      #expect(gone == nil)
    }
    // Pending values are released with their limiter: each limiter has made only its first
    // delivery.
    #expect(calls.all == [0, -1, 2, -1])
  }

  @Test func theDriversTableIsEmptyAfterAllLimitersAreReleased() throws {
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

  /// Each limiter keeps at most one value and one alarm, however many calls it receives.
  @Test func callsDoNotAccumulate() throws {
    let clock = VirtualClock()
    let debouncer = try Debouncer<Token>(delay: .seconds(60), clock: .virtual(clock)) { _, _ in }
    let throttler = try Throttler<Token>(interval: .seconds(60), clock: .virtual(clock)) { _, _ in }
    let keyed = try KeyedThrottler<Int, Token>(interval: .seconds(60), clock: .virtual(clock)) {
      _, _, _ in
    }
    let instances = InstanceCounter()
    for round in 0..<20_000 {
      debouncer.call(Token(instances))
      throttler.call(Token(instances))
      keyed.call(Token(instances), for: round % 4)
      if round % 100 == 0 { debouncer.cancelPending() }
      #expect(instances.liveCount.withLock { $0 } <= 1 + 1 + 4)
    }
    #expect(keyed.keyCount == 4)
    let usage = clock.driver.usage
    #expect(usage.slots - usage.freeSlots == 3)
    #expect(usage.entries <= 130)
  }
}
