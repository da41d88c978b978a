import Testing
import TimerKit

/// 7. A server answers each user at most once a second.
private struct Server {
  private let limiter: KeyedRateLimiter<String>

  init(clock: TimerClock = .suspending) throws {
    limiter = try KeyedRateLimiter(limit: 1, per: .seconds(1), clock: clock)
  }

  func answer(_ user: String) -> String {
    let outcome = limiter.tryAcquire(for: user)
    guard let seconds = outcome.retryAfterSeconds else { return "200 OK" }
    return "429 Too Many Requests, Retry-After: \(seconds)"
  }

  var rememberedUsers: Int { limiter.keyCount }
}

@Test func rateLimitForEachUser() throws {
  let clock = VirtualClock()
  let server = try Server(clock: .virtual(clock))
  #expect(server.answer("anna") == "200 OK")
  #expect(server.answer("anna") == "429 Too Many Requests, Retry-After: 1")
  #expect(server.answer("ben") == "200 OK")
  clock.advance(by: .milliseconds(999))
  #expect(server.answer("anna") == "429 Too Many Requests, Retry-After: 1")
  clock.advance(by: .milliseconds(1))
  #expect(server.answer("anna") == "200 OK")
  clock.advance(by: .seconds(2))
  #expect(server.answer("ben") == "200 OK")
  #expect(server.rememberedUsers == 1)
}
