import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The focus view.
@Suite struct FocusTests {
  private static func fixture(
    _ width: Int, _ height: Int, _ options: DisplayOptions = .init()
  ) throws -> Fixture {
    let fixture = try FrameTests.fixture(width, height, options)
    fixture.press(.enter)
    fixture.acknowledge()
    return fixture
  }

  @Test func hugeScreen() throws {
    let fixture = try Self.fixture(200, 60)
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                                                                                                next sets in 0:20  ▶ 5  ‖ 1  ✓ 1  14:30
        (14 empty lines)
                                                                                                  sets · every 45s ×8

                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 █████████▀▀▀▀▀▀▀▀▀█████████         ▄▄▄▄▄▄▄▄▄         ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀█████████         █████████▀▀▀▀▀▀▀▀▀█████████
                                                 █████████         █████████         █████████                           █████████         █████████         █████████
                                                 █████████         █████████         █████████                           █████████         █████████         █████████
                                                 █████████         █████████         █████████                           █████████         █████████         █████████
                                                 █████████         █████████         █████████                           █████████         █████████         █████████
                                                 █████████         █████████                           ███████████████████████████         █████████         █████████
                                                 █████████         █████████                           ███████████████████████████         █████████         █████████
                                                 █████████         █████████                           ███████████████████████████         █████████         █████████
                                                 █████████         █████████                           ███████████████████████████         █████████         █████████
                                                 █████████         █████████         ▄▄▄▄▄▄▄▄▄         █████████▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀         █████████         █████████
                                                 █████████         █████████         █████████         █████████                           █████████         █████████
                                                 █████████         █████████         █████████         █████████                           █████████         █████████
                                                 █████████         █████████         █████████         █████████                           █████████         █████████
                                                 █████████         █████████         █████████         █████████                           █████████         █████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ███████████████████████████                           ███████████████████████████         ███████████████████████████
                                                 ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀                           ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀         ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀

                                                 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────────────────────
                                                                                              ▶ running · next at 14:30:30
                                                                                                    ● ○ ○ ○ ○ ○ ○ ○
        (15 empty lines)
         Esc back  Space pause  r restart  f fire  + - time  < > interval  [ ] count  a add  e edit  d delete  u undo  / filter  ? help  : commands  q quit
        """)
  }

  @Test func wideScreen() throws {
    let fixture = try Self.fixture(120, 36)
    fixture.press(.character(","))
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log                next sets in 0:20  ▶ 5  ‖ 1  ✓ 1  14:30
        (8 empty lines)
                                                          sets · every 45s ×8

                                          █████████               █████████         █████████
                                       ▄▄▄▀▀▀▀▀▀▀▀▀▄▄▄         ▄▄▄▀▀▀▀▀▀▀▀▀▄▄▄   ▄▄▄▀▀▀▀▀▀▀▀▀▄▄▄
                                       ███         ███         ███         ███   ███         ███
                                       ███      ██████   ███               ███   ███      ██████
                                       ███   ▄▄▄▀▀▀███   ▀▀▀            ▄▄▄▀▀▀   ███   ▄▄▄▀▀▀███
                                       ███   ███   ███                  ███      ███   ███   ███
                                       ██████      ███   ███         ███         ██████      ███
                                       ███▀▀▀      ███   ▀▀▀      ▄▄▄▀▀▀         ███▀▀▀      ███
                                       ███         ███            ███            ███         ███
                                          █████████            ███████████████      █████████
                                          ▀▀▀▀▀▀▀▀▀            ▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀      ▀▀▀▀▀▀▀▀▀

                                       ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╸─────────────────────────
                                                      ▶ running · next at 14:30:30
                                                            ● ○ ○ ○ ○ ○ ○ ○
        (9 empty lines)
         Esc back  Space pause  r restart  f fire  + - time  a add  e edit  d delete  u undo  ? help  : commands  q quit
        """)
  }

  @Test func usualScreen() throws {
    let fixture = try Self.fixture(80, 24)
    #expect(
      fixture.frame.snapshotText == """
         1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 5  ‖ 1  ✓ 1  14:30
        (3 empty lines)
                                      sets · every 45s ×8

                            █████████         █████████   █████████
                            ███▀▀▀███   ▄▄▄   ▀▀▀▀▀▀███   ███▀▀▀███
                            ███   ███   ███         ███   ███   ███
                            ███   ███         █████████   ███   ███
                            ███   ███   ▄▄▄   ███▀▀▀▀▀▀   ███   ███
                            ███   ███   ███   ███         ███   ███
                            █████████         █████████   █████████
                            ▀▀▀▀▀▀▀▀▀         ▀▀▀▀▀▀▀▀▀   ▀▀▀▀▀▀▀▀▀

                            ━━━━━━━━━━━━━━━━━━━━━╸─────────────────
                                  ▶ running · next at 14:30:30
                                        ● ○ ○ ○ ○ ○ ○ ○
        (5 empty lines)
         Esc back  Space pause  r restart  f fire  a add  ? help  : commands  q quit
        """)
  }

  @Test func smallScreen() throws {
    let fixture = try Self.fixture(40, 8)
    #expect(
      fixture.frame.snapshotText == """
         1 2 focus 3 4 5 L   ▶ 5 ‖ 1 ✓ 1  14:30
                  sets · every 45s ×8
                     █▀█ ▄ ▀▀█ █▀█
                     █ █ ▄ █▀▀ █ █
                     ▀▀▀   ▀▀▀ ▀▀▀
            ━━━━━━━━━━━━━━━━━╸──────────────
              ▶ running · next at 14:30:30
         Esc back a add ? help q quit
        """)
  }

  @Test func tinyScreen() throws {
    let fixture = try Self.fixture(20, 3)
    #expect(
      fixture.frame.snapshotText == """
        ▶ sets          0:20
        (2 empty lines)
        """)
    fixture.send(.resized(Size(width: 20, height: 4)))
    #expect(
      fixture.frame.snapshotText == """
          ▶ 5 ‖ 1 ✓ 1  14:30
        ▶ sets          0:20
        (2 empty lines)
        """)
  }

  @Test func asciiOnly() throws {
    let fixture = try Self.fixture(60, 16, DisplayOptions(isASCII: true))
    #expect(
      fixture.frame.snapshotText == """
         1 2 focus 3 4 5 L       sets in 0:20  > 5  = 1  v 1  14:30
        (2 empty lines)
                            sets . every 45s x8
                         ######      ######  ######
                         ##  ##  ##      ##  ##  ##
                         ##  ##      ######  ##  ##
                         ##  ##  ##  ##      ##  ##
                         ######      ######  ######
                      =================-..............
                        > running . next at 14:30:30
                              * o o o o o o o
        (3 empty lines)
         Esc back  Space pause  r restart  a add  ? help  q quit
        """)
  }

  @Test func aCycleShowsItsPhaseAndRound() throws {
    let fixture = try Fixture("pomodoro=cycle 25m/5m x4 note 'deep work'", width: 80, height: 20)
    fixture.type("2")
    fixture.advance(by: .minutes(32))
    #expect(
      fixture.frame.snapshotText == """
         carillon  1 board  2 focus  3 timeline  4 lab  5 history  L log     ▶ 1  15:01

                                   pomodoro · cycle 25m/5m ×4
                                              work

                               ██████  ██████      ██████  ██████
                                   ██      ██  ██  ██  ██  ██  ██
                               ██████  ██████      ██  ██  ██  ██
                               ██          ██  ██  ██  ██  ██  ██
                               ██████  ██████      ██████  ██████

                               ━━╸───────────────────────────────
                            ▶ work · round 2 of 4 · next at 15:24:00
                                          then rest 5m
                                            ● ○ ○ ○
                                           deep work
        (3 empty lines)
         Esc back  Space pause  r restart  f fire  a add  ? help  : commands  q quit
        """)
  }

  @Test func aStopwatchShowsItsLaps() throws {
    let fixture = try Fixture("'run'=stopwatch", width: 60, height: 20)
    fixture.type("2.")
    for lap in 1...7 {
      fixture.advance(by: .milliseconds(900 * lap))
      fixture.type("c")
    }
    #expect(
      fixture.frame.snapshotText == """
         1 2 focus 3 4 5 L                               ▶ 1  14:29
        (4 empty lines)
                              run · stopwatch

                                 █▀█ ▄ ▀▀█ █▀▀   ▀▀█
                                 █ █ ▄ █▀▀ ▀▀█   █▀▀
                                 ▀▀▀   ▀▀▀ ▀▀▀ ▀ ▀▀▀

                                 ▶ running
                         lap 7  0:06.30  at 0:25.20
        (5 empty lines)
         run: lap 7, 0:06.30
         Esc back  Space pause  r restart  a add  ? help  q quit
        """)
  }

  @Test func aDebouncerShowsTheOutcomesOfTriggers() throws {
    let fixture = try Fixture("save=debounce 2s", width: 60, height: 20)
    fixture.type("2fff")
    #expect(
      fixture.frame.snapshotText == """
         1 2 focus 3 4 5 L            next save in 0:02  ▶ 1  14:29

                             save · debounce 2s

                                ████████████
                                ████████████
                                        ████
                                        ████
                                ████████████
                                ████████████
                                        ████
                                        ████
                                ████████████
                                ████████████

                 3 triggers · ▶ pending · next at 14:29:02
                    triggered 3   dropped 2   pending 1

         save: triggered
         Esc back  r restart  a add  ? help  : commands  q quit
        """)
    fixture.advance(by: .seconds(2))
    fixture.send(.resized(Size(width: 60, height: 24)))
    #expect(fixture.lines.contains { $0.contains("triggered 3   dropped 2") })
  }

  @Test func allTimerKeysWorkInFocus() throws {
    let fixture = try Self.fixture(80, 24)
    fixture.press(.space)
    #expect(try fixture.snapshot("sets").state == .paused)
    #expect(fixture.lines.contains { $0.contains("sets: paused, 0:20 left") })
    fixture.type("j")
    #expect(fixture.order == "tea sets [poll] 每日 lunch slow every 1h30m")
    fixture.type("d")
    #expect(fixture.lines.contains { $0.contains("每日 · every 1h ×3") })
  }

  /// The time since the end is centered, and the time of the end is shown.
  @Test func overtimeIsCentered() throws {
    let fixture = try Fixture("tea=3s", width: 80, height: 24)
    fixture.type("2")
    fixture.advance(by: .seconds(9))
    let digits = fixture.lines.filter { $0.contains("█") || $0.contains("▀") || $0.contains("▄") }
    let first = try #require(digits.map { $0.prefix { $0 == " " }.count }.min())
    let last = try #require(digits.map { 79 - $0.count + 1 }.min())
    #expect(abs(first - last) <= 1, "\(first) columns on the left, \(last) on the right")
    #expect(fixture.lines.contains { $0.contains("✓ finished at ") })
  }

  /// The size depends on the longest time, so that it stays the same while time passes.
  @Test func theDigitsKeepTheirSize() throws {
    let fixture = try Fixture("tea=10m", width: 80, height: 24)
    fixture.type("2")
    let before = try #require(FocusView(Frame(fixture.dashboard, at: fixture.now)))
    fixture.advance(by: .seconds(590))
    let after = try #require(FocusView(Frame(fixture.dashboard, at: fixture.now)))
    #expect(before.digitHeight == after.digitHeight)
  }

  /// Every character at the smallest size, in blocks and without half blocks.
  @Test func digits() throws {
    var canvas = Canvas(Size(width: 90, height: 3))
    let text = "0123456789:.d+h"
    let digits = try #require(
      BigDigits(text, widest: text, in: Size(width: 90, height: 3), symbols: .unicode))
    digits.draw(
      on: &canvas, maxX: digits.width(of: text), y: 0, style: .plain, symbols: .unicode)
    #expect(
      canvas.snapshotText == """
        DIGITS
        """)
    #expect(BigDigits("0", widest: "0", in: Size(width: 90, height: 4), symbols: .ascii) == nil)
  }

  /// From five rows on, the digits have strokes; each differs from the others at any height.
  @Test(arguments: [5, 6, 7, 12]) func strokes(_ height: Int) throws {
    for symbols in [Symbols.unicode, .ascii] {
      var seen: Set<String> = []
      for digit in "0123456789" {
        var canvas = Canvas(Size(width: 40, height: height))
        let digits = try #require(
          BigDigits(
            String(digit), widest: "0", in: Size(width: 40, height: height), symbols: symbols))
        #expect(digits.height == height)
        digits.draw(
          on: &canvas, maxX: digits.width(of: "0"), y: 0, style: .plain, symbols: symbols)
        #expect(seen.insert(canvas.snapshotText).inserted, "\(digit)")
      }
    }
  }
}
