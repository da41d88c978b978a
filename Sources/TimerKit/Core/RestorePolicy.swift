/// The treatment of the time since a checkpoint, for a timer that was running.
public enum RestorePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The timer resumes as if it had been running since then, by the time of day. The periods that
  /// elapsed meanwhile use up iterations; they are counted, in the snapshot's
  /// `elapsedWhileStoppedCount`, and not delivered.
  case catchUp
  /// The timer resumes with the time that was left when the checkpoint was taken.
  case keepTimeLeft
}
