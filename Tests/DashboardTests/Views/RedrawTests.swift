import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Redraws without input or events.
@Suite struct RedrawTests {
  /// The frame is the same until `nextRedraw`: a redraw is never late.
  @Test(
    arguments: [
      (1, DisplayOptions()), (2, DisplayOptions(showsTenths: true)),
      (3, DisplayOptions(showsClock: false)), (4, DisplayOptions(isASCII: true, hasColor: false)),
      (5, DisplayOptions(uses24Hours: false, showsTenths: true, showsClock: false)),
    ] as [(UInt64, DisplayOptions)])
  func theFrameIsTheSameUntilTheNextRedraw(
    _ seed: UInt64, _ options: DisplayOptions
  ) throws {
    var run = try RandomRun(seed: seed, options: options)
    for step in 0..<200 {
      run.step()
      let now = run.fixture.now
      let dashboard = run.fixture.dashboard
      let frame = dashboard.frame(at: now).canvas
      let redraw = dashboard.frame(at: now).nextRedraw
      for _ in 0..<3 {
        let then = run.randomTime(after: now, before: redraw)
        let later = dashboard.frame(at: then).canvas
        let isSame = later == frame
        #expect(
          isSame,
          """
          step \(step): changed at \(then.suspending), redraw at \(redraw as Any)
          \(frame.snapshotText)
          \(later.snapshotText)
          """)
      }
      #expect(redraw.map { $0 > now.suspending } ?? true)
    }
  }

  /// Returns the start of the next cell at which the timeline looks different; `nil` if it looks the same for 2,000
  /// cells.
  private static func nextTimelineChange(of fixture: Fixture) -> TimerClock.Instant? {
    let dashboard = fixture.dashboard
    let frame = fixture.frame
    let now = fixture.now.suspending
    let cellDuration = dashboard.timeline.cellDuration
    let current = LaneStrip.cellNumber(at: now.nanoseconds, cellDuration: cellDuration)
    let starts = (Int64(1)...2_000).lazy.map { number in
      now.advanced(by: .nanoseconds((current + number) * cellDuration - now.nanoseconds))
    }
    return starts.first { dashboard.frame(at: fixture.moment(at: $0)).canvas != frame }
  }

  /// The visible part of the timeline is between the next fire and the one after it, or in the next phase.
  @Test(arguments: ["poll=every 10m", "work=cycle 10m/5m"])
  func aFutureFireOrPhaseThatEntersTheTimelineIsDrawn(_ line: String) throws {
    let fixture = try Fixture(
      line, width: 50, height: 3, options: DisplayOptions(showsClock: false))
    fixture.type("3")
    fixture.dashboard.timeline.fit(nil, into: 1)
    fixture.dashboard.timeline.scroll(to: -630)
    let change = try #require(Self.nextTimelineChange(of: fixture))
    let redraw = try #require(fixture.dashboard.frame(at: fixture.now).nextRedraw)
    #expect(redraw <= change)
  }

  /// The visible part of the timeline is between two missed fires, or is full of them.
  @Test(arguments: [
    ("poll=every 10m", 50, 0, 1_200...1_200), ("poll=every 3100ms", 20, 1, 300...335),
  ])
  func aMissedFireThatEntersTheTimelineIsDrawn(
    _ line: String, _ width: Int, _ zoom: Int, _ offsets: ClosedRange<Int>
  ) throws {
    let fixture = try Fixture(
      line, width: width, height: 3, options: DisplayOptions(showsClock: false))
    fixture.advance(by: .seconds(100))
    fixture.sleep(for: .hours(1))
    fixture.advance(by: .seconds(10))
    fixture.type("3")
    fixture.dashboard.timeline.fit(nil, into: 1)
    fixture.dashboard.timeline.zoom(by: zoom)
    for offset in offsets {
      fixture.dashboard.timeline.scroll(to: offset)
      let change = try #require(Self.nextTimelineChange(of: fixture))
      let redraw = try #require(fixture.dashboard.frame(at: fixture.now).nextRedraw)
      #expect(redraw <= change, "scrolled by \(offset)")
    }
  }

  @Test func aCursorThatEntersTheTimelineIsDrawn() throws {
    let fixture = try Fixture(
      "slow=1h paused", width: 50, height: 3, options: DisplayOptions(showsClock: false))
    fixture.type("3")
    for _ in 0..<40 { fixture.press(.right) }
    let change = try #require(Self.nextTimelineChange(of: fixture))
    let redraw = try #require(fixture.dashboard.frame(at: fixture.now).nextRedraw)
    #expect(redraw <= change)
  }

  /// The symbols of an endless stopwatch do not remain after it becomes another timer.
  @Test func anOverdueTimerThatWasAStopwatchNeedsNoRedraw() throws {
    let fixture = try Fixture("race=stopwatch", options: DisplayOptions(showsClock: false))
    fixture.type("e")
    fixture.press(.control("u"))
    fixture.type("tea=3s")
    fixture.press(.enter)
    fixture.press(.escape)
    let overdue = fixture.moment(at: fixture.now.suspending.advanced(by: .seconds(10)))
    #expect(fixture.dashboard.frame(at: overdue).nextRedraw == nil)
  }

  /// The text is cut right after `tomorrow`, which changes when the time of the fire passes midnight, and at midnight.
  @Test func theDayOfAFireInAPromptIsUpdated() throws {
    let fixture = try Fixture(width: 40, height: 5, options: DisplayOptions(showsClock: false))
    fixture.type("a27h50m")
    // From 14:29:00 to 20:10:00, from 23:59:59 to midnight, and to 20:10:00.
    for (time, text) in [
      (20_460, "fires Fri 00:00:00"), (13_800, "fires tomorrow…"), (72_600, "fires Sat 00:00:00"),
    ] {
      fixture.advance(by: .seconds(time - 1))
      #expect(!fixture.lines.contains { $0.contains(text) })
      let redraw = try #require(fixture.dashboard.frame(at: fixture.now).nextRedraw)
      #expect(fixture.now.suspending.duration(to: redraw) == .seconds(1))
      fixture.advance(by: .seconds(1))
      #expect(fixture.lines.contains { $0.contains(text) }, "\(fixture.lines)")
    }
  }

  @Test func oneTimerNeedsOneFrameASecond() throws {
    let fixture = try Fixture("tea=1h", options: DisplayOptions(showsClock: false))
    var frames = 0
    var last = fixture.frame
    let end = fixture.now.suspending.advanced(by: .seconds(60))
    while let redraw = fixture.dashboard.frame(at: fixture.now).nextRedraw, redraw <= end {
      fixture.advance(by: fixture.now.suspending.duration(to: redraw))
      #expect(fixture.frame != last)
      last = fixture.frame
      frames += 1
    }
    #expect(frames == 60)
  }

  /// Whatever their deadlines are, the rows change together.
  @Test(arguments: [(false, 10), (true, 100)])
  func fiftyTimersChangeOnOneGrid(_ showsTenths: Bool, _ expected: Int) throws {
    let fixture = try Fixture(
      height: 60, options: DisplayOptions(showsTenths: showsTenths, showsClock: false))
    for _ in 0..<50 {
      fixture.type("a1h")
      fixture.press(.enter)
      fixture.advance(by: .milliseconds(137))
    }
    let end = fixture.now.suspending.advanced(by: .seconds(10))
    var frames = 0
    while let redraw = fixture.dashboard.frame(at: fixture.now).nextRedraw, redraw <= end {
      fixture.advance(by: fixture.now.suspending.duration(to: redraw))
      frames += 1
    }
    #expect(frames == expected)
  }

  @Test func pausedTimersNeedOneRedrawAMinute() throws {
    let fixture = try Fixture("tea=3m poll=every 10s")
    fixture.advance(by: .seconds(20))
    fixture.type("P")
    // The time of day changes, then that at which the timer would end.
    for (seconds, clock, end) in [
      (40, "14:30", "14:32"), (20, "14:30", "14:33"), (40, "14:31", "14:33"),
    ] {
      let next = fixture.now.suspending.advanced(by: .seconds(seconds))
      #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == next)
      fixture.advance(by: .seconds(seconds))
      #expect(
        fixture.lines[0].hasSuffix(clock) && fixture.lines[3].contains("would ring at \(end)"))
    }
  }

  /// The time since a timer was done is shown in minutes, and in days after the first one, also across a sleep.
  @Test(arguments: ["", "w", "2"]) func aFinishedTimerNeedsOneRedrawAMinute(_ keys: String) throws {
    let fixture = try Fixture(
      "egg=4s", width: 100, height: 24, options: DisplayOptions(showsClock: false))
    fixture.type(keys)
    fixture.advance(by: .seconds(10))
    fixture.acknowledge()
    for (pass, text, left) in [
      (Duration.zero, "done just now", Duration.seconds(54)),
      (.seconds(54), "done 1m ago", .seconds(60)),
      (.hours(2), "done 2h1m ago", .seconds(60)),
      (.days(2), "done 2d ago", .hours(24 - 2) - .seconds(60)),
    ] {
      fixture.advance(by: pass)
      #expect(fixture.lines.contains { $0.contains(text) }, "\(fixture.frame.text)")
      let redraw = try #require(fixture.dashboard.frame(at: fixture.now).nextRedraw)
      #expect(fixture.now.suspending.duration(to: redraw) == left)
    }
    fixture.sleep(for: .days(3))
    #expect(fixture.lines.contains { $0.contains("done 5d ago") })
  }

  @Test func pausedTimersWithoutTheClockNeedNoRedraw() throws {
    let fixture = try Fixture("tea=3m paused", options: DisplayOptions(showsClock: false))
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
    // A screen that is too low for the header has no clock either.
    let low = try Fixture("tea=3m paused", height: 3)
    #expect(low.dashboard.frame(at: low.now).nextRedraw == nil)
  }

  @Test func hiddenRowsNeedNoRedraw() throws {
    let fixture = try Fixture("a=1h paused b=1h paused tea=3m", height: 2)
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw == nil)
    fixture.press(.end)
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .seconds(1)))
    fixture.send(.resized(Size(width: 80, height: 24)))
    fixture.press(.character("?"))
    // The header shows the time of day.
    #expect(
      fixture.dashboard.frame(at: fixture.now).nextRedraw
        == fixture.now.suspending.advanced(by: .seconds(60)))
  }
}
