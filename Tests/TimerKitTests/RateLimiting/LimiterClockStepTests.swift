import Testing

@testable import TimerKit

/// The wall clock is set back by an hour: no later call waits for the hour to pass.
@Suite struct LimiterClockStepTests {
  let clock = VirtualClock(.wall, wall: WallInstant(nanosecondsSince1970: 1 << 60))
  let delivered = Recorder<Int>()

  private func debouncer(
    _ edges: DebounceEdges = .trailing, maxWait: Duration? = nil
  ) throws -> Debouncer<Int> {
    try Debouncer(delay: .seconds(10), edges: edges, maxWait: maxWait, clock: .virtual(clock)) {
      [delivered] _, value in delivered.append(value)
    }
  }

  private func throttler(
    _ mode: ThrottleMode, keeping kept: KeptValue = .latest
  ) throws -> Throttler<Int> {
    try Throttler(interval: .seconds(10), mode: mode, keeping: kept, clock: .virtual(clock)) {
      [delivered] _, value in delivered.append(value)
    }
  }

  private func step() { clock.adjustWall(by: .hours(-1)) }
  private func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }

  @Test(arguments: [nil, Duration.seconds(15)])
  func aDebouncerWaitsForItsDelay(_ maxWait: Duration?) throws {
    let debouncer = try debouncer(maxWait: maxWait)
    debouncer.call(1)
    pass(10)
    step()
    debouncer.call(2)
    pass(9)
    #expect(delivered.all == [1])
    pass(1)
    #expect(delivered.all == [1, 2])
  }

  @Test func aDebouncedValueIsNotPostponedFurther() throws {
    let debouncer = try debouncer()
    debouncer.call(1)
    pass(5)
    step()
    debouncer.call(2)
    pass(5)
    debouncer.call(3)
    pass(9)
    #expect(delivered.count == 0)
    pass(1)
    #expect(delivered.all == [3])
  }

  /// The burst continues after the step.
  @Test func maxWaitElapsesAsWell() throws {
    let debouncer = try debouncer(maxWait: .seconds(20))
    debouncer.call(1)
    step()
    for value in 2...5 {
      debouncer.call(value)
      pass(6)
    }
    #expect(delivered.all == [5])
  }

  /// A small step does not begin the maximum wait anew.
  @Test func maxWaitCountsFromTheFirstCall() throws {
    let debouncer = try debouncer(maxWait: .seconds(20))
    for value in 1...3 {
      debouncer.call(value)
      pass(6)
    }
    debouncer.call(4)
    clock.adjustWall(by: .seconds(-1))
    debouncer.call(5)
    pass(2)
    #expect(delivered.count == 0)
    pass(1)
    #expect(delivered.all == [5])
  }

  @Test(arguments: [DebounceEdges.leading, .both])
  func aNewBurstHasItsLeadingEdge(_ edges: DebounceEdges) throws {
    let debouncer = try debouncer(edges)
    debouncer.call(1)
    pass(100)
    step()
    debouncer.call(2)
    #expect(delivered.all == [1, 2])
    // A small step does not end the burst.
    clock.adjustWall(by: .seconds(-1))
    debouncer.call(3)
    #expect(delivered.all == [1, 2])
    pass(10)
    #expect(delivered.all == (edges == .both ? [1, 2, 3] : [1, 2]))
  }

  @Test func aClosedThrottlerOpensAfterItsInterval() throws {
    let throttler = try throttler(.fromDelivery)
    throttler.call(1)
    step()
    throttler.call(2)
    pass(9)
    #expect(delivered.all == [1])
    pass(1)
    #expect(delivered.all == [1, 2])
  }

  @Test(
    arguments: [ThrottleMode.fromDelivery(firstAtOnce: false), .deferred],
    [KeptValue.first, .latest])
  func aPendingThrottledValueIsDelivered(
    _ mode: ThrottleMode, keeping kept: KeptValue
  ) throws {
    let throttler = try throttler(mode, keeping: kept)
    throttler.call(1)
    pass(5)
    step()
    throttler.call(2)
    pass(9)
    #expect(delivered.count == 0)
    throttler.call(3)
    pass(1)
    #expect(delivered.all == [kept == .first ? 1 : 3])
    #expect(throttler.snapshot.droppedCount == 2)
  }

  @Test func keyedLimitersWaitForTheirDelay() throws {
    let debouncer = try KeyedDebouncer<String, Int>(delay: .seconds(10), clock: .virtual(clock)) {
      [delivered] _, _, value in delivered.append(value)
    }
    let throttler = try KeyedThrottler<String, Int>(interval: .seconds(10), clock: .virtual(clock))
    {
      [delivered] _, _, value in delivered.append(value)
    }
    debouncer.call(1, for: "a")
    throttler.call(2, for: "a")
    step()
    debouncer.call(3, for: "a")
    throttler.call(4, for: "a")
    pass(10)
    #expect(Set(delivered.all) == [2, 3, 4])
  }

  /// On the other clocks, an earlier time is that of a thread that was preempted after reading the
  /// clock.
  @Test(arguments: [TimerClock.Kind.suspending, .continuous])
  func anEarlierReadingDoesNotShortenTheDelay(_ clock: TimerClock.Kind) throws {
    var debounce = try DebounceStateMachine<Int>(
      DebounceConfiguration(delay: .nanoseconds(10)), clock: clock)
    var throttle = try ThrottleStateMachine<Int>(
      ThrottleConfiguration(interval: .nanoseconds(10), mode: .deferred), clock: clock)
    for time: Int64 in [100, 95] {
      var value: Int? = 1
      _ = debounce.call(&value, at: time)
      value = 1
      _ = throttle.call(&value, at: time)
    }
    #expect(debounce.deadline == 110)
    #expect(throttle.deadline == 110)
  }
}
