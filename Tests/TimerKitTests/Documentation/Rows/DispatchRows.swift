// Table: DispatchSourceTimer
// Source: the manual pages dispatch_source_create(3), dispatch_after(3) and dispatch_suspend(3).

import Dispatch
import Testing
import TimerKit

@Suite(.virtualTime) struct DispatchRows {
  let system = VirtualSystem.current
  let work = Work()
  let queue = DispatchQueue(label: "work")

  // Row: `queue.asyncAfter(deadline: .now() + 10) { work() }`
  @Test func asyncAfter() throws {
    let timer = try Repeater.once(after: .seconds(10), queue: queue) { _, _ in work() }
    system.advance(by: .seconds(30))
    #expect(work.times == [10])
    #expect(timer.state == .finished)
  }

  // Row: `makeTimerSource(queue: queue)` and `setEventHandler { work() }`
  // Row: `schedule(deadline: .now() + 1, repeating: 1)` and `activate()`
  @Test func aSourceIsInactiveUntilItIsActivated() throws {
    let timer = try Repeater(interval: .seconds(1), queue: queue) { timer, tick in work() }
    system.advance(by: .seconds(5))
    #expect(work.times == [])
    timer.start()
    system.advance(by: .seconds(3))
    #expect(work.times == [6, 7, 8])
  }

  // Row: `schedule(deadline: .now() + 5, repeating: 1)`
  @Test func aFirstFireAtAnotherTime() throws {
    system.keep(
      try Repeater.every(.seconds(1), startingAfter: .seconds(5)) { _, _ in work() })
    system.advance(by: .seconds(7))
    #expect(work.times == [5, 6, 7])
  }

  // Row: `schedule(deadline: .now(), repeating: 1)`
  @Test func aFirstFireAtOnce() throws {
    system.keep(try Repeater.every(.seconds(1), startingAfter: .zero) { _, _ in work() })
    system.advance(by: .seconds(2))
    #expect(work.times == [0, 1, 2])
  }

  // Row: `schedule(deadline: .now() + 0.3)`, again and again
  @Test func eachScheduleReplacesThePreviousOne() {
    let deadlineTimer = DeadlineTimer { _, _ in work() }
    for _ in 1...3 {
      deadlineTimer.schedule(after: .milliseconds(300))
      system.advance(by: .milliseconds(200))
    }
    system.advance(by: .seconds(10))
    #expect(work.times == [0.7])
  }

  // Row: `schedule(deadline: .distantFuture)`
  @Test func aDistantFuture() throws {
    let timer = try Repeater.every(.seconds(2)) { _, _ in work() }
    let deadlineTimer = DeadlineTimer { _, _ in work() }
    deadlineTimer.schedule(after: .seconds(2))
    system.advance(by: .seconds(1.5))
    timer.pause()
    deadlineTimer.unschedule()
    system.advance(by: .days(400))
    #expect(work.times == [])
    #expect(timer.timeLeft == .seconds(0.5))
    #expect(deadlineTimer.deadline == nil)
  }

  // Row: `schedule(wallDeadline: .now() + 60)`
  @Test func aWallDeadlineFollowsTheTimeOfDay() throws {
    system.keep(try Repeater.once(after: .seconds(60), clock: .wall) { _, _ in work() })
    system.advance(by: .seconds(10))
    system.wall.adjustWall(by: .seconds(-5))
    system.advance(by: .seconds(54))
    #expect(work.times == [])
    system.wall.adjustWall(by: .hours(1))
    #expect(work.times == [64])
  }

  // Row: `schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(100))`
  @Test func aLeewayIsATolerance() throws {
    let timer = try Repeater.every(.seconds(1), tolerance: .milliseconds(100)) { _, _ in work() }
    system.advance(by: .seconds(3.1))
    #expect(work.times.count == 3)
    #expect(zip(work.times, [1.0, 2, 3]).allSatisfy { ($1...$1 + 0.1).contains($0) })
    #expect(timer.snapshot.configuration.tolerance == .milliseconds(100))
  }

  // Row: `resume()`, `suspend()`
  @Test func resumeAndSuspendNeedNoBalance() throws {
    let timer = try Repeater(interval: .seconds(1)) { _, _ in work() }
    for _ in 1...3 { timer.start() }
    system.advance(by: .seconds(1))
    for _ in 1...3 { timer.pause() }
    system.advance(by: .seconds(10))
    #expect(work.times == [1])
    timer.start()
    system.advance(by: .seconds(1))
    #expect(work.times == [1, 12])
  }

  // Row: `setEventHandler { work() }` of a running source
  @Test func anotherHandlerOfARunningSource() throws {
    let timer = try Repeater.every(.seconds(1)) { _, _ in }
    system.advance(by: .seconds(2))
    timer.setHandler { _, _ in work() }
    system.advance(by: .seconds(2))
    #expect(work.times == [3, 4])
  }

  // Row: `source.data`
  @Test func dataIsTheNumberOfFiresSinceTheLastHandler() throws {
    let data = Recorder<Int>()
    let timer = try Repeater.every(.seconds(1)) { [system] _, tick in
      data.append(tick.missedCount + 1)
      if tick.iteration == 1 { system.clock.advance(by: .seconds(3)) }  // a slow handler
    }
    system.advance(by: .seconds(6))
    timer.cancel()
    #expect(data.all == [1, 3, 1, 1, 1, 1, 1])
  }

  // Row: `setCancelHandler { work() }`
  // Row: `cancel()`
  @Test func cancel() throws {
    let timer = try Repeater.every(.seconds(1)) { _, _ in Issue.record("cancelled before") }
    timer.onStateChanged = { _, _, to in if to == .cancelled { work() } }
    timer.pause()
    system.advance(by: .seconds(3))
    timer.start()
    timer.cancel()
    system.advance(by: .seconds(3))
    #expect(work.times == [3])
  }
}
