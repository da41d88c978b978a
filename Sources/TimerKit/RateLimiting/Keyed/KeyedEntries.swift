/// The entries of a ``KeyedStateMachine``, found by key and ordered by the times of their alarms.
///
/// An entry's alarm is an element of the heap: the time at which a value of the entry is due, or at which the entry
/// can be removed. Every entry has at most one valid alarm, and the first alarm in the heap is always valid. An alarm
/// that comes too early for its entry is armed again. All memory is released with the last entry.
///
/// The cost of every operation except ``usedSlots``, ``waiting``, ``flushAll(at:)`` and ``firstDeadline`` is constant,
/// or logarithmic in the number of entries, amortized.
/// State that is read often is stored in arrays of nongeneric structs, because unspecialized code copies
/// a generic struct to read it. The path of a call is inlined into its callers, where the types of keys and
/// values are known: unspecialized, it takes ten times as long.
@usableFromInline
struct KeyedEntries<Key: Hashable & Sendable, Machine: CallStateMachine>: Sendable {
  @usableFromInline var slots: [Key: Int] = [:]
  @usableFromInline var keys: [Key?] = []
  /// The machines by slot. The machine of a free slot has no values.
  @usableFromInline var machines: [Machine] = []
  @usableFromInline var records: [EntryRecord] = []
  @usableFromInline var freeSlots: [Int] = []
  @usableFromInline var alarms = AlarmHeap<AlarmEntry>()
  @usableFromInline var lastTicket: UInt32 = 0
  @usableFromInline var lastCreationNumber: UInt64 = 0
  /// The entries to deliver next: an element for every value that is ready, and possibly for ready values that an
  /// alarm has delivered meanwhile. The first element always belongs to an existing entry. The elements of removed
  /// entries stay until they are the first, or the queue has doubled: with a search at every removal, many removals
  /// would take quadratic time.
  /// An element has the creation number of its entry, because another entry may have taken the slot.
  @usableFromInline var ready = FIFOQueue<(slot: Int, creationNumber: UInt64, since: Int64)>()
  /// The number of elements at which the queue is searched for removed entries.
  @usableFromInline var readyLimit = 64
  @usableFromInline var pendingCount = 0

  var count: Int { slots.count }
  @inlinable var firstAlarm: Int64? { alarms.firstTime }
  /// The sizes of the arrays, for tests of memory growth.
  var usage: (slots: Int, alarms: Int, ready: Int) { (records.count, alarms.count, ready.count) }

  @inlinable func slot(of key: Key) -> Int? { slots[key] }
  var usedSlots: [Int] { Array(slots.values) }
  func key(of slot: Int) -> Key? { keys[slot] }
  func isPending(_ key: Key) -> Bool { slots[key].map { records[$0].summary.isPending } ?? false }

  /// The slots of the values that wait for their time, in the order in which they are due.
  private var waiting: [Int] {
    let order = records.indices.filter { records[$0].summary.isWaiting }
      .map { (at: records[$0].deadline, creationNumber: records[$0].creationNumber, slot: $0) }
    return order.sorted { ($0.at, $0.creationNumber) < ($1.at, $1.creationNumber) }.map(\.slot)
  }

  /// The earliest deadline of a value that waits for its time.
  var firstDeadline: Int64? {
    records.lazy.filter(\.summary.isWaiting).map(\.deadline).min()
  }

  @inlinable
  mutating func add(_ key: Key, _ machine: Machine) -> Int {
    lastCreationNumber += 1
    let record = EntryRecord(creationNumber: lastCreationNumber)
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

  /// Changes the machine of a slot that is not free, and updates its entry accordingly.
  /// - Returns: the result of `body`.
  @inlinable @discardableResult
  mutating func change<Result>(
    _ slot: Int, at now: Int64, _ body: (inout Machine) -> Result
  ) -> Result {
    let result = body(&machines[slot])
    if update(slot) > 0 { appendReady(slot, since: now) }
    reschedule(slot, at: now)
    return result
  }

  /// Moves all values that wait for their time to the ready values, in the order in which they are due. The alarms
  /// do not change, because no entry needs an earlier one or can be removed.
  mutating func flushAll(at now: Int64) {
    for slot in waiting {
      _ = machines[slot].flush(at: now)
      // The recorded deadline is not updated: until the next update, it is read only for values that wait.
      records[slot].summary.readyCount += 1
      appendReady(slot, since: now)
    }
  }

  /// Removes the entry of a key.
  /// - Returns: its pending values, which the caller destroys.
  mutating func remove(_ key: Key) -> [Machine.Delivery] {
    guard let slot = slots[key] else { return [] }
    let values = machines[slot].calls.removeAll()
    _ = update(slot)
    removeEntry(at: slot)
    return values
  }

  /// Removes the first alarm if its time has come.
  /// - Returns: the slot of its entry.
  mutating func popAlarm(through now: Int64) -> Int? {
    guard let first = alarms.first, first.time <= now else { return nil }
    let slot = Int(first.slot)
    records[slot].ticket = 0
    dropOutdatedAlarms()
    return slot
  }

  mutating func popReady() -> Int? {
    let slot = ready.popFirst()?.slot
    dropOutdatedReady()
    return slot
  }

  /// Updates the record of an entry from its machine.
  /// - Returns: the change in the number of ready values.
  @inlinable
  mutating func update(_ slot: Int) -> Int {
    let old = records[slot].summary
    let new = CallSummary(machines[slot])
    records[slot].summary = new
    pendingCount += new.pendingCount - old.pendingCount
    return new.readyCount - old.readyCount
  }

  /// Arms the alarm of an entry, or removes the entry if it has expired.
  @inlinable
  mutating func reschedule(_ slot: Int, at now: Int64) {
    let record = records[slot]
    if record.summary.isExpired(at: now) { return removeEntry(at: slot) }
    guard let alarm = record.summary.nextAlarm, alarm != .max,
      record.ticket == 0 || alarm < record.alarmTime
    else { return }
    lastTicket = lastTicket == .max ? 1 : lastTicket + 1
    records[slot].ticket = lastTicket
    records[slot].alarmTime = alarm
    alarms.insert(
      at: alarm, creationNumber: record.creationNumber, slot: UInt32(slot), ticket: lastTicket)
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
      dropOutdatedReady()
      dropOutdatedAlarms()
    }
  }

  @inlinable
  mutating func appendReady(_ slot: Int, since time: Int64) {
    if ready.count >= readyLimit { dropAllOutdatedReady() }
    ready.append((slot, records[slot].creationNumber, time))
  }

  @usableFromInline
  mutating func dropAllOutdatedReady() {
    let records = records
    ready.removeAll { records[$0.slot].creationNumber != $0.creationNumber }
    readyLimit = max(64, 2 * ready.count)
  }

  private mutating func dropOutdatedReady() {
    while let first = ready.first, records[first.slot].creationNumber != first.creationNumber {
      _ = ready.popFirst()
    }
  }

  private mutating func dropOutdatedAlarms() {
    while let first = alarms.first, records[Int(first.slot)].ticket != first.ticket {
      alarms.removeFirst()
    }
    if alarms.count > 64, alarms.count > 2 * slots.count {
      let records = records
      alarms.compact { records[Int($0.slot)].ticket == $0.ticket }
    }
  }
}

/// The state of an entry except for its key and its machine.
@usableFromInline
struct EntryRecord: Sendable {
  /// The number of the entry in the order of creation; 0 if the slot is free.
  @usableFromInline var creationNumber: UInt64 = 0
  @usableFromInline var summary = CallSummary()
  /// The time of the valid alarm.
  @usableFromInline var alarmTime: Int64 = .max
  /// The number of the valid alarm, by which the earlier ones of the entry are recognized as outdated; 0 if there is none.
  @usableFromInline var ticket: UInt32 = 0

  @usableFromInline
  init(creationNumber: UInt64 = 0) {
    self.creationNumber = creationNumber
  }

  var deadline: Int64 { summary.deadline ?? .max }
}

/// The properties of a ``CallStateMachine`` that determine the alarm and the removal of its entry.
@usableFromInline
struct CallSummary: Sendable {
  @usableFromInline var pendingCount = 0
  @usableFromInline var readyCount = 0
  @usableFromInline var deadline: Int64?
  @usableFromInline var historyExpiresAt: Int64?

  init() {}

  @inlinable
  init(_ machine: some CallStateMachine) {
    pendingCount = machine.calls.pendingCount
    readyCount = machine.calls.ready.count
    deadline = machine.deadline
    historyExpiresAt = machine.historyExpiresAt
  }

  @inlinable var isPending: Bool { pendingCount > 0 }
  var isWaiting: Bool { pendingCount > readyCount }
  /// The time at which a value is due, or at which the entry can be removed. A value that waits only for the
  /// next drain needs no alarm.
  @inlinable var nextAlarm: Int64? { deadline ?? (isPending ? nil : historyExpiresAt) }

  @inlinable
  func isExpired(at now: Int64) -> Bool {
    !isPending && deadline == nil && (historyExpiresAt ?? now) <= now
  }
}
