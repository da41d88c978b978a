import TimerKit

/// The state of a timer's command.
package struct CommandState: Hashable, Sendable {
  package var isRunning = false
  /// The result of the most recent run that has ended.
  package var result: CommandResult?
  /// The number of consecutive failures.
  package private(set) var failures = 0
  /// The interval before failures increased it; `nil` if they did not.
  package private(set) var intervalBeforeBackoff: Duration?

  /// Updates the state with the result of a run.
  /// - Returns: The new interval of the timer; `nil` if it does not change.
  mutating func end(
    with result: CommandResult, interval: Duration, upTo maximum: Duration?
  ) -> Duration? {
    self.result = result
    guard let maximum, !result.isSuccess else {
      failures = 0
      defer { intervalBeforeBackoff = nil }
      return intervalBeforeBackoff
    }
    failures += 1
    let base = intervalBeforeBackoff ?? interval
    guard
      let next = try? Backoff(from: base, upTo: max(base, maximum), jitter: .off, retries: 64)
        .dropFirst(min(failures, 63)).first(where: { _ in true }), next != interval
    else { return nil }
    intervalBeforeBackoff = base
    return next
  }

  /// Resets the failures, after the user has changed the interval.
  mutating func resetFailures() {
    failures = 0
    intervalBeforeBackoff = nil
  }
}
