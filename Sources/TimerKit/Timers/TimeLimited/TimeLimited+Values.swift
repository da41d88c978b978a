/// What a ``TimeLimited`` shows.
public enum TimeLimitedState: String, Sendable, Hashable, CustomStringConvertible {
  /// There is a value.
  case holding
  /// There is none: it has expired.
  case expired
  /// There is none: it was taken.
  case taken
  /// The container was dropped: the last that a stream tells.
  case cancelled

  /// The name of the state.
  public var description: String { rawValue }
}

extension TimeLimited {
  /// What observers are told: a value has expired.
  public struct Expiry: Sendable {
    /// What has expired.
    public var value: Value
    /// When it expired, on the timer's timeline.
    public var deadline: TimerClock.Instant
    /// How much later than that it is told.
    public var lateness: Duration

    /// Made by hand, for a test or a demonstration.
    public init(value: Value, deadline: TimerClock.Instant, lateness: Duration) {
      self.value = value
      self.deadline = deadline
      self.lateness = lateness
    }
  }

  /// Everything there is to know about it at one moment: one consistent value.
  public struct Snapshot: Sendable {
    /// What the container shows.
    public var state: TimeLimitedState
    /// What is held; `nil` if it has expired or was taken.
    public var value: Value?
    /// How long a value is held.
    public var lifetime: Duration
    /// When the value expires, on the timer's timeline; `nil` if there is none.
    public var deadline: TimerClock.Instant?
    /// Counts the controls that changed the deadline.
    public var generation: UInt64
    /// Values that have expired since it was made.
    public var expiredCount: Int
    /// Alarms that rang and were refused because a control had superseded them.
    public var staleCount: Int

    /// Made by hand, for a test or a demonstration.
    public init(
      state: TimeLimitedState, value: Value?, lifetime: Duration, deadline: TimerClock.Instant?,
      generation: UInt64, expiredCount: Int, staleCount: Int
    ) {
      self.state = state
      self.value = value
      self.lifetime = lifetime
      self.deadline = deadline
      self.generation = generation
      self.expiredCount = expiredCount
      self.staleCount = staleCount
    }

    /// The time until the value expires; `nil` if there is none.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      deadline.map { max(.zero, now.duration(to: $0)) }
    }
  }
}

extension TimeLimited.Expiry: Equatable where Value: Equatable {}
extension TimeLimited.Expiry: Hashable where Value: Hashable {}
extension TimeLimited.Snapshot: Equatable where Value: Equatable {}
extension TimeLimited.Snapshot: Hashable where Value: Hashable {}
