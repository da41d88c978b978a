// Table: Repeat
// Source: Sources/Repeat/Repeater.swift, Debouncer.swift and Throttler.swift of malcommac/Repeat 0.6.

import Testing
import TimerKit

@Suite(.virtualTime) struct RepeatRows {
  let system = VirtualSystem.current
  let work = Work()

  // Row: `Repeater.once(after: .seconds(5)) { timer in work() }`
  @Test func once() throws {
    let timer = try Repeater.once(after: .seconds(5)) { timer, tick in work() }
    system.advance(by: .seconds(20))
    #expect(work.times == [5])
    #expect(timer.state == .finished)
  }

  // Row: `Repeater.every(.seconds(10), count: 5) { timer in work() }`
  @Test func everyWithACount() throws {
    let timer = try Repeater.every(.seconds(10), count: 5) { timer, tick in work() }
    system.advance(by: .seconds(100))
    #expect(work.times == [10, 20, 30, 40, 50])
    #expect(timer.state == .finished)
  }

  // Row: `Repeater(interval: .seconds(5), mode: .infinite) { timer in work() }`
  // Row: `timer.start()`, `timer.pause()`
  // Row: `if timer.start() { work() }`
  @Test func startAndPause() throws {
    let timer = try Repeater(interval: .seconds(5), mode: .infinite) { timer, tick in work() }
    // Repeat's new timer is `paused`, and pausing it returns false.
    #expect(timer.state == .idle)
    #expect(!timer.pause().isChanged)
    if timer.start().isChanged { work() }
    if timer.start().isChanged { Issue.record("it was running") }
    system.advance(by: .seconds(8))
    timer.pause()
    system.advance(by: .seconds(60))
    timer.start()
    system.advance(by: .seconds(2))
    #expect(work.times == [0, 5, 70])
  }

  // Row: `timer.reset(.seconds(1), restart: true)`
  // Row: `timer.reset(nil, restart: true)`
  @Test func aResetThatRestartsCountsAllIterationsAgain() throws {
    let timer = try Repeater.every(.seconds(2), count: 3) { _, _ in work() }
    system.advance(by: .seconds(4))
    timer.restart(every: .seconds(1))
    system.advance(by: .seconds(3))
    #expect(work.times == [2, 4, 5, 6, 7])
    #expect(timer.state == .finished)
    timer.restart()
    system.advance(by: .seconds(10))
    #expect(work.times == [2, 4, 5, 6, 7, 8, 9, 10])
  }

  // Row: `timer.reset(.seconds(1), restart: false)`
  @Test func aResetThatDoesNotRestart() throws {
    let timer = try Repeater.every(.seconds(2), count: 3) { _, _ in work() }
    system.advance(by: .seconds(5))
    timer.reset()
    timer.setInterval(.seconds(1))
    #expect(timer.state == .idle)  // In Repeat, `paused`.
    system.advance(by: .seconds(5))
    timer.start()
    system.advance(by: .seconds(9))
    #expect(work.times == [2, 4, 11, 12, 13])
  }

  // Row: `timer.state == .executing`, `timer.state.isFinished`
  @Test func executingIsNoState() throws {
    let states = Recorder<String>()
    let timer = try Repeater.every(.seconds(1), count: 2) { timer, _ in
      states.append("\(timer.isExecuting) \(timer.state == .finished)")
    }
    system.advance(by: .seconds(5))
    states.append("\(timer.isExecuting) \(timer.state == .finished)")
    // The last tick, too, is executed in the state that it leads to.
    #expect(states.all == ["true false", "true true", "false true"])
  }

  // Row: `timer.fire(andPause: true)`
  @Test func aManualFireThatPauses() throws {
    let timer = try Repeater.every(.seconds(5), count: 3) { _, _ in work() }
    system.advance(by: .seconds(2))
    timer.fire(pausing: true)
    system.advance(by: .seconds(60))
    #expect(work.times == [2])
    #expect(timer.state == .paused)
    #expect(timer.snapshot.remainingIterations == 2)
  }

  // Row: `timer.observe { timer in work() }`
  @Test func anObserverIsCalledAtFiresOnly() throws {
    let timer = try Repeater(interval: .seconds(1), mode: .finite(3)) { _, _ in }
    timer.observe { _, event in if case .delivery = event { work() } }
    timer.start()
    system.advance(by: .seconds(1))
    timer.pause()
    timer.start()
    system.advance(by: .seconds(5))
    #expect(timer.state == .finished)
    #expect(work.times == [1, 2, 3])
  }

  // Row: `timer.remove(observer: token)`
  @Test func anObserverThatWasRemoved() throws {
    let timer = try Repeater.every(.seconds(1)) { _, _ in }
    let token = timer.observe { _, event in if case .delivery = event { work() } }
    system.advance(by: .seconds(2))
    timer.removeObserver(token)
    system.advance(by: .seconds(2))
    #expect(work.times == [1, 2])
  }

  // Row: `timer.removeAllObservers(thenStop: true)`
  @Test func removingAllObservers() throws {
    let timer = try Repeater.every(.seconds(1)) { _, _ in }
    for _ in 1...2 { timer.observe { _, event in if case .delivery = event { work() } } }
    system.advance(by: .seconds(1))
    timer.removeAllObservers(pausing: true)
    #expect(timer.state == .paused)
    timer.start()
    system.advance(by: .seconds(2))
    #expect(work.times == [1, 1])
  }

  // Row: `timer.onStateChanged = { timer, state in work() }`
  @Test func onStateChangedIsNotCalledForAFire() throws {
    let timer = try Repeater(interval: .seconds(1), mode: .finite(2)) { _, _ in }
    timer.onStateChanged = { timer, from, to in work() }
    timer.start()  // running
    system.advance(by: .seconds(1.5))  // in Repeat, also executing
    timer.pause()  // paused
    timer.start()  // running
    system.advance(by: .seconds(5))  // finished
    #expect(work.times == [0, 1.5, 1.5, 2])
  }

  // Row: `timer.remainingIterations`
  // Row: `timer.mode`
  @Test func remainingIterationsAndMode() throws {
    let timer = try Repeater.every(.seconds(1), count: 5) { _, _ in }
    system.advance(by: .seconds(2))
    #expect(timer.snapshot.remainingIterations == 3)
    #expect(timer.snapshot.configuration.mode == .finite(5))
    let endless = try Repeater.every(.seconds(1)) { _, _ in }
    #expect(endless.snapshot.remainingIterations == nil)
    #expect(endless.snapshot.configuration.mode == .infinite)
  }

  // Row: `Debouncer(.seconds(1)) { work() }`
  // Row: `debouncer.call()`
  @Test func debouncer() throws {
    let debouncer = try Debouncer<Void>(delay: .seconds(1)) { _, _ in work() }
    for _ in 1...4 {
      debouncer.call()
      system.advance(by: .milliseconds(500))
    }
    system.advance(by: .seconds(9))
    #expect(work.times == [2.5])
  }

  // Row: `Throttler(time: .seconds(1), mode: .fixed, immediateFire: true) { work() }`
  @Test func aFixedThrottlerThatFiresAtOnce() throws {
    let throttler = try Throttler<Void>(interval: .seconds(1), mode: .fromDelivery) { _, _ in work()
    }
    call(throttler, at: [0, 1.2, 1.5])
    #expect(work.times == [0, 1.2, 2.2])
  }

  // Row: `Throttler(time: .seconds(1)) { work() }`
  // Row: `Throttler(time: .seconds(1), mode: .deferred) { work() }`
  @Test func aThrottlerThatDefersItsFirstFire() throws {
    let throttler = try Throttler<Void>(
      interval: .seconds(1), mode: .fromDelivery(firstAtOnce: false)
    ) { _, _ in work() }
    call(throttler, at: [0, 1.2, 1.5])
    #expect(work.times == [1, 2])
    // Repeat's first fire moves with each call if it is deferred (1.6 here), and otherwise comes with the second (0.4).
    let first = Work()
    let other = try Throttler<Void>(
      interval: .seconds(1), mode: .fromDelivery(firstAtOnce: false)
    ) { _, _ in first() }
    call(other, at: [0, 0.4, 0.6])
    #expect(first.times == [12.5])
  }

  /// A note below the table: TimerKit's mode of that name is another one.
  @Test func theDeferredModeBeginsItsIntervalWithACall() throws {
    let throttler = try Throttler<Void>(interval: .seconds(1), mode: .deferred) { _, _ in work() }
    call(throttler, at: [0, 1.2, 1.5])
    #expect(work.times == [1, 2.2])
  }

  private func call(_ throttler: Throttler<Void>, at times: [Double]) {
    var last = 0.0
    for time in times {
      system.advance(by: .seconds(time - last))
      throttler.call()
      last = time
    }
    system.advance(by: .seconds(10))
  }
}
