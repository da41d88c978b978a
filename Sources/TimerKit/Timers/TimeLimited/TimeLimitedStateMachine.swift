/// The state machine of a ``TimeLimited``.
///
/// | Event | holds a value until d | holds none |
/// |---|---|---|
/// | first step of every access, and of a wake-up, if now ≥ d | the value expires and waits for its delivery | – |
/// | read | the value | nil |
/// | renew | d = now + lifetime, g++ | throws |
/// | replace | the new value, d = now + lifetime, g++; returns the old one | same; returns nil |
/// | take | none, g++; returns the value | nil |
/// | the driver wakes the timer | the first value that waits is delivered | same |
///
/// Here d is the deadline and g the generation. The machine does not destroy values but returns them, because
/// destroying a value can run any code and the mutex is locked.
@usableFromInline
struct TimeLimitedStateMachine<Value: Sendable>: TimerStateMachine {
  private(set) var value: Value?
  private(set) var lifetime: Int64
  private var expiresAt: Int64 = 0
  /// The latest time of all accesses. A lifetime counts from it, so that a thread that read the clock before another
  /// one, but renews after it, does not move the deadline to an earlier time.
  private var latestTime = Int64.min
  /// The expired values that are to be delivered.
  private(set) var undelivered = FIFOQueue<(value: Value, deadline: Int64)>()
  private var wasTaken = false
  private(set) var expiredCount = 0
  @usableFromInline var phase = LifePhase.open
  @usableFromInline private(set) var generation: UInt64 = 0
  /// It changes when the delivery of an expired value is revoked, which only the cancellation does. It is compared with its
  /// earlier values only.
  @usableFromInline var revocationNumber: UInt64 { isCancelled ? 1 : 0 }

  init(lifetime: Int64) {
    self.lifetime = lifetime
  }

  @inlinable static var deliversToNobodyAtOnce: Bool { true }
  @usableFromInline var isCancelled: Bool { phase.isCancelled }

  @usableFromInline var state: TimeLimitedState {
    if isCancelled { return .cancelled }
    return value != nil ? .holding : wasTaken ? .taken : .expired
  }

  @usableFromInline var deadline: Int64? { value == nil || isClosed ? nil : expiresAt }
  @usableFromInline var readySince: Int64? { undelivered.first?.deadline }

  @usableFromInline
  mutating func handleArmedAlarm(
    at now: Int64, on clock: ClockIdentity
  ) -> Effect<TimeLimited<Value>.Expiry> {
    advance(to: now)
    return takeReady(at: now, on: clock)
  }

  @usableFromInline
  mutating func takeReady(at now: Int64, on clock: ClockIdentity) -> Effect<
    TimeLimited<Value>.Expiry
  > {
    guard let expired = undelivered.popFirst() else { return .nothing }
    return .deliver(
      TimeLimited<Value>.Expiry(
        value: expired.value,
        deadline: TimerClock.Instant(nanoseconds: expired.deadline, clock: clock),
        lateness: .nanoseconds(now.subtractingSaturated(expired.deadline))))
  }

  /// Expires the value if its deadline has passed, whether or not the driver has woken the timer. Every access begins
  /// with this.
  mutating func advance(to now: Int64) {
    latestTime = max(latestTime, now)
    guard let deadline, latestTime >= deadline, let expired = value.take() else { return }
    expiredCount += 1
    undelivered.append((expired, deadline))
  }

  // MARK: - Controls

  mutating func read(at now: Int64) -> Value? {
    advance(to: now)
    return value
  }

  /// Restarts the lifetime.
  /// - Parameter newLifetime: the new lifetime, also of later renewals; `nil` does not change it.
  /// - Returns: the value.
  mutating func renew(for newLifetime: Int64?, at now: Int64) throws(TimeLimitedError) -> Value {
    advance(to: now)
    if isClosed { throw .cancelled }
    guard let value else { throw wasTaken ? .taken : .expired }
    lifetime = newLifetime ?? lifetime
    restart()
    return value
  }

  /// Replaces the value. If the container is cancelled, `newValue` is left unchanged.
  /// - Returns: the previous value.
  mutating func replace(
    with newValue: inout Value?, for newLifetime: Int64?, at now: Int64
  ) -> Value? {
    advance(to: now)
    guard !isClosed else { return nil }
    let old = value.take()
    value = newValue.take()
    wasTaken = false
    lifetime = newLifetime ?? lifetime
    restart()
    return old
  }

  mutating func take(at now: Int64) -> Value? {
    advance(to: now)
    guard let taken = value.take() else { return nil }
    wasTaken = true
    generation += 1
    return taken
  }

  /// Removes the value and the expired values that have not been delivered.
  /// - Returns: the values, which the caller destroys after the mutex has been unlocked.
  mutating func removeAll() -> [Value] {
    var removed = [value.take()].compactMap(\.self)
    while let expired = undelivered.popFirst() { removed.append(expired.value) }
    return removed
  }

  @usableFromInline
  mutating func cancel() {
    phase = .cancelled
    generation += 1
  }

  private mutating func restart() {
    expiresAt = latestTime.addingSaturated(lifetime)
    generation += 1
  }
}
