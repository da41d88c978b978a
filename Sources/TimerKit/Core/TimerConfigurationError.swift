/// An invalid value in the configuration of a timer. It is thrown before anything changes.
public enum TimerConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An interval that is not greater than zero; for a one-shot timer, one that is negative.
  case invalidInterval(Duration)
  /// A delay that is negative.
  case invalidDelay(Duration)
  /// A tolerance that is negative.
  case invalidTolerance(Duration)
  /// A count that is less than 1.
  case invalidCount(Int)
  /// A factor that is less than 1, or not a number.
  case invalidFactor(Double)
  /// A cycle without phases.
  case noPhases
  /// A clock that cannot follow a schedule, because it is not of the kind ``TimerClock/Kind/wall``.
  case notWallClock(TimerClock.Kind)

  public var description: String {
    switch self {
    case .invalidInterval(let interval):
      "invalid interval \(interval) (expected more than zero)"
    case .invalidDelay(let delay): "invalid delay \(delay) (expected zero or more)"
    case .invalidTolerance(let tolerance): "invalid tolerance \(tolerance) (expected zero or more)"
    case .invalidCount(let count): "invalid count \(count) (expected at least 1)"
    case .invalidFactor(let factor): "invalid factor \(factor) (expected at least 1)"
    case .noPhases: "no phases (expected at least one)"
    case .notWallClock(let kind): "invalid clock '\(kind)' for a schedule (expected wall)"
    }
  }
}
