/// The state of a timer that starts, pauses and resumes.
public enum TimerState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
  /// Not started, or reset.
  case idle
  /// Its time runs.
  case running
  /// Its handlers run. Only events pass through it: the `state` of a timer is the one that it has
  /// besides, such as `running`, or `finished` at its last tick.
  case executing
  /// Its time stands still.
  case paused
  /// All that it had to deliver is delivered. It can be started anew.
  case finished
  /// Ended for good.
  case cancelled

  /// True if the timer delivers nothing more by itself.
  var isOver: Bool { self == .finished || self == .cancelled }

  public var description: String { rawValue }
}
