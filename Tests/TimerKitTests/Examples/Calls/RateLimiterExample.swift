import Testing
import TimerKit

@Suite("Example: RateLimiter")
struct RateLimiterExample {
  /// A server that tells a client when to try again.
  private struct Server {
    let limiter: KeyedRateLimiter<String>

    func answer(_ user: String) -> String {
      let outcome = limiter.tryAcquire(for: user)
      return outcome.retryAfterSeconds.map { "429, Retry-After: \($0)" } ?? "200 OK"
    }
  }

  @Test func answerWithRetryAfter() throws {
    let clock = VirtualClock()
    let server = Server(
      limiter: try KeyedRateLimiter(limit: 2, per: .seconds(60), clock: .virtual(clock)))
    #expect(server.answer("anna") == "200 OK")
    #expect(server.answer("anna") == "200 OK")
    #expect(server.answer("anna") == "429, Retry-After: 30")
    #expect(server.answer("ben") == "200 OK")
    clock.advance(by: .seconds(30))
    #expect(server.answer("anna") == "200 OK")
  }

  /// A client that stays below the limit of a server.
  @Test func waitForAPermit() async throws {
    let clock = VirtualClock()
    let requests = try RateLimiter(
      limit: 10, per: .seconds(1), burst: 1, clock: .virtual(clock))
    let log = Log()
    try await clock.run {
      async let client: Void = {
        for number in 1...3 {
          try await requests.acquire()
          log.add("\(number) at \(clock.now.nanoseconds / 1_000_000) ms")
        }
      }()
      await clock.advance(by: .seconds(1))
      try await client
    }
    #expect(log.lines == ["1 at 0 ms", "2 at 100 ms", "3 at 200 ms"])
  }
}
