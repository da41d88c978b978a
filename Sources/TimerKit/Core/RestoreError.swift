/// The reason why a timer cannot be restored from a checkpoint.
public enum RestoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A timer cannot be restored to this state: it is cancelled, or a state that this kind of
  /// timer does not have.
  case invalidState(TimerState)
  /// The timer was running, and its schedule has no further occurrence. With ``RestorePolicy/catchUp``, the timer is
  /// finished instead.
  case noOccurrence
  /// The elapsed time of a stopwatch is negative.
  case invalidElapsedTime(Duration)
  /// The cycle has no phase with this index.
  case invalidPhaseIndex(Int)
  /// The configuration is invalid.
  case configuration(TimerConfigurationError)

  public var description: String {
    switch self {
    case .invalidState(let state): "invalid state '\(state)'"
    case .noOccurrence: "the schedule has no further occurrence"
    case .invalidElapsedTime(let elapsed): "invalid elapsed time \(elapsed) (expected zero or more)"
    case .invalidPhaseIndex(let index): "invalid phase index \(index)"
    case .configuration(let error): error.description
    }
  }
}

/// The treatment of the time since a checkpoint when a running timer is restored.
public enum RestorePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The timer resumes as if it had been running since then. The elapsed time is that of the wall clock. The deadlines
  /// that passed meanwhile use up iterations. They are not delivered, but counted in the snapshot's
  /// `deadlinesPassedBeforeRestore`.
  case catchUp
  /// The timer resumes with the time that was left when the checkpoint was taken.
  case keepTimeLeft
}

/// A checkpoint, whose values may come from a file.
protocol RestorableCheckpoint {
  /// Returns the checkpoint after validating its values.
  func checked() throws(RestoreError) -> Self

  /// Advances a running timer to `wall`, and returns the number of deadlines that passed.
  mutating func catchUp(to wall: WallInstant) throws(RestoreError) -> Int
}

extension RestorableCheckpoint {
  /// Returns the validated checkpoint, advanced to `wall` if the policy demands it, and the number of deadlines that
  /// passed.
  func checked(
    _ policy: RestorePolicy, at wall: WallInstant
  ) throws(RestoreError) -> (checkpoint: Self, passedDeadlines: Int) {
    var checked = try checked()
    let passed = policy == .catchUp ? try checked.catchUp(to: wall) : 0
    return (checked, passed)
  }
}

extension Repeater.Checkpoint: RestorableCheckpoint {}
extension Cycle.Checkpoint: RestorableCheckpoint {}
extension Stopwatch.Checkpoint: RestorableCheckpoint {}
