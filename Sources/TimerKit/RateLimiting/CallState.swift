/// The state of a ``Debouncer`` or ``Throttler``, of their keyed forms, or of a ``BackgroundTimer``.
public enum CallState: String, Sendable, Hashable, CustomStringConvertible {
  /// No value waits to be delivered.
  case idle
  /// A value waits to be delivered.
  case pending
  /// Ended permanently.
  case cancelled

  public var description: String { rawValue }
}

/// The number of calls of a limiter or a ``BackgroundTimer`` by their outcome, in one consistent value.
///
/// The counts begin when the timer is created. Every call is delivered, dropped or pending, so that the numbers of
/// these add up to the number of calls.
public struct CallSnapshot: Sendable, Hashable {
  /// The state.
  public var state: CallState
  /// True while the handler or observers run for a delivery.
  public var isExecuting: Bool
  /// The number of values that wait for their time or for the queue.
  public var pendingCount: Int
  /// The number of calls. Calls after the cancellation of the timer are not counted.
  public var callCount: Int
  /// The number of values that were delivered to handlers.
  public var deliveredCount: Int
  /// The number of fires that were rejected because a control had superseded them.
  public var staleCount: Int
  /// The time at which the next value is due, on the timer's clock; `nil` if no value waits for its time.
  public var deadline: TimerClock.Instant?

  /// Creates a snapshot from its values, for a test or a preview.
  public init(
    state: CallState, isExecuting: Bool = false, pendingCount: Int, callCount: Int,
    deliveredCount: Int, staleCount: Int, deadline: TimerClock.Instant?
  ) {
    self.state = state
    self.isExecuting = isExecuting
    self.pendingCount = pendingCount
    self.callCount = callCount
    self.deliveredCount = deliveredCount
    self.staleCount = staleCount
    self.deadline = deadline
  }

  /// The number of calls that are neither delivered nor pending: dropped at once, replaced by a newer call, or
  /// cancelled.
  public var droppedCount: Int { callCount - deliveredCount - pendingCount }
}

extension CallSnapshot: CustomStringConvertible {
  /// A description for logs: `pending, 5 calls: 2 delivered, 1 pending, 2 dropped`.
  public var description: String {
    let state = isExecuting ? "\(state), executing" : "\(state)"
    return """
      \(state), \(callCount) calls: \(deliveredCount) delivered, \(pendingCount) pending, \
      \(droppedCount) dropped
      """
  }
}
