import Testing

@testable import TimerKit

/// Properties of every state machine, and cases that occur only when threads overtake one another.
@Suite struct MachineEdgeTests {
  private let delay = Duration.nanoseconds(100)

  @Test func theEndBeginsANewGeneration() throws {
    var debounce = try DebounceStateMachine<Int>(
      DebounceConfiguration(delay: delay, edges: .trailing))
    debounce.call(1, at: 0)
    checkTheEnd(debounce)
    var throttle = try ThrottleStateMachine<Int>(
      ThrottleConfiguration(interval: delay, mode: .deferred, keeping: .latest))
    throttle.call(1, at: 0)
    checkTheEnd(throttle)
    checkTheEnd(try keyed(calls: [(1, 0)]))
    var background = BackgroundStateMachine<Int>(.coalesce)
    var work: Int? = 1
    background.submit(&work, after: 100, at: 0)
    let revocationNumber = background.revocationNumber
    checkTheEnd(background)
    background.cancel()
    #expect(background.revocationNumber > revocationNumber)
    var limited = TimeLimitedStateMachine<Int>(lifetime: 100)
    var held: Int? = 1
    _ = limited.replace(with: &held, for: nil, at: 0)
    checkTheEnd(limited)
    var deadline = DeadlineStateMachine()
    _ = deadline.schedule(100)
    checkTheEnd(deadline)
    var repeater = try RepeaterStateMachine(mode: .infinite, interval: 100, missedTicks: .skip)
    _ = repeater.start(at: 0)
    checkTheEnd(repeater)
  }

  private func checkTheEnd(_ running: some TimerStateMachine) {
    var machine = running
    let generation = machine.generation
    #expect(machine.deadline == 100)
    machine.cancel()
    #expect(machine.isCancelled)
    #expect(machine.generation > generation)
  }

  @Test func aToleranceIsKeptUnlessNegative() throws {
    let clock = VirtualClock()
    func deadlineTimer(_ tolerance: Duration) throws -> DeadlineTimer {
      try DeadlineTimer(tolerance: tolerance, clock: .virtual(clock)) { _, _ in }
    }
    func backgroundTimer(_ tolerance: Duration) throws -> BackgroundTimer<DeadlineTimer> {
      try BackgroundTimer(tolerance: tolerance, clock: .virtual(clock))
    }
    #expect(try deadlineTimer(.nanoseconds(7)).storage.readGuardedState(\.tolerance) == 7)
    #expect(try backgroundTimer(.nanoseconds(7)).storage.readGuardedState(\.tolerance) == 7)
    let negative = Duration.nanoseconds(-7)
    #expect(throws: TimerConfigurationError.invalidDuration(negative, parameter: .tolerance)) {
      try deadlineTimer(negative)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(negative, parameter: .tolerance)) {
      try backgroundTimer(negative)
    }
  }

  @Test func anEarlierReadingDoesNotShortenALifetime() throws {
    var machine = TimeLimitedStateMachine<Int>(lifetime: 100)
    var held: Int? = 1
    _ = machine.replace(with: &held, for: nil, at: 0)
    _ = machine.read(at: 90)
    _ = try machine.renew(for: nil, at: 40)
    #expect(machine.deadline == 190)
  }

  @Test func anEarlierDrainDoesNotShortenMaxWait() throws {
    var machine = try DebounceStateMachine<Int>(
      DebounceConfiguration(
        delay: .nanoseconds(50), edges: .both, maxWait: .nanoseconds(50)))
    machine.call(1, at: 110)
    #expect(machine.takeReady(at: 100) == .deliver(1))
    machine.call(2, at: 120)
    #expect(machine.deadline == 160)
  }
}

// MARK: - Keys
extension MachineEdgeTests {
  private func keyed(
    delay: Int64 = 100, calls: [(key: Int, at: Int64)]
  ) throws -> KeyedStateMachine<Int, DebounceStateMachine<Int>> {
    var machine = KeyedStateMachine<Int, DebounceStateMachine<Int>>(
      try DebounceStateMachine(DebounceConfiguration(delay: .nanoseconds(delay), edges: .trailing)))
    for (key, at) in calls {
      var value: Int? = key
      _ = machine.call(&value, for: key, at: at)
    }
    return machine
  }

  @Test func keysWakeNoMoreThanNeeded() throws {
    #expect(try keyed(delay: .max, calls: [(1, 0)]).deadline == nil)
    // A later call leaves the alarm as it is; the alarm is armed again when it comes.
    var entries = KeyedEntries<Int, DebounceStateMachine<Int>>()
    let slot = entries.add(
      1, try DebounceStateMachine(DebounceConfiguration(delay: delay, edges: .trailing)))
    for time: Int64 in [0, 50] { entries.change(slot, at: time) { $0.call(1, at: time) } }
    #expect(entries.firstAlarm == 100)
    #expect(entries.usage.alarms == 1)
    var machine = try keyed(calls: [(1, 0), (2, 50)])
    _ = machine.cancelPending(1)
    #expect(machine.deadline == 150)
  }

  @Test func removedKeysLeaveNothing() throws {
    var entries = KeyedEntries<Int, DebounceStateMachine<Int>>()
    let fresh = try DebounceStateMachine<Int>(DebounceConfiguration(delay: delay, edges: .trailing))
    func add(_ key: Int) {
      let slot = entries.add(key, fresh)
      entries.change(slot, at: 0) { $0.call(key, at: 0) }
    }
    add(0)
    for key in 1...1_000 {
      add(key)
      _ = entries.remove(key)
    }
    #expect(entries.usage.slots == 2)
    #expect(entries.usage.alarms <= 65)
    _ = entries.remove(0)
    #expect(entries.usage == (0, 0, 0))
  }

  @Test func aPermanentlyUsedQueueDoesNotGrow() {
    var queue = FIFOQueue<Int>()
    queue.append(0)
    for number in 1...10_000 {
      queue.append(number)
      #expect(queue.popFirst() == number - 1)
    }
    #expect(queue.count == 1)
    #expect(queue.items.count <= 130)
  }
}

extension CallStateMachine {
  fileprivate mutating func call(_ value: Delivery, at now: Int64) {
    var value: Delivery? = value
    _ = call(&value, at: now)
  }
}
