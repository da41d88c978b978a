/// The state machine of a ``KeyedDebouncer`` and a ``KeyedThrottler``. It has one machine for every key in
/// use, and one alarm in the driver for all of them.
///
/// Ground rules:
/// - A key has an entry while a value is pending for it, or while past calls affect the next one. The event
///   that ends this removes the entry: a delivery, a cancellation, a shorter delay, or the entry's own alarm (see
///   ``KeyedEntries``).
/// - Keys are hashed, compared and destroyed while the storage's mutex is locked. Values are not.
@usableFromInline
struct KeyedStateMachine<Key: Hashable & Sendable, Machine: CallStateMachine>: LimiterStateMachine {
  @usableFromInline typealias Delivery = KeyedCall<Key, Machine.Delivery>

  /// The machine that new entries copy.
  @usableFromInline private(set) var prototype: Machine
  @usableFromInline var entries = KeyedEntries<Key, Machine>()
  /// The key for which the handler runs; `nil` if it does not run.
  @usableFromInline var executing: Key?
  @usableFromInline var callCount = 0
  @usableFromInline var generation: UInt64 = 0
  /// A number that increases when the delivery in progress is revoked.
  @usableFromInline private(set) var revocationNumber: UInt64 = 0
  @usableFromInline var phase = LifePhase.open
  @inlinable var isCancelled: Bool { phase.isCancelled }
  @inlinable var isClosed: Bool { phase.isClosed }

  init(_ prototype: Machine) {
    self.prototype = prototype
  }

  @usableFromInline var maximumTolerance: Int64 { prototype.maximumTolerance }
  @inlinable var deadline: Int64? { entries.firstAlarm }
  @inlinable var readySince: Int64? { entries.ready.first?.since }

  @inlinable var isPending: Bool { entries.pendingCount > 0 }
  @usableFromInline var pendingCount: Int { entries.pendingCount }
  @usableFromInline var firstDeadline: Int64? { entries.firstDeadline }
  func isPending(_ key: Key) -> Bool { entries.isPending(key) }
  var keyCount: Int { entries.count }

  // MARK: - Controls

  /// Submits a value. Afterward, `value` is the one that was replaced or dropped, if any.
  @inlinable
  mutating func call(_ value: inout Machine.Delivery?, for key: Key, at now: Int64) -> Bool {
    guard !isClosed else { return false }
    callCount += 1
    let slot = entries.slot(of: key) ?? entries.add(key, prototype)
    return entries.change(slot, at: now) { $0.call(&value, at: now) }
  }

  mutating func flush(_ key: Key, at now: Int64) -> Bool {
    guard let slot = entries.slot(of: key) else { return false }
    return entries.change(slot, at: now) { $0.flush(at: now) }
  }

  @usableFromInline
  mutating func flush(at now: Int64) -> Bool {
    let wasPending = isPending
    entries.flushAll(at: now)
    return wasPending
  }

  /// Drops the pending values of the key.
  /// - Returns: the values, which the caller destroys.
  mutating func cancelPending(_ key: Key) -> [Machine.Delivery] {
    if key == executing { revocationNumber += 1 }
    return entries.remove(key)
  }

  /// Drops all entries.
  @usableFromInline
  mutating func cancelPending() -> KeyedEntries<Key, Machine> {
    generation += 1
    revocationNumber += 1
    defer { entries = KeyedEntries() }
    return entries
  }

  @usableFromInline
  mutating func cancel() {
    phase = .cancelled
    generation += 1
  }

  /// Changes the delay of all keys.
  /// - Returns: false if it is the same.
  mutating func setDelay<Value>(_ delay: Int64, at now: Int64) -> Bool
  where Machine == DebounceStateMachine<Value> {
    guard prototype.setDelay(delay) else { return false }
    for slot in entries.usedSlots { entries.change(slot, at: now) { _ = $0.setDelay(delay) } }
    return true
  }

  // MARK: - Alarms and deliveries

  @usableFromInline
  mutating func handleArmedAlarm(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    // The due entries that remain after the loop are still due when the alarm is armed again.
    for _ in 0..<Self.maximumVisitCount {
      guard let slot = entries.popAlarm(through: now) else { break }
      if let delivery = deliver(slot, at: now, { $0.handleArmedAlarm(at: now, on: clock) }) {
        return .deliver(delivery)
      }
    }
    return .nothing
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<Delivery> {
    while let slot = entries.popReady() {
      if let delivery = deliver(slot, at: now, { $0.takeReady(at: now, on: clock) }) {
        return .deliver(delivery)
      }
    }
    return .nothing
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {
    executing = nil
  }

  /// The maximum number of entries that one alarm visits while the mutex is locked, so that calls need not
  /// wait for all due entries.
  private static var maximumVisitCount: Int { 16 }

  private mutating func deliver(
    _ slot: Int, at now: Int64, _ body: (inout Machine) -> Effect<Machine.Delivery>
  ) -> Delivery? {
    guard let key = entries.key(of: slot),
      case .deliver(let value) = entries.change(slot, at: now, body)
    else { return nil }
    executing = key
    return KeyedCall(key: key, value: value)
  }
}
