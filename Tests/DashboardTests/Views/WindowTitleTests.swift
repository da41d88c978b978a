import TerminalCore
import Testing
import TimerKit

@testable import Dashboard

@Suite struct WindowTitleTests {
  private func title(_ fixture: Fixture) -> String {
    fixture.dashboard.frame(at: fixture.now).title
  }

  @Test func theTitleIsTheNextEndOrTheAlerts() throws {
    let fixture = try Fixture("tea=1m egg=1m nap=10m poll=every 5s")
    for _ in 0..<59 {
      #expect(title(fixture) == "tea rings at 14:30")
      fixture.advance(by: .seconds(1))
    }
    fixture.advance(by: .seconds(1))
    #expect(title(fixture) == "2 timers rang")
    fixture.acknowledge()
    #expect(title(fixture) == "nap rings at 14:39")
    fixture.advance(by: .minutes(9))
    #expect(title(fixture) == "nap rang")
    fixture.acknowledge()
    #expect(title(fixture).hasPrefix("poll rings at 14:39"))
    fixture.press(.character("P"))
    #expect(title(fixture) == "carillon")
  }
}
