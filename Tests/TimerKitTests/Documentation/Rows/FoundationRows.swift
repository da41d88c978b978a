// Table: Foundation's Timer
// Source: Apple's documentation of Timer and RunLoop; Sources/Foundation/Timer.swift of swift-corelibs-foundation.

import Testing
import TimerKit

@MainActor @Suite(.virtualTime) struct FoundationRows {
  let system = VirtualSystem.current
  let work = Work()

  // Row: `Timer.scheduledTimer(withTimeInterval: 5, repeats: true) { timer in work() }`
  @Test func aScheduledTimerRepeats() throws {
    system.keep(
      try Repeater.every(.seconds(5), isolation: MainActor.shared) { timer, tick in work() })
    system.advance(by: .seconds(15))
    #expect(work.times == [5, 10, 15])
  }

  // Row: `Timer.scheduledTimer(withTimeInterval: 5, repeats: false) { timer in work() }`
  @Test func aScheduledTimerFiresOnce() throws {
    let timer = try Repeater.once(after: .seconds(5), isolation: MainActor.shared) { timer, tick in
      work()
    }
    system.advance(by: .seconds(15))
    #expect(work.times == [5])
    #expect(timer.state == .finished)
  }

  // Row: `Timer(fire: date, interval: 0, repeats: false) { timer in work() }`
  @Test func aTimerForADateIsNotScheduledUntilItIsStarted() throws {
    let timer = try Repeater(schedule: .at(year: 2030, month: 1, day: 1, hour: 0)) { _, _ in work()
    }
    #expect(timer.state == .idle)
    timer.start()
    let schedule = try WallSchedule.at(year: 2030, month: 1, day: 1, hour: 0)
    let date = try #require(schedule.next(after: system.wall.wallNow))
    let wait = date.nanosecondsSince1970 - system.wall.wallNow.nanosecondsSince1970
    system.advance(by: .nanoseconds(wait - 1))
    #expect(work.times == [])
    system.advance(by: .days(3_000))
    #expect(work.times.count == 1)
  }

  // Row: `Timer(fire: .now, interval: 5, repeats: true) { timer in work() }`
  @Test func aTimerThatFiresNow() throws {
    system.keep(
      try Repeater.every(.seconds(5), startingAfter: .zero, isolation: MainActor.shared) {
        timer, tick in work()
      })
    system.advance(by: .seconds(10))
    #expect(work.times == [0, 5, 10])
  }

  // Row: `timer.fireDate = timer.fireDate + 3`
  @Test func theFireDateOfARepeatingTimerMovesAllThatFollow() throws {
    let timer = try Repeater.every(.seconds(5)) { _, _ in work() }
    system.advance(by: .seconds(1))
    timer.adjustTimeLeft(by: .seconds(3))
    system.advance(by: .seconds(12))
    #expect(work.times == [8, 13])
  }

  // Row: `timer.tolerance = 0.5`
  @Test func tolerance() throws {
    let timer = try Repeater.every(.seconds(5), tolerance: .milliseconds(500)) { _, _ in work() }
    system.advance(by: .seconds(5.5))
    #expect(work.times.count == 1)
    #expect((5...5.5).contains(work.times[0]))
    #expect(timer.snapshot.configuration.tolerance == .milliseconds(500))
  }

  // Row: `timer.fire()`
  @Test func aManualFireDoesNotMoveTheSchedule() throws {
    let timer = try Repeater.every(.seconds(5)) { _, _ in work() }
    system.advance(by: .seconds(2))
    timer.fire()
    system.advance(by: .seconds(3))
    #expect(work.times == [2, 5])
  }

  // Row: `timer.invalidate()`
  // Row: `timer.isValid`
  @Test func aTimerIsValidUntilItIsInvalidatedOrHasFired() throws {
    for count in [nil, 1] {
      let timer = try Repeater.every(.seconds(5), count: count) { _, _ in }
      #expect(timer.state != .cancelled && timer.state != .finished)
      if count == nil { timer.cancel() }
      system.advance(by: .seconds(5))
      let isValid = timer.state != .cancelled && timer.state != .finished
      #expect(!isValid)
    }
  }

  // Row: `timer.invalidate()`, and a new timer to go on later
  @Test func aPauseNeedsNoNewTimer() throws {
    let timer = try Repeater.every(.seconds(5)) { _, _ in work() }
    system.advance(by: .seconds(3))
    timer.pause()
    system.advance(by: .seconds(60))
    timer.start()
    system.advance(by: .seconds(4))
    #expect(work.times == [65])
    timer.restart()
    system.advance(by: .seconds(5))
    #expect(work.times == [65, 72])
    timer.cancel()
    #expect(timer.start() == .refused(.cancelled))
  }

  // Row: `timer.timeInterval`
  @Test func timeInterval() throws {
    let timer = try Repeater.every(.seconds(5)) { _, _ in }
    #expect(timer.snapshot.configuration.interval == .seconds(5))
  }
}
