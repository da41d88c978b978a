import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Lanes: what was where it really was, what will be where it is due.
@Suite struct TimelineTests {
  private static let line = """
    tea=3m sets=every 15s x8 poll=every 10s tabata=cycle 20s/10s x8 'run'=stopwatch save=debounce 5s
    egg=5s slow=1h paused
    """

  /// 61 s in; `slow` was started and paused again, and `save` was triggered.
  private static func stage(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Stage {
    let stage = try Stage(line, width: width, height: height, options: options)
    stage.type("Gp")
    stage.advance(by: .seconds(20))
    stage.type("p")
    stage.advance(by: .seconds(38))
    stage.type("kkf")
    stage.advance(by: .seconds(3))
    stage.type("gjjj3")
    return stage
  }

  @Test func hugeScreen() throws {
    let stage = try Self.stage(200, 60)
    #expect(
      stage.frame.picture == """
         carillon   ▶ 6 running   ‖ 1 paused   ✓ 1 finished                                                                                                   next: save in 0:02 · fired: tabata 14:30    14:30

                             −1m20s                −1m                −40s                −20s                 now                +20s                +40s                 +1m               +1m20s
           tea                                     ─────────────────────────────────────────────────────────────┃──────────────────────────────────────────────────────────────────────────────────────────────
           sets                                    ───────────────●──────────────●──────────────●──────────────●┃─────────────○──────────────○──────────────○──────────────○
           poll                                    ──────────●─────────●─────────●─────────●─────────●─────────●┃────────○─────────○─────────○─────────○─────────○─────────○─────────○─────────○─────────○─────
         ▌ tabata                                  ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░▓┃══════════════════──────────════════════════════──────────════════════════════──────────══════
           run                                     ─────────────────────────────────────────────────────────────┃
           save                                                                                              ───┃─○
           egg                                     ─────●                                                       ┃
           slow                                    ────────────────────                                         ┃
        (45 empty lines)
         ● fired   ◐ late by a cell or more   × missed   ○ will fire   ▓ work   ░ rest
        (2 empty lines)
         + - zoom  ← → scroll  0 now  Esc back  Space pause  r reset  f fire  < > interval  [ ] count  a add  e edit  d delete  u undo  / filter  Enter focus  ? help  q quit
        """)
  }

  @Test func wideScreen() throws {
    let stage = try Self.stage(120, 36)
    #expect(
      stage.frame.picture == """
         carillon   ▶ 6 running   ‖ 1 paused   ✓ 1 finished                   next: save in 0:02 · fired: tabata 14:30    14:30

                              −40s                −20s                 now                +20s                +40s
           tea    ──────────────────────────────────────────────────────┃──────────────────────────────────────────────────────
           sets   ────────●──────────────●──────────────●──────────────●┃─────────────○──────────────○──────────────○──────────
           poll   ───●─────────●─────────●─────────●─────────●─────────●┃────────○─────────○─────────○─────────○─────────○─────
         ▌ tabata ▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░▓┃══════════════════──────────════════════════════──────
           run    ──────────────────────────────────────────────────────┃
           save                                                      ───┃─○
           egg                                                          ┃
           slow   ─────────────                                         ┃
        (21 empty lines)
         ● fired   ◐ late by a cell or more   × missed   ○ will fire   ▓ work   ░ rest
        (2 empty lines)
         + - zoom  ← → scroll  0 now  Esc back  Space pause  r reset  f fire  a add  e edit  d delete  u undo  ? help  q quit
        """)
  }

  @Test func usualScreen() throws {
    let stage = try Self.stage(80, 24)
    #expect(
      stage.frame.picture == """
         carillon  ▶ 6  ‖ 1  ✓ 1        next: save in 0:02 · fired: tabata 14:30  14:30

                    −30s      −20s      −10s       now      +10s      +20s      +30s
           tea    ──────────────────────────────────┃──────────────────────────────────
           sets   ───●──────────────●──────────────●┃─────────────○──────────────○─────
           poll   ───●─────────●─────────●─────────●┃────────○─────────○─────────○─────
         ▌ tabata ░░░▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░▓┃══════════════════──────────══════
           run    ──────────────────────────────────┃
           save                                  ───┃─○
           egg                                      ┃
           slow                                     ┃
        (9 empty lines)
         ● fired   ◐ late by a cell or more   × missed   ○ will fire   ▓ work   ░ rest
        (2 empty lines)
         + - zoom  ← → scroll  0 now  Esc back  Space pause  a add  ? help  q quit
        """)
  }

  @Test func smallScreen() throws {
    let stage = try Self.stage(40, 8)
    #expect(
      stage.frame.picture == """
         ▶ 6 ‖ 1 ✓ 1        save in 0:02  14:30
                    −10s       now      +10s
           tea    ──────────────┃──────────────
           sets   ─────────────●┃─────────────○
           poll   ───●─────────●┃────────○─────
         ▌ tabata ▓▓▓░░░░░░░░░░▓┃══════════════
           run    ──────────────┃
         + - zoom Esc back ? help q quit
        """)
  }

  @Test func tinyScreen() throws {
    let stage = try Self.stage(20, 3)
    #expect(
      stage.frame.picture == """
         sets  ─────●┃──────
         poll  ─────●┃──────
        ▌taba… ░░░░░▓┃══════
        """)
  }

  @Test func asciiOnly() throws {
    let stage = try Self.stage(80, 24, DisplayOptions(isASCII: true))
    #expect(
      stage.frame.picture == """
         carillon  > 6  = 1  v 1        next: save in 0:02 . fired: tabata 14:30  14:30

                    -30s      -20s      -10s       now      +10s      +20s      +30s
           tea    ----------------------------------|----------------------------------
           sets   ---*--------------*--------------*|-------------o--------------o-----
           poll   ---*---------*---------*---------*|--------o---------o---------o-----
         | tabata +++####################++++++++++#|==================----------======
           run    ----------------------------------|
           save                                  ---|-o
           egg                                      |
           slow                                     |
        (9 empty lines)
         * fired   % late by a cell or more   x missed   o will fire   # work   + rest
        (2 empty lines)
         + - zoom  Left Right scroll  0 now  Esc back  a add  ? help  q quit
        """)
  }

  @Test func zoomedOutAndScrolled() throws {
    let stage = try Self.stage(80, 24)
    stage.type("--")
    stage.press(.right)
    #expect(
      stage.frame.picture == """
         carillon  ▶ 6  ‖ 1  ✓ 1        next: save in 0:02 · fired: tabata 14:30  14:30

                     −2m       −1m       now       +1m       +2m       +3m       +4m
           tea                  ──────────┃───────────────────○
           sets                 ───●─●──●─┃──○─○──○─○
           poll                 ──●─●●─●─●┃─○─○○─○─○○─○─○○─○─○○─○─○○─○─○○─○─○○─○─○○─○─○
         ▌ tabata               ▓▓▓▓░▓▓▓▓░┃═══─════─════─════─════─════
           run                  ──────────┃
           save                           ┃○
           egg                  ─●        ┃
           slow                 ────      ┃
        (9 empty lines)
         ● fired   ◐ late by a cell or more   × missed   ○ will fire   ▓ work   ░ rest
        (2 empty lines)
         + - zoom  ← → scroll  0 now  Esc back  Space pause  a add  ? help  q quit
        """)
  }

  @Test func whatIsLateAndWhatIsMissed() throws {
    let stage = try Stage("poll=every 10s", width: 60, height: 8)
    stage.type("3")
    stage.advance(by: .seconds(10))
    var snapshot = try stage.snapshot("poll")
    let late = stage.moment(at: stage.clock.now.advanced(by: .seconds(25)))
    snapshot.deadline = late.uptime.advanced(by: .seconds(5))
    _ = stage.dashboard.update(
      .board(
        .timer(TimerID(1), .fired(Fire(lateness: .seconds(15), missed: 1)), .repeater(snapshot))),
      at: late)
    let then = stage.moment(at: late.uptime.advanced(by: .seconds(2)))
    let picture = stage.dashboard.frame(at: then).canvas.picture
    #expect(
      picture == """
         carillon   ▶ 1 running         next: poll in 0:03    14:29
                   −20s      −10s       now      +10s      +20s
         ▌ poll ────────×──────────────◐─┃──○─────────○─────────○──
        (4 empty lines)
         + - zoom  ← → scroll  Esc back  a add  ? help  q quit
        """)
  }

  /// Its lanes move by a cell each second, and not in between.
  @Test func theLanesMoveCellByCell() throws {
    let stage = try Stage(
      "poll=every 10s", width: 60, height: 8,
      options: DisplayOptions(showsClock: false), startingAt: .milliseconds(400))
    stage.type("3----")
    // The header counts the seconds; without it only the lanes move.
    stage.send(.resized(Size(width: 60, height: 3)))
    #expect(
      stage.dashboard.frame(at: stage.now).nextRedraw
        == stage.clock.now.advanced(by: .milliseconds(29_600)))
    stage.press(.escape)
    #expect(stage.dashboard.screen == .board)
  }

  @Test func whatStandsStillIsNotDrawnAnew() throws {
    let options = DisplayOptions(showsClock: false)
    let stage = try Stage("a=1h paused b=stopwatch paused", options: options)
    stage.type("3")
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
    // Its line moves to the left until it fills the half.
    let tea = try Stage("tea=1h", height: 3, options: options)
    tea.type("3")
    tea.advance(by: .minutes(10))
    let due = tea.clock.now.advanced(by: .minutes(50))
    let stale = try #require(tea.dashboard.frame(at: tea.now).nextRedraw)
    #expect(stale.duration(to: due) > .seconds(30) && stale.duration(to: due) < .seconds(45))
  }

  @Test func cyclesWithoutEndAndShortIntervalsAreDrawnFast() throws {
    let stage = try Stage("every 1ms paused cycle 1ms/1ms paused every 1s", height: 24)
    stage.type("3" + String(repeating: "-", count: 20))
    stage.press(.right, .right, .right)
    #expect(stage.frame.lines.contains { $0.contains("○○○○○○○○") })
  }

  /// Runs begin right of what is seen, and end left of it.
  @Test(arguments: [Key.left, .right]) func scrolledAwayFromEverything(_ way: Key) throws {
    let stage = try Self.stage(80, 24)
    for _ in 0..<40 { stage.press(way) }
    let lanes = stage.lines[3...9].map { $0.dropFirst(10) }
    #expect(lanes.joined().contains { "●◐×".contains($0) } == false)
    for _ in 0..<15 {
      stage.type("-")
      _ = stage.frame
    }
  }
}
