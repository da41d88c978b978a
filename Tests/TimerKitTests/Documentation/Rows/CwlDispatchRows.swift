// Table: CwlDispatch
// Source: Matt Gallagher, "Design patterns for safe timer usage" (2016), and Sources/CwlUtils/CwlDispatch.swift of
// mattgallagher/CwlUtils.

import Dispatch
import Testing

@testable import TimerKit

@Suite(.virtualTime) struct CwlDispatchRows {
  let system = VirtualSystem.current
  let work = Work()
  let queue = DispatchQueue(label: "mutex and timer")

  // Row: `DispatchSource.makeTimerSource(interval: .seconds(10)) { work() }`, as in the article
  @Test func aCancellableTimer() throws {
    var timer: Repeater? = try Repeater.once(after: .seconds(10)) { _, _ in work() }
    system.advance(by: .seconds(10))
    #expect(work.times == [10])
    #expect(timer?.state == .finished)
    // "The returned `DispatchSourceTimer` will automatically cancel the timer if it is released."
    timer = try Repeater.once(after: .seconds(10)) { _, _ in work() }
    timer = nil
    system.advance(by: .seconds(10))
    #expect(work.times == [10])
  }

  // Row: `DispatchSource.makeTimerSource(interval: .seconds(10), parameter: generation) { parameter in … }`, as in the article
  // Row: `singleTimer(parameter: generation, interval: .seconds(10)) { parameter in … }`, and a comparison under the mutex
  // Row: `timer.scheduleOneshot(parameter: generation, interval: .seconds(10)) { parameter in … }`
  @Test func aHandlerOfAnOldGenerationHasNoEffect() throws {
    let timer = try Repeater.once(after: .seconds(10)) { timer, tick in
      if timer.isCurrent(tick) { work() }
    }
    // The handler has started, and waits for the mutex, while the timer is scheduled again under it.
    let hasStarted = system.clock.advance(by: .seconds(10), holding: timer) {
      timer.restart(every: .seconds(10))
    }
    #expect(hasStarted)
    #expect(work.times == [])
    system.advance(by: .seconds(10))
    #expect(work.times == [20])
  }

  // Row: `DispatchSource.singleTimer(interval: .seconds(10), queue: queue) { work() }`
  @Test func singleTimer() throws {
    system.keep(try Repeater.once(after: .seconds(10), queue: queue) { _, _ in work() })
    system.advance(by: .seconds(30))
    #expect(work.times == [10])
  }

  // Row: `DispatchSource.repeatingTimer(interval: .seconds(1), queue: queue) { work() }`
  @Test func repeatingTimer() throws {
    system.keep(try Repeater.every(.seconds(1), queue: queue) { _, _ in work() })
    system.advance(by: .seconds(3))
    #expect(work.times == [1, 2, 3])
  }

  // Row: `queue.sync { timer.schedule(deadline: .now() + 10) }`, on the timer's own queue
  @Test func aSingleQueue() throws {
    let timer = try Repeater.once(after: .seconds(10), queue: queue) { _, _ in work() }
    system.advance(by: .seconds(9))
    queue.sync { _ = timer.restart(every: .seconds(10)) }
    system.advance(by: .seconds(9))
    #expect(work.times == [])
    system.advance(by: .seconds(1))
    #expect(work.times == [19])
  }

  // Row: `TimeLimitedContainer(value: child, interval: .seconds(10))`
  // Row: `container.resetTimer(interval: .seconds(10))`
  @Test func aValueThatExpires() throws {
    let child = "child"
    let container = try TimeLimited(child, for: .seconds(10))
    system.advance(by: .seconds(9))
    #expect(container.value == "child")
    try container.renew(for: .seconds(10))
    system.advance(by: .seconds(9))
    #expect(container.value == "child")
    system.advance(by: .seconds(1))
    #expect(container.value == nil)
  }

  /// A note below the table: on a concurrent queue, what can overlap is the handler of a replaced timer with the next.
  @Test func theHandlerOfOneDispatchSourceNeverOverlapsItself() async {
    let running = Guarded((current: 0, maximum: 0))
    let (handlers, input) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.setEventHandler {
      running.withLock {
        $0.current += 1
        $0.maximum = max($0.maximum, $0.current)
      }
      // Longer than the interval, so that the next fire is due while the handler runs.
      let end = ContinuousClock.now + .milliseconds(3)
      while ContinuousClock.now < end {}
      running.withLock { $0.current -= 1 }
      input.yield()
    }
    source.schedule(deadline: .now(), repeating: .milliseconds(1))
    source.activate()
    for await _ in handlers.prefix(20) {}
    source.cancel()
    #expect(running.withLock { $0.maximum } == 1)
  }
}
