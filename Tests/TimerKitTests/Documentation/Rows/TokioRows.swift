// Table: tokio (Rust)
// Source: the documentation of tokio::time 1.x, tokio::task::JoinHandle and tokio_util::time::DelayQueue.

import Testing
import TimerKit

@Suite(.virtualTime) struct TokioRows {
  let system = VirtualSystem.current
  let work = Work()
  @Sendable func load() async throws -> String {
    work()
    try await TimerClock.suspending.sleep(for: .seconds(3))
    return "loaded"
  }

  // Row: `sleep(Duration::from_secs(1)).await`
  // Row: `sleep_until(deadline).await`
  @Test func sleep() async throws {
    let deadline = TimerClock.suspending.now + .seconds(5)
    try await system.advance(by: .seconds(9)) { [work] in
      try await Task.sleep(for: .seconds(1), clock: TimerClock.suspending)
      work()
      try await TimerClock.suspending.sleep(until: deadline)
      work()
      try await TimerClock.suspending.sleep(until: deadline)  // in the past: at once
      work()
    }
    #expect(work.times == [1, 5, 5])
  }

  // Row: `interval(period)`, and `tick().await` in a loop
  @Test func theFirstTickOfAnIntervalIsImmediate() async throws {
    try await system.advance(by: .seconds(3)) { [work] in
      for await _ in try Repeater.ticks(every: .seconds(1), startingAfter: .zero) { work() }
    }
    #expect(work.times == [0, 1, 2, 3])
  }

  // Row: `interval_at(start, period)`
  @Test func intervalAt() throws {
    system.keep(try Repeater.every(.seconds(1), startingAfter: .seconds(5)) { _, _ in work() })
    system.advance(by: .seconds(7))
    #expect(work.times == [5, 6, 7])
  }

  // Row: `set_missed_tick_behavior(MissedTickBehavior::Burst)`
  @Test func burstCatchesUp() throws {
    let timer = try Repeater.every(.seconds(1), missedTicks: .burst(limit: 10)) { _, _ in work() }
    #expect(delayed(timer) == [4.5, 4.5, 4.5, 4.5, 5, 6, 7])
  }

  // Row: `MissedTickBehavior::Delay`, `MissedTickBehavior::Skip`
  @Test func delayAndSkip() throws {
    let delay = try Repeater.every(.seconds(1), missedTicks: Repeater.MissedTicks.delay) {
      _, _ in work()
    }
    #expect(delayed(delay) == [4.5, 5.5, 6.5])
    let others = Work()
    let skip = try Repeater.every(.seconds(1), missedTicks: Repeater.MissedTicks.skip) {
      _, _ in others()
    }
    #expect(delayed(skip, others) == [11.5, 12, 13, 14])
  }

  /// Returns the times of a run in which no thread is free for 4.5 s; 2.5 s follow.
  private func delayed(_ timer: Repeater, _ work: Work? = nil) -> [Double] {
    timer.restart()
    system.stall(for: .seconds(4.5))
    system.advance(by: .seconds(2.5))
    timer.cancel()
    return (work ?? self.work).times
  }

  // Row: `interval.reset()`
  @Test func aResetBeginsAnIntervalNow() throws {
    let timer = try Repeater.every(.seconds(1)) { _, _ in work() }
    system.advance(by: .seconds(1.5))
    timer.setInterval(.seconds(1))
    system.advance(by: .seconds(2))
    #expect(work.times == [1, 2.5, 3.5])
  }

  // Row: `spawn(async move { loop { interval.tick().await; load().await } })`
  // Row: `handle.abort()`
  @Test func aTaskThatLoadsAtEachTick() async throws {
    let timer = try Repeater.every(.seconds(1), overlap: .skip) { _, _ in _ = try? await load() }
    await system.clock.run {
      await system.clock.advance(by: .seconds(9))
      timer.cancel()
      await system.clock.advance(by: .seconds(9))
    }
    #expect(work.times == [1, 5, 9])
  }

  // Row: `timeout(Duration::from_secs(5), load()).await`
  @Test func timeout() async throws {
    try await system.advance(by: .seconds(20)) { [work] in
      let page = try await withTimeout(.seconds(5)) { try await load() }
      #expect(page == "loaded")
      work()
      await #expect(throws: TimeoutError.self) {
        try await withTimeout(.seconds(1)) { try await load() }
      }
      work()
    }
    #expect(work.times == [0, 3, 3, 4])
  }

  // Row: `DelayQueue::insert`, `reset`, `remove`
  @Test func deadlinesThatMove() {
    let deadlineTimer = DeadlineTimer { _, _ in work() }
    var deadline = TimerClock.suspending.now + .seconds(5)
    deadlineTimer.schedule(at: deadline)
    system.advance(by: .seconds(4))
    deadline += .seconds(5)
    deadlineTimer.schedule(at: deadline)
    system.advance(by: .seconds(9))
    deadlineTimer.schedule(at: deadline + .seconds(5))
    deadlineTimer.unschedule()
    system.advance(by: .seconds(9))
    #expect(work.times == [10])
  }

  // Row: `time::pause()`, `time::advance(duration).await`
  @Test func pausedTime() async throws {
    let virtualClock = VirtualClock()
    system.keep(try Repeater.every(.seconds(1), clock: .virtual(virtualClock)) { _, _ in work() })
    #expect(work.times.isEmpty)
    await virtualClock.advance(by: .seconds(1))
    #expect(work.times.count == 1)
  }
}
