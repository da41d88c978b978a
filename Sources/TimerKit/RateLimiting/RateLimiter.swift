/// A limit on how often something may happen: a token bucket.
///
/// The bucket holds permits, at most `burst` of them, and is full at the start. It gains `limit` permits in each
/// `period`, one after the other at equal distances.
///
/// ```swift
/// let requests = try RateLimiter(limit: 100, per: .seconds(60), burst: 10)
/// switch requests.tryAcquire() {
/// case .acquired: print("allowed")
/// case .refused(let retryAfter): print("try again in \(retryAfter)")  // Retry-After, for a server
/// }
/// ```
///
/// It has no queue and no timer: the permits that are there follow from the time at which they are asked for. So nothing
/// can delay it, and it costs nothing while it is not used. Use every member from any thread.
///
/// ``acquire(_:)`` waits for its permits, in the order of the calls: a later call never overtakes an earlier one, nor
/// does ``tryAcquire(_:)``.
///
/// The distance of two permits is rounded up to a nanosecond, so that there are never more than `limit` in a period that
/// follows an empty bucket. The algorithm is the generic cell rate algorithm (GCRA) of ITU-T I.371.
public final class RateLimiter: Sendable {
  /// The outcome of an attempt to acquire permits.
  public enum Outcome: Hashable, Sendable {
    /// The permits were there, and are taken.
    case acquired
    /// The permits will be there after a time, if nobody else takes them.
    case refused(retryAfter: Duration)
  }

  /// The number of permits that the bucket gains in each period.
  public let limit: Int
  /// The time in which the bucket gains ``limit`` permits.
  public let period: Duration
  /// The maximum number of permits in the bucket.
  public let burst: Int

  private let rate: PermitRate
  private let clock: TimerClock
  /// The time at which the bucket is full, in nanoseconds of the clock.
  private let fullAt = Guarded<Int128>(.min)

  /// Creates a limiter with a full bucket.
  /// - Parameters:
  ///   - limit: the number of permits in each period; at least 1.
  ///   - period: at least a nanosecond.
  ///   - burst: the maximum number of permits at a time, at least 1; `nil` for `limit`.
  ///   - clock: the clock that it reads.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:parameter:)`` or
  ///   ``TimerConfigurationError/invalidDuration(_:parameter:)``.
  public init(
    limit: Int, per period: Duration, burst: Int? = nil, clock: TimerClock = .continuous
  ) throws(TimerConfigurationError) {
    self.limit = limit
    self.period = period
    self.burst = burst ?? limit
    rate = try PermitRate(limit: limit, per: period, burst: burst ?? limit)
    self.clock = clock
  }

  /// The number of permits in the bucket now.
  public var available: Int {
    fullAt.withLock { [now = Int128(clock.now.nanoseconds)] in rate.permits(at: now, fullAt: $0) }
  }

  /// Takes permits if they are there. Takes constant time.
  /// - Parameter count: the number of permits, at least 1. More than ``burst`` are always refused.
  public func tryAcquire(_ count: Int = 1) -> Outcome {
    fullAt.withLock { [now = Int128(clock.now.nanoseconds)] in
      rate.take(count, at: now, fullAt: &$0)
    }
  }

  /// Takes permits, and suspends the task until they are there.
  /// - Parameter count: the number of permits, at least 1. More than ``burst`` are waited for, too: they are taken as
  ///   the bucket gains them.
  /// - Throws: `CancellationError` as soon as the task is cancelled. Its permits then return to the bucket, unless a later
  ///   call waits: later calls keep their times, and the permits are lost.
  public func acquire(_ count: Int = 1) async throws {
    try Task.checkCancellation()
    let now = clock.now
    let (wait, taken) = fullAt.withLock { fullAt in
      (rate.reserve(count, at: Int128(now.nanoseconds), fullAt: &fullAt), fullAt)
    }
    guard wait > 0 else { return }
    do {
      try await clock.sleep(until: now.advanced(by: .nanoseconds(wait)))
    } catch {
      // The times of later calls follow from these permits.
      fullAt.withLock { if $0 == taken { rate.giveBack(count, fullAt: &$0) } }
      throw error
    }
  }
}

/// A limit on how often something may happen for each key separately, such as a user or an address: see ``RateLimiter``.
///
/// Keys need no registration. A key whose bucket is full again is removed by later calls for any key: at the latest by the
/// first one after three times the time that an empty bucket takes to fill, counted from its last use. Of `keyLimit` keys
/// with a bucket that is not full, no more are admitted: a new key is refused until there is room, so that many keys cannot
/// use up the memory.
///
/// <!-- snippet
/// let user = 7
/// -->
/// ```swift
/// let logins = try KeyedRateLimiter<Int>(limit: 5, per: .seconds(60))
/// let isAllowed = logins.tryAcquire(for: user) == .acquired
/// ```
///
/// Keys are hashed, compared and destroyed while the limiter is locked: their `hash(into:)`, `==` and `deinit` must not use
/// it.
public final class KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  /// The buckets that are not full, by the time at which they are, without its lowest bits: see `PermitRate.excessBits`.
  /// Those of `previous` were not used since the last change of generations.
  private struct Buckets {
    var current: [Key: Int64] = [:]
    var previous: [Key: Int64] = [:]
    var nextChange = Int128.min
  }

  private let rate: PermitRate
  private let clock: TimerClock
  private let keyLimit: Int
  private let buckets = Guarded(Buckets())

  /// Creates a limiter with a full bucket for each key.
  /// - Parameters:
  ///   - limit: the number of permits of a key in each period; at least 1.
  ///   - period: at least a nanosecond.
  ///   - burst: the maximum number of permits of a key at a time, at least 1; `nil` for `limit`.
  ///   - keyLimit: the maximum number of keys in memory; at least 2.
  ///   - clock: the clock that it reads.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:parameter:)`` or
  ///   ``TimerConfigurationError/invalidDuration(_:parameter:)``.
  public init(
    limit: Int, per period: Duration, burst: Int? = nil, keyLimit: Int = 1_000_000,
    clock: TimerClock = .continuous
  ) throws(TimerConfigurationError) {
    rate = try PermitRate(limit: limit, per: period, burst: burst ?? limit)
    self.keyLimit = max(2, keyLimit)
    self.clock = clock
  }

  /// The number of keys in memory.
  public var keyCount: Int { buckets.withLock { $0.current.count + $0.previous.count } }

  /// Takes permits for a key if they are there. Takes constant time on average.
  /// - Parameters:
  ///   - count: the number of permits, at least 1. More than the burst are always refused.
  ///   - key: the user, address or topic.
  public func tryAcquire(_ count: Int = 1, for key: Key) -> RateLimiter.Outcome {
    let now = Int128(clock.now.nanoseconds)
    return buckets.withLock { buckets in
      if now >= buckets.nextChange {
        // Twice the time has passed since the buckets of `previous` were used: they are full.
        buckets.previous =
          now.subtractingSaturated(buckets.nextChange) < rate.timeToFill ? buckets.current : [:]
        buckets.current = [:]
        buckets.nextChange = now.addingSaturated(rate.timeToFill)
      }
      let known = buckets.current[key] ?? buckets.previous.removeValue(forKey: key)
      if known == nil, buckets.current.count + buckets.previous.count >= keyLimit {
        return .refused(retryAfter: .nanoseconds(Int64(clamping: buckets.nextChange - now)))
      }
      var fullAt = known.map { Int128($0) << rate.excessBits } ?? .min
      let outcome = rate.take(count, at: now, fullAt: &fullAt)
      if fullAt > now { buckets.current[key] = Int64(clamping: fullAt >> rate.excessBits) }
      return outcome
    }
  }
}

/// The rate of a bucket in nanoseconds. A bucket is represented by the time at which it is full. That can be beyond the
/// range of a clock: a hundred permits of a decade each take a thousand years.
struct PermitRate: Sendable {
  /// The time in which the bucket gains one permit.
  let interval: Int64
  let burst: Int
  /// The time in which an empty bucket fills.
  let timeToFill: Int128

  init(limit: Int, per period: Duration, burst: Int) throws(TimerConfigurationError) {
    guard limit >= 1 else { throw .invalidCount(limit, parameter: .limit) }
    guard burst >= 1 else { throw .invalidCount(burst, parameter: .burst) }
    let period = try period.checked(.period)
    let (quotient, remainder) = period.quotientAndRemainder(dividingBy: Int64(limit))
    interval = quotient + (remainder > 0 ? 1 : 0)
    self.burst = burst
    timeToFill = Int128(burst) * Int128(interval)
  }

  /// The number of bits without which the time of a bucket fits into 64 bits: 0 unless a bucket takes a century to fill.
  var excessBits: Int { max(0, 66 - timeToFill.leadingZeroBitCount) }

  private func time(of count: Int) -> Int128 { Int128(max(1, count)) * Int128(interval) }

  func permits(at now: Int128, fullAt: Int128) -> Int {
    guard fullAt > now else { return burst }
    let missing = fullAt.subtractingSaturated(now + 1) / Int128(interval)
    return max(0, burst - Int(clamping: missing) - 1)
  }

  func take(_ count: Int, at now: Int128, fullAt: inout Int128) -> RateLimiter.Outcome {
    var taken = fullAt
    let wait = reserve(count, at: now, fullAt: &taken)
    guard wait == 0 else { return .refused(retryAfter: .nanoseconds(wait)) }
    fullAt = taken
    return .acquired
  }

  /// Takes permits that may not be there yet.
  /// - Returns: The nanoseconds until they are.
  func reserve(_ count: Int, at now: Int128, fullAt: inout Int128) -> Int64 {
    fullAt = max(fullAt, now).addingSaturated(time(of: count))
    return Int64(clamping: max(0, fullAt.subtractingSaturated(now + timeToFill)))
  }

  func giveBack(_ count: Int, fullAt: inout Int128) { fullAt -= time(of: count) }
}
