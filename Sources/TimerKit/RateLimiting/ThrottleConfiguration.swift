/// Everything that a ``Throttler`` is created with, besides its clock, queue and handler.
public struct ThrottleConfiguration: Sendable, Hashable, Codable {
  /// The least time between two deliveries. Zero delivers every call.
  public var interval: Duration
  /// The beginning of the intervals.
  public var mode: ThrottleMode
  /// The value that is delivered of those that come while the throttle is closed.
  public var keeping: ThrottledValue
  /// The time by which a value may be late, so that several timers share a wake-up.
  public var tolerance: Duration

  /// Creates a configuration. Its values are checked when a throttler is created from it.
  public init(
    interval: Duration, mode: ThrottleMode = .fixed, keeping: ThrottledValue = .latest,
    tolerance: Duration = .zero
  ) {
    self.interval = interval
    self.mode = mode
    self.keeping = keeping
    self.tolerance = tolerance
  }
}

/// The beginning of the intervals of a ``Throttler``.
public enum ThrottleMode: Sendable, Hashable, Codable {
  /// An interval begins with a delivery. The first call is delivered at once, or else when it has
  /// waited an interval.
  case fixed(immediateFire: Bool)
  /// An interval begins with the first call that waits: it is delivered an interval after that.
  case deferred

  /// An interval begins with a delivery; the first call is delivered at once.
  public static var fixed: ThrottleMode { .fixed(immediateFire: true) }
}

/// The value that a ``Throttler`` delivers of those that come while it is closed.
public enum ThrottledValue: String, Sendable, Hashable, Codable, CaseIterable {
  /// The oldest.
  case first
  /// The newest.
  case latest
  /// None: calls are suppressed until it opens. This is a rate limit.
  case none
}
