/// How a timer goes on that was running when its checkpoint was taken.
public enum Resumption: String, Sendable, Hashable, Codable, CaseIterable {
  /// As if it had been running all the while, by the wall clock. What would have been delivered in
  /// that time is used up; it is counted, in the `wentByCount` of the timer's snapshot, and not
  /// delivered.
  case byClock
  /// With the time that was left when the checkpoint was taken.
  case frozen
}
