import Dispatch
import Testing

@testable import TimerKit

/// Behavior specific to real queues.
@Suite struct SystemDriverTests {
  private func driver(_ queue: DispatchQueue?) -> AlarmDriver {
    TimerClock.suspending.timeSource.driver(for: queue)
  }

  /// A wake is bounded: drains that it has no time for run in the next one.
  @Test func aDrainThatExceedsAWakeRunsInTheNext() throws {
    let queue = DispatchQueue(label: "busy")
    let done = DispatchSemaphore(value: 0)
    let requested = try Repeater(interval: .days(1), queue: queue) { _, _ in done.signal() }
    let slow = try Repeater(interval: .days(1), queue: queue) { _, _ in
      requested.fire()
      stayBusy(for: .milliseconds(5))
    }
    slow.fire()
    #expect(done.wait(timeout: .now() + .seconds(60)) == .success)
  }

  /// A wake-up for a drain has read the clock for the last time when the source fires on another thread, which begins no
  /// wake-up of its own. (In a debug build, the timer of the drain is released after the clock was read.)
  @Test func anAlarmAtTheEndOfAWakeUpIsNotLost() throws {
    final class SlowRelease: Sendable { deinit { stayBusy(for: .milliseconds(200)) } }
    // The tests run in the threads of another class, which Dispatch limits in number.
    let queue = DispatchQueue(
      label: "concurrent", qos: .userInteractive, attributes: .concurrent)
    let (released, fired) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let drained = Guarded<Repeater?>(nil)
    let timer = try Repeater.once(after: .milliseconds(100), queue: queue) { _, _ in
      fired.signal()
    }
    try drained.withLock {
      $0 = try Repeater(interval: .days(1), queue: queue) { [slow = SlowRelease()] _, _ in
        withExtendedLifetime(slow) {}
        released.wait()
        _ = drained.withLock { $0.take() }
      }
    }
    drained.withLock { $0 }?.fire()
    released.signal()
    #expect(fired.wait(timeout: .now() + .seconds(60)) == .success)
    timer.cancel()
  }

  @Test func eachQueueHasOneDriver() {
    let (first, second) = (DispatchQueue(label: "1"), DispatchQueue(label: "2"))
    let drivers = [first, second, .main, .global(), nil].map(driver)
    #expect(Set(drivers.map(ObjectIdentifier.init)).count == 5)
    let again = [first, second, .main, .global(), nil].map(driver)
    #expect(again.map(ObjectIdentifier.init) == drivers.map(ObjectIdentifier.init))
  }

  /// The first uses of a queue by several threads find one driver.
  @Test func theThreadsThatUseAQueueFirstHaveOneDriver() {
    for _ in 0..<200 {
      let queue = DispatchQueue(label: "shared")
      let drivers = Recorder<AlarmDriver>()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in drivers.append(driver(queue)) }
      #expect(Set(drivers.all.map(ObjectIdentifier.init)).count == 1)
    }
  }

  @Test func handlersRunOnTheQueue() async throws {
    let key = DispatchSpecificKey<Int>()
    let queue = DispatchQueue(label: "handlers")
    queue.setSpecific(key: key, value: 7)
    let (values, continuation) = AsyncStream.makeStream(of: Int?.self)
    let timer = try Repeater(interval: .microseconds(100), mode: .finite(3), queue: queue) {
      _, tick in
      continuation.yield(DispatchQueue.getSpecific(key: key))
      if tick.isLast { continuation.finish() }
    }
    timer.start()
    timer.fire()
    for await value in values { #expect(value == 7) }
  }

  /// A driver's first action is a drain, and an alarm set in it must find a source.
  @Test func anAlarmArmedInTheFirstDrainFires() async throws {
    let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    let queue = DispatchQueue(label: "first drain")
    let timer = try Repeater(interval: .milliseconds(1), queue: queue) { timer, tick in
      if tick.isManual { timer.start() } else { timer.cancel() }
      continuation.yield(tick)
      if !tick.isManual { continuation.finish() }
    }
    timer.fire()
    var manual: [Bool] = []
    for await tick in ticks { manual.append(tick.isManual) }
    #expect(manual == [true, false])
  }

  @Test func ticksOfASuspendedQueueAreMergedIntoOne() async throws {
    let queue = DispatchQueue(label: "suspended")
    let ticks = Recorder<Repeater.Tick>()
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    queue.suspend()
    let timer = try Repeater(interval: .microseconds(10), queue: queue) { timer, tick in
      ticks.append(tick)
      timer.cancel()
      continuation.finish()
    }
    timer.start()
    stayBusy(for: .milliseconds(2))
    #expect(ticks.count == 0)
    queue.resume()
    for await _ in done {}
    #expect(ticks.count == 1)
    #expect(ticks.all[0].missedCount >= 198)
    #expect(ticks.all[0].lateness >= .microseconds(1980))
  }

  @Test func aControlWhileTheQueueIsSuspendedMakesTheFireStale() async throws {
    let queue = DispatchQueue(label: "superseded")
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let timer = try Repeater(interval: .nanoseconds(1), mode: .once, queue: queue) { _, _ in
      continuation.yield("handler")
    }
    timer.observe { _, event in
      continuation.yield(event.name)
      if case .stale = event { continuation.finish() }
    }
    queue.suspend()
    timer.start()
    let start = TimerClock.suspending.now
    while TimerClock.suspending.now == start {}
    timer.setInterval(.days(1))
    queue.resume()
    var names: [String] = []
    for await name in events { names.append(name) }
    #expect(names.filter { $0 != "state" } == ["stale"])
    #expect(timer.snapshot.deliveredCount == 0)
  }

  /// A timer that is always due must let the queue run other blocks, its drains and its controls.
  @Test func aTinyIntervalDoesNotStarveTheQueue() async throws {
    let queue = DispatchQueue(label: "tiny")
    let manual = Recorder<Int>()
    let timer = try Repeater(interval: .nanoseconds(1), queue: queue) { _, tick in
      if tick.isManual { manual.append(1) }
    }
    timer.start()
    for _ in 0..<20 {
      timer.fire()
      await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
    timer.cancel()
    queue.sync {}
    #expect(manual.count > 0)
    #expect(timer.snapshot.deliveredCount > 20)
  }

  /// Every tick is delivered exactly once or counted as missed by the tick it was merged into, although
  /// the queue is overloaded.
  @Test func aTimerOfFiveMicrosecondsUnderLoadAccountsForEveryTick() async throws {
    let queue = DispatchQueue(label: "five")
    let ticks = Recorder<Repeater.Tick>()
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater(interval: .microseconds(5), queue: queue) { timer, tick in
      ticks.append(tick)
      guard ticks.count == 1_000 else { return }
      timer.cancel()
      continuation.finish()
    }
    timer.start()
    for _ in 0..<100 {
      queue.async {
        stayBusy(for: .microseconds(50))
      }
    }
    for await _ in done {}
    let all = ticks.all
    #expect(all.map(\.iteration) == Array(1...1_000))
    for (tick, next) in zip(all, all.dropFirst()) {
      #expect(
        next.deadline == tick.deadline.advanced(by: .microseconds(5 * (tick.missedCount + 1))))
      #expect(tick.lateness >= .zero)
    }
    #expect(timer.snapshot.missedCount == all.map(\.missedCount).reduce(0, +))
  }

  @Test func aSlowHandlerDelaysOtherTimersWhichReportTheirLateness() async throws {
    let queue = DispatchQueue(label: "slow")
    let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    queue.suspend()
    let slow = try Repeater.once(after: .milliseconds(1), queue: queue) { _, _ in
      stayBusy(for: .milliseconds(5))
    }
    let neighbour = try Repeater(interval: .milliseconds(1), queue: queue) { timer, tick in
      timer.cancel()
      continuation.yield(tick)
      continuation.finish()
    }
    neighbour.start()
    queue.resume()
    for await tick in ticks {
      #expect(tick.lateness >= .milliseconds(4))
      #expect(tick.missedCount >= 4)
    }
    withExtendedLifetime(slow) {}
  }

  /// Slightly more than 2³¹ nanoseconds, in real time.
  @Test func aTimerOfMoreThanTwoSecondsFiresOnceAndOnTime() async throws {
    let (ticks, continuation) = AsyncStream.makeStream(of: Repeater.Tick.self)
    let timer = try Repeater.once(after: .nanoseconds(1 << 31)) { _, tick in
      continuation.yield(tick)
      continuation.finish()
    }
    let start = TimerClock.suspending.now
    var count = 0
    for await _ in ticks { count += 1 }
    #expect(count == 1)
    #expect(start.duration(to: TimerClock.suspending.now) > .milliseconds(2147))
    withExtendedLifetime(timer) {}
  }

  /// After a millisecond of handlers, what else is on the queue has its turn.
  @Test func timersThatAreDueTogetherLetTheirQueueDoOtherWork() async throws {
    let queue = DispatchQueue(label: "shared")
    let (fires, continuation) = AsyncStream.makeStream(of: Int.self)
    queue.suspend()
    let timers = try (0..<10).map { number in
      try Repeater.once(after: .zero, queue: queue) { _, _ in
        if number == 0 { queue.async { continuation.yield(-1) } }
        continuation.yield(number)
        let began = TimerClock.suspending.now
        while began.duration(to: TimerClock.suspending.now) < .milliseconds(2) {}
        if number == 9 { queue.async { continuation.finish() } }
      }
    }
    queue.resume()
    var order: [Int] = []
    for await number in fires { order.append(number) }
    #expect(order == [0, -1] + Array(1..<10))
    withExtendedLifetime(timers) {}
  }

  @Test func cancelAndWaitInItsOwnHandlerTraps() async {
    await #expect(processExitsWith: .failure) {
      let clock = VirtualClock()
      let timer = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { timer, _ in
        timer.cancelAndWait()
      }
      timer.fire()
    }
    await #expect(processExitsWith: .failure) {
      let clock = VirtualClock()
      let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { timer, _ in
        timer.cancelAndWait()
      }
      clock.advance(by: .seconds(1))
      withExtendedLifetime(timer) {}
    }
  }

  /// No handler is running there.
  @Test func cancelAndWaitOnTheTimersQueueReturns() async throws {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "own")
      let timer = try Repeater.every(.seconds(1), queue: queue) { _, _ in }
      queue.sync { timer.cancelAndWait() }
      // All timers without a queue share one.
      let idle = try Repeater.every(.seconds(1)) { _, _ in }
      let (done, continuation) = AsyncStream.makeStream(of: Void.self)
      let other = try Repeater.once(after: .zero) { _, _ in
        idle.cancelAndWait()
        continuation.finish()
      }
      for await _ in done {}
      withExtendedLifetime(other) {}
    }
  }
}
