/// A limit on how often something may happen: a token bucket.
///
/// The bucket holds permits, at most `burst` of them, and is full at the start. It gains `limit` permits in each
/// `period`, one after the other at equal distances.
///
/// ```swift
/// let requests = try RateLimiter(limit: 100, per: .seconds(60), burst: 10)
/// let outcome = requests.tryAcquire()
/// switch outcome {
/// case .acquired: print("allowed")
/// case .refused: print("429 Too Many Requests, Retry-After: \(outcome.retryAfterSeconds ?? 0)")
/// case .noRoom: print("503 Service Unavailable")  // only of a KeyedRateLimiter
/// case .invalid(let error): print("\(error)")  // more permits than the bucket can hold
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
    /// A ``KeyedRateLimiter`` has no room for a new key: its `keyLimit` is reached, whatever the limit of the key. There
    /// is room after a time, if no key is used meanwhile.
    case noRoom(retryAfter: Duration)
    /// No wait helps: the number is negative, or larger than the bucket.
    case invalid(TimerConfigurationError)

    /// The time of ``refused(retryAfter:)`` or ``noRoom(retryAfter:)`` in whole seconds, rounded up, as the header
    /// `Retry-After` of HTTP has it; `nil` for other outcomes.
    public var retryAfterSeconds: Int? {
      switch self {
      case .refused(let retryAfter), .noRoom(let retryAfter):
        let (seconds, attoseconds) = max(.zero, retryAfter).components
        return Int(clamping: seconds.addingSaturated(attoseconds > 0 ? 1 : 0))
      case .acquired, .invalid: return nil
      }
    }
  }

  /// The number of permits that the bucket gains in each period.
  public let limit: Int
  /// The time in which the bucket gains ``limit`` permits.
  public let period: Duration
  /// The maximum number of permits in the bucket.
  public var burst: Int { rate.burst }

  private let rate: PermitRate
  private let clock: TimerClock
  /// The time at which the bucket is full, in nanoseconds of the clock.
  private let fullAt = Guarded<Int128>(.min)

  /// Creates a limiter with a full bucket.
  /// - Parameters:
  ///   - limit: the number of permits in each period; at least 1.
  ///   - period: at least a nanosecond.
  ///   - burst: the maximum number of permits at a time, at least 1; `nil` for `limit`.
  ///   - clock: the clock that it reads. ``TimerClock/continuous`` also fills the bucket while the machine sleeps;
  ///     ``TimerClock/wall`` is refused, because it can be set back.
  /// - Throws: ``TimerConfigurationError/invalidCount(_:parameter:)``,
  ///   ``TimerConfigurationError/invalidDuration(_:parameter:)`` or ``TimerConfigurationError/wallClock``.
  public init(
    limit: Int, per period: Duration, burst: Int? = nil, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) {
    rate = try PermitRate(limit: limit, per: period, burst: burst, clock: clock)
    self.limit = limit
    self.period = period
    self.clock = clock
  }

  /// The number of permits in the bucket now.
  public var available: Int {
    fullAt.withLock { [now = Int128(clock.now.nanoseconds)] in rate.permits(at: now, fullAt: $0) }
  }

  /// Takes permits if they are there. Takes constant time.
  /// - Parameter count: the number of permits. 0 is always acquired and takes none; a negative number, and one above
  ///   ``burst``, is ``Outcome/invalid(_:)``.
  public func tryAcquire(_ count: Int = 1) -> Outcome {
    if let outcome = rate.outcome(of: count) { return outcome }
    return fullAt.withLock { [now = Int128(clock.now.nanoseconds)] in
      rate.take(count, at: now, fullAt: &$0)
    }
  }

  /// Takes permits, and suspends the task until they are there.
  /// - Parameter count: the number of permits. 0 does not wait. More than ``burst`` are waited for, too: they are taken as
  ///   the bucket gains them.
  /// - Throws: ``TimerConfigurationError/invalidPermits(_:maximum:)`` for a negative number; `CancellationError` as soon as
  ///   the task is cancelled. Its permits then return to the bucket, unless a later call waits: later calls keep their
  ///   times, and the permits are lost.
  public func acquire(_ count: Int = 1) async throws {
    let isNothing = try PermitRate.isNothing(count)
    try Task.checkCancellation()
    if isNothing { return }
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

  /// Fills the bucket. Tasks that wait for their permits keep their times.
  public func reset() { fullAt.withLock { $0 = .min } }
}
