/// Arithmetic saturates, as in ``advanced(by:)``.
extension TimerClock.Instant {
  /// Returns the instant that is a duration later.
  public static func + (instant: Self, duration: Duration) -> Self {
    instant.advanced(by: duration)
  }

  /// Returns the instant that is a duration earlier.
  public static func - (instant: Self, duration: Duration) -> Self {
    let nanoseconds = instant.nanoseconds.subtractingSaturated(duration.clampedNanoseconds)
    return Self(nanoseconds: nanoseconds, clock: instant.clock)
  }

  /// Returns the duration between two instants of the same clock; negative if `later` is the earlier one.
  public static func - (later: Self, earlier: Self) -> Duration { earlier.duration(to: later) }

  /// Moves the instant by a duration to a later time.
  public static func += (instant: inout Self, duration: Duration) { instant = instant + duration }

  /// Moves the instant by a duration to an earlier time.
  public static func -= (instant: inout Self, duration: Duration) { instant = instant - duration }
}
