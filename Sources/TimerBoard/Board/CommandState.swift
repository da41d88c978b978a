import TimerKit

/// The state of a timer's command.
package struct CommandState: Hashable, Sendable {
  package var isRunning = false
  /// The result of the most recent run that has ended.
  package var result: CommandResult?
  /// The interval before failures increased it; `nil` if they did not.
  package private(set) var intervalBeforeBackoff: Duration?

  /// Updates the state with the result of a run.
  /// - Returns: The new interval of the timer; `nil` if it does not change.
  mutating func end(
    with result: CommandResult, interval: Duration, upTo maximum: Duration?
  ) -> Duration? {
    self.result = result
    guard let maximum, !result.isSuccess else {
      defer { intervalBeforeBackoff = nil }
      return intervalBeforeBackoff
    }
    let base = intervalBeforeBackoff ?? interval
    let next = min(interval.multiplied(by: 2), max(base, maximum))
    guard next != interval else { return nil }
    intervalBeforeBackoff = base
    return next
  }

  /// Forgets the failures, after the user has changed the interval.
  mutating func resetFailures() { intervalBeforeBackoff = nil }
}
