/// The rule by which a ``BackgroundTimer`` chooses the time of its work if it is requested several times.
public enum BackgroundBehavior: String, Sendable, Hashable, Codable, CaseIterable {
  /// The earliest of the requested times: for periodic maintenance.
  case coalesce
  /// The time requested last: for work that waits until no more requests come.
  case delay
}

/// A run of a ``BackgroundTimer``, as observers receive it: work was due, and it ran if the timer's
/// ``BackgroundTimer/owner`` still existed.
public struct BackgroundRun: Sendable, Hashable {
  /// The number of calls of ``BackgroundTimer/perform(after:_:)`` that were merged into this run, at least 1.
  public var callCount: Int
  /// The generation for which it ran: the number of requests that had changed the deadline, and of calls of
  /// ``BackgroundTimer/cancelPending()``.
  public var generation: UInt64
  /// The time at which it was due, on the timer's clock.
  public var deadline: TimerClock.Instant
  /// The time from `deadline` to the run.
  public var lateness: Duration

  /// Creates a run from its values, for a test or a preview.
  public init(
    callCount: Int, generation: UInt64, deadline: TimerClock.Instant, lateness: Duration
  ) {
    self.callCount = callCount
    self.generation = generation
    self.deadline = deadline
    self.lateness = lateness
  }
}

extension BackgroundRun: CustomStringConvertible {
  /// A description for logs: `run for 3 calls, 0.0002 seconds late`.
  public var description: String {
    let run = callCount == 1 ? "run for 1 call" : "run for \(callCount) calls"
    return lateness > .zero ? "\(run), \(lateness) late" : run
  }
}
