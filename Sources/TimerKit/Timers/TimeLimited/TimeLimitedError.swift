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
