// Table: SwiftNIO
// Source: Sources/NIOCore/EventLoop.swift and Sources/NIOCore/TypeAssistedChannelHandlers of apple/swift-nio 2.

import Testing
import TimerKit

@Suite(.virtualTime) struct NIORows {
  let system = VirtualSystem.current
  let work = Work()

  // Row: `eventLoop.scheduleTask(in: .seconds(5)) { work() }`
  // Row: `scheduled.cancel()`
  @Test func aScheduledTask() throws {
    system.keep(try Repeater.once(after: .seconds(5)) { _, _ in work() })
    let timer = try Repeater.once(after: .seconds(5)) { _, _ in work() }
    system.advance(by: .seconds(4))
    timer.cancel()
    system.advance(by: .seconds(10))
    #expect(work.times == [5])
  }

  // Row: `eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(5)) { task in work() }`
  @Test func theDelayBeginsAtTheEndOfATask() throws {
    let timer = try Repeater.every(
      .seconds(5), startingAfter: .zero, missedTicks: .delay
    ) { _, _ in work() }
    system.advance(by: .seconds(10))
    #expect(work.times == [0, 5, 10])
    timer.setHandler { [work, system] _, _ in
      work()
      if work.times.count <= 5 { system.clock.advance(by: .seconds(work.times.count == 4 ? 7 : 2)) }
    }
    system.advance(by: .seconds(17))
    // The task at 15 ends at 22, and that at 27 at 29.
    #expect(work.times == [0, 5, 10, 15, 27, 34])
  }

  // Row: `IdleStateHandler(readTimeout: .minutes(1))`
  @Test func anIdleConnection() {
    let deadlineTimer = DeadlineTimer { _, _ in work() }
    for _ in 1...3 {
      deadlineTimer.schedule(after: .minutes(1))  // at every read
      system.advance(by: .seconds(59))
    }
    system.advance(by: .seconds(60))
    #expect(work.times == [178])
  }

  // Row: `NIODeadline.now() + .seconds(5)`
  @Test func aDeadline() {
    let deadlineTimer = DeadlineTimer { _, _ in work() }
    deadlineTimer.schedule(at: deadlineTimer.clock.now + .seconds(5))
    system.advance(by: .seconds(9))
    #expect(work.times == [5])
  }
}
