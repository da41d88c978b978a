/// When a ``BackgroundTimer`` does its work, if it is called several times before.
public enum BackgroundBehavior: String, Sendable, Hashable, Codable, CaseIterable {
  /// At the earliest time that was asked for: periodic maintenance.
  case coalesce
  /// At the time that was asked for last: when all is quiet.
  case delay
}

/// What observers of a ``BackgroundTimer`` are told: work was due, and has been done if its owner was
/// still there.
public struct BackgroundRun: Sendable, Hashable {
  /// The calls that came to this one run; at least 1.
  public var callCount: Int
  /// The generation it ran for.
  public var generation: UInt64
  /// When it was due, on the timer's timeline.
  public var scheduled: TimerClock.Instant
  /// How much later than `scheduled` it was.
  public var lateness: Duration

  /// Made by hand, for a test or a demonstration.
  public init(
    callCount: Int, generation: UInt64, scheduled: TimerClock.Instant, lateness: Duration
  ) {
    self.callCount = callCount
    self.generation = generation
    self.scheduled = scheduled
    self.lateness = lateness
  }
}
