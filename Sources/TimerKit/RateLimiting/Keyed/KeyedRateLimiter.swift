/// A limit on how often something may happen for each key separately, such as a user or an address: see ``RateLimiter``.
///
/// Keys need no registration. A key whose bucket is full again is removed by later calls for any key: at the latest by the
/// first one after twice the time that an empty bucket takes to fill, counted from its last use. At most `keyLimit` keys
/// are in memory, so that many keys cannot use it up: the outcome of a new key is
/// ``RateLimiter/Outcome/noRoom(retryAfter:)`` until there is room, which is not the fault of its user.
///
/// <!-- snippet
/// let user = 7
/// -->
/// ```swift
/// let logins = try KeyedRateLimiter<Int>(limit: 5, per: .seconds(60))
/// let isAllowed = logins.tryAcquire(for: user) == .acquired
/// ```
///
/// Keys are hashed and compared, and single ones destroyed, while the limiter is locked: their `hash(into:)`, `==` and
/// `deinit` must not use it. Many keys are destroyed on another thread, for which no call waits.
public final class KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  private let rate: PermitRate
  private let clock: TimerClock
  private let buckets: Guarded<KeyedBuckets<Key>>

  /// Creates a limiter with a full bucket for each key.
  /// - Parameters:
  ///   - limit: the number of permits of a key in each period; at least 1.
  ///   - period: at least a nanosecond.
  ///   - burst: the maximum number of permits of a key at a time, at least 1; `nil` for `limit`.
  ///   - keyLimit: the maximum number of keys in memory; at least 1.
  ///   - clock: the clock that it reads: see ``RateLimiter/init(limit:per:burst:clock:)``.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:parameter:)``,
  ///   ``TimerConfigurationError/invalidDuration(_:parameter:)`` or ``TimerConfigurationError/wallClock``.
  public init(
    limit: Int, per period: Duration, burst: Int? = nil, keyLimit: Int = 1_000_000,
    clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) {
    rate = try PermitRate(limit: limit, per: period, burst: burst, clock: clock)
    guard keyLimit >= 1 else { throw .invalidCount(keyLimit, parameter: .keyLimit) }
    buckets = Guarded(KeyedBuckets(rate, keyLimit: keyLimit))
    self.clock = clock
  }

  /// The number of keys in memory.
  public var keyCount: Int { buckets.withLock { $0.count } }

  /// Returns the number of permits of a key now: `burst` for a key that was not used; 0 for one for which there is no room.
  public func available(for key: Key) -> Int {
    let now = clock.now
    switch access(key, at: now, { rate.permits(at: Int128(now.nanoseconds), fullAt: $0) }) {
    case .bucket(let permits): return permits
    case .noRoom: return 0
    }
  }

  /// Takes permits for a key if they are there. Takes constant time on average.
  /// - Parameters:
  ///   - count: the number of permits. 0 is always acquired and takes none; a negative number, and one above the burst, is
  ///     ``RateLimiter/Outcome/invalid(_:)``.
  ///   - key: the user, address or topic.
  public func tryAcquire(_ count: Int = 1, for key: Key) -> RateLimiter.Outcome {
    if let outcome = rate.outcome(of: count) { return outcome }
    let now = clock.now
    switch access(key, at: now, { rate.take(count, at: Int128(now.nanoseconds), fullAt: &$0) }) {
    case .bucket(let outcome): return outcome
    case .noRoom(let wait): return .noRoom(retryAfter: .nanoseconds(wait))
    }
  }

  /// Takes permits for a key, and suspends the task until they are there: see ``RateLimiter/acquire(_:)``. Calls for one
  /// key get their permits in order. A new key for which there is no room waits for that, too, in no order.
  /// - Parameters:
  ///   - count: the number of permits. 0 does not wait. More than the burst are waited for, too.
  ///   - key: the user, address or topic.
  /// - Throws: ``TimerConfigurationError/invalidPermits(_:maximum:)`` for a negative number; `CancellationError` as soon as
  ///   the task is cancelled.
  public func acquire(_ count: Int = 1, for key: Key) async throws {
    let isNothing = try PermitRate.isNothing(count)
    try Task.checkCancellation()
    if isNothing { return }
    while true {
      let now = clock.now
      let access = access(key, at: now) { fullAt in
        (wait: rate.reserve(count, at: Int128(now.nanoseconds), fullAt: &fullAt), taken: fullAt)
      }
      switch access {
      case .noRoom(let wait): try await clock.sleep(until: now + .nanoseconds(wait))
      case .bucket(let reservation):
        guard reservation.wait > 0 else { return }
        do {
          return try await clock.sleep(until: now + .nanoseconds(reservation.wait))
        } catch {
          giveBack(count, for: key, reservation.taken)
          throw error
        }
      }
    }
  }

  /// Fills the bucket of a key. Tasks that wait for their permits keep their times.
  /// - Parameter key: the user, address or topic.
  public func reset(for key: Key) {
    buckets.withLock { $0.remove(key) }
  }

  /// Returns permits to a bucket, unless a later call has taken others: the times of later calls follow from these.
  private func giveBack(_ count: Int, for key: Key, _ taken: Int128) {
    _ = access(key, at: clock.now) { fullAt in
      if fullAt >> rate.excessBits == taken >> rate.excessBits {
        rate.giveBack(count, fullAt: &fullAt)
      }
    }
  }

  /// Changes the bucket of a key: see ``KeyedBuckets``.
  private func access<Result: Sendable>(
    _ key: Key, at now: TimerClock.Instant, _ body: (inout Int128) -> Result
  ) -> KeyedBuckets<Key>.Access<Result> {
    var removed: [KeyedBuckets<Key>.Generation] = []
    let access = buckets.withLock { buckets in
      buckets.access(key, at: Int128(now.nanoseconds), removed: &removed, body)
    }
    KeyedBuckets<Key>.destroy(removed)
    return access
  }
}
