import Testing

@testable import TimerKit

@Suite struct TicksTests {
  @Test func eachLoopHasItsOwnTimer() async throws {
    let clock = VirtualClock()
    let ticks = try Repeater.ticks(every: .seconds(1), clock: .virtual(clock))
    #expect(clock.pendingCount == 0)
    await clock.run {
      async let iterations = {
        var iterations: [Int] = []
        for await tick in ticks {
          iterations.append(tick.iteration)
          if iterations.count == 3 { break }
        }
        return iterations
      }()
      await clock.advance(by: .seconds(10))
      #expect(await iterations == [1, 2, 3])
    }
    // `break` has ended the loop, which has released its timer.
    #expect(clock.pendingCount == 0)
  }

  @Test func theSequenceEndsAfterItsCount() async throws {
    let clock = VirtualClock()
    try await clock.run {
      let ticks = try Repeater.ticks(every: .seconds(1), count: 3, clock: .virtual(clock))
      async let times = ticks.map { _ in clock.now.nanoseconds / 1_000_000_000 }.reduce(into: []) {
        $0.append($1)
      }
      #expect(await clock.advanceToEnd(within: .minutes(1)))
      #expect(await times == [1, 2, 3])
    }
  }

  /// The reader is suspended for two and a half intervals.
  @Test func unreadTicksAreMerged() async throws {
    let clock = VirtualClock()
    let ticks = try Repeater.ticks(every: .milliseconds(4), count: 7, clock: .virtual(clock))
    await clock.run {
      async let log = {
        var log: [String] = []
        for await tick in ticks {
          log.append("\(tick.iteration) at \(milliseconds(clock)) missed \(tick.missedCount)")
          if tick.iteration == 2 { try? await clock.sleep(for: .milliseconds(10)) }
        }
        return log
      }()
      await clock.advance(by: .milliseconds(40))
      #expect(
        await log == [
          "1 at 4 missed 0", "2 at 8 missed 0", "4 at 18 missed 1", "5 at 20 missed 0",
          "6 at 24 missed 0", "7 at 28 missed 0",
        ])
    }
  }

  /// The ticks that the timer itself missed are counted as well.
  @Test func mergedTicksAddUp() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    var iterator = timer.ticks.makeAsyncIterator()
    clock.move(by: .seconds(1))
    clock.moveInHandler(by: .seconds(5))
    clock.move(by: .seconds(1))
    let tick = await iterator.next()
    #expect(tick?.iteration == timer.snapshot.deliveredCount)
    #expect(
      (tick?.missedCount ?? 0) + 1 == timer.snapshot.deliveredCount + timer.snapshot.missedCount)
    #expect(timer.snapshot.missedCount > 0)
  }

  enum Ending: CaseIterable { case finish, cancel, release }

  @Test(arguments: Ending.allCases) func ticksEndWithTheirTimer(_ ending: Ending) async throws {
    let clock = VirtualClock()
    var timer: Repeater? = try Repeater.every(
      .seconds(1), count: 5, clock: .virtual(clock)
    ) { _, _ in }
    var iterator = try #require(timer?.ticks.makeAsyncIterator())
    clock.move(by: .seconds(1))
    #expect(await iterator.next()?.iteration == 1)
    clock.move(by: .seconds(2))
    switch ending {
    case .finish: clock.move(by: .seconds(9))
    case .cancel: timer?.cancel()
    case .release: break
    }
    if ending != .finish { timer = nil }
    // The unread tick comes before the end.
    let last = await iterator.next()
    #expect(last?.iteration == (ending == .finish ? 5 : 3))
    #expect(last?.isLast == (ending == .finish))
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func aFinishedTimerHasNoTicks() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.once(after: .zero, clock: .virtual(clock)) { _, _ in }
    clock.move(by: .zero)
    for await _ in timer.ticks { Issue.record("a tick") }
    timer.cancel()
    for await _ in timer.ticks { Issue.record("a tick") }
  }

  /// A timer that is restarted in its last handler has not finished.
  @Test func aRestartDoesNotEndTheTicks() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.once(after: .seconds(1), clock: .virtual(clock)) { timer, _ in
      timer.start()
    }
    var iterator = timer.ticks.makeAsyncIterator()
    for _ in 1...3 {
      clock.move(by: .seconds(1))
      #expect(await iterator.next()?.isLast == true)
    }
    withExtendedLifetime(timer) {}
  }

  @Test func aReleasedIteratorLeavesNoObserver() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    for _ in 1...3 { _ = timer.ticks.makeAsyncIterator() }
    #expect(timer.storage.readGuardedState { !$0.observers.hasObservers })
  }

  @Test func cancellationEndsTheLoopAndTheTimer() async throws {
    let clock = VirtualClock()
    let ticks = try Repeater.ticks(every: .seconds(1), clock: .virtual(clock))
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    await clock.run {
      await withTaskGroup { group in
        group.addTask { for await _ in ticks {} }
        group.addTask { for await _ in timer.ticks {} }
        await clock.advance(by: .seconds(3))
        #expect(clock.pendingCount == 2)
        group.cancelAll()
      }
    }
    #expect(clock.pendingCount == 1)
    #expect(timer.storage.readGuardedState { !$0.observers.hasObservers })
  }

  @Test func anAlreadyCancelledTaskReadsNothing() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in }
    let reading = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var count = 0
      for await _ in timer.ticks { count += 1 }
      return count
    }
    #expect(await reading.value == 0)
  }

  /// The last tick is unread when the task is cancelled.
  @Test func aCancelledTaskDoesNotReadTheLastTick() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.once(after: .seconds(1), clock: .virtual(clock)) { _, _ in }
    let ticks = timer.ticks
    let reading = Task {
      var iterator = ticks.makeAsyncIterator()
      clock.move(by: .seconds(1))
      withUnsafeCurrentTask { $0?.cancel() }
      return await iterator.next()?.iteration
    }
    #expect(await reading.value == nil)
    #expect(timer.state == .finished)
  }

  @Test func invalidValuesAreThrown() {
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .interval)) {
      try Repeater.ticks(every: .zero)
    }
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .count)) {
      try Repeater.ticks(every: .seconds(1), count: 0)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try Repeater.ticks(every: .seconds(1), tolerance: .seconds(-1))
    }
    #expect(throws: TimerConfigurationError.notWallClock(.suspending)) {
      try Repeater.ticks(Repeater.Configuration(.schedule(.daily(hour: 9))), clock: .suspending)
    }
  }

  @Test func aPastScheduleHasNoTicks() async throws {
    let clock = VirtualClock(
      .wall, wall: WallInstant(nanosecondsSince1970: 1_000_000_000_000_000_000))
    let past = Repeater.Configuration(.schedule(try .at(year: 1970, month: 1, day: 1, hour: 0)))
    for await _ in try Repeater.ticks(past, clock: .virtual(clock)) { Issue.record("a tick") }
  }

  @Test func eventsCanEndWhenTheTimerFinishes() async throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(.seconds(1), count: 1, clock: .virtual(clock)) { _, _ in }
    let events = timer.events(endingOnFinish: true)
    let endless = timer.events(endingOnFinish: false)
    clock.move(by: .seconds(1))
    var states: [TimerState] = []
    for await case .state(from: _, to: let state) in events { states.append(state) }
    #expect(states == [.finished])
    for await _ in timer.events(endingOnFinish: true) { Issue.record("an event") }

    timer.start()
    clock.move(by: .seconds(1))
    timer.cancel()
    states = []
    for await case .state(from: _, to: let state) in endless { states.append(state) }
    #expect(states == [.finished, .running, .finished, .cancelled])
  }

  @Test func runsOnTheSystemClock() async throws {
    var iterations: [Int] = []
    for await tick in try Repeater.ticks(every: .milliseconds(1), count: 5) {
      iterations.append(tick.iteration + tick.missedCount)
    }
    // Merged or not, the last tick always comes.
    #expect(iterations.last ?? 0 >= 5)
  }
}

func milliseconds(_ clock: VirtualClock) -> Int64 { clock.now.nanoseconds / 1_000_000 }

extension VirtualClock {
  /// ``advance(by:)`` for asynchronous tests that advance without waiting for tasks.
  func move(by duration: Duration) { advance(by: duration) }

  /// Lets time pass inside a handler, so that ticks are missed.
  func moveInHandler(by duration: Duration) {
    let timer = DeadlineTimer(clock: .virtual(self)) { [self] _, _ in advance(by: duration) }
    timer.schedule(at: now)
    advance(by: .zero)
  }
}
