import Testing
import TimerKit

@testable import Dashboard

/// The text that the program prints about running timers before and after its end.
@Suite struct FarewellTests {
  @Test func runningTimersAreSavedButDoNotFire() throws {
    let fixture = try Fixture("tea=3m egg=5s nap=1h paused", width: 120)
    #expect(fixture.dashboard.farewell == nil && !fixture.lines[15].contains("background"))
    fixture.dashboard.canDetach = true
    let text = "timers saved; nothing fires until you return; D keeps them running"
    #expect(fixture.dashboard.farewell == "2 \(text)")
    #expect(fixture.lines[15].contains("D background"))
    fixture.type("L")
    #expect(fixture.lines[15].contains("D background"))
    fixture.advance(by: .minutes(4))
    #expect(fixture.dashboard.farewell == nil && !fixture.lines[15].contains("background"))
  }
}
