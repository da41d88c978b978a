import Testing

@testable import TimerKit

@Suite struct VirtualClockAsyncTests {
  @Test func advanceRunsATaskThroughAllItsSleeps() async throws {
    let clock = VirtualClock()
    let end = try await clock.run {
      async let end = {
        for _ in 1...3 { try await clock.sleep(for: .seconds(1)) }
        return clock.now.nanoseconds
      }()
      await clock.advance(by: .seconds(3))
      #expect(clock.pendingCount == 0)
      return try await end
    }
    #expect(end == 3_000_000_000)
  }

  @Test func timeStopsAtTheInstantItWasAdvancedTo() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int64>()
    await clock.run {
      async let sleeper: Void = {
        for _ in 1...9 {
          try? await clock.sleep(for: .milliseconds(2))
          log.append(milliseconds(clock))
        }
      }()
      await clock.advance(by: .milliseconds(5))
      #expect(log.all == [2, 4])
      #expect(milliseconds(clock) == 5)
      await clock.advance(by: .milliseconds(-5))
      #expect(milliseconds(clock) == 5)
      #expect(clock.nextDeadline == TimerClock.virtual(clock).instant(nanoseconds: 6_000_000))
      #expect(await clock.advanceToEnd(within: .seconds(1)))
      #expect(milliseconds(clock) == 18)
      await sleeper
    }
  }

  @Test func advancingToTheEndOfAnEndlessTimerStops() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int>()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, tick in
      log.append(tick.iteration)
    }
    #expect(await !clock.advanceToEnd(within: .milliseconds(3_500)))
    #expect(log.all == [1, 2, 3])
    #expect(milliseconds(clock) == 3_000)
    timer.cancel()
    #expect(await clock.advanceToEnd(within: .zero))
  }

  /// Otherwise a test with a time limit would not end: a timer of a nanosecond fires for ever.
  @Test(arguments: [true, false]) func aCancelledTaskAdvancesNoFurther(toEnd: Bool) async throws {
    let clock = VirtualClock()
    let timer = try Repeater.every(.milliseconds(1), clock: .virtual(clock)) { _, tick in
      if tick.iteration == 5 { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let task = Task {
      if toEnd { return await clock.advanceToEnd(within: .seconds(1)) }
      await clock.advance(by: .seconds(1))
      return false
    }
    #expect(await !task.value)
    #expect(timer.snapshot.deliveredCount == 5)
    #expect(milliseconds(clock) == 5)
    // A task that was cancelled before does not move the time at all.
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await clock.advance(by: .seconds(1))
    }.value
    #expect(milliseconds(clock) == 5)
  }

  @Test func waitingTasksAreCounted() async throws {
    let clock = VirtualClock()
    #expect(clock.nextDeadline == nil)
    let timers = try (1...3).map { seconds in
      try Repeater.every(.seconds(seconds), clock: .virtual(clock)) { _, _ in }
    }
    let debouncer = try Debouncer<Int>(delay: .seconds(2), clock: .virtual(clock)) { _, _ in }
    #expect(clock.pendingCount == 3)
    debouncer.call(1)
    #expect(clock.pendingCount == 4)
    timers[0].pause()
    #expect(clock.pendingCount == 3)
    #expect(clock.nextDeadline == clock.now.advanced(by: .seconds(2)))
    timers[1].cancel()
    debouncer.call(2)
    await clock.advance(by: .seconds(1))
    debouncer.call(3)
    // Its alarm is still set for an earlier time.
    #expect(clock.nextDeadline == clock.now.advanced(by: .seconds(2)))
    timers[2].cancel()
    #expect(clock.pendingCount == 1)
    #expect(await clock.advanceToEnd(within: .seconds(5)))
    #expect(clock.pendingCount == 0)
    #expect(milliseconds(clock) == 3_000)
  }

  /// Tasks, groups and actors: the same steps in the same order, however busy the machine is.
  @Test(.timeLimit(.minutes(20))) func runsAreDeterministic() async throws {
    let expected = try await steps()
    #expect(expected.count == 18)
    // Eight runs at a time, on two or more busy processors.
    try await withThrowingTaskGroup { group in
      for _ in 1...8 {
        group.addTask {
          for _ in 1...Self.repetitions / 8 {
            let steps = try await steps()
            guard steps == expected else {
              Issue.record("\(steps), expected \(expected)")
              break
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  #if TSAN
    private static let repetitions = 400
  #else
    private static let repetitions = 2_000
  #endif

  private func steps() async throws -> [String] {
    let clock = VirtualClock()
    let log = StepLog(clock: clock)
    let timer = try Repeater.every(.milliseconds(5), clock: .virtual(clock), overlap: .skip) {
      _, tick in
      await log.append("tick \(tick.iteration)")
      try? await clock.sleep(for: .milliseconds(7))
      await log.append("end \(tick.iteration)")
    }
    let (letters, continuation) = AsyncStream.makeStream(of: String.self)
    let debounced = try letters.debounced(for: .milliseconds(2), clock: .virtual(clock))
    await clock.run {
      await withTaskGroup { group in
        for name in ["a", "b", "c"] {
          group.addTask {
            for step in 1...3 {
              try? await clock.sleep(for: .milliseconds(step * 3))
              await log.append("\(name)\(step)")
              continuation.yield("\(name)\(step)")
            }
          }
        }
        group.addTask { for await letter in debounced { await log.append("typed \(letter)") } }
        await clock.advance(by: .milliseconds(30))
        continuation.finish()
        timer.cancel()
      }
      await clock.waitUntilIdle()
    }
    return await log.lines
  }

  /// The clock does not observe tasks on other executors. The test brings them to a known point.
  @Test func tasksOnOtherExecutorsAreAwaitedAtTheirSleeps() async throws {
    let clock = VirtualClock()
    let sleeper = Task {
      for _ in 1...100 { try await clock.sleep(for: .seconds(1)) }
      return milliseconds(clock)
    }
    for _ in 1...100 {
      await clock.waitForSleepingTasks(1)
      clock.move(by: .seconds(1))
    }
    #expect(try await sleeper.value == 100_000)
  }

  @Test func aCancelledSleepIsNotCounted() async throws {
    let clock = VirtualClock()
    for _ in 1...10 {
      let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
      await clock.waitForSleepingTasks(1)
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(clock.pendingCount == 0)
  }

  /// The task never waits, so that the clock never finds it idle.
  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func cancellationEndsTheWaitForIdleTasks(onMainActor: Bool) async {
    let clock = VirtualClock()
    let busy = Task(executorPreference: clock.taskExecutor) {
      while !Task.isCancelled { await Task.yield() }
    }
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let waiter =
      onMainActor
      ? Task { @MainActor in
        continuation.finish()
        await clock.waitUntilIdle()
      }
      : Task {
        continuation.finish()
        await clock.waitUntilIdle()
      }
    for await _ in begun {}
    waiter.cancel()
    await waiter.value
    busy.cancel()
    await busy.value
    await clock.waitUntilIdle()
  }

  @Test func cancellationEndsTheWaitForSleepingTasks() async {
    let clock = VirtualClock()
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let waiters = (1...3).map { count in
      Task {
        if count == 1 { continuation.finish() }
        await clock.waitForSleepingTasks(count)
      }
    }
    for await _ in begun {}
    for waiter in waiters { waiter.cancel() }
    for waiter in waiters { await waiter.value }
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      await clock.waitForSleepingTasks(1)
    }
    late.cancel()
    await late.value
  }

  @Test func aTaskCanUseTheClocksExecutor() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int64>()
    let sleeper = Task(executorPreference: clock.taskExecutor) {
      for _ in 1...3 {
        try await clock.sleep(for: .seconds(1))
        log.append(milliseconds(clock))
      }
    }
    await clock.advance(by: .seconds(3))
    #expect(log.all == [1_000, 2_000, 3_000])
    try await sleeper.value
  }

  @MainActor @Test func mainActorTimersFireOnTheMainActor() async throws {
    let clock = VirtualClock()
    var ticks = 0
    let timer = try Repeater.every(
      .seconds(1), clock: .virtual(clock), isolation: MainActor.shared
    ) { _, _ in
      ticks += 1
    }
    await clock.advance(by: .seconds(3))
    #expect(ticks == 3)
    timer.cancel()
  }

  /// Tasks on the main actor that sleep on the clock, while the test is on the main actor too.
  @MainActor @Test func mainActorTasksRunInsideRun() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int64>()
    @MainActor @Sendable func work() async {
      for _ in 1...3 {
        try? await clock.sleep(for: .seconds(1))
        log.append(milliseconds(clock))
      }
    }
    await clock.run {
      async let worker: Void = work()
      await clock.waitForSleepingTasks(1)
      await clock.advance(by: .seconds(3))
      await worker
    }
    #expect(log.all == [1_000, 2_000, 3_000])
  }

  @Test func sleepsOnAnImmediateClockReturnImmediately() async throws {
    let clock = VirtualClock.immediate()
    let log = Recorder<Int64>()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock)) { _, _ in
      log.append(milliseconds(clock))
    }
    try await clock.sleep(for: .milliseconds(2_500))
    #expect(log.all == [1_000, 2_000])
    #expect(milliseconds(clock) == 2_500)
    try await Task.sleep(for: .days(1), clock: TimerClock.virtual(clock))
    timer.cancel()
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func aClockSetBackMakesTheSleepLonger() async throws {
    let clock = VirtualClock(.wall)
    let timer = try Repeater.once(after: .seconds(1), clock: .virtual(clock)) { _, _ in
      clock.adjustWall(by: .seconds(-10))
    }
    await clock.advance(by: .seconds(3))
    #expect(milliseconds(clock) == -7_000)
    #expect(timer.state == .finished)
  }
}

private actor StepLog {
  private(set) var lines: [String] = []
  let clock: VirtualClock

  init(clock: VirtualClock) {
    self.clock = clock
  }

  func append(_ line: String) { lines.append("\(milliseconds(clock)) \(line)") }
}
