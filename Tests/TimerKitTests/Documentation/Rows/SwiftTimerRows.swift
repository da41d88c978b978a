// Table: SwiftTimer
// Source: "打造一个优雅的Timer", the article of 100mango on SwiftTimer (2016), and Sources/SwiftTimer.swift of
// 100mango/SwiftTimer.

import Testing
import TimerKit

@Suite(.virtualTime) struct SwiftTimerRows {
  let system = VirtualSystem.current
  let work = Work()

  // Row: `SwiftTimer(interval: .seconds(2)) { timer in work() }`
  // Row: `timer.start()`, `timer.suspend()`
  @Test func aTimerThatFiresOnce() throws {
    let timer = try Repeater(interval: .seconds(2), mode: .once) { timer, tick in work() }
    system.advance(by: .seconds(5))
    timer.start()
    system.advance(by: .seconds(1))
    timer.pause()
    system.advance(by: .seconds(5))
    timer.start()
    system.advance(by: .seconds(5))
    #expect(work.times == [12])
  }

  // Row: `SwiftTimer.repeaticTimer(interval: .seconds(5)) { timer in work() }`
  // Row: `timer.rescheduleRepeating(interval: .seconds(1))`
  @Test func theIntervalOfARepeatingTimer() throws {
    let timer = try Repeater(interval: .seconds(5)) { timer, tick in work() }
    timer.start()
    system.advance(by: .seconds(7))
    timer.setInterval(.seconds(1))
    system.advance(by: .seconds(3))
    #expect(work.times == [5, 8, 9, 10])
  }

  /// A note below the table: in the article, that call makes it repeat; in the repository, it does nothing.
  @Test func aOneShotTimerStaysOne() throws {
    let timer = try Repeater.once(after: .seconds(5)) { _, _ in work() }
    timer.setInterval(.seconds(1))
    system.advance(by: .seconds(9))
    #expect(work.times == [1])
    #expect(timer.state == .finished)
  }

  // Row: `timer.fire()`
  @Test func aManualFireIsTheOneOfAOneShotTimer() throws {
    let repeating = try Repeater.every(.seconds(5)) { _, _ in work() }
    let once = try Repeater.once(after: .seconds(5)) { _, _ in work() }
    system.advance(by: .seconds(1))
    for timer in [repeating, once] { timer.fire() }
    system.advance(by: .seconds(5))
    #expect(work.times == [1, 1, 5])
  }

  // Row: `timer.rescheduleHandler { timer in work() }`
  @Test func anotherHandler() throws {
    let timer = try Repeater.every(.seconds(1)) { _, _ in }
    system.advance(by: .seconds(2))
    timer.setHandler { _, _ in work() }
    system.advance(by: .seconds(2))
    #expect(work.times == [3, 4])
  }

  // Row: `SwiftCountDownTimer(interval: .seconds(1), times: 10) { timer, left in work() }`
  @Test func aCountdown() throws {
    let numbers = Recorder<Int>()
    let countdown = try Countdown(from: 10, every: .seconds(1)) { countdown, remainingSteps in
      work()
    }
    countdown.observe { _, event in
      if case .delivery(let tick) = event { numbers.append(tick.remainingIterations ?? -1) }
    }
    countdown.start()
    system.advance(by: .seconds(20))
    #expect(work.times == (1...10).map(Double.init))
    #expect(numbers.all == (0...9).reversed())
  }

  // Row: `SwiftTimer(interval: .seconds(2), queue: .main) { timer in work() }`, which is its default queue
  @MainActor @Test func onTheMainQueue() throws {
    let timer = try Repeater(interval: .seconds(2), mode: .once, isolation: MainActor.shared) {
      timer, tick in work()
    }
    timer.start()
    system.advance(by: .seconds(2))
    #expect(work.times == [2])
  }

  // Row: `SwiftTimer.throttle(interval: .seconds(1), identifier: "a") { work() }`, as in its article
  // Row: `SwiftTimer.debounce(interval: .seconds(1), identifier: "a") { work() }`
  @Test func eachCallReplacesThePreviousOne() throws {
    let debouncer = try KeyedDebouncer<String, Void>(delay: .seconds(1)) { _, key, _ in work() }
    // "should not pass": a call before the interval has passed, again and again.
    for _ in 1...10 {
      debouncer.call(for: "a")
      system.advance(by: .seconds(0.75))
    }
    #expect(work.times == [])
    system.advance(by: .seconds(1))
    #expect(work.times == [7.75])
  }

  // Row: `SwiftTimer.throttle(interval: .seconds(1), identifier: "a") { work() }`, as in its repository
  // Row: `SwiftTimer.cancelThrottlingTimer(identifier: "a")`
  @Test func callsWhileOneWaitsAreIgnored() throws {
    let throttler = try KeyedThrottler<String, Void>(interval: .seconds(1), mode: .deferred) {
      _, key, _ in work()
    }
    for _ in 1...10 {
      throttler.call(for: "a")
      system.advance(by: .seconds(0.75))
    }
    system.advance(by: .seconds(1))
    #expect(work.times == [1, 2.5, 4, 5.5, 7])
    throttler.call(for: "a")
    throttler.call(for: "b")
    throttler.cancelPending(for: "a")
    system.advance(by: .seconds(5))
    #expect(work.times.count == 6)
  }
}
