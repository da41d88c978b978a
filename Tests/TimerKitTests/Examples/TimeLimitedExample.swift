import Testing
import TimerKit

/// A session that ends when its user has not been seen for twenty minutes.
@Test func exampleTimeLimited() throws {
  let timeline = VirtualClock()
  let printed = Printed()

  let session = try TimeLimited("anna", for: .minutes(20), on: timeline) { _, user in
    printed.line("\(user) is logged out")
  }
  timeline.advance(by: .minutes(15))
  try session.renew()  // a click
  timeline.advance(by: .minutes(15))
  #expect(session.value == "anna")
  timeline.advance(by: .minutes(5))
  #expect(session.value == nil)
  #expect(throws: TimerError.expired) { try session.renew() }
  session.replace(with: "bert")
  #expect(session.take() == "bert")  // he logs out by himself

  #expect(printed.lines == ["anna is logged out"])
}
