import Testing
import TimerKit

/// 7. A server answers each user at most once a second.
private struct Server {
  private let limiter: KeyedThrottler<String, Void>

  init(clock: TimerClock = .suspending) throws {
    limiter = try KeyedThrottler(interval: .seconds(1), keeping: .nothing, clock: clock)
  }

  func answer(_ user: String) -> String {
    limiter.call(for: user) ? "200 OK" : "429 Too Many Requests"
  }

  var rememberedUsers: Int { limiter.keyCount }
}

@Test func rateLimitForEachUser() throws {
  let clock = VirtualClock()
  let server = try Server(clock: .virtual(clock))
  #expect(server.answer("anna") == "200 OK")
  #expect(server.answer("anna") == "429 Too Many Requests")
  #expect(server.answer("ben") == "200 OK")
  clock.advance(by: .milliseconds(999))
  #expect(server.answer("anna") == "429 Too Many Requests")
  clock.advance(by: .milliseconds(1))
  #expect(server.answer("anna") == "200 OK")
  clock.advance(by: .seconds(1))
  #expect(server.rememberedUsers == 0)
}
