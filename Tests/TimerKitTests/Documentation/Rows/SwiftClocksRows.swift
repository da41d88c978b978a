// Table: swift-clocks
// Source: the README and Sources/Clocks of pointfreeco/swift-clocks 1.0.

import Testing
import TimerKit

@Suite(.virtualTime) struct SwiftClocksRows {
  let work = Work()

  // Row: `TestClock()`
  @Test func aTestClockStandsStill() {
    let clock = VirtualClock()
    let start = clock.now
    clock.advance(by: .seconds(1))
    #expect(start.duration(to: clock.now) == .seconds(1))
  }

  // Row: `await clock.advance(by: .seconds(1))`
  @Test func advancingReachesTheSleepsOfTasks() async throws {
    let clock = VirtualSystem.current.clock
    await clock.run { work() }
    #expect(work.times == [0])
    try await clock.run {
      async let sleep: Void = clock.sleep(for: .seconds(1))
      await clock.advance(by: .seconds(1))
      work()
      try await sleep
    }
    #expect(work.times == [0, 1])
  }

  // Row: `await clock.run()`
  // Row: `try await clock.checkSuspension()`
  @Test func runAdvancesToTheLastSleep() async throws {
    let clock = VirtualClock()
    let start = clock.now
    try await clock.run {
      async let sleeps: Void = {
        for _ in 1...3 { try await clock.sleep(for: .hours(1)) }
      }()
      await clock.waitUntilIdle()
      #expect(!(clock.pendingCount == 0))
      #expect(await clock.advanceToEnd(within: .days(1)))
      #expect(clock.pendingCount == 0)
      try await sleeps
    }
    #expect(start.duration(to: clock.now) == .hours(3))
  }

  // Row: `ImmediateClock()`
  @Test func anImmediateClockDoesNotWait() async throws {
    let clock = VirtualClock.immediate()
    let start = clock.now
    try await clock.sleep(for: .days(1))
    #expect(start.duration(to: clock.now) == .days(1))
  }

  // Row: `UnimplementedClock()`
  @Test func aTestDetectsThatTheClockWasUsed() throws {
    let clock = VirtualClock()
    #expect(clock.nextDeadline == nil)
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    #expect(!(clock.nextDeadline == nil))
    timer.cancel()
  }

  // Row: `for await _ in clock.timer(interval: .seconds(1)) { work() }`
  @Test func theTimerOfAClock() async throws {
    let system = VirtualSystem.current
    let clock = system.clock
    try await system.advance(by: .seconds(3)) { [work] in
      for await _ in try Repeater.ticks(every: .seconds(1), clock: .virtual(clock)) { work() }
    }
    #expect(work.times == [1, 2, 3])
  }

  // Row: a parameter `clock: any Clock<Duration>`
  @Test func aClockAsAParameter() async throws {
    func wait(on clock: TimerClock) async throws { try await clock.sleep(for: .seconds(1)) }
    #expect(TimerClock.continuous.now <= TimerClock.continuous.now)
    let clock = VirtualClock.immediate()
    try await wait(on: TimerClock.virtual(clock))
    #expect(clock.now == TimerClock.virtual(clock).instant(nanoseconds: 1_000_000_000))
  }
}
