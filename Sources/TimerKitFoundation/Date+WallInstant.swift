public import TimerKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Date {
  /// Creates the date of a wall instant. A `Date` is precise to about a tenth of a microsecond.
  public init(_ instant: WallInstant) {
    self.init(timeIntervalSince1970: Double(instant.nanosecondsSince1970) / 1e9)
  }
}

extension WallInstant {
  /// Creates the instant of a date, clamped to the years 1677 to 2262.
  public init(_ date: Date) {
    let nanoseconds = (date.timeIntervalSince1970 * 1e9).rounded()
    self.init(
      nanosecondsSince1970: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
  }
}
