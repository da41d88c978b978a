import Testing

@testable import TimerKit

@Suite struct RepeaterTests {
  let timeline = VirtualClock()
  let ticks = Recorder<Repeater.Tick>()

  private func make(
    every interval: Duration = .seconds(1), _ mode: Repeater.Mode = .infinite
  ) throws -> Repeater {
    try Repeater(every: interval, mode: mode, on: timeline) { [ticks] _, tick in
      ticks.append(tick)
    }
  }

  @Test func badInputIsATypedErrorBeforeAnythingChanges() throws {
    for interval in [Duration.zero, .nanoseconds(-1), .seconds(-5)] {
      #expect(throws: TimerError.invalidInterval(interval)) { try make(every: interval) }
      let timer = try make()
      #expect(throws: TimerError.invalidInterval(interval)) { try timer.setInterval(interval) }
      #expect(throws: TimerError.invalidInterval(interval)) { try timer.reset(interval: interval) }
      #expect(timer.snapshot.generation == 0)
    }
    for count in [0, -1] {
      #expect(throws: TimerError.invalidCount(count)) { try make(.finite(count)) }
      let timer = try make(.finite(2))
      #expect(throws: TimerError.invalidCount(count)) { try timer.setRemainingIterations(count) }
    }
    #expect(throws: TimerError.invalidCount(0)) {
      try Repeater(every: .seconds(1), missed: .burst(limit: 0)) { _, _ in }
    }
    #expect(throws: TimerError.invalidTolerance(.seconds(-1))) {
      try Repeater(every: .seconds(1), tolerance: .seconds(-1)) { _, _ in }
    }
  }

  @Test func theLargestDurationsAreClampedAndNeverCome() throws {
    let huge = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
    let timer = try make(every: huge)
    try timer.start()
    try timer.setInterval(.nanoseconds(Int64.max), .fromLastFire)
    try timer.adjustTimeLeft(by: huge)
    try timer.pause()
    try timer.start()
    timeline.advance(by: .days(365 * 200))
    #expect(ticks.count == 0)
    try timer.adjustTimeLeft(by: Duration.zero - huge)
    timeline.advance(by: .zero)
    #expect(ticks.count == 1)
  }

  /// 2³¹ nanoseconds, where a narrower count would drain negative.
  @Test(arguments: [Int64(1) << 31, 1 << 32, 1 << 53, 1 << 61])
  func intervalsAroundAPowerOfTwoAreExact(_ power: Int64) throws {
    for interval in [power - 1, power] {
      let start = timeline.now
      let timer = try Repeater.once(after: .nanoseconds(interval), on: timeline) {
        [ticks] _, tick in
        ticks.append(tick)
      }
      let before = ticks.count
      timeline.advance(by: .nanoseconds(interval - 1))
      #expect(ticks.count == before)
      timeline.advance(by: .nanoseconds(1))
      #expect(ticks.all.last?.scheduled == start.advanced(by: .nanoseconds(interval)))
      #expect(timer.state == .finished)
    }
  }

  @Test func manyTicksDriftNowhere() throws {
    let timer = try Repeater(every: .nanoseconds(333), on: timeline) { _, _ in }
    try timer.start()
    timeline.advance(by: .nanoseconds(333 * 20_000))
    #expect(timer.snapshot.deliveredCount == 20_000)
    let deadline = timer.snapshot.deadline
    #expect(deadline == TimerClock.Instant(nanoseconds: 333 * 20_001))
  }

  @Test func pauseKeepsTheTimeLeftForAsLongAsItTakes() throws {
    let timer = try make()
    try timer.start()
    timeline.advance(by: .milliseconds(400))
    #expect(try timer.pause())
    #expect(timer.snapshot.timeLeft(at: timeline.now) == .milliseconds(600))
    timeline.advance(by: .days(3))
    #expect(timer.snapshot.timeLeft(at: timeline.now) == .milliseconds(600))
    #expect(try timer.start())
    timeline.advance(by: .milliseconds(599))
    #expect(ticks.count == 0)
    timeline.advance(by: .milliseconds(1))
    #expect(ticks.count == 1)
  }

  @Test func cancelledAbsorbsEverything() throws {
    let timer = try make(.finite(3))
    try timer.start()
    #expect(timer.cancel())
    #expect(!timer.cancel())
    #expect(throws: TimerError.cancelled) { try timer.start() }
    #expect(throws: TimerError.cancelled) { try timer.pause() }
    #expect(throws: TimerError.cancelled) { try timer.reset() }
    #expect(throws: TimerError.cancelled) { try timer.setInterval(.seconds(2)) }
    #expect(throws: TimerError.cancelled) { try timer.adjustTimeLeft(by: .seconds(2)) }
    #expect(throws: TimerError.cancelled) { try timer.setRemainingIterations(2) }
    #expect(throws: TimerError.cancelled) { try timer.fire() }
    timeline.advance(by: .seconds(9))
    #expect(ticks.count == 0)
    #expect(timer.state == .cancelled)
  }

  @Test func fireTakesOneIterationAndKeepsTheDeadline() throws {
    let timer = try make(.finite(3))
    try timer.start()
    timeline.advance(by: .milliseconds(300))
    let deadline = timer.snapshot.deadline
    #expect(try timer.fire())
    #expect(timer.snapshot.remainingIterations == 2)
    #expect(timer.snapshot.deadline == deadline)
    #expect(try timer.fire(andPause: true))
    #expect(timer.state == .paused)
    #expect(timer.snapshot.remainingIterations == 1)
    #expect(timer.snapshot.frozenTimeLeft == .milliseconds(700))
    #expect(ticks.all.map(\.isManual) == [true, true])
    #expect(ticks.all.allSatisfy { $0.lateness == .zero })
  }

  @Test func isCurrentTellsALateHandlerFromOneThatCounts() throws {
    let answers = Recorder<Bool>()
    let timer = try Repeater(every: .seconds(1), on: timeline) { timer, tick in
      answers.append(timer.isCurrent(tick))
      _ = try? timer.setInterval(.seconds(5))
      answers.append(timer.isCurrent(tick))
    }
    try timer.start()
    timeline.advance(by: .seconds(1))
    #expect(answers.all == [true, false])
  }

  @Test func snapshotIsOneConsistentValue() throws {
    let timer = try Repeater(
      every: .seconds(10), mode: .finite(5), tolerance: .seconds(2), missed: .burst(limit: 3),
      on: timeline
    ) { [ticks] timer, tick in
      ticks.append(tick)
      #expect(timer.snapshot.isExecuting)
      #expect(timer.snapshot.state == .executing)
      #expect(timer.snapshot.lastLateness == tick.lateness)
    }
    try timer.start()
    timeline.advance(by: .seconds(14))
    let snapshot = timer.snapshot
    #expect(snapshot.phase == .running)
    #expect(!snapshot.isExecuting)
    #expect(snapshot.mode == .finite(5))
    #expect(snapshot.interval == .seconds(10))
    #expect(snapshot.tolerance == .seconds(2))
    #expect(snapshot.missedTicks == .burst(limit: 3))
    #expect(snapshot.clock == .uptime)
    #expect(snapshot.remainingIterations == 4)
    #expect(snapshot.timeLeft(at: timeline.now) == .seconds(6))
    #expect(snapshot.timeLeft(at: timeline.now.advanced(by: .seconds(60))) == .zero)
    #expect(snapshot.deliveredCount == 1)
    #expect(snapshot.lastLateness == .zero)
    #expect(timer.timeLeft == .seconds(6))
  }

  @Test func onceAndEveryAreStarted() throws {
    let once = try Repeater.once(after: .seconds(2), on: timeline) { [ticks] in ticks.append($1) }
    let thrice = try Repeater.every(.seconds(1), count: 3, on: timeline) { [ticks] in
      ticks.append($1)
    }
    let endless = try Repeater.every(.seconds(1), on: timeline) { _, _ in }
    #expect([once, thrice, endless].map(\.state) == [.running, .running, .running])
    timeline.advance(by: .seconds(9))
    #expect(ticks.count == 4)
    #expect([once, thrice, endless].map(\.state) == [.finished, .finished, .running])
    #expect(once.id != thrice.id)
    #expect(once == once)
    #expect(once != thrice)
  }

  @Test func runsInOrderOfDeadlineAndThenOfCreationAcrossTimers() throws {
    let order = Recorder<String>()
    let timers = try ["a", "b", "c"].map { name in
      try Repeater(every: .seconds(2), on: timeline) { _, _ in order.append(name) }
    }
    let quick = try Repeater(every: .seconds(1), on: timeline) { _, _ in order.append("quick") }
    try quick.start()
    for timer in timers.reversed() { try timer.start() }
    timeline.advance(by: .seconds(2))
    #expect(order.all == ["quick", "a", "b", "c", "quick"])
    withExtendedLifetime((timers, quick)) {}
  }
}
