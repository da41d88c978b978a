/// Any number of timers as values, by identifier, in the order of their wake-ups.
///
/// ```swift
/// let clock = TimerClock.suspending
/// var timeouts = TimerQueue<Int, Repeater.Value>()
/// timeouts[7] = try Repeater.Value(interval: .seconds(30), mode: .once)
/// timeouts[7]?.start(at: clock.now)  // in place
/// print(timeouts.wakeUp as Any)  // the earliest time at which to call again
/// while let next = timeouts.advance(to: clock.now) { print("\(next.id) is idle") }
/// ```
///
/// It is the inner part of an event loop: a server can keep a million timeouts in one without a lock, an allocation or a
/// reference count for each. It is itself a value: a copy of it is independent, and it is a ``TimerValue``, so that
/// what wakes one timer can wake a queue of them.
///
/// All values must belong to the clock of the queue; another one is a programming error and traps as soon as the value
/// has a wake-up. Of values with equal wake-ups, any can be the first.
///
/// Finding and changing a value takes constant time; a wake-up that becomes earlier, and a delivery, take O(log n).
/// Changing it to a later time takes no more than changing the value, until the earlier time has come.
public struct TimerQueue<ID: Hashable & Sendable, Value: TimerValue>: TimerValue {
  /// A delivery of one of the values.
  public struct Delivery: Sendable {
    /// The identifier of the value.
    public let id: ID
    /// Its delivery.
    public let delivery: Value.Delivery

    @inlinable
    init(id: ID, delivery: Value.Delivery) {
      self.id = id
      self.delivery = delivery
    }
  }

  // Invariants:
  // - A value with a wake-up has a valid entry, which is not later than the wake-up. Others have none.
  // - The first entry is valid, and has the time of its value's wake-up. The others may be earlier than that, or outdated.

  /// A time at which a value is to be advanced.
  @usableFromInline
  struct Entry: AlarmHeapEntry {
    @usableFromInline let time: Int64
    @usableFromInline let slot: UInt32
    /// The entry is valid while its slot has the same ticket.
    @usableFromInline let ticket: UInt32

    @inlinable
    init(time: Int64, slot: UInt32, ticket: UInt32) {
      self.time = time
      self.slot = slot
      self.ticket = ticket
    }

    @inlinable
    static func < (left: Entry, right: Entry) -> Bool {
      left.time != right.time ? left.time < right.time : left.slot < right.slot
    }
  }

  @usableFromInline
  struct Slot: Sendable {
    /// The value; `nil` if the slot is free.
    @usableFromInline var value: Value?
    @usableFromInline var id: ID
    /// The ticket of the valid entry; 0 if there is none.
    @usableFromInline var ticket: UInt32 = 0

    @inlinable
    init(_ value: Value, _ id: ID) {
      self.value = value
      self.id = id
    }
  }

  /// Slots are stored in chunks, so that growing moves none, and a change after a copy of the queue copies few.
  @usableFromInline var chunks: [[Slot]] = []
  @usableFromInline var slotCount: UInt32 = 0
  @usableFromInline var freeSlots: [UInt32] = []
  @usableFromInline var table = SlotTable()
  @usableFromInline var heap = AlarmHeap<Entry>()
  @usableFromInline var outdatedCount = 0
  /// The number of calls of ``advance(to:)`` before the next one that counts what is due.
  @usableFromInline var advancesBeforeCount = 0
  @usableFromInline var lastTicket: UInt32 = 0
  @usableFromInline let clock: ClockIdentity

  @inlinable static var chunkSize: Int { 1024 }

  /// Creates an empty queue.
  /// - Parameter clock: the clock of all its values. The queue never reads it.
  public init(clock: TimerClock = .suspending) {
    self.clock = clock.timeSource.identity
  }

  /// The number of values, with and without a wake-up.
  @inlinable public var count: Int { table.count }

  /// A Boolean value that indicates whether the queue has no values.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// The identifiers of all values, in no particular order.
  @inlinable public var ids: some Sequence<ID> {
    chunks.lazy.joined().filter { $0.value != nil }.map(\.id)
  }

  // MARK: - Values

  /// Adds a value, or replaces the value of its identifier.
  @inlinable
  public mutating func set(_ value: Value, for id: ID) {
    if let slot = slot(of: id) {
      change(slot) { $0 = value }
    } else {
      insert(value, id)
    }
  }

  /// Removes a value.
  /// - Returns: the value; `nil` if there is none with this identifier.
  @inlinable @discardableResult
  public mutating func remove(_ id: ID) -> Value? {
    guard let slot = slot(of: id) else { return nil }
    let value = self[slot: slot].value
    removeSlot(slot)
    settle()
    return value
  }

  /// The value with an identifier. Changing it changes it in place; setting it to `nil` removes it.
  @inlinable
  public subscript(id: ID) -> Value? {
    get { slot(of: id).flatMap { self[slot: $0].value } }
    _modify {
      if let slot = slot(of: id) {
        let before = wakeTime(of: slot)
        defer { update(slot, from: before) }
        yield &self[slot: slot].value
      } else {
        var value: Value?
        defer { if let value { insert(value, id) } }
        yield &value
      }
    }
  }

  /// Changes a value in place.
  /// - Returns: the result of `body`; `nil` if there is no value with this identifier.
  @inlinable @discardableResult
  public mutating func update<Result>(
    _ id: ID, _ body: (inout Value) -> Result
  ) -> Result? {
    slot(of: id).flatMap { change($0, body) }
  }

  // MARK: - Time

  /// The time at which to call ``advance(to:)`` again: from the earliest wake-up of all values, to the time by which the
  /// tolerance of each allows to be late.
  /// - Complexity: O(n) in the number of values with a wake-up before the end of the range.
  @inlinable
  public var wakeUp: ClosedRange<TimerClock.Instant>? {
    guard let first = heap.first else { return nil }
    var latest = Int64.max
    for entry in heap.run where entry.time < latest { lower(&latest, entry) }
    lower(&latest, from: 0)
    let earliest = TimerClock.Instant(nanoseconds: first.time, clock: clock)
    return earliest...TimerClock.Instant(nanoseconds: max(first.time, latest), clock: clock)
  }

  /// Returns the next delivery that is due at `now`, and its identifier; `nil` if there is none. Call it until it returns
  /// `nil`.
  ///
  /// Deliveries come in the order of the wake-ups. Between two calls, you can change all values: one that you stop or remove
  /// is not delivered, even if it was due. If many are due, the first call sorts them, so that the next ones take constant
  /// time.
  @inlinable
  public mutating func advance(to now: TimerClock.Instant) -> Delivery? {
    precondition(now.clock == clock, "the instant is of another clock than the queue")
    guard let first = heap.first, first.time <= now.nanoseconds else { return nil }
    sortDue(by: now.nanoseconds)
    // The latest instant never comes.
    while let entry = heap.first, entry.time <= now.nanoseconds, entry.time < .max {
      heap.removeFirst()
      self[slot: entry.slot].ticket = 0
      let delivery = self[slot: entry.slot].value?.advance(to: now)
      // A value that is due, but delivers nothing, is asked again at a later time. Otherwise this would not end.
      arm(entry.slot, notBefore: delivery == nil ? now.nanoseconds.addingSaturated(1) : .min)
      settle()
      if let delivery { return Delivery(id: self[slot: entry.slot].id, delivery: delivery) }
    }
    return nil
  }

  /// Sorts what is due, if it is much.
  @inlinable
  mutating func sortDue(by limit: Int64) {
    guard !heap.hasSortedRun else { return }
    if advancesBeforeCount > 0 {
      advancesBeforeCount -= 1
    } else if let count = heap.countOfFew(dueBy: limit) {
      // Counting takes as long as so many deliveries.
      advancesBeforeCount = count
    } else {
      heap.sortDue(by: limit)
    }
  }

  // MARK: - Slots

  @inlinable
  subscript(slot slot: UInt32) -> Slot {
    // With `get`, each look at an identifier or a ticket would copy the value.
    _read { yield chunks[Int(slot) / Self.chunkSize][Int(slot) % Self.chunkSize] }
    _modify { yield &chunks[Int(slot) / Self.chunkSize][Int(slot) % Self.chunkSize] }
  }

  @inlinable
  func slot(of id: ID) -> UInt32? {
    table.slot(hash: id.hashValue) { self[slot: $0].id == id }
  }

  @inlinable
  mutating func insert(_ value: Value, _ id: ID) {
    let slot: UInt32
    if let free = freeSlots.popLast() {
      slot = free
      self[slot: slot] = Slot(value, id)
    } else {
      slot = slotCount
      slotCount += 1
      if Int(slot) % Self.chunkSize == 0 { chunks.append([]) }
      chunks[chunks.count - 1].append(Slot(value, id))
    }
    changeTable { (table, queue) in
      table.insert(slot, hash: id.hashValue) { queue[slot: $0].id.hashValue }
    }
    arm(slot)
  }

  /// Removes the value of a slot. Call ``settle()`` afterward.
  @inlinable
  mutating func removeSlot(_ slot: UInt32) {
    disarm(slot)
    changeTable { (table, queue) in
      table.remove(slot, hash: queue[slot: slot].id.hashValue) { queue[slot: $0].id.hashValue }
    }
    self[slot: slot].value = nil
    freeSlots.append(slot)
    if count == 0 { releaseMemory() }
  }

  /// Changes the table, which asks the slots for hash values meanwhile.
  @inlinable
  mutating func changeTable(_ body: (inout SlotTable, Self) -> Void) {
    var table = SlotTable()
    swap(&table, &self.table)
    body(&table, self)
    swap(&table, &self.table)
  }

  /// Releases all memory of an empty queue.
  @inlinable
  mutating func releaseMemory() {
    chunks = []
    slotCount = 0
    freeSlots = []
    heap = AlarmHeap()
    outdatedCount = 0
  }

  @inlinable
  mutating func change<Result>(_ slot: UInt32, _ body: (inout Value) -> Result) -> Result? {
    let before = wakeTime(of: slot)
    defer { update(slot, from: before) }
    guard var value = self[slot: slot].value.take() else { return nil }
    defer { self[slot: slot].value = value }
    return body(&value)
  }

  // MARK: - Entries

  /// The time of the wake-up of a value, on the clock of the queue; `nil` if it has none.
  @inlinable
  func wakeTime(of slot: UInt32) -> Int64? {
    guard let wakeUp = self[slot: slot].value?.wakeUp else { return nil }
    precondition(wakeUp.lowerBound.clock == clock, "the value is of another clock than the queue")
    return wakeUp.lowerBound.nanoseconds
  }

  /// Updates the entry of a value that has changed, or removes a value that was set to `nil`.
  /// - Parameter before: the time of its wake-up before the change.
  @inlinable
  mutating func update(_ slot: UInt32, from before: Int64?) {
    if self[slot: slot].value == nil {
      removeSlot(slot)
    } else {
      let time = wakeTime(of: slot)
      // An entry that is earlier than the wake-up stays until its time has come.
      if let time, let before, before <= time, self[slot: slot].ticket != 0 {
        // Nothing to do.
      } else {
        disarm(slot)
        arm(slot)
      }
    }
    settle()
  }

  /// Adds an entry for a value without one.
  @inlinable
  mutating func arm(_ slot: UInt32, notBefore earliest: Int64 = .min) {
    guard let time = wakeTime(of: slot) else { return }
    lastTicket &+= 1
    if lastTicket == 0 { lastTicket = 1 }
    self[slot: slot].ticket = lastTicket
    heap.insert(Entry(time: max(time, earliest), slot: slot, ticket: lastTicket))
  }

  /// Makes the entry of a value outdated.
  @inlinable
  mutating func disarm(_ slot: UInt32) {
    guard self[slot: slot].ticket != 0 else { return }
    self[slot: slot].ticket = 0
    outdatedCount += 1
    guard outdatedCount > 64, outdatedCount > heap.count / 2 else { return }
    outdatedCount = 0
    // The heap asks the slots meanwhile.
    var heap = AlarmHeap<Entry>()
    swap(&heap, &self.heap)
    heap.compact { self[slot: $0.slot].ticket == $0.ticket }
    swap(&heap, &self.heap)
  }

  /// Removes outdated entries from the front, and moves those that are earlier than the wake-ups of their values.
  @inlinable
  mutating func settle() {
    while let first = heap.first {
      if self[slot: first.slot].ticket != first.ticket {
        heap.removeFirst()
        outdatedCount -= 1
      } else if let time = wakeTime(of: first.slot), time > first.time {
        heap.removeFirst()
        heap.insert(Entry(time: time, slot: first.slot, ticket: first.ticket))
      } else {
        return
      }
    }
  }

  /// Lowers `latest` to the end of the earliest range of wake-ups, in an entry of the heap and its descendants.
  @inlinable
  func lower(_ latest: inout Int64, from index: Int) {
    guard index < heap.entries.count, heap.entries[index].time < latest else { return }
    lower(&latest, heap.entries[index])
    for child in heap.children(of: index) { lower(&latest, from: child) }
  }

  @inlinable
  func lower(_ latest: inout Int64, _ entry: Entry) {
    guard self[slot: entry.slot].ticket == entry.ticket,
      let wakeUp = self[slot: entry.slot].value?.wakeUp
    else { return }
    latest = min(latest, wakeUp.upperBound.nanoseconds)
  }
}
