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

  @Test func keysAreIndependent() throws {
    let debouncer = try debouncer()
    debouncer.call(1, for: "a")
    pass(6)
    debouncer.call(1, for: "b")
    debouncer.call(2, for: "b")
    pass(4)
    #expect(delivered == ["a1"])
    #expect(!debouncer.isPending(for: "a"))
    #expect(debouncer.isPending(for: "b"))
    pass(6)
    #expect(delivered == ["a1", "b2"])
    #expect(!debouncer.isPending)
  }

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

  @Test func cancellingOneKeyKeepsTheOthers() throws {
    let throttler = try throttler()
    for key in ["a", "b"] {
      throttler.call(1, for: key)
      throttler.call(2, for: key)
    }
    #expect(throttler.cancelPending(for: "a") == .changed)
    #expect(throttler.cancelPending(for: "a") == .unchanged)
    #expect(throttler.cancelPending(for: "never called") == .unchanged)
    throttler.call(3, for: "a")
    pass(10)
    #expect(delivered == ["a1", "b1", "a3", "b2"])
  }

  @Test func cancelPendingDropsAllKeysAndAcceptsNewCalls() throws {
    let throttler = try throttler(.deferred)
    for key in ["a", "b"] { throttler.call(1, for: key) }
    #expect(throttler.cancelPending() == .changed)
    #expect(throttler.cancelPending() == .unchanged)
    #expect(throttler.keyCount == 0)
    throttler.call(2, for: "b")
    pass(50)
    #expect(delivered == ["b2"])
    #expect(throttler.snapshot.droppedCount == 2)
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

  @Test func keysWithoutPendingWorkAreRemoved() throws {
    let trailing = try debouncer()
    let leading = try debouncer(.leading)
    let bounded = try debouncer(maxWait: .milliseconds(30))
    let fixed = try throttler()
    let deferred = try throttler(.deferred)
    let all: [any KeyedCallLimiter<String, Int>] = [trailing, leading, bounded, fixed, deferred]
    for key in 0..<1_000 {
      for limiter in all { limiter.call(key, for: "\(key)") }
    }
    #expect(all.map(\.keyCount) == [1_000, 1_000, 1_000, 1_000, 1_000])
    for key in 0..<300 {
      for limiter in all { limiter.cancelPending(for: "\(key)") }
    }
    for limiter in all { limiter.flush(for: "300") }
    #expect(all.map(\.keyCount) == [699, 700, 700, 700, 699])
    pass(10)
    // A fixed throttler removes a key one interval after its delivery, and not before.
    #expect(all.map(\.keyCount) == [0, 0, 0, 0, 0])
    pass(100)
    #expect(all.map { $0.snapshot.pendingCount } == [0, 0, 0, 0, 0])
  }

  @Test func aDroppedLeadingCallIsRemovedFromTheQueue() throws {
    var machine = KeyedStateMachine<Int, DebounceStateMachine<Int>>(
      try DebounceStateMachine(DebounceConfiguration(delay: .seconds(1), edges: .leading)))
    for round in 0..<1_000 {
      var value: Int? = round
      _ = machine.call(&value, for: 1, at: Int64(round))
      #expect(machine.readySince == Int64(round))
      #expect(machine.cancelPending(1) == [round])
      #expect(machine.readySince == nil)
      #expect(machine.keyCount == 0)
    }
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
