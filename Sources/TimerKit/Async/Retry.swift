/// Performs an operation until it succeeds, and waits between the attempts.
///
/// ```swift
/// func fetch() async throws -> String {
///   try await withRetry(try Backoff(from: .milliseconds(100), retries: 8), within: .seconds(30)) { attempt in
///     try await download(attempt)
///   }
/// }
/// func download(_ attempt: Int) async throws -> String { "page" }
/// ```
///
/// - Parameters:
///   - backoff: the delays between the attempts, and their number.
///   - limit: the time after which no further attempt begins; `nil` for none. A running attempt is not cancelled: see
///     `withTimeout` for that.
///   - clock: the clock of the delays and of the limit.
///   - isolation: the actor of the caller.
///   - isWorthRetrying: returns true for an error after which another attempt can succeed. A `CancellationError` is never
///     worth it.
///   - operation: called with the number of the attempt, from 1, on the caller's actor.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: The error of the last attempt; `CancellationError` as soon as the task is cancelled while it waits.
public func withRetry<Generator: RandomNumberGenerator, Result>(
  _ backoff: Backoff<Generator>, within limit: Duration? = nil, clock: TimerClock = .continuous,
  isolation: isolated (any Actor)? = #isolation,
  onlyIf isWorthRetrying: (any Error) -> Bool = { _ in true },
  _ operation: (_ attempt: Int) async throws -> sending Result
) async throws -> sending Result {
  var backoff = backoff
  let start = clock.now
  var attempt = 1
  while true {
    do {
      return try await operation(attempt)
    } catch {
      guard !(error is CancellationError), isWorthRetrying(error), let delay = backoff.next()
      else { throw error }
      let next = clock.now.advanced(by: delay)
      if let limit, start.advanced(by: limit) < next { throw error }
      try await clock.sleep(until: next)
      attempt += 1
    }
  }
}
