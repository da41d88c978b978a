/// The entries of a ``KeyedStateMachine``: found by key, and in the order in which they want to wake.
///
/// Every entry has at most one living wake in the heap; a wake that comes too early for its entry is
/// put off then. The first in the heap is always a living one. When the last entry goes, so does
/// all memory.
@usableFromInline
struct KeyedEntries<Key: Hashable & Sendable, Machine: CallStateMachine>: Sendable {
  struct Ready: Sendable {
    let slot: Int
    let since: Int64
  }

  private struct Entry: Sendable {
    let key: Key
    let creation: UInt64
    var machine: Machine
    /// Of its living wake; the ticket is 0 when it has none.
    var wakesAt: Int64 = .max
    var ticket: UInt32 = 0

    var isPending: Bool { machine.queue.isPending }
    /// When something is due, or when it can be removed. What only waits for its drain needs no wake.
    var wantedWake: Int64? { machine.deadline ?? (isPending ? nil : machine.expiresAt) }

    func isExpired(at now: Int64) -> Bool {
      !isPending && machine.deadline == nil && (machine.expiresAt ?? now) <= now
    }

    /// Changes the machine in its place, and answers by how much its queue has changed.
    mutating func change<Result>(
      _ body: (inout Machine) -> Result
    ) -> (result: Result, pending: Int, ready: Int) {
      let (pending, ready) = (machine.queue.pendingCount, machine.queue.ready.count)
      let result = body(&machine)
      return (result, machine.queue.pendingCount - pending, machine.queue.ready.count - ready)
    }
  }

  private var slots: [Key: Int] = [:]
  private var entries: [Entry?] = []
  private var freeSlots: [Int] = []
  private var wakes = AlarmHeap()
  private var lastTicket: UInt32 = 0
  private var creations: UInt64 = 0
  /// Whose drain it is, once for every value that waits for nothing else.
  private(set) var ready = FIFOQueue<Ready>()
  private(set) var pendingCount = 0

  init() {}

  var count: Int { slots.count }
  var firstWake: Int64? { wakes.first?.deadline }
  /// What it holds: for tests of growth.
  var usage: (slots: Int, wakes: Int) { (entries.count, wakes.count) }

  func slot(of key: Key) -> Int? { slots[key] }
  func key(of slot: Int) -> Key? { entries[slot]?.key }
  func machine(of key: Key) -> Machine? { slots[key].flatMap { entries[$0]?.machine } }

  /// Of the values that wait for their time: where they are, in the order in which they are due.
  var waiting: [(slot: Int, deadline: Int64)] {
    let waiting = entries.indices.compactMap { slot -> (slot: Int, at: Int64, creation: UInt64)? in
      guard let entry = entries[slot], entry.machine.queue.waiting != nil else { return nil }
      return (slot, entry.machine.deadline ?? .max, entry.creation)
    }
    return waiting.sorted { ($0.at, $0.creation) < ($1.at, $1.creation) }
      .map { (slot: $0.slot, deadline: $0.at) }
  }

  mutating func add(_ key: Key, _ machine: Machine) -> Int {
    creations += 1
    let entry = Entry(key: key, creation: creations, machine: machine)
    let slot = freeSlots.popLast() ?? entries.count
    if slot == entries.count { entries.append(entry) } else { entries[slot] = entry }
    slots[key] = slot
    return slot
  }

  /// Changes a machine, and does for its entry what comes of it.
  @discardableResult
  mutating func change<Result>(
    _ slot: Int, at now: Int64, _ body: (inout Machine) -> Result
  ) -> Result? {
    guard let change = entries[slot]?.change(body) else { return nil }
    pendingCount += change.pending
    if change.ready > 0 { ready.append(Ready(slot: slot, since: now)) }
    reschedule(slot, at: now)
    return change.result
  }

  /// Answers the values that were pending, to be dropped.
  mutating func remove(_ key: Key) -> [Machine.Delivery] {
    guard let slot = slots[key], let values = entries[slot]?.change({ $0.queue.removeAll() })
    else { return [] }
    pendingCount += values.pending
    remove(slot)
    return values.result
  }

  /// Takes the first wake, if it has come.
  mutating func popWake(through now: Int64) -> Int? {
    guard let first = wakes.first, first.deadline <= now else { return nil }
    let slot = Int(first.slot)
    entries[slot]?.ticket = 0
    dropStaleWakes()
    return slot
  }

  mutating func popReady() -> Int? { ready.popFirst()?.slot }

  /// Wakes the entry when it wants to be woken, or removes it if there is nothing to wake it for.
  private mutating func reschedule(_ slot: Int, at now: Int64) {
    guard let entry = entries[slot] else { return }
    if entry.isExpired(at: now) { return remove(slot) }
    guard let wake = entry.wantedWake, wake != .max, entry.ticket == 0 || wake < entry.wakesAt
    else { return }
    lastTicket = lastTicket == .max ? 1 : lastTicket + 1
    entries[slot]?.ticket = lastTicket
    entries[slot]?.wakesAt = wake
    wakes.insert(
      AlarmHeap.Entry(
        deadline: wake, creation: entry.creation, slot: UInt32(slot), ticket: lastTicket))
  }

  private mutating func remove(_ slot: Int) {
    guard let key = entries[slot]?.key else { return }
    slots[key] = nil
    entries[slot] = nil
    freeSlots.append(slot)
    if slots.isEmpty {
      self = KeyedEntries()
    } else {
      ready.removeAll { $0.slot == slot }
      dropStaleWakes()
    }
  }

  private mutating func dropStaleWakes() {
    while let first = wakes.first, !isLive(first) { wakes.removeFirst() }
    if wakes.count > 64, wakes.count > 2 * slots.count {
      let entries = entries
      wakes.compact { entries[Int($0.slot)]?.ticket == $0.ticket }
    }
  }

  private func isLive(_ wake: AlarmHeap.Entry) -> Bool {
    entries[Int(wake.slot)]?.ticket == wake.ticket
  }
}
