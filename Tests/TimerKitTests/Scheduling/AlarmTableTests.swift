import Fuzzing
import Testing

@testable import TimerKit

/// Compares the heap and the slots with plain sorted arrays.
@Suite struct AlarmTableTests {
  private final class Target: AlarmTarget {
    let number: Int
    init(_ number: Int) { self.number = number }
    var timerDeadline: Int64? { nil }
    func handle(_ call: DriverCall, at now: Int64) {}
  }

  private struct Armed: Equatable {
    var deadline: Int64
    var number: Int
  }

  @Test func dueAlarmsFireInOrder() {
    var random = SplitMix(state: 11)
    for _ in 0..<300 {
      var table = AlarmTable()
      var slots: [(target: Target, slot: UInt32)] = []
      var armed: [Armed] = []
      for number in 0..<40 {
        let target = Target(number)
        let slot = table.register(target, tolerance: 0)
        slots.append((target, slot))
      }
      for _ in 0..<300 {
        let number = random.below(40)
        let slot = slots[number].slot
        armed.removeAll { $0.number == number }
        if random.below(4) > 0 {
          let deadline = Int64(random.below(50))
          _ = table.arm(slot, creationNumber: UInt64(number), at: deadline)
          armed.append(Armed(deadline: deadline, number: number))
        } else {
          table.disarm(slot)
        }
        guard random.below(10) == 0 else { continue }
        let limit = Int64(random.below(20))
        let due = armed.filter { $0.deadline <= limit }
          .sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
        armed.removeAll { $0.deadline <= limit }
        if random.below(2) == 0 { table.sortDueAlarms(through: limit) }
        var taken: [Armed] = []
        while let next = table.takeDue(through: limit) {
          taken.append(
            Armed(deadline: next.time, number: (next.target as? Target)?.number ?? -1))
        }
        #expect(taken == due)
        let earliest = table.nextWake()?.earliest
        #expect(earliest == armed.map(\.deadline).min())
      }
    }
  }

  /// Alarms that are due together are sorted once; alarms that are set, moved or cancelled in the meantime
  /// still fire in order.
  @Test func alarmsThatChangeDuringABatchFireInOrder() {
    var random = SplitMix(state: 3)
    for _ in 0..<200 {
      var table = AlarmTable()
      let targets = (0..<60).map(Target.init)
      let slots = targets.map { table.register($0, tolerance: 0) }
      var armed: [Int: Int64] = [:]
      func armOne() {
        let number = random.below(60)
        let deadline = Int64(random.below(100))
        _ = table.arm(slots[number], creationNumber: UInt64(number), at: deadline)
        armed[number] = deadline
      }
      for _ in 0..<100 { armOne() }
      for _ in 0..<10 {
        let limit = Int64(random.below(100))
        table.sortDueAlarms(through: limit)
        for _ in 0..<random.below(60) {
          let first = armed.min { ($0.value, $0.key) < ($1.value, $1.key) }
          let due = first.flatMap { $0.value <= limit ? $0.key : nil }
          let taken = table.takeDue(through: limit).flatMap { ($0.target as? Target)?.number }
          #expect(taken == due)
          if let due { armed[due] = nil }
          switch random.below(4) {
          case 0: armOne()
          case 1:
            let number = random.below(60)
            table.disarm(slots[number])
            armed[number] = nil
          default: break
          }
        }
        #expect(table.nextWake()?.earliest == armed.values.min())
      }
      withExtendedLifetime(targets) {}
    }
  }

  @Test func drainsIgnoreTheLimitAndRunInOrderWithAlarms() {
    var table = AlarmTable()
    let targets = (0..<3).map(Target.init)
    let slots = targets.map {
      table.register($0, tolerance: 0)
    }
    _ = table.arm(slots[0], creationNumber: 0, at: 10)
    table.requestDrain(slots[1], creationNumber: 1, at: 10)
    table.requestDrain(slots[1], creationNumber: 1, at: 3)
    table.requestDrain(slots[2], creationNumber: 2, at: 9)
    _ = table.arm(slots[2], creationNumber: 2, at: 11)
    func next(_ limit: Int64) -> String? {
      table.takeDue(through: limit).map { due in
        let number = (due.target as? Target)?.number ?? -1
        if case .drain = due.call { return "drain \(number)" } else { return "alarm \(number)" }
      }
    }
    let hadDrains = table.hasDrains
    #expect(hadDrains)
    #expect(next(10) == "drain 2")
    #expect(next(10) == "alarm 0")
    #expect(next(.min) == "drain 1")
    let hasDrains = table.hasDrains
    #expect(!hasDrains)
    #expect(next(10) == nil)
    #expect(next(11) == "alarm 2")
    withExtendedLifetime(targets) {}
  }

  @Test func aReleasedSlotDoesNotFireNorDoesItsNextOwner() {
    var table = AlarmTable()
    let first = Target(1)
    let slot = table.register(first, tolerance: 0)
    _ = table.arm(slot, creationNumber: 1, at: 5)
    table.requestDrain(slot, creationNumber: 1, at: 4)
    table.freeSlot(slot)
    let second = Target(2)
    #expect(table.register(second, tolerance: 0) == slot)
    #expect(table.takeDue(through: .max) == nil)
    let hasDrains = table.hasDrains
    #expect(!hasDrains)
    withExtendedLifetime((first, second)) {}
  }

  @Test func aReleasedTargetIsSkipped() {
    var table = AlarmTable()
    var gone: Target? = Target(1)
    let kept = Target(2)
    let slots = [gone, kept].compactMap { $0 }.map {
      table.register($0, tolerance: 0)
    }
    for slot in slots { _ = table.arm(slot, creationNumber: UInt64(slot), at: 5) }
    gone = nil
    #expect((table.takeDue(through: 5)?.target as? Target)?.number == 2)
    table.freeSlot(slots[0])
    #expect(table.takeDue(through: .max) == nil)
  }

  @Test func staleEntriesAreRemovedWhenTheyOutnumberLiveOnes() {
    var table = AlarmTable()
    let targets = (0..<10).map(Target.init)
    let slots = targets.map {
      table.register($0, tolerance: 0)
    }
    for round in 0..<10_000 {
      _ = table.arm(slots[round % 10], creationNumber: 0, at: Int64(10_000 - round))
      #expect(table.entryCount <= 150)
    }
  }

  /// Entries that have fired count neither as stale nor as live.
  @Test func staleEntriesAreCountedCorrectlyAfterABatch() {
    var table = AlarmTable()
    let target = Target(0)
    let slot = table.register(target, tolerance: 0)
    for time in 0..<1_000 {
      _ = table.arm(slot, creationNumber: 0, at: Int64(time))
      let due = table.takeDue(through: .max)
      #expect(due != nil)
    }
    for _ in 0..<1_000 {
      _ = table.arm(slot, creationNumber: 0, at: 0)
      #expect(table.entryCount <= 150)
    }
  }

  @Test func memoryIsReleasedWhenTheTableIsEmpty() {
    var table = AlarmTable()
    let targets = (0..<2_000).map(Target.init)
    let slots = targets.map { table.register($0, tolerance: 0) }
    var last: UInt32 = 0
    for slot in slots { last = table.arm(slot, creationNumber: 0, at: 5) }
    for slot in slots.dropLast() { table.freeSlot(slot) }
    #expect(table.slotCount == 2_000)
    table.freeSlot(slots[1_999])
    #expect(table.slotCount == 0 && table.entryCount == 0)
    // A pending fire of an earlier owner is not delivered to a new owner of the slot.
    let slot = table.register(targets[0], tolerance: 0)
    let next = table.arm(slot, creationNumber: 0, at: 5)
    #expect(next > last)
    // A few slots are kept.
    table.freeSlot(slot)
    #expect(table.slotCount == 1)
  }

  /// A slot whose alarm has the ticket 0 is not armed.
  @Test func noAlarmHasTheTicketZero() {
    var table = AlarmTable(lastTicket: .max)
    let target = Target(0)
    let slot = table.register(target, tolerance: 0)
    #expect(table.arm(slot, creationNumber: 0, at: 5) == 1)
    withExtendedLifetime(target) {}
  }

  @Test func theNextOwnerOfASlotHasItsOwnTolerance() {
    var table = AlarmTable()
    let targets = (0..<2).map(Target.init)
    let slot = table.register(targets[0], tolerance: 5)
    table.freeSlot(slot)
    #expect(table.register(targets[1], tolerance: 50) == slot)
    _ = table.arm(slot, creationNumber: 0, at: 10)
    let latest = table.nextWake()?.latest
    #expect(latest == 60)
    withExtendedLifetime(targets) {}
  }

  @Test func latestWakeIsTheEarliestEndOfAnyTolerance() {
    var random = SplitMix(state: 5)
    for _ in 0..<500 {
      var table = AlarmTable()
      var ends: [Int64] = []
      var targets: [Target] = []
      for number in 0...random.below(30) {
        let target = Target(number)
        let tolerance = Int64(random.below(100))
        let deadline = Int64(random.below(100))
        let slot = table.register(target, tolerance: tolerance)
        targets.append(target)
        _ = table.arm(slot, creationNumber: UInt64(number), at: deadline)
        if random.below(3) == 0 { table.disarm(slot) } else { ends.append(deadline + tolerance) }
      }
      let latest = table.nextWake()?.latest
      #expect(latest == ends.min())
    }
  }
}

extension AlarmTable {
  /// Registers a target in its own slot.
  mutating func register(_ target: any AlarmTarget, tolerance: Int64) -> UInt32 {
    var slot = AlarmHandle.noSlot
    register(&slot, AlarmRegistration(target: target, creationNumber: 0, tolerance: tolerance))
    return slot
  }
}
