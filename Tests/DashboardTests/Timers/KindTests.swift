import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Cycles, stopwatches and timers with triggers, on the board and with its keys.
@Suite struct KindTests {
  @Test func eachKindShowsItsState() throws {
    let fixture = try Fixture(
      "pomodoro=cycle 25m/5m x4 'run'=stopwatch save=debounce 2s poll=throttle 5s away=idle 10m",
      width: 100, height: 12)
    fixture.advance(by: .seconds(90))
    fixture.press(.down, .down)
    fixture.type("ff")
    try fixture.frame.expectSnapshot("KindTests-eachKindShowsItsState")
    fixture.advance(by: .seconds(3))
    #expect(fixture.lines[4].contains("2 triggered, 1 fired"))
    #expect(fixture.lines[4].contains("○ ready"))
  }

  /// A session file can contradict itself: a lap that is longer than the whole time is at the end of the bar.
  @Test func aLapLongerThanTheTimeIsDrawn() throws {
    let fixture = try Fixture(width: 100, height: 12)
    var saved = SavedBoard()
    saved.timers = [SavedFields(state: .running, elapsed: 1, laps: [1e12])]
    saved.timers[0].timer = "swim=stopwatch"
    fixture.perform(.restore(try RestoredBoard(saved, savedAt: fixture.now), .catchUp))
    #expect(fixture.lines.contains { $0.contains("·╷  1 lap") })
  }

  /// Timers that behave differently look different in the row, the detail pane, the focus and the preview of an edit.
  @Test func theSettingsOfATriggeredTimerAreShown() throws {
    for text in ["debounce 2s max 10s", "debounce 2s leading", "throttle 5s deferred"] {
      let fixture = try Fixture("save=\(text)", width: 100, height: 30)
      #expect(fixture.lines.filter { $0.contains(text) }.count == 2, "\(fixture.frame.text)")
      fixture.type("2")
      #expect(fixture.frame.text.contains("save · \(text)"))
      fixture.type("1e")
      fixture.press(.control("u"))
      fixture.type("x=\(text)")
      #expect(fixture.lines.contains { $0.contains(text) && !$0.contains("=") })
    }
  }

  /// A stopwatch becomes wider without an event.
  @Test func theTimeOfALongStopwatchFits() throws {
    let fixture = try Fixture("watch=stopwatch")
    for (time, text) in [
      (Duration.hours(10), "10:00:00"), (.hours(14) + .seconds(5), "1d 00:00:05"),
    ] {
      fixture.advance(by: time)
      #expect(fixture.lines.contains { $0.contains("watch  \(text)  ▶ counts up") })
      fixture.type("3")
      #expect(fixture.lines.contains { $0.contains("watch \(text)  ") })
      fixture.type("1")
    }
  }

  @Test func aCycleRunsThroughItsPhases() throws {
    let fixture = try Fixture("tabata=cycle 20s/10s x2")
    fixture.advance(by: .seconds(21))
    #expect(fixture.lines[3].contains("▶ rest"))
    #expect(fixture.lines[3].contains("0:09  ▶ rest"))
    fixture.press(.space)
    #expect(fixture.notice == "tabata: paused, 0:09 left")
    fixture.press(.space)
    fixture.advance(by: .seconds(9))
    #expect(fixture.lines[3].contains("round 2 of 2"))
    fixture.advance(by: .seconds(21))
    #expect(fixture.lines[3].contains("♪ rang"))
    #expect(fixture.requests.contains(.ringOnce))
    fixture.press(.space, .space)
    #expect(fixture.notice == "tabata: restarted, 0:20 left")
  }

  @Test func aSkipCanBeUndone() throws {
    let fixture = try Fixture("pomodoro=cycle 25m/5m x4")
    fixture.advance(by: .seconds(60))
    fixture.type("s")
    #expect(fixture.notice == "pomodoro: skipped to rest, 5:00 left")
    fixture.type("u")
    #expect(fixture.notice == "pomodoro: skip undone, 24:00 left")
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines[3].contains("▶ work"))
  }

  @Test func aStopwatchCountsUpAndTakesLaps() throws {
    let fixture = try Fixture("'run'=stopwatch")
    fixture.advance(by: .milliseconds(61_500))
    #expect(fixture.lines[3].contains(" 1:01 "))
    fixture.type("c")
    #expect(fixture.notice == "run: lap 1, 1:01.50")
    fixture.type("f")
    #expect(fixture.notice == "run: a stopwatch; it never fires")
    fixture.type("r")
    #expect(fixture.lines[3].contains(" 0:00 "))
    fixture.type("u")
    #expect(fixture.lines[3].contains(" 1:01 "))
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw != nil)
    fixture.press(.space)
    fixture.type("c")
    #expect(fixture.notice == "run: not running; start it first")
  }

  /// Quiet from the beginning is a fire, one. The start is no trigger; a trigger defers the fire, and a reset prevents it.
  @Test func anIdleTimerCountsFromItsStart() throws {
    let fixture = try Fixture("quiet=idle 10s", width: 120)
    fixture.advance(by: .seconds(9))
    #expect(fixture.lines[3].contains("0:01") && fixture.lines[3].contains("▶ pending"))
    #expect(fixture.lines[3].contains("not triggered yet"))
    fixture.type("f")
    #expect(fixture.lines[3].contains("1 triggered, 0 fired"))
    fixture.advance(by: .seconds(9))
    #expect(fixture.dashboard.rows[0].counts.delivered == 0)
    fixture.advance(by: .seconds(60))
    #expect(fixture.dashboard.rows[0].counts.delivered == 1)
    // Without a trigger.
    try fixture.add("build=idle 10s")
    fixture.advance(by: .seconds(60))
    #expect(fixture.dashboard.rows[1].counts.delivered == 1)
    try fixture.add("off=idle 10s")
    fixture.type("r")
    fixture.advance(by: .seconds(60))
    #expect(fixture.dashboard.rows[2].counts.delivered == 0)
    #expect(fixture.dashboard.rows[0].counts.delivered == 1)
    // An undone deletion is no start.
    fixture.type("d")
    fixture.type("u")
    fixture.advance(by: .seconds(60))
    #expect(fixture.dashboard.rows[2].counts.delivered == 0)
  }

  @Test(arguments: ["debounce 2s", "throttle 2s deferred", "coalesce 2s"])
  func aResetClearsTheTriggers(kind: String) throws {
    let fixture = try Fixture("save=\(kind)", width: 120)
    fixture.type("f")
    #expect(fixture.notice == "save: triggered")
    #expect(fixture.lines[3].contains("▶ pending"))
    fixture.type("r")
    fixture.advance(by: .seconds(10))
    #expect(fixture.lines[3].contains("1 triggered, 0 fired, 1 dropped"))
    fixture.press(.space)
    #expect(fixture.notice == "save: waits for triggers; it can only be triggered and reset")
    fixture.type("f")
    fixture.advance(by: .seconds(10))
    #expect(fixture.lines[3].contains("2 triggered, 1 fired, 1 dropped"))
    fixture.type("d")
    fixture.type("u")
    #expect(fixture.lines[3].contains("2 triggered, 1 fired, 1 dropped"))
  }

  /// An undone reset brings back what was pending, with its counts. A trigger since stays, and an empty reset is no step.
  @Test func anUndoneResetKeepsTheTriggers() throws {
    let fixture = try Fixture("tea=3m save=debounce 5s", width: 120)
    fixture.type("jfffr")
    #expect(fixture.notice == "save: reset")
    fixture.type("u")
    #expect(fixture.notice == "save: reset undone, 0:05 left")
    #expect(fixture.lines[4].contains("3 triggered, 0 fired, 2 dropped"))
    fixture.type("rfu")
    #expect(fixture.notice == "save: cannot undo the reset: triggered since")
    fixture.advance(by: .seconds(6))
    #expect(fixture.lines[4].contains("4 triggered, 1 fired, 3 dropped"))
    fixture.type("r")
    #expect(fixture.notice == "save: nothing is pending")
    fixture.type("u")
    #expect(fixture.notice == "nothing to undo")
  }

  @Test func anEditCanChangeTheKind() throws {
    let fixture = try Fixture("tea=3m")
    fixture.type("e")
    fixture.press(.control("u"))
    fixture.type("tea=stopwatch")
    fixture.press(.enter)
    #expect(fixture.notice == "tea: changed to stopwatch")
    fixture.advance(by: .seconds(5))
    #expect(fixture.lines[3].contains(" 0:05 "))
    fixture.type("u")
    #expect(fixture.lines[3].contains("2:55"))
  }
}
