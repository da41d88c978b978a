/// The state machine of a ``KeyedDebouncer`` and a ``KeyedThrottler``: a machine for every key that
/// has work, all of them behind one alarm.
///
/// Ground rules:
/// - An entry lives while something of its key is pending, or while calls of the past matter for the
///   next one. It is removed by what ends that: a delivery, a cancel, or an alarm of its own.
/// - Keys are hashed, compared and released while the storage's mutex is held. Values are not
///   released then.
@usableFromInline
struct KeyedStateMachine<Key: Hashable & Sendable, Machine: CallStateMachine>: TimerStateMachine {
  @usableFromInline typealias Status = CallState
  @usableFromInline typealias Delivery = KeyedCall<Key, Machine.Delivery>

  /// The machine of a new entry.
  @usableFromInline let fresh: Machine
  @usableFromInline var entries = KeyedEntries<Key, Machine>()
  /// The key whose handlers run.
  @usableFromInline var executing: Key?
  @usableFromInline var callCount = 0
  private var deliveredCount = 0
  private var staleCount = 0
  @usableFromInline var generation: UInt64 = 0
  @usableFromInline private(set) var deliveryGeneration: UInt64 = 0
  @usableFromInline var isCancelled = false

  init(_ fresh: Machine) {
    self.fresh = fresh
  }

  @inlinable var status: CallState {
    if executing != nil { return .executing }
    if isCancelled { return .cancelled }
    return isPending ? .pending : .idle
  }

  @inlinable var deadline: Int64? { entries.firstWake }
  @inlinable var pendingSince: Int64? { entries.ready.first?.since }

  @inlinable var isPending: Bool { entries.pendingCount > 0 }
  func isPending(_ key: Key) -> Bool { entries.isPending(key) }
  var keyCount: Int { entries.count }

  func snapshot(on clock: ClockIdentity) -> CallSnapshot {
    CallSnapshot(
      state: status, pendingCount: entries.pendingCount, callCount: callCount,
      deliveredCount: deliveredCount, staleCount: staleCount,
      deadline: entries.firstDeadline.map { TimerClock.Instant(nanoseconds: $0, clock: clock) })
  }
}

// MARK: - Controls
extension KeyedStateMachine {
  /// Submits a value. The value that is left in its place is to be released.
  @inlinable
  mutating func call(_ value: inout Machine.Delivery?, for key: Key, at now: Int64) -> Bool {
    guard !isCancelled else { return false }
    callCount += 1
    let slot = entries.slot(of: key) ?? entries.add(key, fresh)
    return entries.change(slot, at: now) { $0.call(&value, at: now) } ?? false
  }

  mutating func flush(_ key: Key, at now: Int64) -> Bool {
    guard let slot = entries.slot(of: key) else { return false }
    return entries.change(slot, at: now) { $0.flush(at: now) } ?? false
  }

  mutating func flushAll(at now: Int64) -> Bool {
    let wasPending = isPending
    entries.flushAll(at: now)
    return wasPending
  }

  /// Drops what is pending for the key.
  /// - Returns: the values to release.
  mutating func cancelPending(_ key: Key) -> [Machine.Delivery] {
    if key == executing { deliveryGeneration += 1 }
    return entries.remove(key)
  }

  /// Drops all entries.
  /// - Returns: the entries to release.
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
  mutating func alarm(
    generation: UInt64, at now: Int64, on clock: ClockIdentity
  ) -> Effect<Delivery> {
    guard generation == self.generation else {
      staleCount += 1
      return .stale(generation: generation)
    }
    // What is due beyond that is still due when the alarm is armed anew.
    for _ in 0..<Self.longestSearch {
      guard let slot = entries.popWake(through: now) else { break }
      let delivery = deliver(slot, at: now) {
        $0.alarm(generation: $0.generation, at: now, on: clock)
      }
      if let delivery { return .deliver(delivery) }
    }
    return .nothing
  }

  @usableFromInline
  mutating func next(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    while let slot = entries.popReady() {
      if let delivery = deliver(slot, at: now, { $0.next(at: now, on: clock) }) {
        return .deliver(delivery)
      }
    }
    return .nothing
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    executing = nil
  }

  /// The most entries that an alarm visits, so that calls need not wait for all that are due.
  private static var longestSearch: Int { 16 }

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
