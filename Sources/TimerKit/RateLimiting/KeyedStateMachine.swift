/// A ``KeyedDebouncer`` or ``KeyedThrottler`` without its storage: a machine for every key that has
/// work, all of them behind one alarm.
///
/// Ground rules:
/// - An entry lives while something of its key is pending, or while calls of the past matter for the
///   next one. It is removed by what ends that: a delivery, a cancel, or an alarm of its own.
/// - Keys are hashed, compared and released while the storage's mutex is held. Values are not released
///   then.
@usableFromInline
struct KeyedStateMachine<Key: Hashable & Sendable, Machine: CallStateMachine>: TimerStateMachine {
  @usableFromInline typealias Status = CallState
  @usableFromInline typealias Delivery = KeyedCall<Key, Machine.Delivery>

  /// What every entry begins as.
  private let fresh: Machine
  private var entries = KeyedEntries<Key, Machine>()
  /// Whose handlers run.
  private var executing: Key?
  private var callCount = 0
  private var deliveredCount = 0
  private var staleCount = 0
  @usableFromInline private(set) var generation: UInt64 = 0
  @usableFromInline private(set) var deliveryGeneration: UInt64 = 0
  @usableFromInline private(set) var isCancelled = false

  init(_ fresh: Machine) {
    self.fresh = fresh
  }

  @usableFromInline var status: CallState {
    if executing != nil { return .executing }
    if isCancelled { return .cancelled }
    return isPending ? .pending : .idle
  }

  @usableFromInline var deadline: Int64? { entries.firstWake }
  @usableFromInline var pendingSince: Int64? { entries.ready.first?.since }

  var isPending: Bool { entries.pendingCount > 0 }
  func isPending(_ key: Key) -> Bool { entries.machine(of: key)?.queue.isPending ?? false }
  var keyCount: Int { entries.count }

  var snapshot: CallSnapshot {
    CallSnapshot(
      state: status, pendingCount: entries.pendingCount, callCount: callCount,
      deliveredCount: deliveredCount, staleCount: staleCount,
      deadline: entries.waiting.first.map { TimerClock.Instant(nanoseconds: $0.deadline) })
  }
}

// MARK: - Controls
extension KeyedStateMachine {
  /// Takes a value. What is left in its place is to be dropped.
  mutating func call(_ value: inout Machine.Delivery?, for key: Key, at now: Int64) {
    callCount += 1
    let slot = entries.slot(of: key) ?? entries.add(key, fresh)
    entries.change(slot, at: now) { $0.call(&value, at: now) }
  }

  mutating func flush(_ key: Key, at now: Int64) -> Bool {
    guard let slot = entries.slot(of: key) else { return false }
    return entries.change(slot, at: now) { $0.flush(at: now) } ?? false
  }

  mutating func flushAll(at now: Int64) -> Bool {
    let wasPending = isPending
    for (slot, _) in entries.waiting { entries.change(slot, at: now) { $0.flush(at: now) } }
    return wasPending
  }

  /// Answers what has to be dropped.
  mutating func cancelPending(_ key: Key) -> [Machine.Delivery] {
    if key == executing { deliveryGeneration += 1 }
    return entries.remove(key)
  }

  /// Answers what has to be dropped.
  mutating func cancelAllPending() -> KeyedEntries<Key, Machine> {
    generation += 1
    deliveryGeneration += 1
    defer { entries = KeyedEntries() }
    return entries
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    generation += 1
    return true
  }
}

// MARK: - Alarms and deliveries
extension KeyedStateMachine {
  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<Delivery> {
    guard generation == self.generation else {
      staleCount += 1
      return .stale(generation: generation)
    }
    while let slot = entries.popWake(through: now) {
      let delivery = deliver(slot, at: now) { $0.alarm(generation: $0.generation, at: now) }
      if let delivery { return .deliver(delivery) }
    }
    return .nothing
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<Delivery> {
    while let slot = entries.popReady() {
      if let delivery = deliver(slot, at: now, { $0.next(at: now) }) { return .deliver(delivery) }
    }
    return .nothing
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    executing = nil
  }

  private mutating func deliver(
    _ slot: Int, at now: Int64, _ body: (inout Machine) -> Effect<Machine.Delivery>
  ) -> Delivery? {
    guard let key = entries.key(of: slot),
      case .deliver(let value)? = entries.change(slot, at: now, body)
    else { return nil }
    executing = key
    deliveredCount += 1
    return KeyedCall(key: key, value: value)
  }
}
