/// A point in time by the calendar: nanoseconds since 1970-01-01 00:00 UTC, from 1677 to 2262.
///
/// Schedules and checkpoints use it: it means the same in another process and after a restart. (To
/// convert it from and to `Date`, import `TimerKitFoundation`.) Arithmetic saturates.
public struct WallInstant: InstantProtocol, Hashable, Sendable, Codable {
  /// The nanoseconds since 1970-01-01 00:00 UTC; negative before.
  public let nanosecondsSince1970: Int64

  /// Creates an instant so many nanoseconds after 1970-01-01 00:00 UTC.
  public init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  /// The current time of day by the system's clock.
  public static var now: WallInstant {
    WallInstant(nanosecondsSince1970: TimerClock.Kind.wall.systemNanoseconds)
  }

  /// The farthest instant there is; a deadline there never comes.
  public static let distantFuture = WallInstant(nanosecondsSince1970: .max)

  /// The instant that much later, or earlier if `duration` is negative.
  public func advanced(by duration: Duration) -> WallInstant {
    WallInstant(
      nanosecondsSince1970: nanosecondsSince1970.addingSaturated(duration.clampedNanoseconds))
  }

  /// The duration from this instant to another; negative if that is earlier.
  public func duration(to other: WallInstant) -> Duration {
    .nanoseconds(other.nanosecondsSince1970.subtractingSaturated(nanosecondsSince1970))
  }

  public static func < (left: WallInstant, right: WallInstant) -> Bool {
    left.nanosecondsSince1970 < right.nanosecondsSince1970
  }
}
