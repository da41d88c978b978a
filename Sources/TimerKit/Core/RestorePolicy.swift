/// How a timer goes on that was running when its checkpoint was taken.
public enum RestorePolicy: String, Sendable, Hashable, Codable {
  /// As if it had been running all the while, by the wall clock. What would have been delivered in
  /// that time is used up; it is counted, in the `elapsedWhileStoppedCount` of the timer's snapshot, and not
  /// delivered.
  case catchUp
  /// With the time that was left when the checkpoint was taken.
  case frozen
}
