import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The log on the whole screen.
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
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                                                                                                next poll in 0:10  ▶ 5  ‖ 1  ✓ 1  14:30

         ─ log ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
          14:30:10.050  sets              interval 45s → 1m, 0:35 left
          14:30:10.000  poll              fired, 7th                                           late 0.0 ms
          14:30:00.000  poll              fired, 6th                                           late 0.0 ms
          14:29:50.000  poll              fired, 5th                                           late 0.0 ms
          14:29:45.000  sets              fired, 1st of 8                                      late 0.0 ms
          14:29:40.000  poll              fired, 4th                                           late 0.0 ms
          14:29:30.000  poll              fired, 3rd                                           late 0.0 ms
          14:29:20.000  poll              fired, 2nd                                           late 0.0 ms
          14:29:10.000  poll              fired, 1st                                           late 0.0 ms
          14:29:05.000  lunch             finished                                             late 0.0 ms
        (46 empty lines)
         ↑ ↓ scroll  / filter  Esc back  ? help  q quit
        """)
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                next poll in 0:10  ▶ 5  ‖ 1  ✓ 1  14:30

         ─ log ────────────────────────────────────────────────────────────────────────────────────────────────────────────────
          14:30:10.050  sets              interval 45s → 1m, 0:35 left
          14:30:10.000  poll              fired, 7th                                           late 0.0 ms
          14:30:00.000  poll              fired, 6th                                           late 0.0 ms
          14:29:50.000  poll              fired, 5th                                           late 0.0 ms
          14:29:45.000  sets              fired, 1st of 8                                      late 0.0 ms
          14:29:40.000  poll              fired, 4th                                           late 0.0 ms
          14:29:30.000  poll              fired, 3rd                                           late 0.0 ms
          14:29:20.000  poll              fired, 2nd                                           late 0.0 ms
          14:29:10.000  poll              fired, 1st                                           late 0.0 ms
          14:29:05.000  lunch             finished                                             late 0.0 ms
        (22 empty lines)
         ↑ ↓ scroll  / filter  Esc back  ? help  q quit
        """)
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/POLL")
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 5  ‖ 1  ✓ 1  14:30

         / POLL                                                                 7 of 10
          14:30:10.000  poll          fired, 7th                            late 0.0 ms
          14:30:00.000  poll          fired, 6th                            late 0.0 ms
          14:29:50.000  poll          fired, 5th                            late 0.0 ms
          14:29:40.000  poll          fired, 4th                            late 0.0 ms
          14:29:30.000  poll          fired, 3rd                            late 0.0 ms
          14:29:20.000  poll          fired, 2nd                            late 0.0 ms
          14:29:10.000  poll          fired, 1st                            late 0.0 ms
        (13 empty lines)
         Enter accept  Esc cancel  Ctrl-W word  Ctrl-U line  F1 help  F10 quit
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
          14:30:10.050  sets    interval 45s →…
          14:30:10.000  poll    fired, 7th
          14:30:00.000  poll    fired, 6th
          14:29:50.000  poll    fired, 5th
          14:29:45.000  sets    fired, 1st of 8
         ↑ ↓ scroll Esc back ? help q quit
        """)
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    #expect(
      fixture.frame.snapshotText == """
        ─ log ──────────────
        sets    interval…
        poll    fired, 7th
        """)
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(60, 16, DisplayOptions(isASCII: true))
    #expect(
      fixture.frame.snapshotText == """
         1 2 3 4 5 L log         poll in 0:10  > 5  = 1  v 1  14:30

         - log ----------------------------------------------------
          14:30:10.050  sets       interval 45s > 1m, 0:35 left
          14:30:10.000  poll       fired, 7th           late 0.0 ms
          14:30:00.000  poll       fired, 6th           late 0.0 ms
          14:29:50.000  poll       fired, 5th           late 0.0 ms
          14:29:45.000  sets       fired, 1st of 8      late 0.0 ms
          14:29:40.000  poll       fired, 4th           late 0.0 ms
          14:29:30.000  poll       fired, 3rd           late 0.0 ms
          14:29:20.000  poll       fired, 2nd           late 0.0 ms
          14:29:10.000  poll       fired, 1st           late 0.0 ms
          14:29:05.000  lunch      finished             late 0.0 ms
        (2 empty lines)
         Up Down scroll  / filter  Esc back  ? help  q quit
        """)
  }

  /// New entries do not move a scrolled log; at the top they are followed.
  @Test func aScrolledLogKeepsItsPosition() throws {
    let fixture = try Fixture("poll=every 1s", height: 12)
    fixture.advance(by: .seconds(50))
    fixture.type("Ljjjjj")
    let before = fixture.lines[2]
    #expect(before.contains("fired, 45th"))
    fixture.advance(by: .seconds(9))
    #expect(fixture.lines[2] == before)
    fixture.type("g")
    #expect(fixture.lines[2].contains("fired, 59th"))
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines[2].contains("fired, 60th"))
    fixture.type("G")
    #expect(fixture.lines[9].contains("fired, 1st"))
  }

  @Test func aFilterWithoutMatchesIsReported() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.type("/nobody")
    #expect(fixture.lines.contains { $0.contains("no matches") })
    #expect(fixture.lines[2].hasSuffix("0 of 10"))
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
