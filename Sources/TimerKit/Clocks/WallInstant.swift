/// A point in calendar time, in nanoseconds since 1970-01-01 00:00 UTC; from the year 1677 to 2262.
///
/// Schedules and checkpoints use it, because it means the same in another process and after a restart.
/// Import `TimerKitFoundation` to convert it from and to `Date`. Arithmetic saturates instead of
/// overflowing.
public struct WallInstant: InstantProtocol, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The nanoseconds since 1970-01-01 00:00 UTC; negative before.
  public let nanosecondsSince1970: Int64

  /// Creates an instant from the nanoseconds since 1970-01-01 00:00 UTC.
  public init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  /// The current date and time, from the system clock.
  public static var now: WallInstant {
    WallInstant(nanosecondsSince1970: TimerClock.Kind.wall.systemNanoseconds)
  }

  /// The latest representable instant; a deadline at this instant never comes.
  public static let distantFuture = WallInstant(nanosecondsSince1970: .max)

  /// Returns the instant that is `duration` later, or earlier if `duration` is negative.
  public func advanced(by duration: Duration) -> WallInstant {
    WallInstant(
      nanosecondsSince1970: nanosecondsSince1970.addingSaturated(duration.clampedNanoseconds))
  }

  /// Returns the duration from this instant to another one; negative if `other` is earlier.
  public func duration(to other: WallInstant) -> Duration {
    .nanoseconds(other.nanosecondsSince1970.subtractingSaturated(nanosecondsSince1970))
  }

  public static func < (left: WallInstant, right: WallInstant) -> Bool {
    left.nanosecondsSince1970 < right.nanosecondsSince1970
  }

  /// The date and time in UTC, as in ISO 8601: `2027-01-01T07:30:00.25Z`.
  public var description: String {
    let (seconds, nanoseconds) = nanosecondsSince1970.flooredDivision(by: 1_000_000_000)
    let (day, secondOfDay) = seconds.flooredDivision(by: Calendar.secondsPerDay)
    let date = Calendar.text(ofDay: Int(day))
    let time = Calendar.text(ofSecond: Int(secondOfDay))
    return "\(date)T\(time)\(nanoseconds.fractionOfSecond)Z"
  }
}
