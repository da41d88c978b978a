import Dispatch
import Testing
import TimerKit

/// The right-hand sides of "Coming from other timers": they compile and behave like the left-hand
/// sides.
@Suite struct MigrationExamples {
  let clock = VirtualClock()
  let log = Log()

  @Test func fromRepeat() throws {
    let once = try Repeater.once(after: .seconds(5), clock: .virtual(clock)) { [log] _, _ in
      log.add("once")
    }
    let timer = try Repeater.every(.seconds(10), count: 5, clock: .virtual(clock)) { _, _ in }
    let token = timer.observe { [log] _, event in
      if case .delivery = event { log.add("observed") }
    }
    timer.onStateChanged = { [log] _, _, new in if new == .paused { log.add("paused") } }
    clock.advance(by: .seconds(10))
    timer.fire(pausing: true)
    #expect(timer.removeObserver(token))
    timer.restart(every: .seconds(1))
    clock.advance(by: .seconds(2))
    #expect(timer.snapshot.remainingIterations == 3)
    timer.removeAllObservers(pausing: true)
    #expect(timer.state == .paused)
    #expect(log.lines == ["once", "observed", "paused", "observed"])
    #expect(once.state == .finished)

    let debouncer = try Debouncer<Void>(delay: .seconds(1), clock: .virtual(clock)) { _, _ in }
    debouncer.call()
    let throttler = try Throttler<Void>(
      interval: .seconds(1), mode: .deferred, clock: .virtual(clock)
    ) {
      _, _ in
    }
    throttler.call()
    #expect(debouncer.isPending && throttler.isPending)
  }

  @Test func fromSwiftTimer() throws {
    let timer = try Repeater(interval: .seconds(5), clock: .virtual(clock)) { _, _ in }
    timer.start()
    timer.setInterval(.seconds(1))
    timer.setHandler { [log] _, _ in log.add("new handler") }
    clock.advance(by: .seconds(1))
    timer.pause()
    #expect(log.lines == ["new handler"])

    let countdown = try Countdown(from: 10, every: .seconds(1), clock: .virtual(clock)) { _, left in
      #expect((0..<10).contains(left))
    }
    countdown.start()
    clock.advance(by: .seconds(10))
    #expect(countdown.state == .finished)

    let throttler = try KeyedThrottler<String, Void>(interval: .seconds(1), clock: .virtual(clock))
    {
      [log] _, key, _ in log.add(key)
    }
    throttler.call(for: "a")
    throttler.call(for: "b")
    throttler.call(for: "a")
    #expect(throttler.cancelPending(for: "a") == .changed)
    let debouncer = try KeyedDebouncer<String, Void>(delay: .seconds(1), clock: .virtual(clock)) {
      [log] _, key, _ in log.add(key)
    }
    debouncer.call(for: "c")
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["new handler", "a", "b", "c"])
  }

  /// The example of the article that introduced SwiftTimer: every second, a call with 1.5 s. As the article prints
  /// `throttle`, a call replaces the previous one, so that "should not pass" never passes.
  @Test func theThrottleOfSwiftTimersArticleIsADebounce() throws {
    let debouncer = try KeyedDebouncer<String, Void>(
      delay: .milliseconds(1_500), clock: .virtual(clock)
    ) { [log] _, key, _ in log.add("debounced \(key)") }
    let throttler = try KeyedThrottler<String, Void>(
      interval: .milliseconds(1_500), mode: .deferred, clock: .virtual(clock)
    ) { [log] _, key, _ in log.add("throttled \(key)") }
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in
      debouncer.call(for: "not pass")
      throttler.call(for: "not pass")
    }
    clock.advance(by: .seconds(10))
    #expect(log.lines == Array(repeating: "throttled not pass", count: 4))
    timer.cancel()
    clock.advance(by: .seconds(2))
    #expect(log.lines.last == "debounced not pass")
  }

  @Test func fromCwlDispatch() throws {
    let queue = DispatchQueue(label: "mutex and timer")
    let child = try Repeater.once(
      after: .seconds(10), clock: .virtual(clock), queue: queue
    ) { [log] timer, tick in if timer.isCurrent(tick) { log.add("deleted") } }
    clock.advance(by: .seconds(9))
    queue.sync { _ = child.restart(every: .seconds(10)) }
    clock.advance(by: .seconds(9))
    #expect(log.lines == [])
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["deleted"])

    let container = try TimeLimited("child", for: .seconds(10), clock: .virtual(clock))
    #expect(container.value == "child")
    try container.renew(for: .seconds(20))
    clock.advance(by: .seconds(20))
    #expect(container.value == nil)
  }

  /// The first tick at once, missed ticks in a burst, and `Interval::reset`.
  @Test func fromTokio() throws {
    let timer = try Repeater.every(
      .seconds(1), startingAfter: .zero, missedTicks: .burst(limit: 3), clock: .virtual(clock)
    ) { [log, clock] _, tick in
      log.add("\(tick.iteration)")
      // As a handler that takes three intervals.
      if tick.iteration == 2 { clock.advance(by: .seconds(3)) }
    }
    clock.advance(by: .zero)
    #expect(log.lines == ["1"])
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["1", "2", "3", "4", "5"])
    clock.advance(by: .milliseconds(500))
    timer.setInterval(.seconds(1))
    #expect(timer.timeLeft == .seconds(1))
  }

  /// A periodic `steady_timer`, and a stopped one.
  @Test func fromAsio() {
    let timer = DeadlineTimer(clock: .virtual(clock)) { [log] timer, deadline in
      log.add("due")
      timer.schedule(at: deadline.advanced(by: .seconds(1)))
    }
    timer.schedule(at: clock.now.advanced(by: .seconds(5)))
    clock.advance(by: .seconds(7))
    #expect(log.lines == ["due", "due", "due"])
    #expect(timer.unschedule() == .changed)
    clock.advance(by: .seconds(7))
    #expect(log.lines.count == 3)
  }

  @Test func fromSwiftClocks() async throws {
    let clock = VirtualClock()
    let count = await clock.run {
      async let count: Int = {
        var count = 0
        for await _ in try Repeater.ticks(every: .seconds(1), count: 5, clock: .virtual(clock)) {
          count += 1
        }
        return count
      }()
      await clock.advance(by: .seconds(1))
      #expect(clock.pendingCount == 1)
      #expect(await clock.advanceToEnd(within: .days(1)))
      return try? await count
    }
    #expect(count == 5)
  }

  @Test func fromMABGTimer() {
    final class Owner: Sendable {}
    let owner = Owner()
    let timer = BackgroundTimer(for: owner, behavior: .coalesce, clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { [log] _ in log.add("work") }
    timer.setQueue(DispatchQueue(label: "another"))
    timer.performExclusively { [log] in log.add("locked") }
    clock.advance(by: .seconds(1))
    timer.perform(after: .seconds(1)) { [log] _ in log.add("cancelled") }
    #expect(timer.cancelPending() == .changed)
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["locked", "work"])
  }

  @Test func fromFoundation() throws {
    let timer = try Repeater.every(
      .seconds(5), tolerance: .milliseconds(500), clock: .virtual(clock), queue: .main
    ) { [log] _, _ in log.add("tick") }
    timer.adjustTimeLeft(by: .seconds(3))
    clock.advance(by: .seconds(8))
    timer.fire()
    timer.cancel()
    #expect(timer.state == .cancelled)
    #expect(log.lines == ["tick", "tick"])
    let wall = VirtualClock(.wall)
    let newYear = try Repeater(
      schedule: .at(year: 2027, month: 1, day: 1, hour: 0), clock: .virtual(wall)
    ) {
      _, _ in
    }
    newYear.start()
    #expect(newYear.snapshot.deadline != nil)
  }

  @Test func fromDispatch() throws {
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { [log] _, tick in
      log.add("missed \(tick.missedCount)")
    }
    timer.start()
    timer.adjustTimeLeft(by: .seconds(4))
    clock.advance(by: .seconds(5))
    #expect(log.lines == ["missed 0"])
    let deadline = DeadlineTimer { _, _ in }
    deadline.schedule(at: TimerClock.suspending.now.advanced(by: .seconds(5)))
    let onTheWall = try Repeater(interval: .seconds(1), clock: .wall) { _, _ in }
    onTheWall.start()
    #expect(onTheWall.snapshot.clock == .wall)
  }
}
