/// The error that `withTimeout` throws when the operation has not ended within its timeout.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The timeout of the operation.
  public let timeout: Duration

  /// Creates an error, for a test.
  public init(timeout: Duration) {
    self.timeout = timeout
  }

  public var description: String { "timed out after \(timeout)" }
}

/// Runs an asynchronous operation and returns its result; cancels it after a timeout.
///
/// ```swift
/// @Sendable func load() async throws -> String { "" }
/// let page = try await withTimeout(.seconds(5)) { try await load() }
/// ```
///
/// The operation runs in a child task, and the function returns only when that task has ended. Therefore an
/// operation that ignores cancellation makes the caller wait longer than `timeout`; its result is dropped
/// then. When the calling task is cancelled, the operation is cancelled as well, and its result or error is
/// that of the function.
/// - Parameters:
///   - timeout: the time within which the operation must end. If it is zero or negative, the operation does not
///     begin.
///   - clock: the clock that measures the timeout; in tests, a virtual clock.
///   - operation: the operation. It runs on the actor to which it is isolated, if any.
/// - Returns: the result of the operation.
/// - Throws: ``TimeoutError`` after the timeout; before that, the error of the operation.
public func withTimeout<Success: Sendable>(
  _ timeout: Duration, clock: TimerClock = .suspending,
  operation: @escaping @Sendable @isolated(any) () async throws -> Success
) async throws -> Success {
  let clock: any Clock<Duration> = clock
  return try await withTimeout(timeout, clock: clock, operation: operation)
}

/// Runs an asynchronous operation that does not throw and returns its result; cancels it after a timeout.
///
/// It behaves like the function for operations that throw.
/// - Parameters:
///   - timeout: the time within which the operation must end. If it is zero or negative, the operation does not
///     begin.
///   - clock: the clock that measures the timeout; in tests, a virtual clock.
///   - operation: the operation. It runs on the actor to which it is isolated, if any.
/// - Returns: the result of the operation.
/// - Throws: ``TimeoutError`` after the timeout.
public func withTimeout<Success: Sendable>(
  _ timeout: Duration, clock: TimerClock = .suspending,
  operation: @escaping @Sendable @isolated(any) () async -> Success
) async throws(TimeoutError) -> Success {
  guard case .success(let value)? = await race(operation, against: timeout, on: clock) else {
    throw TimeoutError(timeout: timeout)
  }
  return value
}

/// Runs an asynchronous operation and returns its result; cancels it after a timeout on any clock, such as one of the
/// standard library, a ``VirtualClock``, or one of another package.
///
/// It behaves like the function for a ``TimerClock``.
/// - Parameters:
///   - timeout: the time within which the operation must end. If it is zero or negative, the operation does not
///     begin.
///   - clock: the clock that measures the timeout.
///   - operation: the operation. It runs on the actor to which it is isolated, if any.
/// - Returns: the result of the operation.
/// - Throws: ``TimeoutError`` after the timeout; before that, the error of the operation, or that of a clock that cannot
///   sleep, which also cancels the operation.
public func withTimeout<Success: Sendable>(
  _ timeout: Duration, clock: some Clock<Duration>,
  operation: @escaping @Sendable @isolated(any) () async throws -> Success
) async throws -> Success {
  guard let result = await race(operation, against: timeout, on: clock) else {
    throw TimeoutError(timeout: timeout)
  }
  return try result.get()
}

/// Runs the operation and a sleep in two child tasks.
/// - Returns: the result of the operation; `nil` if the timeout came first, or was over before the operation began.
private func race<Success: Sendable>(
  _ operation: @escaping @Sendable @isolated(any) () async throws -> Success,
  against timeout: Duration, on clock: some Clock<Duration>
) async -> Result<Success, any Error>? {
  // A sleep that is over at once would race with an operation that needs no time.
  guard timeout.clampedNanoseconds > 0 else { return nil }
  let deadline = clock.now.advanced(by: timeout)
  return await withTaskGroup(of: RaceEvent<Success>.self) { group in
    group.addTask {
      do { return .end(.success(try await operation())) } catch { return .end(.failure(error)) }
    }
    group.addTask {
      do {
        try await clock.sleep(until: deadline, tolerance: nil)
        return .timeout
      } catch {
        // A clock that fails by itself cannot limit the operation.
        return Task.isCancelled ? .cancelledSleep : .end(.failure(error))
      }
    }
    defer { group.cancelAll() }
    for await event in group {
      switch event {
      case .end(let result): return result
      case .timeout: return nil
      case .cancelledSleep: continue  // The result of the operation comes.
      }
    }
    return nil
  }
}

/// The end of one of the two child tasks.
private enum RaceEvent<Success: Sendable>: Sendable {
  case end(Result<Success, any Error>)
  case timeout
  case cancelledSleep
}
