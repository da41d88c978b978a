import TimerKit

/// What a row knows of its timer's command.
package struct CommandState: Hashable, Sendable {
  package var isRunning = false
  /// Of the newest that has ended.
  package var result: CommandResult?
  /// How often in a row it has failed.
  package private(set) var failures = 0
  /// The interval it had before failures let it grow; `nil` if they did not.
  package private(set) var usualInterval: Duration?

  /// Takes in how it ended.
  /// - Returns: the interval its timer is to have now; `nil` where it keeps what it has.
  mutating func end(
    with result: CommandResult, interval: Duration, upTo maximum: Duration?
  ) -> Duration? {
    self.result = result
    guard let maximum, !result.isSuccess else {
      failures = 0
      defer { usualInterval = nil }
      return usualInterval
    }
    failures += 1
    let usual = usualInterval ?? interval
    guard
      let next = try? Backoff(from: usual, upTo: max(usual, maximum), jitter: .none, attempts: 64)
        .dropFirst(min(failures, 63)).first(where: { _ in true }), next != interval
    else { return nil }
    usualInterval = usual
    return next
  }

  /// It has another interval now, or is made anew with its usual one.
  mutating func forgetFailures() {
    failures = 0
    usualInterval = nil
  }
}
