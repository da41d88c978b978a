import Testing
import TimerKit

/// 2. Polls until there is a response, and waits longer after each failure.
private func poll<Answer>(
  clock: TimerClock = .suspending, _ ask: () async throws -> Answer?
) async throws -> Answer? {
  var backoff = try Backoff(from: .milliseconds(100), upTo: .seconds(10), jitter: .off)
  while true {
    if let answer = try? await ask() { return answer }
    guard let delay = backoff.next() else { return nil }
    try await clock.sleep(for: delay)
  }
}

@Test func pollWithBackoffUntilSuccess() async throws {
  let clock = VirtualClock.immediate()
  var times: [Int64] = []
  let answer = try await poll(clock: .virtual(clock)) {
    times.append(milliseconds(clock))
    return times.count == 5 ? "ready" : nil
  }
  #expect(answer == "ready")
  #expect(times == [0, 100, 300, 700, 1_500])
}
