import Testing
import TimerKit

/// A session that ends when its user has been inactive for twenty minutes.
@Test func exampleTimeLimited() throws {
  let clock = VirtualClock()
  let printed = Printed()

  let session = try TimeLimited("anna", for: .minutes(20), clock: .virtual(clock)) { _, user in
    printed.line("\(user) is logged out")
  }
  clock.advance(by: .minutes(15))
  try session.renew()  // a click
  clock.advance(by: .minutes(15))
  #expect(session.value == "anna")
  clock.advance(by: .minutes(5))
  #expect(session.value == nil)
  #expect(throws: TimeLimitedError.expired) { try session.renew() }
  session.replace(with: "bert")
  #expect(session.take() == "bert")  // the user logs out

  #expect(printed.lines == ["anna is logged out"])
}
