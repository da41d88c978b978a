import Testing

@testable import TimerKit

/// What holds for every machine, and what only threads that overtake one another come upon.
@Suite struct MachineEdgeTests {
  private let delay = Duration.nanoseconds(100)

  @Test func whatHasEndedHasEndedForGood() throws {
    var debounce = try DebounceStateMachine<Int>(delay: delay, edges: .trailing, maxWait: nil)
    debounce.call(1, at: 0)
    endsForGood(debounce)
    var throttle = try ThrottleStateMachine<Int>(interval: delay, mode: .deferred, keeps: .latest)
    throttle.call(1, at: 0)
    endsForGood(throttle)
    endsForGood(try keyed(calls: [(1, 0)]))
    var background = BackgroundStateMachine<Int>(.coalesce)
    var work: Int? = 1
    background.after(100, &work, at: 0)
    let deliveryGeneration = background.deliveryGeneration
    endsForGood(background)
    _ = background.cancel()
    #expect(background.deliveryGeneration > deliveryGeneration)
    var limited = TimeLimitedStateMachine<Int>(lifetime: 100)
    _ = limited.replace(with: 1, for: nil, at: 0)
    endsForGood(limited)
    var alarm = DeadlineStateMachine()
    _ = alarm.schedule(100)
    endsForGood(alarm)
    var repeater = RepeaterStateMachine(mode: .infinite, interval: 100, missedTicks: .skip)
    _ = try repeater.start(at: 0)
    endsForGood(repeater)
  }

  private func endsForGood(_ running: some TimerStateMachine) {
    var machine = running
    let generation = machine.generation
    #expect(machine.deadline == 100)
    let hasEnded = machine.cancel()
    #expect(hasEnded && machine.isCancelled)
    let end = machine.generation
    #expect(end > generation)
    let hasEndedAgain = machine.cancel()
    #expect(!hasEndedAgain && machine.generation == end)
    guard case .stale(generation) = machine.alarm(generation: generation, at: 100) else {
      Issue.record("\(type(of: machine)) takes the alarm of an old generation")
      return
    }
  }

  @Test func anAlarmBeforeItsTimeDeliversNothing() {
    var machine = DeadlineStateMachine()
    _ = machine.schedule(100)
    #expect(machine.alarm(generation: machine.generation, at: 99) == .nothing)
    #expect(machine.deadline == 100)
  }

  @Test func aLateAlarmIsKnownByItsGeneration() {
    var machine = DeadlineStateMachine()
    _ = machine.schedule(100)
    let old = machine.generation
    _ = machine.schedule(50)
    #expect(machine.alarm(generation: old, at: 100) == .stale(generation: old))
    _ = machine.cancel()
    #expect(machine.deadline == nil)
    var limited = TimeLimitedStateMachine<Int>(lifetime: 100)
    _ = limited.replace(with: 1, for: nil, at: 0)
    _ = limited.cancel()
    let end = limited.generation
    guard case .stale(end) = limited.alarm(generation: end, at: 100) else {
      Issue.record("an expiry after the end")
      return
    }
  }

  @Test func theAlarmKeepsItsToleranceUnlessItIsNegative() {
    for (tolerance, kept) in [(Duration.nanoseconds(7), Int64(7)), (.nanoseconds(-7), 0)] {
      let alarm = DeadlineTimer(tolerance: tolerance, on: VirtualClock()) { _, _ in }
      #expect(alarm.storage.readState(\.tolerance) == kept)
      let background = BackgroundTimer<DeadlineTimer>(tolerance: tolerance, on: VirtualClock())
      #expect(background.storage.readState(\.tolerance) == kept)
    }
  }

  @Test func aThreadThatWasOvertakenDoesNotShortenALifetime() throws {
    var machine = TimeLimitedStateMachine<Int>(lifetime: 100)
    _ = machine.replace(with: 1, for: nil, at: 0)
    _ = machine.read(at: 90)
    try machine.renew(for: nil, at: 40)
    #expect(machine.deadline == 190)
  }

  @Test func aTurnThatWasOvertakenDoesNotShortenMaxWait() throws {
    var machine = try DebounceStateMachine<Int>(
      delay: .nanoseconds(50), edges: .both, maxWait: .nanoseconds(50))
    machine.call(1, at: 110)
    #expect(machine.next(at: 100) == .deliver(1))
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
      try DebounceStateMachine(delay: .nanoseconds(delay), edges: .trailing, maxWait: nil))
    for (key, at) in calls {
      var value: Int? = key
      machine.call(&value, for: key, at: at)
    }
    return machine
  }

  @Test func theAlarmOfForgottenKeysIsStaleAndCounted() throws {
    var machine = try keyed(calls: [(1, 0)])
    let old = machine.generation
    _ = machine.cancelAllPending()
    #expect(machine.alarm(generation: old, at: 100) == .stale(generation: old))
    #expect(machine.snapshot.staleCount == 1)
  }

  @Test func keysAreWokenNoOftenerThanNeeded() throws {
    #expect(try keyed(delay: .max, calls: [(1, 0)]).deadline == nil)
    // A later call leaves the wake where it is; it is put off when it comes.
    var entries = KeyedEntries<Int, DebounceStateMachine<Int>>()
    let slot = entries.add(1, try DebounceStateMachine(delay: delay, edges: .trailing, maxWait: nil))
    for time: Int64 in [0, 50] { entries.change(slot, at: time) { $0.call(1, at: time) } }
    #expect(entries.firstWake == 100)
    #expect(entries.usage.wakes == 1)
    var machine = try keyed(calls: [(1, 0), (2, 50)])
    _ = machine.cancelPending(1)
    #expect(machine.deadline == 150)
  }

  @Test func keysThatComeAndGoLeaveNothing() throws {
    var entries = KeyedEntries<Int, DebounceStateMachine<Int>>()
    let fresh = try DebounceStateMachine<Int>(delay: delay, edges: .trailing, maxWait: nil)
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
    #expect(entries.usage.wakes <= 65)
    _ = entries.remove(0)
    #expect(entries.usage == (0, 0))
  }

  @Test func aBacklogThatIsNeverEmptyDoesNotGrow() {
    var backlog = FIFOQueue<Int>()
    backlog.append(0)
    for number in 1...10_000 {
      backlog.append(number)
      #expect(backlog.popFirst() == number - 1)
    }
    #expect(backlog.count == 1)
    #expect(backlog.items.count <= 130)
  }
}

extension CallStateMachine {
  fileprivate mutating func call(_ value: Delivery, at now: Int64) {
    var value: Delivery? = value
    call(&value, at: now)
  }
}
