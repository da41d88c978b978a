public import ServiceLifecycle
public import TimerKit

/// A service that lets timers end gracefully when its group shuts down: their work in progress ends, and what they hold is
/// delivered or dropped, as the method `drain(until:)` of their kind does.
///
/// A group shuts its services down in the opposite order, one after the other. Name this one before those that use the
/// timers:
///
/// ```swift
/// let group = ServiceGroup(
///   services: [DrainingService(uploads), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// ```
///
/// Several timers drain at the same time. Those that use others need a service of their own, named after that of the others.
///
/// When the group cancels the service, also because the shutdown takes too long, the timers are cancelled: what is still
/// pending is dropped, and the operations that run are cancelled. The service ends when they have ended.
public struct DrainingService: Service {
  private let timers: [any Drainable]
  private let limit: Duration?
  private let report: @Sendable (any Drainable, DrainResult) -> Void

  /// Creates a service for timers of any kind.
  /// - Parameters:
  ///   - timers: the timers, which drain together.
  ///   - limit: the time from the beginning of the shutdown after which the timers are cancelled; `nil` if only the group
  ///     limits it, by its `maximumGracefulShutdownDuration`. The service ends then as it does otherwise, so that the group
  ///     shuts down the others in order.
  ///   - report: called with each timer when it has ended, and what it has dropped or cancelled, for a log.
  public init(
    _ timers: any Drainable..., within limit: Duration? = nil,
    report: @escaping @Sendable (any Drainable, DrainResult) -> Void = { _, _ in }
  ) {
    self.timers = timers
    self.limit = limit
    self.report = report
  }

  /// Waits for the graceful shutdown, and then drains the timers.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func run() async throws {
    // It throws only if the task is cancelled: then each drain cancels its timer at once, and waits for what runs.
    try? await gracefulShutdown()
    let deadline = limit.map { TimerClock.suspending.now + $0 }
    await withTaskGroup { group in
      for timer in timers {
        group.addTask { [report] in report(timer, await timer.drain(until: deadline)) }
      }
    }
    try Task.checkCancellation()
  }
}
