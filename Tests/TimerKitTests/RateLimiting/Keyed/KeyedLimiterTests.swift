import Testing

@testable import TimerKit

/// Behavior of the keyed limiters beyond one debouncer or throttler per key.
@Suite struct KeyedLimiterTests {
  let clock = VirtualClock()
  let calls = Recorder<KeyedCall<String, Int>>()

  private func debouncer(
    _ edges: DebounceEdges = .trailing, maxWait: Duration? = nil
  ) throws -> KeyedDebouncer<String, Int> {
    try KeyedDebouncer(
      delay: .milliseconds(10), edges: edges, maxWait: maxWait, clock: .virtual(clock)
    ) { [calls] _, key, value in calls.append(KeyedCall(key: key, value: value)) }
  }

  private func throttler(_ mode: ThrottleMode = .fromDelivery) throws -> KeyedThrottler<String, Int>
  {
    try KeyedThrottler(interval: .milliseconds(10), mode: mode, clock: .virtual(clock)) {
      [calls] _, key, value in calls.append(KeyedCall(key: key, value: value))
    }
  }

  private func pass(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }
  private var delivered: [String] { calls.all.map { "\($0.key)\($0.value)" } }

  @Test func theStateInAHandlerIsTheUnderlyingState() throws {
    let states = Recorder<CallState>()
    let debouncer = try KeyedDebouncer<String, Int>(
      delay: .milliseconds(10), clock: .virtual(clock)
    ) { debouncer, key, _ in
      #expect(debouncer.isExecuting && debouncer.snapshot.isExecuting)
      states.append(debouncer.snapshot.state)
      if key == "b" { debouncer.cancel() }
      states.append(debouncer.state)
    }
    debouncer.call(1, for: "a")
    debouncer.call(1, for: "b")
    #expect(debouncer.snapshot.state == .pending)
    pass(10)
    #expect(states.all == [.pending, .pending, .idle, .cancelled])
    #expect(!debouncer.snapshot.isExecuting)
  }

  @Test func aNewDelayAppliesToAllKeys() throws {
    let debouncer = try debouncer()
    debouncer.call(1, for: "a")
    pass(2)
    debouncer.call(1, for: "b")
    #expect(debouncer.setDelay(.milliseconds(4)) == .changed)
    #expect(debouncer.setDelay(.milliseconds(4)) == .unchanged)
    #expect(debouncer.configuration.delay == .milliseconds(4))
    pass(2)
    #expect(delivered == ["a1"])
    debouncer.call(1, for: "c")
    debouncer.setDelay(.milliseconds(9))
    pass(4)
    #expect(delivered == ["a1"])
    pass(3)
    #expect(delivered == ["a1", "b1"])
    debouncer.setDelay(.zero)
    pass(0)
    #expect(delivered == ["a1", "b1", "c1"])
    #expect(
      debouncer.setDelay(.seconds(-1))
        == .refused(.invalid(.invalidDuration(.seconds(-1), parameter: .delay))))
    debouncer.cancel()
    #expect(debouncer.setDelay(.seconds(1)) == .refused(.cancelled))
  }

  @Test func aShorterDelayRemovesTheStateOfOldCalls() throws {
    let debouncer = try debouncer(.leading)
    for key in ["a", "b", "c"] { debouncer.call(1, for: key) }
    pass(4)
    #expect(debouncer.keyCount == 3)
    debouncer.setDelay(.milliseconds(3))
    #expect(debouncer.keyCount == 0)
    #expect(debouncer.call(2, for: "a"))
    pass(3)
    #expect(debouncer.keyCount == 0)
  }

  @Test func deliveriesAreOrderedByTimeAndThenByFirstCall() throws {
    let debouncer = try debouncer()
    for key in ["e", "c", "a", "d", "b"] { debouncer.call(1, for: key) }
    debouncer.call(2, for: "e")
    pass(1)
    debouncer.call(3, for: "c")
    pass(20)
    #expect(delivered == ["e2", "a1", "d1", "b1", "c3"])
  }

  @Test func flushAllDeliversInTheOrderOfDeadlines() throws {
    let debouncer = try debouncer()
    for key in ["c", "a", "b"] {
      debouncer.call(1, for: key)
      pass(1)
    }
    debouncer.call(2, for: "c")
    #expect(debouncer.flush() == .changed)
    #expect(delivered == ["a1", "b1", "c2"])
    #expect(debouncer.flush() == .unchanged)
    pass(50)
    #expect(calls.count == 3)
    #expect(debouncer.keyCount == 0)
  }

  /// A cancellation revokes the current delivery of its own key only.
  @Test func cancelPendingInAHandlerAffectsItsKeyOnly() throws {
    let debouncer = try debouncer()
    debouncer.observe { debouncer, event in
      guard case .delivery(let call) = event else { return }
      if call.value == 1 { debouncer.cancelPending(for: "other") }
      if call.value == 2 { debouncer.cancelPending(for: call.key) }
      if call.value == 3 { debouncer.cancelPending() }
    }
    debouncer.observe { [calls] _, event in
      if case .delivery(let call) = event {
        calls.append(KeyedCall(key: "second \(call.key)", value: call.value))
      }
    }
    for value in 1...3 {
      debouncer.call(value, for: "a")
      pass(10)
    }
    #expect(delivered == ["a1", "second a1", "a2", "a3"])
  }

  @Test func streamsIncludeTheKey() async throws {
    var throttler: KeyedThrottler<String, Int>? = try throttler()
    let events = try #require(throttler?.events())
    throttler?.call(1, for: "a")
    throttler?.call(2, for: "b")
    throttler = nil
    var received: [KeyedCall<String, Int>] = []
    for await event in events {
      if case .delivery(let call) = event { received.append(call) }
    }
    #expect(received == [KeyedCall(key: "a", value: 1), KeyedCall(key: "b", value: 2)])
  }
}
