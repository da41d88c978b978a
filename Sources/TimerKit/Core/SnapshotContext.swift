/// The values of a snapshot that do not come from a state machine, but from its storage: see ``TimerStorage`` and
/// ``ValueStorage``.
struct SnapshotContext {
  let clock: ClockIdentity
  let tolerance: Int64
  let isExecuting: Bool
  let deliveredCount: Int
  /// The number of delivered values that the operation did not receive.
  var discardedCount = 0
  let staleCount: Int
  let deadlinesPassedBeforeRestore: Int

  /// Returns a time of the machine as an instant of the timer's clock.
  func instant(_ nanoseconds: Int64?) -> TimerClock.Instant? {
    nanoseconds.map { TimerClock.Instant(nanoseconds: $0, clock: clock) }
  }
}
