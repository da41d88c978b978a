extension Duration {
  public static func minutes(_ minutes: some BinaryInteger) -> Duration { .seconds(minutes) * 60 }
  public static func hours(_ hours: some BinaryInteger) -> Duration { .seconds(hours) * 3600 }
  public static func days(_ days: some BinaryInteger) -> Duration { .seconds(days) * 86400 }

  /// The whole nanoseconds of the duration, clamped to what an `Int64` holds (292 years). Part
  /// nanoseconds are rounded up, so that a positive duration never becomes zero.
  public var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let part = attoseconds / 1_000_000_000
    let roundsUp: Int64 = attoseconds % 1_000_000_000 > 0 ? 1 : 0
    return scaled.addingSaturated(part + roundsUp)
  }

  /// The nanoseconds of an interval, which must be longer than zero.
  func checkedInterval() throws(TimerError) -> Int64 {
    guard self > .zero else { throw .invalidInterval(self) }
    return clampedNanoseconds
  }

  /// The nanoseconds of a delay, which may be zero.
  func checkedDelay() throws(TimerError) -> Int64 {
    guard self >= .zero else { throw .invalidDelay(self) }
    return clampedNanoseconds
  }

  /// The nanoseconds of a tolerance, which must not be negative.
  func checkedTolerance() throws(TimerError) -> Int64 {
    guard self >= .zero else { throw .invalidTolerance(self) }
    return clampedNanoseconds
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  @inlinable
  func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  @inlinable
  func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
