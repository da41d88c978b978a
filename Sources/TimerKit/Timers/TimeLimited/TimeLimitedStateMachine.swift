/// A ``TimeLimited`` without its storage.
///
/// | Event | holds a value until d | holds none |
/// |---|---|---|
/// | anything at now ≥ d | first of all, the value expires: none is held, and its expiry is undelivered | – |
/// | read | the value | nil |
/// | renew | d = now + lifetime, g++ | expired |
/// | replace | the new value, d = now + lifetime, g++; answers the old one | same; answers nil |
/// | take | none, g++; answers the value | nil |
/// | alarm, g current | expires, if now ≥ d; the expiry is delivered | nothing |
/// | alarm, old g | stale | stale |
///
/// It releases no value by itself: what has to be dropped is handed out, since to drop it can run
/// anything, and a mutex is held.
@usableFromInline
struct TimeLimitedStateMachine<Value: Sendable>: TimerStateMachine {
  @usableFromInline typealias Status = TimeLimitedState
  @usableFromInline typealias Delivery = TimeLimited<Value>.Expiry

  private var value: Value?
  private(set) var lifetime: Int64
  private var time: Int64 = 0
  /// The newest time it was told: a renewal must not shorten one that overtook it.
  private var latest = Int64.min
  /// What has expired and is to be told.
  private var undelivered = FIFOQueue<Undelivered>()
  private var wasTaken = false
  private(set) var expiredCount = 0
  private(set) var staleCount = 0
  @usableFromInline private(set) var isCancelled = false
  @usableFromInline private(set) var generation: UInt64 = 0
  /// An expiry is a fact: only the end takes it back.
  @usableFromInline var deliveryGeneration: UInt64 { isCancelled ? 1 : 0 }

  private struct Undelivered: Sendable {
    var value: Value
    var deadline: Int64
  }

  init(lifetime: Int64) {
    self.lifetime = lifetime
  }

  @usableFromInline var status: TimeLimitedState {
    if isCancelled { return .cancelled }
    return value != nil ? .holding : wasTaken ? .taken : .expired
  }

  @usableFromInline var deadline: Int64? { value == nil || isCancelled ? nil : time }
  @usableFromInline var pendingSince: Int64? { undelivered.first?.deadline }

  @usableFromInline
  mutating func alarm(generation: UInt64, at now: Int64) -> Effect<TimeLimited<Value>.Expiry> {
    guard generation == self.generation, !isCancelled else {
      staleCount += 1
      return .stale(generation: generation)
    }
    see(now)
    return next(at: now)
  }

  @usableFromInline
  mutating func next(at now: Int64) -> Effect<TimeLimited<Value>.Expiry> {
    guard let expired = undelivered.popFirst() else { return .nothing }
    return .deliver(
      TimeLimited<Value>.Expiry(
        value: expired.value, deadline: TimerClock.Instant(nanoseconds: expired.deadline),
        lateness: .nanoseconds(now.subtractingSaturated(expired.deadline))))
  }

  @usableFromInline
  mutating func deliveryFinished(at now: () -> Int64) {}

  /// Every access begins with this: once its deadline has been seen to be past, a value is gone,
  /// whether its alarm has rung or not.
  private mutating func see(_ now: Int64) {
    latest = max(latest, now)
    guard let deadline, latest >= deadline, let expired = value.take() else { return }
    expiredCount += 1
    undelivered.append(Undelivered(value: expired, deadline: deadline))
  }
}

// MARK: - Controls
extension TimeLimitedStateMachine {
  mutating func read(at now: Int64) -> Value? {
    see(now)
    return value
  }

  /// - Parameter newLifetime: also of later renewals; `nil` keeps the old one.
  mutating func renew(for newLifetime: Int64?, at now: Int64) throws(TimerError) {
    see(now)
    guard value != nil else { throw .expired }
    lifetime = newLifetime ?? lifetime
    restart()
  }

  /// Answers the value that was held.
  mutating func replace(with newValue: Value, for newLifetime: Int64?, at now: Int64) -> Value? {
    see(now)
    let old = value.take()
    value = newValue
    wasTaken = false
    lifetime = newLifetime ?? lifetime
    restart()
    return old
  }

  mutating func take(at now: Int64) -> Value? {
    see(now)
    guard let taken = value.take() else { return nil }
    wasTaken = true
    generation += 1
    return taken
  }

  mutating func snapshot(at now: Int64) -> TimeLimited<Value>.Snapshot {
    see(now)
    return TimeLimited.Snapshot(
      state: status, value: value, lifetime: .nanoseconds(lifetime),
      deadline: deadline.map(TimerClock.Instant.init(nanoseconds:)), generation: generation,
      expiredCount: expiredCount, staleCount: staleCount)
  }

  @usableFromInline
  mutating func cancel() -> Bool {
    guard !isCancelled else { return false }
    isCancelled = true
    generation += 1
    return true
  }

  private mutating func restart() {
    time = latest.addingSaturated(lifetime)
    generation += 1
  }
}
