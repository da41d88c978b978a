import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The log view.
@Suite struct LogTests {
  private static func fixture(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Fixture {
    let fixture = try FrameTests.fixture(width, height, options)
    fixture.type(">L")
    fixture.acknowledge()
    return fixture
  }

  @Test func hugeScreen() throws {
    let fixture = try Self.fixture(200, 60)
    try fixture.frame.expectSnapshot("LogTests-hugeScreen")
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    try fixture.frame.expectSnapshot("LogTests-wideScreen")
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/POLL")
    try fixture.frame.expectSnapshot("LogTests-usualScreen")
    fixture.press(.enter)
    fixture.type("j")
    #expect(fixture.dashboard.scope == .log)
    #expect(fixture.lines[2].hasPrefix(" / POLL"))
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    try fixture.frame.expectSnapshot("LogTests-smallScreen")
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    try fixture.frame.expectSnapshot("LogTests-tinyScreen")
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(60, 16, DisplayOptions(isASCII: true))
    try fixture.frame.expectSnapshot("LogTests-asciiOnly")
  }

  /// The newest entry is at the bottom and followed; new entries do not move a log that was scrolled.
  @Test func aScrolledLogKeepsItsPosition() throws {
    let fixture = try Fixture("poll=every 1s", height: 12)
    fixture.advance(by: .seconds(50))
    fixture.type("L")
    #expect(fixture.lines[9].contains("fired, 50th"))
    #expect(fixture.lines[11].contains("G following"))
    fixture.type("kkkkk")
    let before = fixture.lines[2]
    #expect(before.contains("fired, 38th"))
    #expect(fixture.lines[11].contains("G follow "))
    fixture.advance(by: .seconds(9))
    #expect(fixture.lines[2] == before)
    fixture.type("G")
    #expect(fixture.lines[9].contains("fired, 59th"))
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines[9].contains("fired, 60th"))
    fixture.type("g")
    #expect(fixture.lines[2].contains("fired, 1st"))
    // At the end it follows again.
    for _ in 0..<10 { fixture.press(.pageDown) }
    #expect(fixture.dashboard.logState.anchor == nil)
  }

  /// A key shows what the user did, which the next board of the session remembers.
  @Test func actionsAreShownOnDemand() throws {
    let fixture = try Fixture("tea=3m poll=every 10s")
    fixture.type("Pb")
    fixture.type("L")
    #expect(fixture.lines.contains { $0.contains("no events yet; a shows actions") })
    fixture.type("a")
    #expect(fixture.lines.contains { $0.contains("2 timers") && $0.contains("paused") })
    #expect(fixture.lines.contains { $0.hasSuffix("                bell and notifications off") })
    #expect(fixture.lines[15].contains("a hide actions"))
    #expect(fixture.dashboard.settings[.logActions] == "true")
    fixture.type("1")
    fixture.send(.resized(Size(width: 120, height: 36)))
    #expect(fixture.lines.contains { $0.contains("bell and notifications") })
    let other = try Fixture("tea=3m")
    other.dashboard.use([.logActions: "true"])
    #expect(other.dashboard.logState.showsActions)
  }

  @Test func timesOfDayAreAligned() throws {
    let fixture = try Fixture("poll=every 12h", options: DisplayOptions(uses24Hours: false))
    fixture.advance(by: .hours(24))
    fixture.type("L")
    #expect(
      fixture.lines.filter { $0.contains("fired,") }.allSatisfy { $0.contains("   2:29:00 ") })
  }

  @Test func aFilterWithoutMatchesIsReported() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/nobody")
    #expect(fixture.lines.contains { $0.contains("no matches") })
    #expect(fixture.lines[2].hasSuffix("0 of 9"))
    fixture.press(.escape)
    #expect(fixture.dashboard.scope == .log)
    #expect(fixture.lines.contains { $0.contains("fired, 7th") })
  }

  @Test func theLogNeedsNoRedraw() throws {
    let fixture = try Fixture("poll=every 10s paused", options: DisplayOptions(showsClock: false))
    fixture.type("L")
    #expect(fixture.lines.contains { $0.contains("no events yet") })
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
  }
}
