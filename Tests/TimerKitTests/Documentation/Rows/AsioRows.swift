// Table: Asio (C++)
// Source: the reference of basic_waitable_timer and the tutorials Timer.3 to Timer.5 of Asio 1.30.

import Dispatch
import Testing

@testable import TimerKit

@Suite(.virtualTime) struct AsioRows {
  let system = VirtualSystem.current
  let work = Work()
  let queue = DispatchQueue(label: "strand")

  // Row: `steady_timer timer(context)`, and `timer.async_wait(work)`
  // Row: `timer.expires_after(5s)`, and `timer.async_wait(work)` again
  // Row: `timer.cancel()`
  @Test func expiresAfterReplacesTheExpiry() {
    let clock = TimerClock.suspending
    let timer = DeadlineTimer { _, _ in work() }
    timer.schedule(at: clock.now.advanced(by: .seconds(5)))
    system.advance(by: .seconds(3))
    timer.schedule(at: clock.now.advanced(by: .seconds(5)))
    system.advance(by: .seconds(9))
    #expect(work.times == [8])
    timer.schedule(at: clock.now.advanced(by: .seconds(5)))
    system.advance(by: .seconds(3))
    #expect(timer.unschedule() == .changed)
    system.advance(by: .seconds(9))
    #expect(work.times == [8])
  }

  // Row: `system_timer timer(context)`
  @Test func aSystemTimerFollowsTheTimeOfDay() {
    let timer = DeadlineTimer(clock: .wall) { _, _ in work() }
    timer.schedule(after: .seconds(60))
    system.advance(by: .seconds(1))
    system.wall.adjustWall(by: .seconds(59))
    #expect(work.times == [1])
  }

  // Row: `timer.expires_at(timer.expiry() + 1s)` in each handler
  @Test func aPeriodicTimerDoesNotDrift() throws {
    system.keep(try Repeater.every(.seconds(1)) { _, _ in work() })
    system.advance(by: .seconds(4))
    #expect(work.times == [1, 2, 3, 4])
  }

  // Row: `timer.async_wait(bind_executor(strand, work))`
  @Test func handlersRunOnTheSerialQueue() async {
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let (calls, input) = AsyncStream.makeStream(of: Bool.self)
    let work: @Sendable () -> Void = {
      input.yield(DispatchQueue.getSpecific(key: key) == true)
    }
    // In real time: on a virtual clock, handlers run where it is advanced.
    let timer = TimerClock.$substitutes.withValue([:]) {
      DeadlineTimer(queue: queue) { _, _ in work() }
    }
    timer.schedule(after: .zero)
    for await isOnQueue in calls.prefix(1) { #expect(isOnQueue) }
  }

  // Row: `co_await timer.async_wait(use_awaitable)`
  @Test func anAwaitedTimer() async throws {
    let clock = TimerClock.suspending
    try await system.advance(by: .seconds(9)) { [work] in
      try await clock.sleep(for: .seconds(5))
      work()
    }
    #expect(work.times == [5])
  }
}
