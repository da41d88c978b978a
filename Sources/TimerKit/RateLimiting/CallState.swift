/// The state of a ``Debouncer``, a ``Throttler``, a keyed form of them or a ``BackgroundTimer``.
public enum CallState: String, Sendable, Hashable, CustomStringConvertible {
  /// Nothing waits to be delivered.
  case idle
  /// A value waits to be delivered.
  case pending
  /// Handlers run. Another value may wait meanwhile.
  case executing
  /// Ended for good.
  case cancelled

  public var description: String { rawValue }
}

/// The numbers of calls of a limiter by their outcome, in one consistent value.
///
/// The counts begin when the limiter is created, and add up: every call is delivered, suppressed or
/// pending.
public struct CallSnapshot: Sendable, Hashable {
  /// The state.
  public var state: CallState
  /// The number of values that wait for their time or for the queue.
  public var pendingCount: Int
  /// The number of all calls.
  public var callCount: Int
  /// The number of values that were delivered to handlers.
  public var deliveredCount: Int
  /// The number of alarms that were rejected because a control had superseded them.
  public var staleCount: Int
  /// The time at which the next value that waits for its time is delivered, on the timer's clock; `nil`
  /// if none does.
  public var deadline: TimerClock.Instant?

  /// Creates a snapshot from its values, for a test or a preview.
  public init(
    state: CallState, pendingCount: Int, callCount: Int, deliveredCount: Int, staleCount: Int,
    deadline: TimerClock.Instant?
  ) {
    self.state = state
    self.pendingCount = pendingCount
    self.callCount = callCount
    self.deliveredCount = deliveredCount
    self.staleCount = staleCount
    self.deadline = deadline
  }

  /// The number of calls that were not delivered, because another one was or they were cancelled.
  public var suppressedCount: Int { callCount - deliveredCount - pendingCount }
}
