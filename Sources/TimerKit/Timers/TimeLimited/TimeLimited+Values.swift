/// The state of a ``TimeLimited``.
public enum TimeLimitedState: String, Sendable, Hashable, CustomStringConvertible {
  /// The container holds a value.
  case holding
  /// The container is empty: the value has expired.
  case expired
  /// The container is empty: the value was taken.
  case taken
  /// The container was cancelled, or drains: it takes no value any more.
  case cancelled

  /// The name of the state.
  public var description: String { rawValue }
}

extension TimeLimited {
  /// The expiration of a value, as observers receive it.
  public struct Expiry: Sendable {
    /// The value that has expired.
    public var value: Value
    /// The time at which it expired, on the timer's clock.
    public var deadline: TimerClock.Instant
    /// The time from `deadline` to its delivery.
    public var lateness: Duration

    /// Creates an expiration from its values, for a test or a preview.
    public init(value: Value, deadline: TimerClock.Instant, lateness: Duration) {
      self.value = value
      self.deadline = deadline
      self.lateness = lateness
    }
  }

  /// The state of a container at one moment, in one consistent value.
  public struct Snapshot: Sendable {
    /// The state of the container.
    public var state: TimeLimitedState
    /// The value; `nil` if the container is empty.
    public var value: Value?
    /// The time after which a value expires.
    public var lifetime: Duration
    /// The time at which the value expires, on the timer's clock; `nil` if the container is empty.
    public var deadline: TimerClock.Instant?
    /// The number of controls that changed the deadline.
    public var generation: UInt64
    /// The number of values that have expired since the container was created.
    public var expiredCount: Int
    /// The number of fires that were rejected because a control had superseded them.
    public var staleCount: Int

    /// Creates a snapshot from its values, for a test or a preview.
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

    /// Returns the time until the value expires; `nil` if the container is empty.
    /// - Parameter now: the current time of the timer's clock.
    public func timeLeft(at now: TimerClock.Instant) -> Duration? {
      deadline.map { max(.zero, now.duration(to: $0)) }
    }
  }
}

extension TimeLimited.Expiry: Equatable where Value: Equatable {}
extension TimeLimited.Expiry: Hashable where Value: Hashable {}
extension TimeLimited.Snapshot: Equatable where Value: Equatable {}
extension TimeLimited.Snapshot: Hashable where Value: Hashable {}

/// The reason why a ``TimeLimited`` cannot renew or replace its value. Nothing changes then.
public enum TimeLimitedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value has expired.
  case expired
  /// The value was taken.
  case taken
  /// The container was cancelled.
  case cancelled
  /// The lifetime is not greater than zero.
  case configuration(TimerConfigurationError)

  public var description: String {
    switch self {
    case .expired: "the value has expired"
    case .taken: "the value was taken"
    case .cancelled: "the container was cancelled"
    case .configuration(let error): error.description
    }
  }
}
