public import ServiceLifecycle
public import TimerKit

/// A service that runs an operation for the ticks of a timer, one run at a time, until its group shuts down.
///
/// ```swift
/// let heartbeat = try RepeaterService(Repeater.Configuration(.interval(.seconds(30)))) { tick in
///   try await client.post("alive, \(tick.iteration)")
/// }
/// let group = ServiceGroup(
///   services: [heartbeat], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// On graceful shutdown, no further run begins, and the service ends as soon as the current one has ended. It ends, too,
/// when the timer has finished, or when an operation throws: ``run()`` then throws that error. When the group cancels the
/// service, the task of the current run is cancelled.
///
/// Ticks that come during a run are merged into the next one, whose `missedCount` counts them.
public struct RepeaterService: Service {
  /// The timer, for example to pause it or to change its interval. Do not start it: the service does.
  public let timer: Repeater
  private let operation: @Sendable (Repeater.Tick) async throws -> Void

  /// Creates a service whose timer is idle until ``run()`` is called.
  /// - Parameters:
  ///   - configuration: the times at which the timer fires, and the number of ticks.
  ///   - clock: the clock that it follows; `nil` is the wall clock for a schedule, and otherwise the suspending clock.
  ///   - operation: the closure to run for every tick, in the task of the service.
  /// - Throws: `TimerConfigurationError` for the first invalid value of the configuration.
  public init(
    _ configuration: Repeater.Configuration, clock: TimerClock? = nil,
    operation: @escaping @Sendable (Repeater.Tick) async throws -> Void
  ) throws(TimerConfigurationError) {
    timer = try Repeater(configuration, clock: clock) { _, _ in }
    self.operation = operation
  }

  /// Starts the timer, and runs the operation until the graceful shutdown or the end of the timer. It can be called once:
  /// the timer is cancelled at the end.
  /// - Throws: the error of an operation, or `CancellationError` if the task is cancelled.
  public func run() async throws {
    defer { timer.cancel() }
    var ticks = timer.ticks.makeAsyncIterator()
    try await withGracefulShutdownHandler {
      timer.start()
      while let tick = await ticks.next(isolation: #isolation), !Task.isShuttingDownGracefully {
        try await operation(tick)
      }
    } onGracefulShutdown: { [timer] in
      // It ends the sequence, and not the operation, which runs in this task.
      timer.cancel()
    }
    try Task.checkCancellation()
  }
}
