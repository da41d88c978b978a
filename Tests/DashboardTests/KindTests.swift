import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Cycles, stopwatches and timers that are triggered, on the board and by its keys.
@Suite struct KindTests {
  @Test func eachKindTellsOfItself() throws {
    let stage = try Stage(
      "pomodoro=cycle 25m/5m x4 'run'=stopwatch save=debounce 2s poll=throttle 5s away=idle 10m",
      width: 100, height: 12)
    stage.advance(by: .seconds(90))
    stage.press(.down, .down)
    stage.type("ff")
    #expect(
      stage.lines[2...6].joined(separator: "\n") == """
           pomodoro  cycle 25m/5m ×4  ▶ work         23:30  4 of 4  █▊                                    ·
           run       stopwatch        ▶ running       1:30       ·                                        ·
         ▌ save      debounce 2s      ▶ pending       0:02       ·  2 triggered, 0 fired                  ·
           poll      throttle 5s      ○ idle             –       ·  0 triggered, 0 fired                  ·
           away      idle 10m         ○ idle             –       ·  0 triggered, 0 fired                  ·
        """)
    stage.advance(by: .seconds(3))
    #expect(stage.lines[4].contains("2 triggered, 1 fired"))
    #expect(stage.lines[4].contains("○ idle"))
  }

  @Test func aCycleGoesThroughItsPhasesToItsEnd() throws {
    let stage = try Stage("tabata=cycle 20s/10s x2")
    stage.advance(by: .seconds(21))
    #expect(stage.lines[3].contains("▶ rest"))
    #expect(stage.lines[3].contains("0:09  2 of 2"))
    stage.press(.space)
    #expect(stage.notice == "tabata: paused, 0:09 left")
    stage.press(.space)
    stage.advance(by: .seconds(9))
    #expect(stage.lines[3].contains("1 of 2"))
    stage.advance(by: .seconds(21))
    #expect(stage.lines[3].contains("✓ finished"))
    #expect(stage.boardEffects.contains(.ring))
    stage.press(.space)
    #expect(stage.notice == "tabata: restarted, 0:20 left")
  }

  @Test func aSkipCanBeUndone() throws {
    let stage = try Stage("pomodoro=cycle 25m/5m x4")
    stage.advance(by: .seconds(60))
    stage.type("s")
    #expect(stage.notice == "pomodoro: skipped to rest, 5:00 left")
    stage.type("u")
    #expect(stage.notice == "pomodoro: skip undone, 24:00 left")
    stage.advance(by: .seconds(1))
    #expect(stage.lines[3].contains("▶ work"))
  }

  @Test func aStopwatchCountsUpAndTakesLaps() throws {
    let stage = try Stage("'run'=stopwatch")
    stage.advance(by: .milliseconds(61_500))
    #expect(stage.lines[3].contains(" 1:01 "))
    stage.type("c")
    #expect(stage.notice == "run: lap 1, 1:01.50")
    stage.type("f")
    #expect(stage.notice == "run: a stopwatch; it never fires")
    stage.type("r")
    #expect(stage.lines[3].contains(" 0:00 "))
    stage.type("u")
    #expect(stage.lines[3].contains(" 1:01 "))
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw != nil)
    stage.press(.space)
    stage.type("c")
    #expect(stage.notice == "run: not running; start it first")
  }

  @Test(arguments: ["debounce 2s", "throttle 2s deferred", "coalesce 2s", "idle 2s"])
  func triggersAreForgottenByAReset(kind: String) throws {
    let stage = try Stage("save=\(kind)", width: 120)
    stage.type("f")
    #expect(stage.notice == "save: triggered")
    #expect(stage.lines[3].contains("▶ pending"))
    stage.type("r")
    stage.advance(by: .seconds(10))
    #expect(stage.lines[3].contains("1 triggered, 0 fired, 1 suppressed"))
    stage.press(.space)
    #expect(stage.notice == "save: waits for triggers; it can only be triggered and reset")
    stage.type("f")
    stage.advance(by: .seconds(10))
    #expect(stage.lines[3].contains("2 triggered, 1 fired, 1 suppressed"))
    stage.type("d")
    stage.type("u")
    #expect(stage.lines[3].contains("0 triggered"))
  }

  @Test func anEditCanMakeItAnotherKind() throws {
    let stage = try Stage("tea=3m")
    stage.type("e")
    stage.press(.control("u"))
    stage.type("tea=stopwatch")
    stage.press(.enter)
    #expect(stage.notice == "tea: changed to stopwatch")
    stage.advance(by: .seconds(5))
    #expect(stage.lines[3].contains(" 0:05 "))
    stage.type("u")
    #expect(stage.lines[3].contains("once 3m"))
  }
}
