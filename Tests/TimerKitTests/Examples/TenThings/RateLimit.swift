import Testing
import TimerKit

/// 7. A server answers each user at most once a second.
private struct Server {
  private let limiter: KeyedRateLimiter<String>

  init(clock: TimerClock = .continuous) throws {
    limiter = try KeyedRateLimiter(limit: 1, per: .seconds(1), clock: clock)
  }

  func answer(_ user: String) -> String {
    switch limiter.tryAcquire(for: user) {
    case .acquired: "200 OK"
    case .refused(let retryAfter): "429 Too Many Requests, Retry-After: \(retryAfter)"
    }
  }

  var rememberedUsers: Int { limiter.keyCount }
}

@Test func rateLimitForEachUser() throws {
  let clock = VirtualClock()
  let server = try Server(clock: .virtual(clock))
  #expect(server.answer("anna") == "200 OK")
  #expect(server.answer("anna") == "429 Too Many Requests, Retry-After: 1.0 seconds")
  #expect(server.answer("ben") == "200 OK")
  clock.advance(by: .milliseconds(999))
  #expect(server.answer("anna") == "429 Too Many Requests, Retry-After: 0.001 seconds")
  clock.advance(by: .milliseconds(1))
  #expect(server.answer("anna") == "200 OK")
  clock.advance(by: .seconds(2))
  #expect(server.answer("ben") == "200 OK")
  #expect(server.rememberedUsers == 1)
}
