import Dispatch
import Testing

@testable import TimerKit

@Suite struct VirtualClockAdvanceTests {
  @Test func timeMovesOnlyWhenAdvanced() {
    let clock = VirtualClock(
      startingAt: .nanoseconds(50), wall: WallInstant(nanosecondsSince1970: 1_000))
    #expect(clock.now.nanoseconds == 50)
    #expect(clock.wallNow == WallInstant(nanosecondsSince1970: 1_000))
    clock.advance(by: .nanoseconds(7))
    clock.advance(by: .nanoseconds(-7))
    #expect(clock.now.nanoseconds == 57)
    #expect(clock.wallNow == WallInstant(nanosecondsSince1970: 1_007))
    #expect(clock.kind == .suspending)
    clock.advance(by: .seconds(Int64.max))
    #expect(clock.now.nanoseconds == .max)
  }

  @Test func handlersSeeTheTimeOfTheirDeadline() throws {
    let clock = VirtualClock()
    let times = Recorder<Int64>()
    let timer = try Repeater(interval: .nanoseconds(3), clock: .virtual(clock)) { _, _ in
      times.append(clock.now.nanoseconds)
    }
    timer.start()
    clock.advance(by: .nanoseconds(10))
    #expect(times.all == [3, 6, 9])
    #expect(clock.now.nanoseconds == 10)
  }

  @Test func advanceRunsAlarmsSetDuringTheAdvance() throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let second = try Repeater(interval: .nanoseconds(2), mode: .once, clock: .virtual(clock)) {
      _, _ in
      log.append("second at \(clock.now.nanoseconds)")
    }
    let first = try Repeater(interval: .nanoseconds(5), mode: .once, clock: .virtual(clock)) {
      _, _ in
      log.append("first at \(clock.now.nanoseconds)")
      second.start()
    }
    first.start()
    clock.advance(by: .nanoseconds(100))
    #expect(log.all == ["first at 5", "second at 7"])
  }

  @Test func advanceInAHandlerOnlyMovesTheTime() throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let slow = try Repeater(interval: .nanoseconds(10), mode: .once, clock: .virtual(clock)) {
      _, _ in
      log.append("in")
      clock.advance(by: .nanoseconds(100))
      log.append("out at \(clock.now.nanoseconds)")
    }
    let other = try Repeater(interval: .nanoseconds(15), mode: .once, clock: .virtual(clock)) {
      _, tick in
      log.append("other \(tick.lateness)")
    }
    slow.start()
    other.start()
    clock.advance(by: .nanoseconds(20))
    #expect(log.all == ["in", "out at 110", "other \(Duration.nanoseconds(95))"])
    #expect(clock.now.nanoseconds == 110)
  }

  @Test func queuedFiresRunInOrderWithAlarms() throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let fired = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { _, _ in
      log.append("fired")
    }
    let names = ["a", "b"]
    let timers = try names.map { name in
      try Repeater(interval: .nanoseconds(10), mode: .once, clock: .virtual(clock)) { _, _ in
        log.append(name)
        fired.fire()
      }
    }
    for timer in timers { timer.start() }
    clock.advance(by: .nanoseconds(10))
    // `fired` was created first, so it comes first when the times are equal.
    #expect(log.all == ["a", "fired", "b", "fired"])
    withExtendedLifetime(timers) {}
  }

  @Test func deliveriesOutsideAdvanceHappenBeforeTheControlReturns() throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater(interval: .nanoseconds(10), clock: .virtual(clock)) { _, _ in
      log.append("tick")
    }
    timer.onStateChanged = { log.append("\($2)") }
    timer.start()
    #expect(log.all == ["running"])
    timer.fire(pausing: true)
    #expect(log.all == ["running", "paused", "tick"])
  }

  /// A timer that is due now fires when the time is advanced, even by zero.
  @Test func alarmsRunInAdvanceOnly() throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater(interval: .nanoseconds(10), clock: .virtual(clock)) { _, _ in
      log.append("tick")
    }
    timer.onStateChanged = { log.append("\($2)") }
    timer.start()
    timer.adjustTimeLeft(by: .nanoseconds(-10))
    timer.pause()
    timer.start()
    #expect(!log.all.contains("tick"))
    clock.advance(by: .zero)
    #expect(log.all.filter { $0 == "tick" }.count == 1)
  }

  /// Each advance moves the time by its whole duration, also if another one is in the middle of its own.
  @Test func advancesOfTwoThreadsAddUp() throws {
    let clock = VirtualClock()
    let (isFiring, mayReturn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let timer = try Repeater.once(after: .nanoseconds(5), clock: .virtual(clock)) { _, _ in
      isFiring.signal()
      mayReturn.wait()
    }
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { clock.advance(by: .nanoseconds(10)) }
    isFiring.wait()
    clock.advance(by: .nanoseconds(10))
    #expect(clock.now.nanoseconds == 15)
    mayReturn.signal()
    group.wait()
    #expect(clock.now.nanoseconds == 20)
    #expect(timer.state == .finished)
  }

  @Test func anAdvanceInProgressRunsWhatAnotherThreadMakesDue() throws {
    let clock = VirtualClock()
    let count = Recorder<Int>()
    let timer = try Repeater(interval: .nanoseconds(10), clock: .virtual(clock)) { _, _ in
      count.append(1)
    }
    timer.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 { clock.advance(by: .nanoseconds(10)) }
    }
    clock.advance(by: .zero)
    #expect(clock.now.nanoseconds == 8_000)
    let snapshot = timer.snapshot
    #expect(snapshot.deliveredCount + snapshot.missedCount == 800)
  }
}
