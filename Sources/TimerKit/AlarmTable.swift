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

  /// What its fields are read with is mutating, since to read one in another way copies the weak
  /// reference, and writes it back.
  private struct Slot {
    private weak var target: (any AlarmTarget)?
    private let tolerance: Int64
    /// Tickets of the living entries; 0 is none.
    private var alarm: UInt32 = 0
    private var turn: UInt32 = 0

    init(_ target: any AlarmTarget, tolerance: Int64) {
      self.target = target
      self.tolerance = tolerance
    }

    mutating func loadTarget() -> (any AlarmTarget)? { target }
    mutating func loadTolerance() -> Int64 { tolerance }
    mutating func isAlarm(_ ticket: UInt32) -> Bool { alarm == ticket }
    mutating func isTurn(_ ticket: UInt32) -> Bool { turn == ticket }
    mutating func setAlarm(_ ticket: UInt32) { alarm = ticket }
    mutating func setTurn(_ ticket: UInt32) { turn = ticket }
    mutating func clear() { target = nil }
  }

  private var slots: [Slot] = []
  private var freeSlots: [UInt32] = []
  private var alarms = AlarmHeap()
  private var turns = AlarmHeap()
  private var deadAlarms = 0
  private var lastTicket: UInt32 = 0

  /// The living and the dead.
  var entryCount: Int { alarms.count + turns.count }
  var freeSlotCount: Int { freeSlots.count }
  var slotCount: Int { slots.count }

  mutating func register(_ target: any AlarmTarget, tolerance: Int64) -> UInt32 {
    let slot = Slot(target, tolerance: tolerance)
    if let free = freeSlots.popLast() {
      slots[Int(free)] = slot
      return free
    }
    slots.append(slot)
    return UInt32(slots.count - 1)
  }

  mutating func release(_ slot: UInt32) {
    disarm(slot)
    slots[Int(slot)].setTurn(0)
    slots[Int(slot)].clear()
    freeSlots.append(slot)
    if freeSlots.count == slots.count, slots.count > 1024 {
      let ticket = lastTicket
      self = AlarmTable()
      lastTicket = ticket
    }
  }

  /// - Parameter creation: tells which of two timers was made first.
  mutating func arm(_ slot: UInt32, creation: UInt64, at deadline: Int64) -> UInt32 {
    disarm(slot)
    let ticket = newTicket()
    slots[Int(slot)].setAlarm(ticket)
    alarms.insert(
      AlarmHeap.Entry(deadline: deadline, creation: creation, slot: slot, ticket: ticket))
    return ticket
  }

  mutating func disarm(_ slot: UInt32) {
    guard !slots[Int(slot)].isAlarm(0) else { return }
    slots[Int(slot)].setAlarm(0)
    deadAlarms += 1
    if deadAlarms > 64, deadAlarms > alarms.count / 2 {
      alarms.compact { slots[Int($0.slot)].isAlarm($0.ticket) }
      deadAlarms = 0
    }
  }

  mutating func requestTurn(_ slot: UInt32, creation: UInt64, at time: Int64) {
    guard slots[Int(slot)].isTurn(0) else { return }
    let ticket = newTicket()
    slots[Int(slot)].setTurn(ticket)
    turns.insert(AlarmHeap.Entry(deadline: time, creation: creation, slot: slot, ticket: ticket))
  }

  mutating func tolerance(_ slot: UInt32) -> Int64 { slots[Int(slot)].loadTolerance() }

  /// Prepares for taking what is due at `limit`.
  mutating func expect(through limit: Int64) { alarms.expect(through: limit) }

  /// Takes the first of the turns, and of the alarms that are due at `limit`.
  mutating func takeDue(through limit: Int64) -> Due? {
    while true {
      dropDeadRoots()
      let alarm = alarms.first.flatMap { $0.deadline <= limit ? $0 : nil }
      let entry: AlarmHeap.Entry
      let ring: Ring
      if let turn = turns.first, alarm.map({ turn < $0 }) ?? true {
        turns.removeFirst()
        slots[Int(turn.slot)].setTurn(0)
        (entry, ring) = (turn, .turn)
      } else if let alarm {
        alarms.removeFirst()
        slots[Int(alarm.slot)].setAlarm(0)
        (entry, ring) = (alarm, .alarm(ticket: alarm.ticket))
      } else {
        return nil
      }
      // A target that is being released has not given its slot back yet.
      if let target = slots[Int(entry.slot)].loadTarget() {
        return Due(target: target, ring: ring, deadline: entry.deadline)
      }
    }
  }

  var hasTurns: Bool {
    mutating get { turns.entries.contains { slots[Int($0.slot)].isTurn($0.ticket) } }
  }

  /// When the first alarm is due, and when the first one to have to ring must: each may wait for
  /// its deadline and its tolerance.
  mutating func nextWake() -> (earliest: Int64, latest: Int64)? {
    dropDeadRoots()
    guard let first = alarms.first else { return nil }
    if alarms.isOverdue { return (first.deadline, first.deadline) }
    var latest = Int64.max
    limit(&latest, from: 0)
    return (first.deadline, latest)
  }

  private mutating func limit(_ latest: inout Int64, from index: Int) {
    let entry = alarms.entries[index]
    guard entry.deadline < latest else { return }
    if slots[Int(entry.slot)].isAlarm(entry.ticket) {
      latest = min(latest, entry.deadline.addingSaturated(tolerance(entry.slot)))
    }
    for child in alarms.children(of: index) { limit(&latest, from: child) }
  }

  private mutating func dropDeadRoots() {
    while let first = alarms.first, !slots[Int(first.slot)].isAlarm(first.ticket) {
      alarms.removeFirst()
      deadAlarms -= 1
    }
    while let first = turns.first, !slots[Int(first.slot)].isTurn(first.ticket) {
      turns.removeFirst()
    }
  }

  private mutating func newTicket() -> UInt32 {
    lastTicket &+= 1
    if lastTicket == 0 { lastTicket = 1 }
    return lastTicket
  }
}
