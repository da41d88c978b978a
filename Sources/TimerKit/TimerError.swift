/// Why a timer refused: always before anything changed.
public enum TimerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The timer was cancelled; make a new one.
  case cancelled
  /// There is no value to renew any more: it has expired, or was taken.
  case expired
  /// Zero or negative, which would spin.
  case invalidInterval(Duration)
  /// Negative.
  case invalidDelay(Duration)
  /// Below 1.
  case invalidCount(Int)
  /// Negative.
  case invalidTolerance(Duration)
  /// Below 1, or not a number.
  case invalidFactor(Double)

  public var description: String {
    switch self {
    case .cancelled: "the timer was cancelled and cannot be used again"
    case .expired: "there is no value any more: it has expired or was taken"
    case .invalidInterval(let interval): "an interval must be longer than zero, not \(interval)"
    case .invalidDelay(let delay): "a delay cannot be negative, as \(delay) is"
    case .invalidCount(let count): "a count must be at least 1, not \(count)"
    case .invalidTolerance(let tolerance): "a tolerance cannot be negative, as \(tolerance) is"
    case .invalidFactor(let factor): "a factor must be a number of at least 1, not \(factor)"
    }
  }
}
