import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Eight times as many keys cost about eight times as much, not 64 times.
@Suite(.serialized) struct KeyedGrowthTests {
  private let clock = ClockIdentity(.suspending)
  private static let few = 2_000
  private static let many = 8 * few

  enum Use: CaseIterable, Sendable {
    case flushAll, cancelEach, deliver

    /// The processor time of one use with that many keys. On virtual time, the calling thread does
    /// all work.
    func cost(keys: Int) throws -> Int64 {
      let clock = VirtualClock()
      switch self {
      case .flushAll:
        let debouncer = try KeyedDebouncer<Int, Int>(delay: .seconds(1), clock: .virtual(clock)) {
          _, _, _ in
        }
        for key in 0..<keys { debouncer.call(key, for: key) }
        return cpuTime { _ = debouncer.flush() }
      case .cancelEach:
        let debouncer = try KeyedDebouncer<Int, Int>(delay: .seconds(1), clock: .virtual(clock)) {
          debouncer, key, _ in
          guard key == 0 else { return }
          for key in 1..<keys { debouncer.cancelPending(for: key) }
        }
        for key in 0..<keys { debouncer.call(key, for: key) }
        return cpuTime { _ = debouncer.flush() }
      case .deliver:
        // All keys become ready together, because the handler of the first key calls for the
        // others.
        let throttler = try KeyedThrottler<Int, Int>(interval: .zero, clock: .virtual(clock)) {
          throttler, key, _ in
          guard key == 0 else { return }
          for key in 1..<keys { throttler.call(key, for: key) }
        }
        return cpuTime { _ = throttler.call(0, for: 0) }
      }
    }
  }

  @Test(arguments: Use.allCases)
  func theCostOfAKeyIsIndependentOfTheNumberOfKeys(_ use: Use) throws {
    _ = try use.cost(keys: Self.few)
    let few = try use.cost(keys: Self.few)
    let many = try use.cost(keys: Self.many)
    #expect(many < 24 * few)
  }

  /// The first ready value delays all others, as on a suspended queue.
  @Test func cancelledCallsDoNotAccumulate() throws {
    var entries = KeyedEntries<Int, DebounceStateMachine<Int>>()
    let fresh = try DebounceStateMachine<Int>(
      DebounceConfiguration(delay: .seconds(1), edges: .leading))
    func call(_ key: Int) {
      let slot = entries.slot(of: key) ?? entries.add(key, fresh)
      var value: Int? = key
      _ = entries.change(slot, at: 0) { $0.call(&value, at: 0) }
    }
    call(0)
    for key in 1...10_000 {
      call(key)
      #expect(entries.remove(key) == [key])
    }
    #expect(entries.pendingCount == 1)
    #expect(entries.usage.ready <= 65)
    #expect(entries.popReady() == entries.slot(of: 0))
    #expect(entries.popReady() == nil)
  }

  private typealias LeadingDebouncer = KeyedStateMachine<String, DebounceStateMachine<Int>>

  private func leadingDebouncer() throws -> LeadingDebouncer {
    LeadingDebouncer(
      try DebounceStateMachine(DebounceConfiguration(delay: .seconds(1), edges: .leading)))
  }

  private func call(_ key: String, _ number: Int, on machine: inout LeadingDebouncer) {
    var value: Int? = number
    _ = machine.call(&value, for: key, at: Int64(number))
  }

  private func deliveries(of machine: inout LeadingDebouncer) -> [Int] {
    var delivered: [Int] = []
    while case .deliver(let call) = machine.takeReady(at: 5, on: clock) {
      delivered.append(call.value)
    }
    return delivered
  }

  /// Another key may have taken the slot of the removed one.
  @Test func aKeyIsNotDeliveredInPlaceOfARemovedKey() throws {
    var machine = try leadingDebouncer()
    call("first", 1, on: &machine)
    call("removed", 2, on: &machine)
    call("second", 3, on: &machine)
    #expect(machine.cancelPending("removed") == [2])
    call("third", 4, on: &machine)
    #expect(deliveries(of: &machine) == [1, 3, 4])
    #expect(machine.readySince == nil)
  }

  /// Its place in the queue is not taken by the key that reuses its slot.
  @Test func theFirstReadyKeyCanBeRemoved() throws {
    var machine = try leadingDebouncer()
    call("removed", 1, on: &machine)
    call("second", 2, on: &machine)
    #expect(machine.cancelPending("removed") == [1])
    #expect(machine.readySince == 2)
    call("third", 3, on: &machine)
    #expect(deliveries(of: &machine) == [2, 3])
  }

  /// Also if it is called between a flush and its delivery.
  @Test func aFlushedKeyIsInTheQueueOnce() throws {
    var machine = LeadingDebouncer(
      try DebounceStateMachine(DebounceConfiguration(delay: .seconds(1))))
    call("key", 1, on: &machine)
    _ = machine.flush(at: 2)
    call("key", 3, on: &machine)
    #expect(machine.takeReady(at: 3, on: clock) == .deliver(KeyedCall(key: "key", value: 1)))
    #expect(machine.readySince == nil)
  }

  private final class Key: Hashable, Sendable {
    static func == (left: Key, right: Key) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test func aRemovedKeyIsReleased() throws {
    var entries = KeyedEntries<Key, DebounceStateMachine<Int>>()
    let fresh = try DebounceStateMachine<Int>(DebounceConfiguration(delay: .seconds(1)))
    _ = entries.add(Key(), fresh)
    weak var removed: Key?
    do {
      let key = Key()
      removed = key
      _ = entries.add(key, fresh)
      #expect(entries.remove(key) == [])
    }
    #expect(removed == nil && entries.count == 1)
  }

  @Test func aDeliveredKeyIsReleased() throws {
    var machine = KeyedStateMachine<Key, ThrottleStateMachine<Int>>(
      try ThrottleStateMachine(ThrottleConfiguration(interval: .nanoseconds(10))))
    weak var delivered: Key?
    do {
      let key = Key()
      delivered = key
      var value: Int? = 1
      _ = machine.call(&value, for: key, at: 0)
      #expect(machine.takeReady(at: 0, on: clock) == .deliver(KeyedCall(key: key, value: 1)))
      machine.deliveryFinished { 0 }
      _ = machine.cancelPending(key)
    }
    #expect(delivered == nil)
  }

  /// A call has to wait while an alarm is processed, so an alarm must not process every due key at
  /// once.
  @Test func anAlarmProcessesAFewKeysAtATime() throws {
    var machine = KeyedStateMachine<Int, ThrottleStateMachine<Int>>(
      try ThrottleStateMachine(ThrottleConfiguration(interval: .nanoseconds(10))))
    for key in 0..<100 {
      var value: Int? = key
      _ = machine.call(&value, for: key, at: 0)
      #expect(machine.takeReady(at: 0, on: clock) == .deliver(KeyedCall(key: key, value: key)))
      machine.deliveryFinished { 0 }
    }
    #expect(machine.handleArmedAlarm(at: 10, on: clock) == .nothing)
    #expect((50..<100).contains(machine.keyCount))
    #expect(machine.deadline == 10)
    while machine.keyCount > 0 {
      #expect(machine.handleArmedAlarm(at: 10, on: clock) == .nothing)
    }
  }
}

/// The processor time that the calling thread spends in `body`, in nanoseconds.
private func cpuTime(_ body: () -> Void) -> Int64 {
  func now() -> Int64 {
    // The modules of these members differ between builds.
    var time: (seconds: Int, nanoseconds: Int) = (0, 0)
    withUnsafeMutableBytes(of: &time) { bytes in
      guard let time = bytes.bindMemory(to: timespec.self).baseAddress else { return }
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, time)
    }
    return Int64(time.seconds) * 1_000_000_000 + Int64(time.nanoseconds)
  }
  let began = now()
  body()
  return now() - began
}
