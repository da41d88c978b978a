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
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                                                                                                next sets in 0:35  ▶ 5  ‖ 1  ✓ 1  14:30

         ─ log ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
          14:29:05.000  lunch             finished                                             late 0.0 ms
          14:29:10.000  poll              fired, 1st                                           late 0.0 ms
          14:29:20.000  poll              fired, 2nd                                           late 0.0 ms
          14:29:30.000  poll              fired, 3rd                                           late 0.0 ms
          14:29:40.000  poll              fired, 4th                                           late 0.0 ms
          14:29:45.000  sets              fired, 1st of 8                                      late 0.0 ms
          14:29:50.000  poll              fired, 5th                                           late 0.0 ms
          14:30:00.000  poll              fired, 6th                                           late 0.0 ms
          14:30:10.000  poll              fired, 7th                                           late 0.0 ms
        (47 empty lines)
         ↑ ↓ scroll  G following  a show actions  / filter  Esc back  ? help  : commands  q quit
        """)
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                next sets in 0:35  ▶ 5  ‖ 1  ✓ 1  14:30

         ─ log ────────────────────────────────────────────────────────────────────────────────────────────────────────────────
          14:29:05.000  lunch             finished                                             late 0.0 ms
          14:29:10.000  poll              fired, 1st                                           late 0.0 ms
          14:29:20.000  poll              fired, 2nd                                           late 0.0 ms
          14:29:30.000  poll              fired, 3rd                                           late 0.0 ms
          14:29:40.000  poll              fired, 4th                                           late 0.0 ms
          14:29:45.000  sets              fired, 1st of 8                                      late 0.0 ms
          14:29:50.000  poll              fired, 5th                                           late 0.0 ms
          14:30:00.000  poll              fired, 6th                                           late 0.0 ms
          14:30:10.000  poll              fired, 7th                                           late 0.0 ms
        (23 empty lines)
         ↑ ↓ scroll  G following  a show actions  / filter  Esc back  ? help  : commands  q quit
        """)
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/POLL")
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 5  ‖ 1  ✓ 1  14:30

         / POLL                                                                  7 of 9
          14:29:10.000  poll          fired, 1st                            late 0.0 ms
          14:29:20.000  poll          fired, 2nd                            late 0.0 ms
          14:29:30.000  poll          fired, 3rd                            late 0.0 ms
          14:29:40.000  poll          fired, 4th                            late 0.0 ms
          14:29:50.000  poll          fired, 5th                            late 0.0 ms
          14:30:00.000  poll          fired, 6th                            late 0.0 ms
          14:30:10.000  poll          fired, 7th                            late 0.0 ms
        (13 empty lines)
         Enter accept  Esc cancel  Ctrl-W erase word  F1 help  F10 quit
        """)
    fixture.press(.enter)
    fixture.type("j")
    #expect(fixture.dashboard.scope == .log)
    #expect(fixture.lines[2].hasPrefix(" / POLL"))
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    #expect(
      fixture.frame.snapshotText == """
         1 2 3 4 5 L log     ▶ 5 ‖ 1 ✓ 1  14:30
         ─ log ────────────────────────────────
          14:29:40.000  poll    fired, 4th
          14:29:45.000  sets    fired, 1st of 8
          14:29:50.000  poll    fired, 5th
          14:30:00.000  poll    fired, 6th
          14:30:10.000  poll    fired, 7th
         G following Esc back ? help q quit
        """)
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    #expect(
      fixture.frame.snapshotText == """
        ─ log ──────────────
        poll    fired, 6th
        poll    fired, 7th
        """)
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(60, 16, DisplayOptions(isASCII: true))
    #expect(
      fixture.frame.snapshotText == """
         1 2 3 4 5 L log         sets in 0:35  > 5  = 1  v 1  14:30

         - log ----------------------------------------------------
          14:29:05.000  lunch      finished             late 0.0 ms
          14:29:10.000  poll       fired, 1st           late 0.0 ms
          14:29:20.000  poll       fired, 2nd           late 0.0 ms
          14:29:30.000  poll       fired, 3rd           late 0.0 ms
          14:29:40.000  poll       fired, 4th           late 0.0 ms
          14:29:45.000  sets       fired, 1st of 8      late 0.0 ms
          14:29:50.000  poll       fired, 5th           late 0.0 ms
          14:30:00.000  poll       fired, 6th           late 0.0 ms
          14:30:10.000  poll       fired, 7th           late 0.0 ms
        (3 empty lines)
         G following  / filter  Esc back  ? help  q quit
        """)
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
    #expect(fixture.lines.contains { $0.contains("bell and notifications off") })
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
