/// The state of a timer that starts, pauses and resumes.
public enum TimerState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// Not started, or reset.
  case idle
  /// Running: the timer waits for its next deadline, or a stopwatch counts.
  case running
  /// Paused: the time left does not change.
  case paused
  /// Finished: the last tick was delivered. The timer can be started again.
  case finished
  /// Ended permanently.
  case cancelled

  /// True if the timer is finished or cancelled.
  var isOver: Bool { self == .finished || self == .cancelled }

  public var description: String { rawValue }
}
