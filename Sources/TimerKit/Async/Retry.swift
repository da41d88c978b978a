/// Performs an operation until it succeeds, and waits between the attempts.
///
/// ```swift
/// func fetch() async throws -> String {
///   try await withRetry(try Backoff(from: .milliseconds(100), retries: 8)) { attempt in
///     try await download(attempt)
///   }
/// }
/// func download(_ attempt: Int) async throws -> String { "page" }
/// ```
///
/// An attempt takes as long as it needs: put `withTimeout` inside the operation to limit each one, or use
/// ``withRetry(_:within:clock:onlyIf:_:)`` to limit all of them together.
/// - Parameters:
///   - backoff: the delays between the attempts, and their number.
///   - clock: the clock of the delays.
///   - isolation: the actor of the caller.
///   - isWorthRetrying: returns true for an error after which another attempt can succeed. A `CancellationError` is never
///     worth it.
///   - operation: called with the number of the attempt, from 1, on the caller's actor.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: The error of the last attempt; `CancellationError` as soon as the task is cancelled while it waits.
public func withRetry<Generator: RandomNumberGenerator, Result>(
  _ backoff: Backoff<Generator>, clock: TimerClock = .suspending,
  isolation: isolated (any Actor)? = #isolation,
  onlyIf isWorthRetrying: (any Error) -> Bool = { _ in true },
  _ operation: (_ attempt: Int) async throws -> sending Result
) async throws -> sending Result {
  try await retry(
    backoff, until: nil, clock: clock, isolation: isolation, onlyIf: isWorthRetrying, operation)
}

/// Performs an operation until it succeeds or a time is over, and waits between the attempts.
///
/// ```swift
/// func fetch() async throws -> String {
///   try await withRetry(Backoff(from: .milliseconds(100)), within: .seconds(30)) { attempt in
///     try await download(attempt)
///   }
/// }
/// @Sendable func download(_ attempt: Int) async throws -> String { "page" }
/// ```
///
/// When the time is over, the attempt that runs is cancelled. As with `withTimeout`, the function returns only when it has
/// ended, and drops its result. No delay is waited for that would end after the time: the error of the last attempt is
/// thrown at once then. On ``VirtualClock/immediate(_:startingAt:wall:seed:)``, the time is over at once.
/// - Parameters:
///   - backoff: the delays between the attempts, and their number.
///   - limit: the time for all attempts and delays together. If it is zero or negative, no attempt begins.
///   - clock: the clock of the delays and of the limit.
///   - isWorthRetrying: returns true for an error after which another attempt can succeed. A `CancellationError` is never
///     worth it.
///   - operation: called with the number of the attempt, from 1, in a child task. It runs on the actor to which it is
///     isolated, if any.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: ``TimeoutError`` when the time is over; before that, the error of the last attempt, or `CancellationError` as
///   soon as the task is cancelled while it waits.
public func withRetry<Generator: RandomNumberGenerator & Sendable, Result: Sendable>(
  _ backoff: Backoff<Generator>, within limit: Duration, clock: TimerClock = .suspending,
  onlyIf isWorthRetrying: @escaping @Sendable (any Error) -> Bool = { _ in true },
  _ operation: @escaping @Sendable @isolated(any) (_ attempt: Int) async throws -> Result
) async throws -> Result {
  let end = clock.now.advanced(by: limit)
  return try await withTimeout(limit, clock: clock) {
    try await retry(
      backoff, until: end, clock: clock, isolation: nil, onlyIf: isWorthRetrying
    ) { try await operation($0) }
  }
}

private func retry<Generator: RandomNumberGenerator, Result>(
  _ backoff: Backoff<Generator>, until end: TimerClock.Instant?, clock: TimerClock,
  isolation: isolated (any Actor)?, onlyIf isWorthRetrying: (any Error) -> Bool,
  _ operation: (_ attempt: Int) async throws -> sending Result
) async throws -> sending Result {
  var backoff = backoff
  var attempt = 1
  while true {
    do {
      return try await operation(attempt)
    } catch {
      guard !(error is CancellationError), isWorthRetrying(error), let delay = backoff.next()
      else { throw error }
      let next = clock.now.advanced(by: delay)
      if let end, end < next { throw error }
      try await clock.sleep(until: next)
      attempt += 1
    }
  }
}
