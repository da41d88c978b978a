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
  public var scheduled: TimelineInstant
  /// How much later than `scheduled` it was.
  public var lateness: Duration

  /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
  public init(
    callCount: Int, generation: UInt64, scheduled: TimelineInstant, lateness: Duration
  ) {
    self.callCount = callCount
    self.generation = generation
    self.scheduled = scheduled
    self.lateness = lateness
  }
}
