/// The state of a timer that starts, pauses and resumes.
public enum TimerState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// Not started, or reset.
  case idle
  /// Running: its next deadline comes nearer.
  case running
  /// Its handlers run. Only events pass through this state: the `state` of a timer is meanwhile
  /// `running`, or `finished` during its last tick.
  case executing
  /// Paused: the time left does not change.
  case paused
  /// Its last tick was delivered. It can be started again.
  case finished
  /// Ended for good.
  case cancelled

  /// True if the timer delivers nothing more by itself.
  var isOver: Bool { self == .finished || self == .cancelled }

  public var description: String { rawValue }
}
