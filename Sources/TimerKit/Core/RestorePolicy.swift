/// The treatment of the time since a checkpoint when a running timer is restored.
public enum RestorePolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// The timer resumes as if it had been running since then. The elapsed time is that of the wall clock. The deadlines
  /// that passed meanwhile use up iterations. They are not delivered, but counted in the snapshot's
  /// `deadlinesPassedBeforeRestore`.
  case catchUp
  /// The timer resumes with the time that was left when the checkpoint was taken.
  case keepTimeLeft
}
