import Testing
import TimerKit

@Suite("Example: withRetry")
struct RetryExample {
  private enum HTTPError: Error {
    case unavailable, notFound
  }

  @Sendable private static func isTemporary(_ error: any Error) -> Bool {
    error as? HTTPError == .unavailable
  }

  /// An attempt that fails for a reason that will not change is not repeated.
  @Test func retryWhatCanSucceed() async throws {
    let clock = VirtualClock()
    let log = Log()
    @Sendable func load(failing count: Int, with failure: HTTPError) async throws -> String {
      try await withRetry(
        Backoff(from: .seconds(1), jitter: .off), within: .minutes(1), clock: .virtual(clock),
        onlyIf: Self.isTemporary
      ) { attempt in
        log.add("attempt \(attempt)")
        if attempt <= count { throw failure }
        return "page"
      }
    }
    try await clock.run {
      async let page = load(failing: 2, with: .unavailable)
      await clock.advance(by: .seconds(3))
      let text = try await page
      #expect(text == "page")
      #expect(log.lines == ["attempt 1", "attempt 2", "attempt 3"])
      await #expect(throws: HTTPError.notFound) {
        try await load(failing: 1, with: .notFound)
      }
      // The next attempt would come more than a minute after the first one.
      async let failure = #expect(throws: HTTPError.unavailable) {
        try await load(failing: 9, with: .unavailable)
      }
      await clock.advance(by: .minutes(1))
      _ = await failure
    }
    #expect(log.lines.count == 3 + 1 + 6)
  }
}
