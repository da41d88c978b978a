// Table: time (Go)
// Source: the documentation of the packages time, context, testing/synctest and golang.org/x/time/rate of Go 1.23 and later.

import Testing
import TimerKit

@Suite(.virtualTime) struct GoRows {
  let system = VirtualSystem.current
  let work = Work()
  @Sendable func load() async throws -> String {
    try await TimerClock.suspending.sleep(for: .seconds(9))
    return ""
  }

  // Row: `time.Sleep(time.Second)`
  @Test func sleep() async throws {
    try await system.advance(by: .seconds(9)) { [work] in
      try await Task.sleep(for: .seconds(1), clock: TimerClock.suspending)
      work()
    }
    #expect(work.times == [1])
  }

  // Row: `for range time.NewTicker(time.Second).C { work() }`
  @Test func aTicker() async throws {
    try await system.advance(by: .seconds(3)) { [work] in
      for await _ in try Repeater.ticks(every: .seconds(1)) { work() }
    }
    #expect(work.times == [1, 2, 3])
  }

  // Row: `time.AfterFunc(time.Second, work)`
  // Row: `timer.Stop()`
  // Row: `timer.Reset(time.Second)`
  @Test func afterFunc() throws {
    system.keep(try Repeater.once(after: .seconds(1)) { _, _ in work() })
    let timer = try Repeater.once(after: .seconds(1)) { _, _ in work() }
    let stopped = try Repeater.once(after: .seconds(1)) { _, _ in work() }
    #expect(stopped.cancel().isChanged)
    #expect(!stopped.cancel().isChanged)
    system.advance(by: .milliseconds(500))
    timer.pause()
    system.advance(by: .seconds(5))
    timer.start()
    system.advance(by: .seconds(2))
    #expect(work.times == [1, 6])
    timer.restart(every: .seconds(1))
    system.advance(by: .seconds(2))
    #expect(work.times == [1, 6, 8.5])
    timer.restart(every: .seconds(1))
    timer.cancel()
    system.advance(by: .seconds(2))
    #expect(work.times == [1, 6, 8.5])
  }

  // Row: `ticker.Reset(time.Second)`
  @Test func theNextTickOfAResetTickerIsAPeriodLater() throws {
    let timer = try Repeater.every(.seconds(5)) { _, _ in work() }
    system.advance(by: .seconds(7))
    timer.setInterval(.seconds(1))
    system.advance(by: .seconds(2))
    #expect(work.times == [5, 8, 9])
  }

  // Row: `context.WithTimeout(ctx, 5*time.Second)`
  // Row: `select { case page := <-pages: … case <-time.After(5 * time.Second): … }`
  @Test func aTimeout() async throws {
    try await system.advance(by: .seconds(20)) { [work] in
      await #expect(throws: TimeoutError.self) {
        try await withTimeout(.seconds(5)) { try await load() }
      }
      work()
    }
    #expect(work.times == [5])
  }

  // Row: `rate.NewLimiter(10, 5)` of `golang.org/x/time/rate`
  // Row: `limiter.Allow()`, `limiter.Wait(ctx)`
  @Test func aLimiter() async throws {
    let limiter = try RateLimiter(limit: 10, per: .seconds(1), burst: 5)
    for _ in 1...5 { #expect(limiter.tryAcquire() == .acquired) }
    let isAllowed = limiter.tryAcquire() == .acquired
    #expect(!isAllowed)
    try await system.advance(by: .seconds(2)) { [work] in
      for _ in 1...3 {
        try await limiter.acquire()
        work()
      }
    }
    #expect(work.times == [0.1, 0.2, 0.3])
  }

  // Row: `synctest.Test(t, func(t *testing.T) { … })`
  @Test func aTestInVirtualTime() async throws {
    let virtualClock = system.clock
    await virtualClock.run { work() }
    #expect(work.times == [0])
  }
}
