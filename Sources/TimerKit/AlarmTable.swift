/// What a driver rings.
@usableFromInline
protocol AlarmTarget: AnyObject, Sendable {
  func ring(_ ring: Ring, at now: Int64)
}

/// Why a driver rings.
@usableFromInline
enum Ring: Sendable {
  /// The alarm that was armed with this ticket.
  case alarm(ticket: UInt32)
  /// The turn that the target asked for, to deliver what waits without an alarm.
  case turn
}

/// The alarms and turns of all timers of one driver, in the order they come due.
///
/// Cancelling and re-arming are lazy: they give the slot a new ticket and leave the old entry in its
/// heap, where it is dropped when it comes up, or when the dead outnumber the living.
struct AlarmTable {
  struct Due {
    var target: any AlarmTarget
    var ring: Ring
    var deadline: Int64
  }

  private struct Slot {
    var creation: UInt64
    var tolerance: Int64
    /// Tickets of the living entries; 0 is none.
    var alarm: UInt32 = 0
    var turn: UInt32 = 0
  }

  /// Kept apart from the slots: reading any field of a struct copies the weak references in it.
  private struct Target {
    weak var object: (any AlarmTarget)?
    mutating func load() -> (any AlarmTarget)? { object }
  }

  private var slots: [Slot] = []
  private var targets: [Target] = []
  private var freeSlots: [UInt32] = []
  private var alarms = AlarmHeap()
  private var turns = AlarmHeap()
  private var deadAlarms = 0
  private var lastTicket: UInt32 = 0

  /// The living and the dead.
  var entryCount: Int { alarms.count + turns.count }
  var freeSlotCount: Int { freeSlots.count }
  var slotCount: Int { slots.count }

  mutating func register(
    _ target: any AlarmTarget, creation: UInt64, tolerance: Int64
  ) -> UInt32 {
    let slot = Slot(creation: creation, tolerance: tolerance)
    if let free = freeSlots.popLast() {
      slots[Int(free)] = slot
      targets[Int(free)].object = target
      return free
    }
    slots.append(slot)
    targets.append(Target(object: target))
    return UInt32(slots.count - 1)
  }

  mutating func release(_ slot: UInt32) {
    disarm(slot)
    slots[Int(slot)].turn = 0
    targets[Int(slot)].object = nil
    freeSlots.append(slot)
    if freeSlots.count == slots.count, slots.count > 1024 {
      let ticket = lastTicket
      self = AlarmTable()
      lastTicket = ticket
    }
  }

  mutating func arm(_ slot: UInt32, at deadline: Int64) -> UInt32 {
    disarm(slot)
    let ticket = newTicket()
    slots[Int(slot)].alarm = ticket
    alarms.insert(entry(slot, ticket, deadline))
    return ticket
  }

  mutating func disarm(_ slot: UInt32) {
    guard slots[Int(slot)].alarm != 0 else { return }
    slots[Int(slot)].alarm = 0
    deadAlarms += 1
    if deadAlarms > 64, deadAlarms > alarms.count / 2 {
      alarms.compact { slots[Int($0.slot)].alarm == $0.ticket }
      deadAlarms = 0
    }
  }

  mutating func requestTurn(_ slot: UInt32, at time: Int64) {
    guard slots[Int(slot)].turn == 0 else { return }
    let ticket = newTicket()
    slots[Int(slot)].turn = ticket
    turns.insert(entry(slot, ticket, time))
  }

  func tolerance(_ slot: UInt32) -> Int64 { slots[Int(slot)].tolerance }

  /// Takes the first of the turns, and of the alarms that are due at `limit`.
  mutating func takeDue(through limit: Int64) -> Due? {
    while true {
      dropDeadRoots()
      let alarm = alarms.first.flatMap { $0.deadline <= limit ? $0 : nil }
      let entry: AlarmHeap.Entry
      let ring: Ring
      if let turn = turns.first, alarm.map({ turn < $0 }) ?? true {
        turns.removeFirst()
        slots[Int(turn.slot)].turn = 0
        (entry, ring) = (turn, .turn)
      } else if let alarm {
        alarms.removeFirst()
        slots[Int(alarm.slot)].alarm = 0
        (entry, ring) = (alarm, .alarm(ticket: alarm.ticket))
      } else {
        return nil
      }
      // A target that is being released has not given its slot back yet.
      if let target = targets[Int(entry.slot)].load() {
        return Due(target: target, ring: ring, deadline: entry.deadline)
      }
    }
  }

  var hasTurns: Bool {
    turns.entries.contains { slots[Int($0.slot)].turn == $0.ticket }
  }

  /// When the first alarm is due, and when the first one to have to ring must: each may wait for
  /// its deadline and its tolerance.
  mutating func nextWake() -> (earliest: Int64, latest: Int64)? {
    dropDeadRoots()
    guard let first = alarms.first else { return nil }
    var latest = Int64.max
    limit(&latest, from: 0)
    return (first.deadline, latest)
  }

  private func limit(_ latest: inout Int64, from index: Int) {
    let entry = alarms.entries[index]
    guard entry.deadline < latest else { return }
    let slot = slots[Int(entry.slot)]
    if slot.alarm == entry.ticket {
      latest = min(latest, entry.deadline.addingSaturated(slot.tolerance))
    }
    for child in alarms.children(of: index) { limit(&latest, from: child) }
  }

  private mutating func dropDeadRoots() {
    while let first = alarms.first, slots[Int(first.slot)].alarm != first.ticket {
      alarms.removeFirst()
      deadAlarms -= 1
    }
    while let first = turns.first, slots[Int(first.slot)].turn != first.ticket {
      turns.removeFirst()
    }
  }

  private func entry(_ slot: UInt32, _ ticket: UInt32, _ time: Int64) -> AlarmHeap.Entry {
    AlarmHeap.Entry(
      deadline: time, creation: slots[Int(slot)].creation, slot: slot, ticket: ticket)
  }

  private mutating func newTicket() -> UInt32 {
    lastTicket &+= 1
    if lastTicket == 0 { lastTicket = 1 }
    return lastTicket
  }
}
