/// A checkpoint that no timer can be restored from.
public enum RestoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The state is one that no timer can be restored to: cancelled, executing, or one that its kind
  /// does not have.
  case invalidState(TimerState)
  /// The timer was running, and its schedule has no occurrence to come.
  case noOccurrence
  /// The elapsed time of a stopwatch is negative.
  case invalidElapsedTime(Duration)
  /// The number of a phase is not one of the cycle's.
  case invalidPhaseNumber(Int)
  /// A value that no timer can be configured with.
  case configuration(TimerConfigurationError)

  public var description: String {
    switch self {
    case .invalidState(let state): "invalid state '\(state)'"
    case .noOccurrence: "the schedule has no occurrence to come"
    case .invalidElapsedTime(let elapsed): "invalid elapsed time \(elapsed) (expected zero or more)"
    case .invalidPhaseNumber(let number): "invalid phase number \(number)"
    case .configuration(let error): error.description
    }
  }
}
