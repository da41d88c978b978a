import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// When the picture changes by itself.
@Suite struct StaleTests {
  /// Up to that moment it stands still, and at that moment it does not.
  @Test(
    arguments: [
      (1, DisplayOptions()), (2, DisplayOptions(showsTenths: true)),
      (3, DisplayOptions(showsClock: false)), (4, DisplayOptions(isASCII: true, hasColor: false)),
      (5, DisplayOptions(uses24Hours: false, showsTenths: true, showsClock: false)),
    ] as [(UInt64, DisplayOptions)])
  func thePictureStandsStillUntilThenAndChangesThen(
    _ seed: UInt64, _ options: DisplayOptions
  ) throws {
    var play = try RandomPlay(seed: seed, options: options)
    for step in 0..<400 {
      play.step()
      let now = play.stage.now
      let dashboard = play.stage.dashboard
      let frame = dashboard.frame(at: now).canvas
      let stale = dashboard.frame(at: now).nextRedraw
      for _ in 0..<3 {
        let then = play.moment(after: now, before: stale)
        let later = dashboard.frame(at: then).canvas
        let isSame = later == frame
        #expect(
          isSame,
          """
          step \(step): changed at \(then.uptime), stale at \(stale as Any)
          \(frame.picture)
          \(later.picture)
          """)
      }
      if let stale {
        #expect(stale > now.uptime)
        let hasChanged = dashboard.frame(at: play.stage.moment(at: stale)).canvas != frame
        #expect(hasChanged, "step \(step): the same at \(stale), \(now.uptime)\n\(frame.picture)")
      }
    }
  }

  /// What a stopwatch has, and has no end, is not there any more.
  @Test func aStopwatchThatBecameAnotherTimerStandsStillWhenThatIsOverdue() throws {
    let stage = try Stage("race=stopwatch", options: DisplayOptions(showsClock: false))
    stage.type("e")
    stage.press(.control("u"))
    stage.type("tea=3s")
    stage.press(.enter)
    stage.press(.escape)
    let overdue = stage.moment(at: stage.clock.now.advanced(by: .seconds(10)))
    #expect(stage.dashboard.frame(at: overdue).nextRedraw == nil)
  }

  @Test func oneTimerIsOneFrameASecond() throws {
    let stage = try Stage("tea=1h", options: DisplayOptions(showsClock: false))
    var frames = 0
    var last = stage.frame
    let end = stage.clock.now.advanced(by: .seconds(60))
    while let stale = stage.dashboard.frame(at: stage.now).nextRedraw, stale <= end {
      stage.advance(by: stage.clock.now.duration(to: stale))
      #expect(stage.frame != last)
      last = stage.frame
      frames += 1
    }
    #expect(frames == 60)
  }

  /// No timer of ours says so; but to look for the moment cell by cell would take as good as for ever.
  @Test func aStopwatchThatBeginsInAYearStandsStillTillThen() throws {
    let stage = try Stage("race=stopwatch", options: DisplayOptions(showsClock: false))
    let begin = stage.clock.now.advanced(by: .hours(24 * 365))
    let snapshot = Stopwatch.Snapshot(state: .running, origin: begin)
    stage.apply(.timer(TimerID(1), .changed, .stopwatch(snapshot)))
    let stale = try #require(stage.dashboard.frame(at: stage.now).nextRedraw)
    #expect(stale > begin && stale <= begin.advanced(by: .seconds(1)))
  }

  /// However their deadlines lie, the rows move together.
  @Test(arguments: [(false, 10), (true, 100)])
  func fiftyTimersMoveOnOneGrid(_ showsTenths: Bool, _ expected: Int) throws {
    let stage = try Stage(
      height: 60, options: DisplayOptions(showsTenths: showsTenths, showsClock: false))
    for _ in 0..<50 {
      stage.type("a1h")
      stage.press(.enter)
      stage.advance(by: .milliseconds(137))
    }
    let end = stage.clock.now.advanced(by: .seconds(10))
    var frames = 0
    while let stale = stage.dashboard.frame(at: stage.now).nextRedraw, stale <= end {
      stage.advance(by: stage.clock.now.duration(to: stale))
      frames += 1
    }
    #expect(frames == expected)
  }

  @Test func withEverythingPausedOnlyTheMinuteMoves() throws {
    let stage = try Stage("tea=3m poll=every 10s")
    stage.advance(by: .seconds(20))
    stage.type("P")
    stage.advance(by: BoardTimer.executingTime)
    #expect(
      stage.dashboard.frame(at: stage.now).nextRedraw
        == stage.clock.now.advanced(by: .milliseconds(39_850)))
    stage.advance(by: .milliseconds(39_850))
    #expect(stage.lines[0].hasSuffix("14:30"))
    #expect(
      stage.dashboard.frame(at: stage.now).nextRedraw == stage.clock.now.advanced(by: .seconds(60)))
  }

  @Test func withoutTheClockNothingMoves() throws {
    let stage = try Stage("tea=3m paused", options: DisplayOptions(showsClock: false))
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
    // A screen too low for the header has no clock either.
    let low = try Stage("tea=3m paused", height: 3)
    #expect(low.dashboard.frame(at: low.now).nextRedraw == nil)
  }

  @Test func whatIsNotSeenDoesNotMove() throws {
    let stage = try Stage("a=1h paused b=1h paused tea=3m", height: 2)
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw == nil)
    stage.press(.end)
    #expect(
      stage.dashboard.frame(at: stage.now).nextRedraw == stage.clock.now.advanced(by: .seconds(1)))
    stage.send(.resized(Size(width: 80, height: 24)))
    stage.press(.character("?"))
    // The header tells what rings next.
    #expect(
      stage.dashboard.frame(at: stage.now).nextRedraw == stage.clock.now.advanced(by: .seconds(1)))
  }
}
