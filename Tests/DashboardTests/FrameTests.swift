import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Frames of the board in many sizes after 70.05 s, when `poll` has just fired and `lunch` has
/// finished.
@Suite struct FrameTests {
  static let board = """
    tea=3m note 'oolong, two bags' sets=every 45s x8 poll=every 10s 每日=every 1h x3 lunch=5s
    slow=1h paused every 1h30m
    """

  static func fixture(_ width: Int, _ height: Int, _ options: DisplayOptions = .init()) throws
    -> Fixture
  {
    let fixture = try Fixture(board, width: width, height: height, options: options)
    fixture.press(.down)
    fixture.advance(by: .milliseconds(70_050))
    fixture.acknowledge()
    return fixture
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                next sets in 0:20  ▶ 5  ‖ 1  ✓ 1  14:30

           NAME             TIME  STATE        PROGRESS
           tea              1:50  ▶ running    ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━─────────────────────────────────────────────────
           ends 14:32 · oolong, two bags
         ▌ sets             0:20  ▶ running    ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────
         ▌ every 45s, 7 left
           poll             0:10  ▶ running    ────────────────────────────────────────────────────────────────────────────────
           every 10s
           每日            58:50  ▶ running    ━╸──────────────────────────────────────────────────────────────────────────────
           every 1h, 3 left
           lunch           +1:05  ✓ finished   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
           fired 14:29
           slow          1:00:00  ‖ paused     ────────────────────────────────────────────────────────────────────────────────
           once 1h
           every 1h30m   1:28:50  ▶ running    ━───────────────────────────────────────────────────────────────────────────────
        (2 empty lines)
         ─ next 10 minutes ────────────────────────────────────────────────────────────────────────────────────────────────────
           ───○sets────○────────○───────○────────○────────○────────○───────────────────────────────────────────────────────────
           ─────────────────────○tea───────────────────────────────────────────────────────────────────────────────────────────

         ─ sets ──────────────────────────────────────────────────  ─ log ─────────────────────────────────────────────────────
           every 45s ×8                                               14:29:05.000  lunch      finished             late 0.0 ms
           next 14:30:30   fired 1                                    14:29:10.000  poll       fired, 1st           late 0.0 ms
           late  median 0.00 ms  p99 0.00 ms  max 0.00 ms             14:29:20.000  poll       fired, 2nd           late 0.0 ms
           ⡀                                                          14:29:30.000  poll       fired, 3rd           late 0.0 ms
                                                                      14:29:40.000  poll       fired, 4th           late 0.0 ms
                                                                      14:29:45.000  sets       fired, 1st of 8      late 0.0 ms
                                                                      14:29:50.000  poll       fired, 5th           late 0.0 ms
                                                                      14:30:00.000  poll       fired, 6th           late 0.0 ms
                                                                      14:30:10.000  poll       fired, 7th           late 0.0 ms
        (3 empty lines)
         Space pause  r restart  f fire  + - time  < > interval  a add  e edit  d delete  u undo  ? help  : commands  q quit
        """)
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 5  ‖ 1  ✓ 1  14:30

           NAME             TIME  STATE        PROGRESS               PLAN
           tea              1:50  ▶ running    ━━━━━━━━─────────────  ends 14:32
         ▌ sets             0:20  ▶ running    ━━━━━━━━━━━╸─────────  every 45s, 7 left
           poll             0:10  ▶ running    ─────────────────────  every 10s
           每日            58:50  ▶ running    ─────────────────────  every 1h, 3 left
           lunch           +1:05  ✓ finished   ━━━━━━━━━━━━━━━━━━━━━  fired 14:29
           slow          1:00:00  ‖ paused     ─────────────────────  once 1h
           every 1h30m   1:28:50  ▶ running    ─────────────────────

         ─ next 10 minutes ────────────────────────────────────────────────────────────
           ─────────────○tea───────────────────────────────────────────────────────────
           ─▒▒ poll ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒

         ─ sets ───────────────────────────────────────────────────────────────────────
           every 45s ×8
           next 14:30:30   fired 1
           late  median 0.00 ms  p99 0.00 ms  max 0.00 ms
           ⡀
        (3 empty lines)
         Space pause  r restart  f fire  a add  e edit  ? help  : commands  q quit
        """)
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L   ▶ 5 ‖ 1 ✓ 1  14:30
           tea              1:50  ▶  ━━━╸──────┃
         ▌ sets             0:20  ▶  ━━━━━╸────┃
           poll             0:10  ▶  ──────────┃
           每日            58:50  ▶  ──────────┃
           lunch           +1:05  ✓  ━━━━━━━━━━┃
           slow          1:00:00  ‖  ──────────│
         Space pause a add ? help q quit
        """)
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    #expect(
      fixture.frame.snapshotText == """
          tea         1:50 ▶
        ▌ sets        0:20 ▶
          poll        0:10 ▶
        """)
  }

  @Test func sixtyColumns() throws {
    let fixture = try Self.fixture(60, 14)
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L       sets in 0:20  ▶ 5  ‖ 1  ✓ 1  14:30
           NAME             TIME  STATE        PROGRESS
           tea              1:50  ▶ running    ━━━━━━━╸────────────
         ▌ sets             0:20  ▶ running    ━━━━━━━━━━━─────────
           poll             0:10  ▶ running    ────────────────────
           每日            58:50  ▶ running    ────────────────────
           lunch           +1:05  ✓ finished   ━━━━━━━━━━━━━━━━━━━━
           slow          1:00:00  ‖ paused     ────────────────────
           every 1h30m   1:28:50  ▶ running    ────────────────────
        (4 empty lines)
         Space pause  r restart  a add  ? help  : commands  q quit
        """)
  }

  @Test func aMessageReplacesTheFooterOnALowScreen() throws {
    let fixture = try Self.fixture(40, 8)
    fixture.press(.space)
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L   ▶ 4 ‖ 2 ✓ 1  14:30
           tea              1:50  ▶  ━━━╸──────┃
         ▌ sets             0:20  ‖  ━━━━━╸────┃
           poll             0:10  ▶  ──────────┃
           每日            58:50  ▶  ──────────┃
           lunch           +1:05  ✓  ━━━━━━━━━━┃
           slow          1:00:00  ‖  ──────────│
         sets: paused, 0:20 left
        """)
  }

  @Test func aMessageIsCutBetweenWords() throws {
    let fixture = try Self.fixture(20, 3)
    fixture.press(.space)
    #expect(
      fixture.frame.snapshotText == """
          tea         1:50 ▶
        ▌ sets        0:20 ‖
        sets: paused, 0:20…
        """)
  }

  @Test func aMessageHasItsOwnLine() throws {
    let fixture = try Self.fixture(80, 13)
    fixture.press(.space)
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 4  ‖ 2  ✓ 1  14:30
           NAME             TIME  STATE        PROGRESS               PLAN
           tea              1:50  ▶ running    ━━━━━━━━─────────────  ends 14:32
         ▌ sets             0:20  ‖ paused     ━━━━━━━━━━━╸─────────  every 45s, 7 left
           poll             0:10  ▶ running    ─────────────────────  every 10s
           每日            58:50  ▶ running    ─────────────────────  every 1h, 3 left
           lunch           +1:05  ✓ finished   ━━━━━━━━━━━━━━━━━━━━━  fired 14:29
           slow          1:00:00  ‖ paused     ─────────────────────  once 1h
           every 1h30m   1:28:50  ▶ running    ─────────────────────
        (2 empty lines)
         sets: paused, 0:20 left
         Space resume  r restart  f fire  a add  e edit  ? help  : commands  q quit
        """)
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(80, 24, DisplayOptions(isASCII: true))
    fixture.type("f")
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     > 5  = 1  v 1  14:30

           NAME             TIME  STATE        PROGRESS               PLAN
           tea              1:50  > running    ========.............  ends 14:32
         | sets             0:20  > running    ===========-.........  every 45s, 6 left
           poll             0:10  > running    .....................  every 10s
           ? ?             58:50  > running    .....................  every 1h, 3 left
           lunch           +1:05  v finished   =====================  fired 14:29
           slow          1:00:00  = paused     .....................  once 1h
           every 1h30m   1:28:50  > running    .....................

         - next 10 minutes ------------------------------------------------------------
           -------------otea-----------------------------------------------------------
           -:: poll :::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::

         - sets -----------------------------------------------------------------------
           every 45s x8
           next 14:30:30   fired 2
           late  median 0.00 ms  p99 0.00 ms  max 0.00 ms
           .
        (2 empty lines)
         sets: fired
         Space pause  r restart  f fire  a add  e edit  ? help  : commands  q quit
        """)
  }

  @Test func tenths() throws {
    let fixture = try Self.fixture(80, 12, DisplayOptions(uses24Hours: false, showsTenths: true))
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log  ▶ 5  ‖ 1  ✓ 1   2:30 pm
           NAME               TIME  STATE        PROGRESS             PLAN
           tea              1:50.0  ▶ running    ━━━━━━━────────────  ends 2:32 pm
         ▌ sets             0:20.0  ▶ running    ━━━━━━━━━━╸────────  every 45s, 7 left
           poll             0:10.0  ▶ running    ───────────────────  every 10s
           每日            58:50.0  ▶ running    ───────────────────  every 1h, 3 left
           lunch           +1:05.0  ✓ finished   ━━━━━━━━━━━━━━━━━━━  fired 2:29 pm
           slow          1:00:00.0  ‖ paused     ───────────────────  once 1h
           every 1h30m   1:28:50.0  ▶ running    ───────────────────
        (2 empty lines)
         Space pause  r restart  f fire  a add  e edit  ? help  : commands  q quit
        """)
  }

  @Test func aPromptKeepsTheBoardVisible() throws {
    let fixture = try Self.fixture(80, 16)
    fixture.type("abrew=every 30s x5")
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 5  ‖ 1  ✓ 1  14:30

           NAME             TIME  STATE        PROGRESS               PLAN
           tea              1:50  ▶ running    ━━━━━━━━─────────────  ends 14:32
         ▌ sets             0:20  ▶ running    ━━━━━━━━━━━╸─────────  every 45s, 7 left
           poll             0:10  ▶ running    ─────────────────────  every 10s
           每日            58:50  ▶ running    ─────────────────────  every 1h, 3 left
           lunch           +1:05  ✓ finished   ━━━━━━━━━━━━━━━━━━━━━  fired 14:29
           slow          1:00:00  ‖ paused     ─────────────────────  once 1h
           every 1h30m   1:28:50  ▶ running    ─────────────────────
        (2 empty lines)
         add ▸ brew=every 30s x5
               brew · every 30s ×5 · first fires 14:30:40, last 14:32:40

         Enter accept  Esc cancel  ↑ ↓ history  Ctrl-W erase word  F1 help  F10 quit
        """)
  }

  @Test func aPromptOnASmallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    fixture.type("abrew=every 30 x5")
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L   ▶ 5 ‖ 1 ✓ 1  14:30
           tea              1:50  ▶  ━━━╸──────┃
         ▌ sets             0:20  ▶  ━━━━━╸────┃
           poll             0:10  ▶  ──────────│
           每日            58:50  ▶  ──────────│
         add ▸ brew=every 30 x5
         missing unit after '30' (expected…
         Esc cancel ↑ ↓ history F1 help F10 quit
        """)
  }

  @Test func helpOnAWideScreen() throws {
    let fixture = try Self.fixture(120, 44)
    fixture.type("?")
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                next sets in 0:20  ▶ 5  ‖ 1  ✓ 1  14:30

         Board (this view)                                           Timer syntax
         ↑ k      move up                                            tea=3m                 once; also tea 3m, in 3 minutes
         ↓ j      move down                                          sets=every 45s x8      repeats; also every 45s 8 times
         g Home   go to first timer                                  every 1h 30m           without end; also every hour
         G End    go to last timer                                   90s 05:00 1:30:00      durations; also 5 min, 1.5h, 1w
         PgUp     page up                                            5m 10m                 two timers; 10m 5s is one
         PgDn     page down                                          at 14:30               at a time of day; also 2:30pm,
         Ctrl-U   move half a page up                                                       noon, until 17:00, at
         Ctrl-D   move half a page down                                                     2027-01-31T09:00
         Space p  start / pause / resume / restart                   tomorrow 9am           also fri 9:00, on 24 dec 18:00
         P        pause all / resume them                            weekdays 09:55         repeats; also every monday at 9
         r        restart                                            cycle 25/5 x4          minutes; four rounds, no last rest
         R        reset and stop                                     pomodoro               a preset; see carillon presets
         f        fire / trigger now                                 cycle jog 1m/walk 30s  phases with names of their own
         F        fire now and pause                                 stopwatch              counts up, with laps
         + =      add time (1m, 10s or 1s)                           debounce 2s max 10s    triggered with f: fires when quiet,
         - _      remove time (same steps)                                                  or after 10s; also leading, both
         <        shorten interval                                   throttle 5s deferred   triggered with f: fires after 5s;
         >        lengthen interval                                                         without deferred, also at once
         [        remove an iteration                                coalesce 1m            triggered with f: fires a minute
         ]        add an iteration                                                          after the first
         s        skip to the next phase                             idle 10m               triggered with f: fires only when
         c        take a lap                                                                quiet for 10m
         a        add timers                                         … paused               added, but not started
         e        edit timer                                         … awake                counts only while the machine is
         y        duplicate timer                                                           awake, not through its sleep
         d Del    delete timer                                       … tolerance 1s         may fire that much late, to save
         u        undo last change                                                          wake-ups
         U        redo last undone change                            … missed skip          fires once for all missed periods
         J        move row down                                      … missed delay         fires once, and restarts the
         K        move row up                                                               interval
         /        filter                                             … missed burst 5       fires for each missed period, up to
         n        next match                                                                five
         N        previous match                                     … backoff 5m           the interval of 'every' grows up to
         o        cycle sort column                                                         5m while the command fails
         O        reverse sort                                       … ring                 repeats the bell until a key is
         v        mark / unmark timer                                                       pressed
         V        mark all / none                                    … chime                bell and notification at each fire;
         b        mute / unmute                                                             without it, 'every' is silent until
        (2 empty lines)
         ↑ ↓ scroll  Esc back  : commands  F10 quit
        """)
  }

  @Test func helpOnASmallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    fixture.type("?jj")
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L   ▶ 5 ‖ 1 ✓ 1  14:30
         ↓ j      move down
         g Home   go to first timer
         G End    go to last timer
         PgUp     page up
         PgDn     page down
         Ctrl-U   move half a page up
         ↑ ↓ scroll Esc back : commands F10 quit
        """)
  }

  @Test func theListScrolls() throws {
    let fixture = try Self.fixture(60, 6)
    fixture.type("jjj")
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L       sets in 0:20  ▶ 5  ‖ 1  ✓ 1  14:30
           sets             0:20  ▶ running    ━━━━━━━━━━━─────────┃
           poll             0:10  ▶ running    ────────────────────┃
           每日            58:50  ▶ running    ────────────────────│
         ▌ lunch           +1:05  ✓ finished   ━━━━━━━━━━━━━━━━━━━━│
         Space r restart  a add  e edit  ? help  : commands  q quit
        """)
  }

  @Test(arguments: [
    (15, 4, "▶ sets     0:20"), (12, 2, "▶ sets  0:20"), (8, 1, "se… 0:20"), (6, 1, "  0:20"),
    (5, 1, " 0:20"), (4, 1, "0:20"), (3, 1, "se…"), (2, 1, "▶"), (1, 1, "▶"),
  ])
  func tinyScreensShowTheSelectedTimerOnly(
    _ width: Int, _ height: Int, _ line: String
  ) throws {
    let fixture = try Self.fixture(width, height)
    #expect(fixture.lines.first == line)
    #expect(fixture.lines.dropFirst().allSatisfy { $0.isEmpty })
  }

  @Test func anEmptyBoardShowsAHint() throws {
    let fixture = try Fixture(width: 44, height: 12)
    #expect(
      fixture.frame.snapshotText == """
         1 board 2 3 4 5 L                    14:29

         no timers; press a to add one, such as
           tea=3m
           sets=every 45s x8
           every 1h 30m
         ? shows the keys, q quits
        (4 empty lines)
         a add ? help : commands q quit
        """)
  }

  /// The layout does not stretch on the largest screen.
  @Test func aHugeScreenShowsTheSameTable() throws {
    let fixture = try Self.fixture(400, 120)
    #expect(fixture.frame.size == Size(width: 400, height: 120))
    #expect(
      fixture.lines[6].hasPrefix(" ▌ sets             0:20  ▶ running    ━"))
    #expect(fixture.lines.map(\.cellWidth).max() == 399)
    #expect(fixture.lines[119].hasSuffix("q quit"))
  }

  @Test func aLargerScreenRestoresEverything() throws {
    let fixture = try Self.fixture(120, 36)
    let before = fixture.frame
    for size in [Size(width: 1, height: 1), Size(width: 0, height: 0), Size(width: 40, height: 8)] {
      fixture.send(.resized(size))
      #expect(fixture.frame.size == size)
    }
    fixture.send(.resized(Size(width: 120, height: 36)))
    #expect(fixture.frame == before)
  }

  /// Only a command that runs shows as executing: a fire without one does not flash.
  @Test func aFireWithoutACommandDoesNotShowAsExecuting() throws {
    let fixture = try Fixture("tea=10s poll=every 10s run x")
    fixture.advance(by: .seconds(10))
    #expect(fixture.lines[3].contains("✓ finished") && fixture.lines[4].contains("◆ executing"))
    fixture.apply(.commandEnded(TimerID(2), CommandResult(.exited(0)), isRunning: false))
    #expect(fixture.lines[4].contains("▶ running"))
  }

  /// Only scheduled fires can be late.
  @Test func aManualFireIsNotLate() throws {
    let fixture = try Fixture("poll=every 10s", width: 100)
    fixture.type("f")
    #expect(fixture.dashboard.rows[0].lateness == nil)
    fixture.advance(by: .seconds(10))
    #expect(fixture.dashboard.rows[0].lateness == .zero)
  }

  @Test func aFinishedTimerIsHighlightedUntilAKeyIsPressed() throws {
    let fixture = try Fixture(Self.board, width: 120, height: 36)
    fixture.press(.down)
    fixture.advance(by: .milliseconds(70_050))
    let y = try #require(fixture.lines.firstIndex { $0.hasPrefix(" ! lunch") })
    #expect(fixture.frame[1, y].text == "!")
    #expect(fixture.frame[1, y].style == Theme.standard[.alert])
    #expect(fixture.frame[4, y].style == Theme.standard[.alert])
    #expect(fixture.boardEffects.filter { $0 == .ringOnce }.count == 1)
    fixture.acknowledge()
    #expect(fixture.frame[1, y].text == " ")
    #expect(fixture.frame[4, y].style == .plain)
  }

  @Test func nothingIsColoredWithoutColor() throws {
    let options = DisplayOptions(hasColor: false)
    for keys in ["", "aevry", "?", " "] {
      let fixture = try Self.fixture(120, 36, options)
      fixture.type(keys)
      for cell in fixture.frame.cells {
        #expect(cell.style.foreground == .standard && cell.style.background == .standard)
      }
      #expect(fixture.frame.text == (try colored(keys)))
    }
  }

  private func colored(_ keys: String) throws -> String {
    let fixture = try Self.fixture(120, 36)
    fixture.type(keys)
    return fixture.frame.text
  }

  /// Numbers keep their columns while they change, and so does the text beside them.
  @Test func textKeepsItsPositionAsTimePasses() throws {
    let fixture = try Fixture("tea=10m5s note 'x' poll=every 3s x20", width: 120)
    let columns = Set(
      (0..<12).map { _ in
        fixture.advance(by: .seconds(1))
        let line = Array(fixture.lines[3])
        return [line.lastIndex(of: "x"), line.firstIndex(of: "m"), line.firstIndex(of: "▶")]
      })
    #expect(columns.count == 1)
  }

  @Test func aThousandTimersScroll() throws {
    let line = (0..<1_000).map { "t\($0)=1h" }.joined(separator: " ")
    let fixture = try Fixture(line, width: 60, height: 8)
    fixture.press(.end)
    #expect(fixture.lines[6].hasPrefix(" ▌ t999"))
    #expect(fixture.lines[1].hasPrefix("   t994"))
    fixture.press(.up)
    #expect(fixture.lines[5].hasPrefix(" ▌ t998"))
    fixture.press(.home)
    #expect(fixture.lines[1].hasPrefix(" ▌ t0"))
    #expect(fixture.lines[0].contains("▶ 1000"))
  }
}

extension Canvas {
  /// The text, with runs of empty lines counted: `(3 empty lines)`.
  var snapshotText: String {
    var result: [String] = []
    var empty = 0
    for line in lines + ["end"] {
      if line.isEmpty {
        empty += 1
        continue
      }
      if empty > 0 { result.append(empty == 1 ? "" : "(\(empty) empty lines)") }
      empty = 0
      result.append(line)
    }
    return result.dropLast().joined(separator: "\n")
  }
}
