/// A point on a ``Timeline``: nanoseconds since that timeline's origin.
///
/// Instants of different timelines are not comparable in meaning, though they are in type; a timer
/// keeps to the timeline it was made on. Arithmetic saturates: the farthest instants stand for
/// "never", and nothing traps.
public struct TimerClock.Instant: InstantProtocol, Hashable, Sendable, Codable {
  /// Nanoseconds since the timeline's origin.
  public var nanoseconds: Int64

  /// - Parameter nanoseconds: since the timeline's origin.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The farthest instant there is; a deadline there never comes.
  public static let distantFuture = TimerClock.Instant(nanoseconds: .max)

  /// The instant that much later, or earlier if it is negative; at the farthest, the farthest there
  /// is.
  public func advanced(by duration: Duration) -> TimerClock.Instant {
    TimerClock.Instant(nanoseconds: nanoseconds.addingSaturated(duration.clampedNanoseconds))
  }

  /// How long it is from here to there; negative if that is earlier.
  public func duration(to other: TimerClock.Instant) -> Duration {
    .nanoseconds(other.nanoseconds.subtractingSaturated(nanoseconds))
  }

  public static func < (left: TimerClock.Instant, right: TimerClock.Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
