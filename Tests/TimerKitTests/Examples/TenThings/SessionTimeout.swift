import Testing
import TimerKit

/// 9. A user who is inactive for 20 minutes is logged out.
private struct Session {
  private let user: TimeLimited<String>

  init(
    user: String, clock: TimerClock = .continuous, onExpire: @escaping @Sendable (String) -> Void
  ) throws {
    self.user = try TimeLimited(user, for: .minutes(20), clock: clock) { _, user in onExpire(user) }
  }

  func open(_ page: String) -> String {
    guard let user = try? user.renew() else { return "please log in" }
    return "\(page) for \(user)"
  }

  func logOut() { user.cancel() }
}

@Test func sessionIdleTimeout() throws {
  let clock = VirtualClock(.continuous)
  let expired = Recorder<String>()
  let session = try Session(user: "anna", clock: .virtual(clock)) { expired.append($0) }
  for _ in 1...3 {
    clock.advance(by: .minutes(19))
    #expect(session.open("news") == "news for anna")
  }
  clock.advance(by: .minutes(20))
  #expect(session.open("news") == "please log in")
  #expect(expired.all == ["anna"])
  session.logOut()
}
