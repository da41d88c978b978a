/// The entries of a ``KeyedStateMachine``: found by key, and in the order in which they want to wake.
///
/// Every entry has at most one living wake in the heap; a wake that comes too early for its entry is
/// put off then. The first in the heap is always a living one. When the last entry goes, so does
/// all memory.
///
/// The cost of every operation but ``waiting`` does not depend on the number of entries, or is
/// logarithmic in it. What is looked up often is kept in arrays that are not generic: to read a
/// generic struct, code that is not specialized copies it. The path of a call is inlined into its callers,
/// where keys and values are known: unspecialized, it takes ten times as long.
@usableFromInline
struct KeyedEntries<Key: Hashable & Sendable, Machine: CallStateMachine>: Sendable {
  @usableFromInline var slots: [Key: Int] = [:]
  @usableFromInline var keys: [Key?] = []
  /// Of a slot that is free: one without values.
  @usableFromInline var machines: [Machine] = []
  @usableFromInline var records: [EntryRecord] = []
  @usableFromInline var freeSlots: [Int] = []
  @usableFromInline var wakes = AlarmHeap()
  @usableFromInline var lastTicket: UInt32 = 0
  @usableFromInline var creations: UInt64 = 0
  /// The entries to deliver next, once for every value that is ready. The first is always one that
  /// exists. Those of removed entries stay until they come up or the queue has doubled: searching for them
  /// at every removal would make many removals quadratic.
  @usableFromInline var ready = FIFOQueue<ReadyEntry>()
  /// The count from which the queue is searched for removed entries.
  @usableFromInline var readyLimit = 64
  @usableFromInline var pendingCount = 0

  init() {}

  var count: Int { slots.count }
  @inlinable var firstWake: Int64? { wakes.firstDeadline }
  /// Its size: for tests of growth.
  var usage: (slots: Int, wakes: Int, ready: Int) { (records.count, wakes.count, ready.count) }

  @inlinable func slot(of key: Key) -> Int? { slots[key] }
  func key(of slot: Int) -> Key? { keys[slot] }
  func isPending(_ key: Key) -> Bool { slots[key].map { records[$0].schedule.isPending } ?? false }

  /// Of the values that wait for their time: where they are, in the order in which they are due.
  private var waiting: [Int] {
    let order = records.indices.filter { records[$0].schedule.isWaiting }
      .map { (at: records[$0].deadline, creation: records[$0].creation, slot: $0) }
    return order.sorted { ($0.at, $0.creation) < ($1.at, $1.creation) }.map(\.slot)
  }

  /// The earliest deadline of a value that waits for its time.
  var firstDeadline: Int64? {
    records.lazy.filter(\.schedule.isWaiting).map(\.deadline).min()
  }

  @inlinable
  mutating func add(_ key: Key, _ machine: Machine) -> Int {
    creations += 1
    let record = EntryRecord(creation: creations)
    let slot = freeSlots.popLast() ?? records.count
    if slot == records.count {
      records.append(record)
      keys.append(key)
      machines.append(machine)
    } else {
      records[slot] = record
      keys[slot] = key
      machines[slot] = machine
    }
    slots[key] = slot
    return slot
  }

  /// Changes a machine, and does for its entry what comes of it.
  @inlinable @discardableResult
  mutating func change<Result>(
    _ slot: Int, at now: Int64, _ body: (inout Machine) -> Result
  ) -> Result? {
    guard records[slot].isUsed else { return nil }
    let result = body(&machines[slot])
    if update(slot).ready > 0 { appendReady(slot, since: now) }
    reschedule(slot, at: now)
    return result
  }

  /// Makes all values ready that wait for their time, in the order in which they are due. That leaves
  /// the wakes as they are: no entry wants an earlier one for it, and none can be removed.
  mutating func flushAll(at now: Int64) {
    for slot in waiting {
      _ = machines[slot].flush(at: now)
      records[slot].schedule.readyCount += 1
      records[slot].schedule.deadline = machines[slot].deadline
      appendReady(slot, since: now)
    }
  }

  /// Answers the values that were pending, to be dropped.
  mutating func remove(_ key: Key) -> [Machine.Delivery] {
    guard let slot = slots[key] else { return [] }
    let values = machines[slot].queue.removeAll()
    _ = update(slot)
    removeEntry(at: slot)
    return values
  }

  /// Takes the first wake, if it has come.
  mutating func popWake(through now: Int64) -> Int? {
    guard let first = wakes.first, first.deadline <= now else { return nil }
    let slot = Int(first.slot)
    records[slot].ticket = 0
    dropStaleWakes()
    return slot
  }

  mutating func popReady() -> Int? {
    let slot = ready.popFirst()?.slot
    dropStaleReady()
    return slot
  }

  /// Reads what has become of a machine. Answers by how much its queue has changed.
  @inlinable
  mutating func update(_ slot: Int) -> (pending: Int, ready: Int) {
    let old = records[slot].schedule
    let new = CallSchedule(machines[slot])
    records[slot].schedule = new
    let change = (new.pendingCount - old.pendingCount, new.readyCount - old.readyCount)
    pendingCount += change.0
    return change
  }

  /// Wakes the entry when it wants to be woken, or removes it if there is nothing to wake it for.
  @inlinable
  mutating func reschedule(_ slot: Int, at now: Int64) {
    let record = records[slot]
    if record.schedule.isExpired(at: now) { return removeEntry(at: slot) }
    guard let wake = record.schedule.wantedWake, wake != .max,
      record.ticket == 0 || wake < record.wakesAt
    else { return }
    lastTicket = lastTicket == .max ? 1 : lastTicket + 1
    records[slot].ticket = lastTicket
    records[slot].wakesAt = wake
    wakes.insert(
      at: wake, creation: record.creation, slot: UInt32(slot), ticket: lastTicket)
  }

  @usableFromInline
  mutating func removeEntry(at slot: Int) {
    guard let key = keys[slot] else { return }
    slots[key] = nil
    keys[slot] = nil
    records[slot] = EntryRecord()
    freeSlots.append(slot)
    if slots.isEmpty {
      self = KeyedEntries()
    } else {
      dropStaleReady()
      dropStaleWakes()
    }
  }

  @inlinable
  mutating func appendReady(_ slot: Int, since time: Int64) {
    if ready.count >= readyLimit { dropAllStaleReady() }
    ready.append(ReadyEntry(slot: slot, creation: records[slot].creation, since: time))
  }

  @usableFromInline
  mutating func dropAllStaleReady() {
    let records = records
    ready.removeAll { records[$0.slot].creation != $0.creation }
    readyLimit = max(64, 2 * ready.count)
  }

  private mutating func dropStaleReady() {
    while let first = ready.first, records[first.slot].creation != first.creation {
      _ = ready.popFirst()
    }
  }

  private mutating func dropStaleWakes() {
    while let first = wakes.first, !isLive(first) { wakes.removeFirst() }
    if wakes.count > 64, wakes.count > 2 * slots.count {
      let records = records
      wakes.compact { records[Int($0.slot)].ticket == $0.ticket }
    }
  }

  private func isLive(_ wake: AlarmHeap.Entry) -> Bool {
    records[Int(wake.slot)].ticket == wake.ticket
  }
}

/// A value that waits for nothing but its drain.
@usableFromInline
struct ReadyEntry: Sendable {
  let slot: Int
  /// Of the entry: another one may have taken its slot.
  let creation: UInt64
  @usableFromInline let since: Int64

  @usableFromInline
  init(slot: Int, creation: UInt64, since: Int64) {
    self.slot = slot
    self.creation = creation
    self.since = since
  }
}

/// The state of an entry beside its key and its machine.
@usableFromInline
struct EntryRecord: Sendable {
  /// 0 where there is none.
  @usableFromInline var creation: UInt64 = 0
  @usableFromInline var schedule = CallSchedule()
  /// Of its living wake; the ticket is 0 when it has none.
  @usableFromInline var wakesAt: Int64 = .max
  @usableFromInline var ticket: UInt32 = 0

  @usableFromInline
  init(creation: UInt64 = 0) {
    self.creation = creation
  }

  @inlinable var isUsed: Bool { creation != 0 }
  var deadline: Int64 { schedule.deadline ?? .max }
}

/// The state of a ``CallStateMachine`` on which its place in ``KeyedEntries`` depends.
@usableFromInline
struct CallSchedule: Sendable {
  @usableFromInline var pendingCount = 0
  @usableFromInline var readyCount = 0
  @usableFromInline var deadline: Int64?
  @usableFromInline var expiresAt: Int64?

  init() {}

  @inlinable
  init(_ machine: some CallStateMachine) {
    pendingCount = machine.queue.pendingCount
    readyCount = machine.queue.ready.count
    deadline = machine.deadline
    expiresAt = machine.expiresAt
  }

  @inlinable var isPending: Bool { pendingCount > 0 }
  var isWaiting: Bool { pendingCount > readyCount }
  /// The time at which something is due, or at which the entry can be removed. A value that only waits
  /// for the drain needs no wake.
  @inlinable var wantedWake: Int64? { deadline ?? (isPending ? nil : expiresAt) }

  @inlinable
  func isExpired(at now: Int64) -> Bool {
    !isPending && deadline == nil && (expiresAt ?? now) <= now
  }
}
