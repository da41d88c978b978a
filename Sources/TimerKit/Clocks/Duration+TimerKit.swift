/// Units that the standard library does not have. If a file imports another module that declares functions with the
/// same signatures, their calls are ambiguous there.
extension Duration {
  /// Returns a duration from a number of minutes. Like all durations of minutes, hours and days, it is clamped to the range
  /// from `Int64.min` to `Int64.max` seconds.
  public static func minutes(_ minutes: some BinaryInteger) -> Duration { clamped(minutes, of: 60) }
  /// Returns a duration from a number of minutes, which need not be whole; zero if it is not a number.
  public static func minutes(_ minutes: Double) -> Duration { clamped(minutes, of: 60) }
  /// Returns a duration from a number of hours of 3,600 seconds.
  public static func hours(_ hours: some BinaryInteger) -> Duration { clamped(hours, of: 3600) }
  /// Returns a duration from a number of hours of 3,600 seconds, which need not be whole; zero if it is not a number.
  public static func hours(_ hours: Double) -> Duration { clamped(hours, of: 3600) }
  /// Returns a duration from a number of days of 24 hours.
  public static func days(_ days: some BinaryInteger) -> Duration { clamped(days, of: 86400) }
  /// Returns a duration from a number of days of 24 hours, which need not be whole; zero if it is not a number.
  public static func days(_ days: Double) -> Duration { clamped(days, of: 86400) }

  private static func clamped(_ count: some BinaryInteger, of seconds: Int64) -> Duration {
    let (product, overflow) = Int64(clamping: count).multipliedReportingOverflow(by: seconds)
    return .seconds(overflow ? (count < 0 ? .min : .max) : product)
  }

  /// `Duration.seconds(_: Double)` traps if its argument is infinite, too large or not a number.
  private static func clamped(_ count: Double, of seconds: Double) -> Duration {
    let product = count * seconds
    if product.isNaN { return .zero }
    // The bounds of `Int64` are powers of two, which a `Double` represents.
    if product.magnitude >= 0x1p63 { return .seconds(product < 0 ? Int64.min : .max) }
    return .seconds(product)
  }

  // In nanoseconds: with `Duration.init(attoseconds:)`, an optimized build of Swift 6.3 on Linux does not find the
  // members of `timespec`.
  func addingSaturated(_ other: Duration) -> Duration {
    .nanoseconds(clampedNanoseconds.addingSaturated(other.clampedNanoseconds))
  }

  func subtractingSaturated(_ other: Duration) -> Duration {
    .nanoseconds(clampedNanoseconds.subtractingSaturated(other.clampedNanoseconds))
  }

  /// The duration in nanoseconds, rounded to the nearest integer (a half away from zero) and clamped to the
  /// range of `Int64` (292 years).
  ///
  /// It is not rounded up, because binary fractions such as `.seconds(1.1)` are not exact: rounding up
  /// would add a nanosecond to many of them.
  package var clampedNanoseconds: Int64 {
    // One division of 128 bits by 64. Divisions of `Duration` and `Int128` take several times as long as
    // the rest of a control.
    let attoseconds = attoseconds
    let magnitude = attoseconds.magnitude
    let high = UInt64(truncatingIfNeeded: magnitude >> 64)
    let low = UInt64(truncatingIfNeeded: magnitude)
    let scale: UInt64 = 1_000_000_000
    guard high < scale / 2 else { return attoseconds < 0 ? .min : .max }
    let (quotient, remainder) = scale.dividingFullWidth((high, low))
    let nanoseconds = Int64(quotient).addingSaturated(remainder >= scale / 2 ? 1 : 0)
    return attoseconds < 0 ? -nanoseconds : nanoseconds
  }

  /// Returns the duration in nanoseconds, or throws an error if it is invalid for the parameter.
  func checked(
    _ parameter: TimerConfigurationError.DurationParameter
  ) throws(TimerConfigurationError) -> Int64 {
    let nanoseconds = clampedNanoseconds
    guard parameter.allowsZero ? attoseconds >= 0 : nanoseconds > 0,
      parameter != .startDelay || nanoseconds < .max
    else {
      throw .invalidDuration(self, parameter: parameter)
    }
    return nanoseconds
  }

  /// Returns the nanoseconds of a tolerance, which must not be negative.
  func checkedTolerance() throws(TimerConfigurationError) -> Int64 {
    // Most timers have no tolerance; this saves them the division.
    guard attoseconds != 0 else { return 0 }
    return try checked(.tolerance)
  }
}

/// Sums that saturate, for numbers from a file, a clock or another process, of which no sum is bounded.
extension FixedWidthInteger where Self: SignedInteger {
  @inlinable
  package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inlinable
  package func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
