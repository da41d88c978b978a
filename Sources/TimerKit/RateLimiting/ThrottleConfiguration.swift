/// The configuration of a ``Throttler``, except for its clock, queue and handler.
public struct ThrottleConfiguration: Sendable, Hashable, Codable {
  /// The minimum time between two deliveries. With zero, every call is delivered.
  public var interval: Duration
  /// The event with which an interval begins.
  public var mode: ThrottleMode
  /// The value that is delivered at the end of an interval, of all calls that came during it.
  public var keptValue: KeptValue
  /// The time by which a value may be late, so that several timers share a wake-up. At most half of the interval has an
  /// effect.
  public var tolerance: Duration

  /// Creates a configuration. Its values are checked when a throttler is created from it.
  public init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero
  ) {
    self.interval = interval
    self.mode = mode
    keptValue = keeping
    self.tolerance = tolerance
  }
}

/// The event with which an interval of a ``Throttler`` begins.
public enum ThrottleMode: Sendable, Hashable {
  /// An interval begins with a delivery. A call that comes while there is no interval is delivered at once if
  /// `firstAtOnce` is true, and otherwise after an interval, which then begins with the call.
  case fromDelivery(firstAtOnce: Bool)
  /// An interval begins with the first call that waits, and the delivery comes at its end.
  case deferred

  /// The mode in which an interval begins with a delivery, and a call that comes while there is no interval is
  /// delivered at once.
  public static var fromDelivery: ThrottleMode { .fromDelivery(firstAtOnce: true) }
}

/// The value that a ``Throttler`` delivers at the end of an interval, of all calls that came during it.
public enum KeptValue: String, Sendable, Hashable, Codable, CaseIterable {
  /// The oldest value.
  case first
  /// The newest value.
  case latest
  /// No value: all calls during the interval are dropped, as by a rate limit.
  case nothing
}
