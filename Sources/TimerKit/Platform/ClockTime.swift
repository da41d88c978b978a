/// A time in seconds and nanoseconds, as in the `timespec` of a system clock.
struct ClockTime {
  var seconds: Int
  /// The nanoseconds after `seconds`: from 0 to 999,999,999, also for times before 1970.
  var nanoseconds: Int

  init(seconds: Int, nanoseconds: Int) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ clockNanoseconds: Int64) {
    let (quotient, remainder) = clockNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    seconds = Int(remainder < 0 ? quotient - 1 : quotient)
    nanoseconds = Int(remainder < 0 ? remainder + 1_000_000_000 : remainder)
  }

  /// The time in nanoseconds, clamped to the range of `Int64`: the years 1677 to 2262.
  var clampedNanoseconds: Int64 {
    let (product, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return product.addingSaturated(Int64(nanoseconds))
  }
}
