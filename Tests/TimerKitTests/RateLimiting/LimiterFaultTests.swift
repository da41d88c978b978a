import Dispatch
import Testing

@testable import TimerKit

/// One test for each fault that the debouncers and throttlers of other timer libraries have and these
/// must not have. Each fails if the fault is introduced.
@Suite struct LimiterFaultTests {
  let clock = VirtualClock()
  let values = Recorder<String>()

  private func pass(_ milliseconds: Int) { clock.advance(by: .milliseconds(milliseconds)) }

  // MARK: Repeat

  @Test func repeat_throttlerFiresImmediatelyWhenCalledTwice() throws {
    let throttler = try Throttler<String>(
      interval: .milliseconds(100), mode: .fromDelivery(firstAtOnce: false), clock: .virtual(clock)
    ) { [values] _, value in values.append(value) }
    throttler.call("a")
    throttler.call("b")
    pass(99)
    #expect(values.all == [])
    pass(1)
    #expect(values.all == ["b"])
  }

  @Test func repeat_deferredStarves() throws {
    let throttler = try Throttler<String>(
      interval: .milliseconds(100), mode: .deferred, clock: .virtual(clock)
    ) { [values] _, value in values.append(value) }
    for step in 0..<100 {
      throttler.call("\(step)")
      pass(10)
    }
    #expect(values.all == ["9", "19", "29", "39", "49", "59", "69", "79", "89", "99"])
  }

  @Test func repeat_debouncerIsRetainedByItsOwnTimer() throws {
    weak var dropped: Debouncer<String>?
    do {
      let debouncer = try Debouncer<String>(delay: .seconds(1), clock: .virtual(clock)) {
        [values] _, value in
        values.append(value)
      }
      dropped = debouncer
      debouncer.call("a")
      #expect(debouncer.isPending)
    }
    #expect(dropped == nil)
    clock.advance(by: .seconds(2))
    #expect(values.all == [])
  }

  @Test func repeat_secondsAreTruncatedToMilliseconds() throws {
    let delay = Duration.seconds(0.0009)
    let debouncer = try Debouncer<String>(delay: delay, clock: .virtual(clock)) {
      [values] _, value in
      values.append(value)
    }
    debouncer.call("a")
    clock.advance(by: .microseconds(899))
    #expect(values.all == [])
    clock.advance(by: .microseconds(1))
    #expect(values.all == ["a"])
  }

  @Test func repeat_crashesWhenCalledFromTwoThreads() async throws {
    let debouncer = try Debouncer<Int>(delay: .microseconds(20)) { _, _ in }
    let throttler = try Throttler<Int>(interval: .microseconds(20)) { _, _ in }
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for value in 0..<20_000 {
        debouncer.call(value)
        throttler.call(value)
      }
    }
    await debouncer.cancelAndWait()
    await throttler.cancelAndWait()
    for snapshot in [debouncer.snapshot, throttler.snapshot] {
      #expect(snapshot.callCount == 40_000)
      #expect(snapshot.pendingCount == 0)
    }
  }

  // MARK: SwiftTimer

  @Test func swiftTimer_throttleAndDebounceShareOneDictionary() throws {
    let debouncer = try KeyedDebouncer<String, String>(
      delay: .milliseconds(10), clock: .virtual(clock)
    ) {
      [values] in values.append("debounced \($2)")
    }
    let throttler = try KeyedThrottler<String, String>(
      interval: .milliseconds(10), mode: .deferred, clock: .virtual(clock)
    ) { [values] in values.append("throttled \($2)") }
    let other = try KeyedDebouncer<String, String>(delay: .milliseconds(10), clock: .virtual(clock))
    {
      [values] in values.append("other \($2)")
    }
    debouncer.call("a", for: "key")
    throttler.call("b", for: "key")
    other.call("c", for: "key")
    #expect(other.cancelPending(for: "key") == .changed)
    pass(10)
    #expect(values.all == ["debounced a", "throttled b"])
  }

  @Test func swiftTimer_theDictionaryIsUnsynchronised() throws {
    let debouncer = try KeyedDebouncer<Int, Int>(delay: .microseconds(50)) { _, _, _ in }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<2_000 {
        // All threads use the same new key at about the same time.
        debouncer.call(thread, for: round)
        if round % 7 == 0 { debouncer.cancelPending(for: round) }
      }
    }
    debouncer.cancelPending()
    let snapshot = debouncer.snapshot
    #expect(snapshot.callCount == 16_000)
    #expect(snapshot.deliveredCount + snapshot.droppedCount == 16_000)
    #expect(debouncer.keyCount == 0)
  }

  /// In SwiftTimer, a call by the handler for its own key is dropped when the handler returns.
  @Test func swiftTimer_theEntryIsRemovedAfterTheHandler() throws {
    let debouncer = try KeyedDebouncer<String, String>(
      delay: .milliseconds(10), clock: .virtual(clock)
    ) {
      [values] debouncer, key, value in
      values.append(value)
      if value == "a" { debouncer.call("b", for: key) }
    }
    debouncer.call("a", for: "key")
    pass(10)
    #expect(debouncer.isPending(for: "key"))
    #expect(debouncer.cancelPending(for: "key") == .changed)
    debouncer.call("a", for: "key")
    pass(20)
    #expect(values.all == ["a", "a", "b"])
  }

  /// In the repository of SwiftTimer. As its article prints it, `throttle` is a debounce.
  @Test func swiftTimer_throttleKeepsTheOldestClosure() throws {
    let throttler = try KeyedThrottler<String, @Sendable () -> String>(
      interval: .milliseconds(10), mode: .deferred, clock: .virtual(clock)
    ) { [values] _, _, work in values.append(work()) }
    for name in ["oldest", "older", "newest"] { throttler.call({ name }, for: "key") }
    pass(10)
    #expect(values.all == ["newest"])
  }

  /// In SwiftTimer, a second call replaced the entry, and the end of the first call removed it.
  @Test func swiftTimer_cancelByKeyMissesTheNewestCall() throws {
    let debouncer = try KeyedDebouncer<String, String>(
      delay: .milliseconds(10), maxWait: .milliseconds(15), clock: .virtual(clock)
    ) { [values] in values.append($2) }
    for value in ["a", "b", "c"] {
      debouncer.call(value, for: "key")
      pass(6)
    }
    debouncer.call("d", for: "key")
    #expect(debouncer.cancelPending(for: "key") == .changed)
    pass(100)
    #expect(values.all == ["c"])
  }

  // MARK: Faults that any implementation could have

  /// A value can run any code when it is released; the mutex must not be locked then.
  @Test func aReleasedValueCanCallItsTimer() throws {
    final class Value: Sendable {
      let onRelease: @Sendable () -> Void
      init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let released = Recorder<String>()
    let debouncer = try Debouncer<Value?>(
      delay: .milliseconds(10), edges: .both, clock: .virtual(clock)
    ) { _, _ in }
    let throttler = try Throttler<Value?>(interval: .milliseconds(10), clock: .virtual(clock)) {
      _, _ in
    }
    let keyed = try KeyedDebouncer<Int, Value?>(delay: .milliseconds(10), clock: .virtual(clock)) {
      _, _, _ in
    }
    @Sendable func value(_ name: String) -> Value {
      Value {
        released.append("\(name) \(debouncer.isPending) \(throttler.isPending)")
        _ = keyed.snapshot
        _ = debouncer.flush()
      }
    }
    debouncer.call(value("delivered"))
    debouncer.call(value("displaced"))
    debouncer.call(value("cancelled"))
    debouncer.cancelPending()
    throttler.call(value("delivered"))
    throttler.call(value("displaced"))
    throttler.call(value("displaced too"))
    throttler.call(value("delivered late"))
    pass(10)
    keyed.call(value("displaced"), for: 1)
    keyed.call(value("cancelled"), for: 1)
    keyed.cancelPending(for: 1)
    keyed.call(value("delivered"), for: 1)
    keyed.call(value("cancelled with all"), for: 2)
    pass(10)
    keyed.call(value("cancelled with all"), for: 3)
    keyed.cancelPending()
    debouncer.removeAllObservers()
    debouncer.call(value("not delivered"))
    #expect(released.count == 13)
  }

  /// A clock reading from before another thread acquired the mutex does not make the deadline
  /// earlier.
  @Test func anEarlierReadingDoesNotShortenTheDelay() throws {
    var machine = try DebounceStateMachine<Int>(
      DebounceConfiguration(delay: .nanoseconds(100), edges: .trailing))
    for (value, time) in [(1, Int64(50)), (2, 20)] {
      var value: Int? = value
      _ = machine.call(&value, at: time)
    }
    #expect(machine.deadline == 150)
    #expect(machine.handleArmedAlarm(at: 149) == .nothing)
    #expect(machine.handleArmedAlarm(at: 150) == .deliver(2))
  }
}
