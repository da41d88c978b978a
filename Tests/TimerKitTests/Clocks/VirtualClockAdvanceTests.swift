import Dispatch
import Testing

@testable import TimerKit

@Suite struct VirtualTimelineTests {
  @Test func timeMovesOnlyWhenToldTo() {
    let timeline = VirtualClock(
      startingAt: TimerClock.Instant(nanoseconds: 50), wall: TimerClock.Instant(nanoseconds: 1_000))
    #expect(timeline.now == TimerClock.Instant(nanoseconds: 50))
    #expect(timeline.wallNow == TimerClock.Instant(nanoseconds: 1_000))
    timeline.advance(by: .nanoseconds(7))
    timeline.advance(by: .nanoseconds(-7))
    #expect(timeline.now == TimerClock.Instant(nanoseconds: 57))
    #expect(timeline.wallNow == TimerClock.Instant(nanoseconds: 1_007))
    #expect(timeline.kind == .uptime)
    timeline.advance(by: .seconds(Int64.max))
    #expect(timeline.now == .distantFuture)
  }

  @Test func handlersSeeTheTimeOfTheirDeadline() throws {
    let timeline = VirtualClock()
    let times = Recorder<Int64>()
    let timer = try Repeater(every: .nanoseconds(3), on: timeline) { _, _ in
      times.append(timeline.now.nanoseconds)
    }
    try timer.start()
    timeline.advance(by: .nanoseconds(10))
    #expect(times.all == [3, 6, 9])
    #expect(timeline.now.nanoseconds == 10)
  }

  @Test func advanceRunsWhatIsArmedOnTheWay() throws {
    let timeline = VirtualClock()
    let log = Recorder<String>()
    let second = try Repeater(every: .nanoseconds(2), mode: .once, on: timeline) { _, _ in
      log.append("second at \(timeline.now.nanoseconds)")
    }
    let first = try Repeater(every: .nanoseconds(5), mode: .once, on: timeline) { _, _ in
      log.append("first at \(timeline.now.nanoseconds)")
      _ = try? second.start()
    }
    try first.start()
    timeline.advance(by: .nanoseconds(100))
    #expect(log.all == ["first at 5", "second at 7"])
  }

  @Test func advanceInAHandlerOnlyMovesTheTime() throws {
    let timeline = VirtualClock()
    let log = Recorder<String>()
    let slow = try Repeater(every: .nanoseconds(10), mode: .once, on: timeline) { _, _ in
      log.append("in")
      timeline.advance(by: .nanoseconds(100))
      log.append("out at \(timeline.now.nanoseconds)")
    }
    let other = try Repeater(every: .nanoseconds(15), mode: .once, on: timeline) { _, tick in
      log.append("other \(tick.lateness)")
    }
    try slow.start()
    try other.start()
    timeline.advance(by: .nanoseconds(20))
    #expect(log.all == ["in", "out at 110", "other \(Duration.nanoseconds(95))"])
    #expect(timeline.now.nanoseconds == 110)
  }

  @Test func queuedFiresRunInTheirPlaceAmongAlarms() throws {
    let timeline = VirtualClock()
    let log = Recorder<String>()
    let fired = try Repeater(every: .seconds(1), on: timeline) { _, _ in log.append("fired") }
    let names = ["a", "b"]
    let timers = try names.map { name in
      try Repeater(every: .nanoseconds(10), mode: .once, on: timeline) { _, _ in
        log.append(name)
        _ = try? fired.fire()
      }
    }
    for timer in timers { try timer.start() }
    timeline.advance(by: .nanoseconds(10))
    // `fired` was made first: where the times are equal it comes first.
    #expect(log.all == ["a", "fired", "b", "fired"])
    withExtendedLifetime(timers) {}
  }

  @Test func whatIsToldOutsideOfAdvanceIsToldBeforeTheControlReturns() throws {
    let timeline = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater(every: .nanoseconds(10), on: timeline) { _, _ in log.append("tick") }
    timer.onStateChanged = { log.append("\($2)") }
    try timer.start()
    #expect(log.all == ["running"])
    try timer.fire(andPause: true)
    #expect(log.all == ["running", "paused", "executing", "tick", "paused"])
  }

  /// A timer that is due now waits for the time to be advanced, if only by nothing.
  @Test func alarmsRunInAdvanceOnly() throws {
    let timeline = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater(every: .nanoseconds(10), on: timeline) { _, _ in log.append("tick") }
    timer.onStateChanged = { log.append("\($2)") }
    try timer.start()
    try timer.adjustTimeLeft(by: .nanoseconds(-10))
    try timer.pause()
    try timer.start()
    #expect(!log.all.contains("tick"))
    timeline.advance(by: .zero)
    #expect(log.all.filter { $0 == "tick" }.count == 1)
  }

  @Test func whoAlreadyAdvancesRunsWhatAnotherThreadMakesDue() throws {
    let timeline = VirtualClock()
    let count = Recorder<Int>()
    let timer = try Repeater(every: .nanoseconds(10), on: timeline) { _, _ in count.append(1) }
    try timer.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 { timeline.advance(by: .nanoseconds(10)) }
    }
    timeline.advance(by: .zero)
    #expect(timeline.now.nanoseconds == 8_000)
    let snapshot = timer.snapshot
    #expect(snapshot.deliveredCount + snapshot.missedCount == 800)
  }
}
