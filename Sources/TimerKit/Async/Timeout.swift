/// The error that `withTimeout` throws when the time is over.
public struct TimeoutError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time that the operation had.
  public let timeout: Duration

  /// Creates an error, for a test.
  public init(timeout: Duration) {
    self.timeout = timeout
  }

  public var description: String { "timed out after \(timeout)" }
}

/// Runs an asynchronous operation, and cancels it when its time is over.
///
/// ```swift
/// @Sendable func load() async throws -> String { "" }
/// let page = try await withTimeout(.seconds(5)) { try await load() }
/// ```
///
/// The operation is a child task: this returns when it has ended, and nothing goes on behind it. So an
/// operation that ignores its cancellation makes the caller wait longer than `timeout`; its result is
/// dropped then. When the calling task is cancelled, so is the operation, and its own outcome counts.
/// - Parameters:
///   - timeout: the time from the call on; if it is not greater than zero, the operation is cancelled
///     at once.
///   - clock: the clock on which the time passes; a virtual one in tests.
///   - operation: the operation; it runs on its actor, if it has one.
/// - Returns: the result of the operation.
/// - Throws: ``TimeoutError`` when the time is over; before that, the errors of the operation.
public func withTimeout<Success: Sendable>(
  _ timeout: Duration, clock: TimerClock = .suspending,
  operation: @escaping @Sendable @isolated(any) () async throws -> Success
) async throws -> Success {
  guard let result = await race(operation, against: timeout, on: clock) else {
    throw TimeoutError(timeout: timeout)
  }
  return try result.get()
}

/// Runs an asynchronous operation that throws no errors, and cancels it when its time is over. In all
/// else it is the function for those that do.
/// - Throws: ``TimeoutError`` when the time is over.
public func withTimeout<Success: Sendable>(
  _ timeout: Duration, clock: TimerClock = .suspending,
  operation: @escaping @Sendable @isolated(any) () async -> Success
) async throws(TimeoutError) -> Success {
  guard case .success(let value)? = await race(operation, against: timeout, on: clock) else {
    throw TimeoutError(timeout: timeout)
  }
  return value
}

/// - Returns: the outcome of the operation; `nil` if the time was over before.
private func race<Success: Sendable>(
  _ operation: @escaping @Sendable @isolated(any) () async throws -> Success,
  against timeout: Duration, on clock: TimerClock
) async -> Result<Success, any Error>? {
  let deadline = clock.now.advanced(by: timeout)
  return await withTaskGroup(of: Outcome<Success>.self) { group in
    group.addTask {
      do { return .operation(.success(try await operation())) } catch {
        return .operation(.failure(error))
      }
    }
    group.addTask {
      do { try await clock.sleep(until: deadline) } catch { return .wait(isOver: false) }
      return .wait(isOver: true)
    }
    defer { group.cancelAll() }
    for await outcome in group {
      switch outcome {
      case .operation(let result): return result
      case .wait(isOver: true): return nil
      case .wait(isOver: false): continue
      }
    }
    return nil
  }
}

/// The end of one of the two child tasks.
private enum Outcome<Success: Sendable>: Sendable {
  case operation(Result<Success, any Error>)
  /// The time is over, or the wait for it was cancelled.
  case wait(isOver: Bool)
}
