public import ServiceLifecycle
public import TimerKit

/// A service that delivers what a batcher, debouncer or throttler still holds when its group shuts down.
///
/// A group shuts its services down in the opposite order, one after the other. Name this one before those that add values:
///
/// ```swift
/// let group = ServiceGroup(
///   services: [DrainingService(uploads), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
///
/// On graceful shutdown, the service makes the pending values due, waits until their handler has returned, and cancels the
/// timer. When the group cancels it, also because the shutdown takes too long, the values that wait are dropped.
///
/// An asynchronous operation of a debouncer that still runs after that is cancelled, and the service waits for its end.
public struct DrainingService<Timer: ObservableTimer>: Service where Timer.State == CallState {
  private let timer: Timer
  private let flush: @Sendable (Timer) -> Void

  /// Creates a service for a batcher.
  public init<Value>(_ batcher: Batcher<Value>) where Timer == Batcher<Value> {
    timer = batcher
    flush = { $0.flush() }
  }

  /// Creates a service for a debouncer or a throttler.
  public init(_ limiter: Timer) where Timer: CallLimiter {
    timer = limiter
    flush = { $0.flush() }
  }

  /// Waits for the graceful shutdown, and then drains the timer.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func run() async throws {
    defer { timer.cancel() }
    try await gracefulShutdown()
    // Created before the flush, so that no delivery is overlooked.
    let events = timer.events()
    flush(timer)
    if timer.state == .pending {
      for await _ in events where timer.state != .pending { break }
    }
    // Values are taken from the timer before their handler is called.
    await timer.cancelAndWait()
    try Task.checkCancellation()
  }
}
