/// What a timer that limits calls shows: ``Debouncer``, ``Throttler`` and their keyed forms.
public enum CallState: String, Sendable, Hashable, CustomStringConvertible {
  /// Nothing waits to be delivered.
  case idle
  /// A value waits to be delivered.
  case pending
  /// Handlers run, whatever waits meanwhile.
  case executing
  /// It was dropped: the last that a stream tells.
  case cancelled

  public var description: String { rawValue }
}

/// What became of the calls of a ``Debouncer``, a ``Throttler`` or a keyed form: one consistent value.
///
/// The counts run since it was made, and add up: every call is delivered, suppressed or pending.
public struct CallSnapshot: Sendable, Hashable {
  /// What it shows at this moment.
  public var state: CallState
  /// Values that wait: for their time, or only for their drain on the queue.
  public var pendingCount: Int
  /// All the calls that were made.
  public var callCount: Int
  /// Values that handlers were given.
  public var deliveredCount: Int
  /// Alarms that rang and were refused because a `cancel()` had superseded them.
  public var staleCount: Int
  /// When the next value is delivered that waits for its time, on the timer's timeline; `nil` if
  /// none does.
  public var deadline: TimerClock.Instant?

  /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
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

  /// Calls that came to nothing: another one was delivered in their place, or they were cancelled.
  public var suppressedCount: Int { callCount - deliveredCount - pendingCount }
}
