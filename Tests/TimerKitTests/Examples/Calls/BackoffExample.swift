import Testing
import TimerKit

@Suite("Example: Backoff")
struct BackoffExample {
  private struct Unreachable: Error {}

  /// Retries the operation until it succeeds or no attempts are left.
  private func retry<Result>(
    _ backoff: Backoff<some RandomNumberGenerator>, clock: TimerClock,
    _ attempt: () async throws -> Result
  ) async throws -> Result {
    for delay in backoff {
      do { return try await attempt() } catch is Unreachable {}
      try await Task.sleep(until: clock.now.advanced(by: delay), clock: clock)
    }
    return try await attempt()
  }

  @Test func retryUntilSuccess() async throws {
    let backoff = try Backoff(from: .microseconds(10), upTo: .milliseconds(1), retries: 5)
    var attempts = 0
    let answer = try await retry(backoff, clock: .suspending) {
      attempts += 1
      if attempts < 4 { throw Unreachable() }
      return "connected"
    }
    #expect(answer == "connected")
    #expect(attempts == 4)
  }

  /// A timer that polls at increasing intervals.
  @Test func pollAtIncreasingIntervals() throws {
    let clock = VirtualClock()
    let times = Recorder<Int64>()
    var backoff = try Backoff(from: .seconds(1), upTo: .seconds(10), jitter: .off)
    let poll = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { [clock] _, _ in
      times.append(clock.now.nanoseconds / 1_000_000_000)
    }
    poll.start()
    for _ in 0..<6 {
      guard let interval = backoff.next() else { break }
      poll.setInterval(interval)
      clock.advance(by: interval)
    }
    #expect(times.all == [1, 3, 7, 15, 25, 35])
  }
}
