/// The rate of a bucket in nanoseconds. A bucket is represented by the time at which it is full. That can be beyond the
/// range of a clock: a hundred permits of a decade each take a thousand years.
struct PermitRate: Sendable {
  /// The time in which the bucket gains one permit.
  let interval: Int64
  let burst: Int
  /// The time in which an empty bucket fills.
  let timeToFill: Int128

  /// - Parameter clock: the clock that the limiter reads. If a wall clock were set back, a bucket would be empty until the
  ///   clock shows the old time again.
  init(
    limit: Int, per period: Duration, burst: Int?, clock: TimerClock
  ) throws(TimerConfigurationError) {
    let burst = burst ?? limit
    guard limit >= 1 else { throw .invalidCount(limit, parameter: .limit) }
    guard burst >= 1 else { throw .invalidCount(burst, parameter: .burst) }
    if clock.kind == .wall { throw .wallClock }
    let period = try period.checked(.period)
    let (quotient, remainder) = period.quotientAndRemainder(dividingBy: Int64(limit))
    interval = quotient + (remainder > 0 ? 1 : 0)
    self.burst = burst
    timeToFill = Int128(burst) * Int128(interval)
  }

  /// The number of bits without which the time of a bucket fits into 64 bits: 0 unless a bucket takes a century to fill.
  var excessBits: Int { max(0, 66 - timeToFill.leadingZeroBitCount) }

  func permits(at now: Int128, fullAt: Int128) -> Int {
    guard fullAt > now else { return burst }
    let missing = fullAt.subtractingSaturated(now + 1) / Int128(interval)
    return max(0, burst - Int(clamping: missing) - 1)
  }

  /// Returns the outcome of an attempt that does not depend on the bucket; `nil` if it does.
  func outcome(of count: Int) -> RateLimiter.Outcome? {
    if count == 0 { return .acquired }
    return (0...burst).contains(count) ? nil : .invalid(.invalidPermits(count, maximum: burst))
  }

  /// Takes permits if they are there.
  /// - Parameter count: a number for which ``outcome(of:)`` is `nil`.
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

  private func time(of count: Int) -> Int128 { Int128(count) * Int128(interval) }

  /// Returns true if a task that acquires permits must wait for none.
  /// - Throws: ``TimerConfigurationError/invalidPermits(_:maximum:)`` for a negative number.
  static func isNothing(_ count: Int) throws(TimerConfigurationError) -> Bool {
    if count < 0 { throw .invalidPermits(count, maximum: nil) }
    return count == 0
  }
}
