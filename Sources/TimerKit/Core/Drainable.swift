/// A timer that can end gracefully: every kind of timer, and a ``DebouncedFunction``.
///
/// Its work in progress ends, and what waits for a delivery is delivered or dropped, by kind: <doc:EndingAProgram> has the
/// table. A ``RateLimiter`` has nothing that waits or runs; a task that waits in its `acquire()` ends when it is cancelled.
public protocol Drainable: Sendable {
  /// Ends the timer gracefully, and suspends the task until nothing of it runs.
  ///
  /// From the call on, the timer refuses every control except ``cancel()``. A ``Debouncer``, a ``Throttler``, their keyed
  /// forms, a ``Batcher`` and a ``BackgroundTimer`` deliver what is pending at once; so do a ``Stopwatch`` its laps, and a
  /// ``TimeLimited`` its values that have expired. The other kinds drop what is pending. Handlers and asynchronous
  /// operations that run end by themselves, whatever the ``Repeater/Overlap``. Then the timer is cancelled.
  ///
  /// At the deadline, or as soon as the calling task is cancelled, the timer is cancelled at once: what is still pending is
  /// dropped, and the tasks of the operations are cancelled. If the deadline has passed, nothing is delivered. The
  /// method returns when what ran has ended; a handler, and an operation that ignores its cancellation, make the caller wait
  /// longer.
  ///
  /// ```swift
  /// func end(_ uploads: Batcher<String>) async {
  ///   let result = await uploads.drain(until: TimerClock.suspending.now + .seconds(20))
  ///   if !result.isComplete { print("uploads: \(result)") }
  /// }
  /// ```
  ///
  /// Calling it inside the timer's own operation is a programming error and traps, as `await cancelAndWait()` does. Call it
  /// again, from another task, to wait for the same end. On a ``VirtualClock``, handlers run on the caller's actor or on the
  /// thread that advances the clock.
  /// - Parameter deadline: the time at which the rest is cancelled, on a system clock of any kind or on the timer's
  ///   virtual clock; an instant of another virtual clock is a programming error and traps. `nil` for no deadline.
  /// - Returns: what was dropped and cancelled, because the deadline came first, or another control cancelled the timer.
  @discardableResult
  nonisolated(nonsending) func drain(until deadline: TimerClock.Instant?) async -> DrainResult

  /// Ends the timer permanently, without a delivery of what is pending.
  @discardableResult
  func cancel() -> ControlResult
}

extension Drainable {
  /// Ends the timer gracefully, without a deadline: see ``drain(until:)``.
  @discardableResult
  public nonisolated(nonsending) func drain() async -> DrainResult { await drain(until: nil) }
}

/// The outcome of a drain: what a timer has not delivered, and what it has not let end.
public struct DrainResult: Sendable, Hashable, CustomStringConvertible {
  /// The number of values that were pending and were dropped, of a kind of timer that delivers what is pending.
  public var droppedCount: Int
  /// The number of runs of asynchronous operations that were cancelled.
  public var cancelledRunCount: Int

  /// Creates a result from its values, for a test.
  public init(droppedCount: Int = 0, cancelledRunCount: Int = 0) {
    self.droppedCount = droppedCount
    self.cancelledRunCount = cancelledRunCount
  }

  /// True if everything was delivered that the kind of timer delivers, and all that ran has ended by itself.
  public var isComplete: Bool { droppedCount == 0 && cancelledRunCount == 0 }

  /// A description for logs: `complete`, or `3 values dropped, 1 run cancelled`.
  public var description: String {
    if isComplete { return "complete" }
    return [(droppedCount, "value", "dropped"), (cancelledRunCount, "run", "cancelled")]
      .filter { $0.0 > 0 }
      .map { (count, noun, verb) in "\(count) \(noun)\(count == 1 ? "" : "s") \(verb)" }
      .joined(separator: ", ")
  }
}
