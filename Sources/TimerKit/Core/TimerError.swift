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
  /// There is no such time of day.
  case invalidTime(hour: Int, minute: Int, second: Int)
  /// There is no such date, or it is out of the years 1678 to 2261.
  case invalidDate(year: Int, month: Int, day: Int)
  /// A schedule has no day, or none that is still to come.
  case noOccurrence
  /// The timer follows a ``WallSchedule``: it has no interval, and its fires cannot be moved.
  case followsSchedule
  /// A schedule needs a timeline of kind ``TimerClock.Kind/wall``.
  case needsWallClock

  public var description: String {
    switch self {
    case .cancelled: "the timer was cancelled and cannot be used again"
    case .expired: "there is no value any more: it has expired or was taken"
    case .invalidInterval(let interval): "an interval must be longer than zero, not \(interval)"
    case .invalidDelay(let delay): "a delay cannot be negative, as \(delay) is"
    case .invalidCount(let count): "a count must be at least 1, not \(count)"
    case .invalidTolerance(let tolerance): "a tolerance cannot be negative, as \(tolerance) is"
    case .invalidFactor(let factor): "a factor must be a number of at least 1, not \(factor)"
    case .invalidTime(let hour, let minute, let second):
      "there is no time of day with hour \(hour), minute \(minute), second \(second)"
    case .invalidDate(let year, let month, let day):
      "there is no day \(day) of month \(month) in the year \(year) that a timer could wait for"
    case .noOccurrence: "the schedule has no time that is still to come"
    case .followsSchedule: "the timer follows a schedule: it has no interval to change"
    case .needsWallClock: "a schedule needs a timeline that is the time of day"
    }
  }
}
