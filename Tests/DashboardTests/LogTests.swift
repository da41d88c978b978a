import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The log on the whole screen.
@Suite struct LogTests {
  private static func stage(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Stage {
    let stage = try FrameTests.stage(width, height, options)
    stage.type(">L")
    return stage
  }

  @Test func hugeScreen() throws {
    let stage = try Self.stage(200, 60)
    #expect(
      stage.frame.picture == """
         carillon   ▶ 5 running   ‖ 1 paused   ✓ 1 finished                                                                                                     next: poll in 0:10 · fired: poll 14:30    14:30

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
    let stage = try Self.stage(120, 36)
    #expect(
      stage.frame.picture == """
         carillon   ▶ 5 running   ‖ 1 paused   ✓ 1 finished                     next: poll in 0:10 · fired: poll 14:30    14:30

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
    let stage = try Self.stage(80, 24)
    stage.type("/POLL")
    #expect(
      stage.frame.picture == """
         carillon  ▶ 5  ‖ 1  ✓ 1          next: poll in 0:10 · fired: poll 14:30  14:30

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
    stage.press(.enter)
    stage.type("j")
    #expect(stage.dashboard.scope == .log)
    #expect(stage.lines[2].hasPrefix(" / POLL"))
  }

  @Test func smallScreen() throws {
    let stage = try Self.stage(40, 8)
    #expect(
      stage.frame.picture == """
         ▶ 5 ‖ 1 ✓ 1        poll in 0:10  14:30
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
    let stage = try Self.stage(20, 3)
    #expect(
      stage.frame.picture == """
        ─ log ──────────────
        sets    interval…
        poll    fired, 7th
        """)
  }

  @Test func asciiOnly() throws {
    let stage = try Self.stage(60, 16, DisplayOptions(isASCII: true))
    #expect(
      stage.frame.picture == """
         carillon  > 5  = 1  v 1          next: poll in 0:10  14:30

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

  /// What happens meanwhile does not move what one reads; at the top it is followed.
  @Test func whatIsReadStandsStill() throws {
    let stage = try Stage("poll=every 1s", height: 12)
    stage.advance(by: .seconds(50))
    stage.type("Ljjjjj")
    let before = stage.lines[2]
    #expect(before.contains("fired, 45th"))
    stage.advance(by: .seconds(9))
    #expect(stage.lines[2] == before)
    stage.type("g")
    #expect(stage.lines[2].contains("fired, 59th"))
    stage.advance(by: .seconds(1))
    #expect(stage.lines[2].contains("fired, 60th"))
    stage.type("G")
    #expect(stage.lines[9].contains("fired, 1st"))
  }

  @Test func aFilterThatMatchesNothingSaysSo() throws {
    let stage = try Self.stage(80, 24)
    stage.type("/nobody")
    #expect(stage.lines.contains { $0.contains("no matches") })
    #expect(stage.lines[2].hasSuffix("0 of 10"))
    stage.press(.escape)
    #expect(stage.dashboard.scope == .log)
    #expect(stage.lines.contains { $0.contains("fired, 7th") })
  }

  @Test func theLogItselfNeverMoves() throws {
    let stage = try Stage("poll=every 10s paused", options: DisplayOptions(showsClock: false))
    stage.type("L")
    #expect(stage.lines.contains { $0.contains("no events yet") })
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
  }
}
