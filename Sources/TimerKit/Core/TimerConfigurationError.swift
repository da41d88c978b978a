/// A value that no timer can be configured with. It is thrown before anything changes.
public enum TimerConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not greater than zero, where zero would repeat without pause; negative for a one-shot timer.
  case invalidInterval(Duration)
  /// Negative.
  case invalidDelay(Duration)
  /// Negative.
  case invalidTolerance(Duration)
  /// Less than 1.
  case invalidCount(Int)
  /// Less than 1, or not a number.
  case invalidFactor(Double)
  /// A cycle without phases.
  case noPhases
  /// A schedule needs a clock of the kind ``TimerClock/Kind/wall``.
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
