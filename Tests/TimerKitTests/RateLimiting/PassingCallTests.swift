import Testing

@testable import TimerKit

/// The result of `call`: true if the value is delivered without waiting.
@Suite struct PassingCallTests {
  let clock = VirtualClock()
  let values = Recorder<Int>()

  private func debouncer(
    _ milliseconds: Int = 10, edges: DebounceEdges = .trailing, maxWait: Duration? = nil
  ) throws -> Debouncer<Int> {
    try Debouncer(
      delay: .milliseconds(milliseconds), edges: edges, maxWait: maxWait, clock: .virtual(clock)
    ) { [values] _, value in values.append(value) }
  }

  private func throttler(
    _ milliseconds: Int = 10, _ mode: ThrottleMode = .fromDelivery
  ) throws -> Throttler<Int> {
    try Throttler(interval: .milliseconds(milliseconds), mode: mode, clock: .virtual(clock)) {
      [values] _, value in values.append(value)
    }
  }

  private func pass(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

  @Test func aDebouncerReturnsTrueForAnImmediateDelivery() throws {
    let trailing = try debouncer()
    #expect([1, 2].map { trailing.call($0) } == [false, false])
    let leading = try debouncer(edges: .leading)
    #expect([1, 2].map { leading.call($0) } == [true, false])
    let both = try debouncer(edges: .both)
    #expect([1, 2, 3].map { both.call($0) } == [true, false, false])
    pass(20)
    #expect(leading.call(3))
    #expect(both.call(4))
  }

  @Test func aThrottlerReturnsTrueForAnImmediateDelivery() throws {
    let fixed = try throttler()
    #expect([1, 2, 3].map { fixed.call($0) } == [true, false, false])
    let later: [ThrottleMode] = [.fromDelivery(firstAtOnce: false), .deferred]
    for mode in later { #expect(try !throttler(10, mode).call(1)) }
    let open = try throttler(0)
    #expect([1, 2, 3].map { open.call($0) } == [true, true, true])
    // The second call is delivered at the end of the interval, which closes the throttler again.
    pass(15)
    #expect(!fixed.call(4))
    pass(20)
    #expect(fixed.call(5))
    let keyed = try KeyedThrottler<String, Void>(interval: .seconds(1), clock: .virtual(clock)) {
      _, _, _ in
    }
    #expect(["a", "b", "a"].map { keyed.call(for: $0) } == [true, true, false])
    let void = try Throttler<Void>(interval: .seconds(1), clock: .virtual(clock)) { _, _ in }
    #expect([void.call(), void.call()] == [true, false])
  }

  /// The result is the decision of a rate limiter: a value that is not delivered is dropped.
  @Test func aRateLimiterReportsSuppressedCalls() throws {
    let limiter = try Throttler<Int>(
      interval: .milliseconds(10), keeping: .nothing, clock: .virtual(clock)
    ) { [values] _, value in values.append(value) }
    var passed: [Int] = []
    for value in 0..<30 {
      if limiter.call(value) { passed.append(value) }
      #expect(!limiter.isPending)
      pass(3)
    }
    #expect(passed == [0, 4, 8, 12, 16, 20, 24, 28])
    #expect(values.all == passed)
    #expect(limiter.snapshot.droppedCount == 22)
    #expect(limiter.flush() == .unchanged)
  }

  /// The interval is over but the queue is late: the call must not be lost.
  @Test func aRateLimiterOpensOnTimeOnALateQueue() throws {
    let limiter = try Throttler<Int>(
      interval: .milliseconds(10), keeping: .nothing, clock: .virtual(clock)
    ) { [values] _, value in values.append(value) }
    #expect(limiter.call(1))
    let busy = DeadlineTimer(clock: .virtual(clock)) { [clock] _, _ in
      clock.advance(by: .milliseconds(9))
      #expect(!limiter.call(2))
      clock.advance(by: .milliseconds(1))
      #expect(limiter.call(3))
      #expect(!limiter.call(4))
    }
    busy.schedule(at: clock.now)
    pass(0)
    #expect(values.all == [1, 3])
  }
}
