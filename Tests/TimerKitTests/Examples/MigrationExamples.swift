import Dispatch
import Testing
import TimerKit

/// The right-hand sides of "Coming from other timers": they compile, and do what the left ones promise.
@Suite struct MigrationExamples {
  let timeline = VirtualClock()
  let log = Log()

  @Test func fromRepeat() throws {
    let once = try Repeater.once(after: .seconds(5), on: timeline) { [log] _, _ in log.add("once") }
    let timer = try Repeater.every(.seconds(10), count: 5, on: timeline) { _, _ in }
    let token = timer.observe { [log] _, event in
      if case .tick = event { log.add("observed") }
    }
    timer.onStateChanged = { [log] _, _, new in if new == .paused { log.add("paused") } }
    timeline.advance(by: .seconds(10))
    try timer.fire(andPause: true)
    #expect(timer.remove(token))
    try timer.reset(interval: .seconds(1), restart: true)
    timeline.advance(by: .seconds(2))
    #expect(timer.snapshot.remainingIterations == 3)
    timer.removeAllObservers(thenPause: true)
    #expect(timer.state == .paused)
    #expect(log.lines == ["once", "observed", "paused", "observed", "paused"])
    #expect(once.state == .finished)

    let debouncer = try Debouncer<Void>(delay: .seconds(1), on: timeline) { _, _ in }
    debouncer.call()
    let throttler = try Throttler<Void>(interval: .seconds(1), mode: .deferred, on: timeline) {
      _, _ in
    }
    throttler.call()
    #expect(debouncer.isPending && throttler.isPending)
  }

  @Test func fromSwiftTimer() throws {
    let timer = try Repeater(every: .seconds(5), on: timeline) { _, _ in }
    try timer.start()
    try timer.setInterval(.seconds(1))
    timer.setHandler { [log] _, _ in log.add("new handler") }
    timeline.advance(by: .seconds(1))
    try timer.pause()
    #expect(log.lines == ["new handler"])

    let countdown = try Countdown(from: 10, every: .seconds(1), on: timeline) { _, left in
      #expect((0..<10).contains(left))
    }
    try countdown.start()
    timeline.advance(by: .seconds(10))
    #expect(countdown.state == .finished)

    let throttler = try KeyedThrottler<String, Void>(interval: .seconds(1), on: timeline) {
      [log] _, key, _ in log.add(key)
    }
    throttler.call(for: "a")
    throttler.call(for: "b")
    throttler.call(for: "a")
    #expect(throttler.cancel(for: "a"))
    let debouncer = try KeyedDebouncer<String, Void>(delay: .seconds(1), on: timeline) {
      [log] _, key, _ in log.add(key)
    }
    debouncer.call(for: "c")
    timeline.advance(by: .seconds(1))
    #expect(log.lines == ["new handler", "a", "b", "c"])
  }

  @Test func fromMABGTimer() {
    final class Owner: Sendable {}
    let owner = Owner()
    let timer = BackgroundTimer(for: owner, .coalesce, on: timeline)
    timer.after(.seconds(1)) { [log] _ in log.add("work") }
    timer.setQueue(DispatchQueue(label: "another"))
    timer.withLock { [log] in log.add("locked") }
    timeline.advance(by: .seconds(1))
    timer.after(.seconds(1)) { [log] _ in log.add("cancelled") }
    #expect(timer.cancel())
    timeline.advance(by: .seconds(1))
    #expect(log.lines == ["locked", "work"])
  }

  @Test func fromFoundation() throws {
    let timer = try Repeater.every(
      .seconds(5), tolerance: .milliseconds(500), on: timeline, queue: .main
    ) { [log] _, _ in log.add("tick") }
    try timer.adjustTimeLeft(by: .seconds(3))
    timeline.advance(by: .seconds(8))
    try timer.fire()
    timer.cancel()
    #expect(timer.state == .cancelled)
    #expect(log.lines == ["tick", "tick"])
    let wall = VirtualClock(kind: .wall)
    let newYear = try Repeater(on: .at(year: 2027, month: 1, day: 1, hour: 0), timeline: wall) {
      _, _ in
    }
    try newYear.start()
    #expect(newYear.snapshot.deadline != nil)
  }

  @Test func fromDispatch() throws {
    let timer = try Repeater(every: .seconds(1), on: timeline) { [log] _, tick in
      log.add("missed \(tick.missed)")
    }
    try timer.start()
    try timer.adjustTimeLeft(by: .seconds(4))
    timeline.advance(by: .seconds(5))
    #expect(log.lines == ["missed 0"])
    let alarm = DeadlineTimer { _, _ in }
    alarm.schedule(at: TimerClock.suspending.now.advanced(by: .seconds(5)))
    let onTheWall = try Repeater(every: .seconds(1), on: TimerClock.wall) { _, _ in }
    try onTheWall.start()
    #expect(onTheWall.snapshot.clock == .wall)
  }
}
