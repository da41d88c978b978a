import Dispatch
import Testing

@testable import TimerKit

@Suite struct OperationTests {
  /// The diagrams of the documentation: the interval is four milliseconds, the second run takes
  /// ten.
  @Test(arguments: [
    (Repeater.Overlap.skip, ["1 at 4", "2 at 8", "5 at 20 missed 2", "6 at 24", "7 at 28"]),
    (.queueOne, ["1 at 4", "2 at 8", "4 at 18 missed 1", "5 at 20", "6 at 24", "7 at 28"]),
    (
      .cancelPrevious,
      ["1 at 4", "2 at 8", "3 at 12", "4 at 16", "5 at 20", "6 at 24", "7 at 28"]
    ),
  ])
  func runsDoNotOverlap(_ overlap: Repeater.Overlap, _ expected: [String]) async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater.every(
      .milliseconds(4), count: 7, clock: .virtual(clock), overlap: overlap
    ) { _, tick in
      log.append(
        "\(tick.iteration) at \(milliseconds(clock))"
          + (tick.missedCount > 0 ? " missed \(tick.missedCount)" : ""))
      if tick.iteration == 2 { try? await clock.sleep(for: .milliseconds(10)) }
    }
    await clock.advance(by: .milliseconds(100))
    #expect(log.all == expected)
    #expect(timer.state == .finished)
  }

  /// A run that is cancelled and does not end delays the next one, which is not cancelled.
  @Test func aRunThatIgnoresItsCancellationDelaysTheNextOne() async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater.every(
      .milliseconds(4), count: 5, clock: .virtual(clock), overlap: .cancelPrevious
    ) { _, tick in
      log.append("\(tick.iteration) at \(milliseconds(clock)) missed \(tick.missedCount)")
      #expect(!Task.isCancelled)
      let wait = Task(executorPreference: clock.taskExecutor) {
        try? await clock.sleep(for: .milliseconds(tick.iteration == 2 ? 10 : 1))
      }
      await wait.value
      #expect(Task.isCancelled == (tick.iteration == 2))
    }
    await clock.advance(by: .milliseconds(100))
    #expect(
      log.all == ["1 at 4 missed 0", "2 at 8 missed 0", "4 at 18 missed 1", "5 at 20 missed 0"])
    // The runner ends with its last run.
    await timer.cancelAndWait()
  }

  /// The run that waits begins in no task of its own.
  @Test func cancelRevokesTheRunThatWaitsForACancelledOne() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int>()
    let timer = try Repeater.every(
      .milliseconds(4), clock: .virtual(clock), overlap: .cancelPrevious
    ) { _, tick in
      log.append(tick.iteration)
      let wait = Task(executorPreference: clock.taskExecutor) {
        try? await clock.sleep(for: .milliseconds(100))
      }
      await wait.value
    }
    await clock.advance(by: .milliseconds(10))
    timer.cancel()
    await clock.advance(by: .milliseconds(200))
    await timer.cancelAndWait()
    #expect(log.all == [1])
  }

  /// No later tick could count it as missed.
  @Test func theLastTickIsNotSkipped() async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater.every(
      .milliseconds(4), count: 3, clock: .virtual(clock), overlap: .skip
    ) { _, tick in
      log.append("\(tick.iteration) missed \(tick.missedCount) last \(tick.isLast)")
      try? await clock.sleep(for: .milliseconds(100))
    }
    await clock.advance(by: .seconds(1))
    #expect(log.all == ["1 missed 0 last false", "3 missed 1 last true"])
    timer.cancel()
  }

  @Test func aOnceTimerRunsOnce() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int64>()
    let timer = try Repeater.once(after: .milliseconds(3), clock: .virtual(clock), overlap: .skip) {
      _, _ in
      try? await clock.sleep(for: .milliseconds(1))
      log.append(milliseconds(clock))
    }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == [4])
    #expect(timer.state == .finished)
  }

  @Test func cancelCancelsTheRunningTask() async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater.every(
      .seconds(1), clock: .virtual(clock), overlap: .queueOne
    ) { _, tick in
      log.append("begin \(tick.iteration)")
      do { try await clock.sleep(for: .seconds(100)) } catch { log.append("\(error)") }
    }
    await clock.advance(by: .seconds(3))
    #expect(timer.cancel() == .changed)
    await clock.waitUntilIdle()
    #expect(log.all == ["begin 1", "CancellationError()"])
    await clock.advance(by: .seconds(3))
    #expect(log.count == 2)
    #expect(clock.pendingCount == 0)
  }

  @Test func cancelAndWaitWaitsForTheOperation() async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) { _, _ in
      await withTaskCancellationHandler {
        // The cancellation of the operation does not end this task.
        await Task(executorPreference: clock.taskExecutor) {
          await clock.waitForSleepingTasks(1)
        }.value
      } onCancel: {
        log.append("cancelled")
      }
      log.append("end")
    }
    await clock.advance(by: .seconds(1))
    await clock.run {
      async let waiting: Void = {
        await timer.cancelAndWait()
        log.append("waited")
      }()
      await clock.waitUntilIdle()
      #expect(log.all == ["cancelled"])
      async let sleep: Void? = try? clock.sleep(for: .seconds(1))
      await clock.advance(by: .seconds(1))
      _ = await (waiting, sleep)
    }
    #expect(log.all == ["cancelled", "end", "waited"])
    await timer.cancelAndWait()
  }

  @Test func cancelAndWaitBlocksUntilTheOperationReturns() async throws {
    let log = Recorder<String>()
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater.once(after: .zero, overlap: .skip) { _, _ in
      continuation.finish()
      try? await Task.sleep(for: .seconds(100))
      // A call that did not wait would return meanwhile.
      for _ in 0..<10_000 { await Task.yield() }
      log.append("end")
    }
    for await _ in begun {}
    // The operation needs the thread on which this test runs, where there is only one.
    await withCheckedContinuation { blocked in
      DispatchQueue.global().async {
        timer.cancelAndWait()
        blocked.resume()
      }
    }
    #expect(log.all == ["end"])
  }

  /// After a pause the operation completes, and the pending tick is dropped.
  @Test(arguments: [false, true]) func aPauseDropsThePendingTick(_ isReset: Bool) async throws {
    let clock = VirtualClock()
    let log = Recorder<Int>()
    let timer = try Repeater.every(
      .seconds(1), clock: .virtual(clock), overlap: .queueOne
    ) { timer, tick in
      try? await clock.sleep(for: .seconds(5))
      log.append(tick.iteration)
    }
    await clock.advance(by: .milliseconds(2_500))
    if isReset { timer.reset() } else { timer.pause() }
    await clock.advance(by: .seconds(100))
    #expect(log.all == [1])
    #expect(clock.pendingCount == 0)
  }

  @Test func aRunningOperationRetainsItsTimer() async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    var timer: Repeater? = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) {
      timer, _ in
      try? await clock.sleep(for: .milliseconds(500))
      log.append("\(timer.state)")
    }
    weak let reference = timer
    await clock.advance(by: .seconds(1))
    timer = nil
    #expect(reference != nil)
    await clock.advance(by: .seconds(10))
    #expect(log.all == ["running"])
    #expect(reference == nil)
    _ = timer
  }

  @Test func anOperationRunsOnItsActor() async throws {
    let clock = VirtualClock()
    let counter = Counter()
    let timer = try Repeater.every(.seconds(1), clock: .virtual(clock), overlap: .skip) { _, _ in
      await counter.increment()
    }
    await clock.advance(by: .seconds(3))
    #expect(await counter.count == 3)
    timer.cancel()
  }

  /// The example of the page on virtual time.
  @Test func aJobSkipsTheOccurrencesThatComeWhileItRuns() async throws {
    let clock = VirtualClock(.wall, wall: WallInstant(nanosecondsSince1970: 0))
    let hourly = try WallSchedule(cron: "0 * * * *", timeZone: .utc)
    let skipped = Recorder<Int>()
    let job = try Repeater.following(hourly, clock: .virtual(clock), overlap: .skip) { _, tick in
      skipped.append(tick.missedCount)
      try? await clock.sleep(for: .minutes(90))
    }
    await clock.advance(by: .hours(6))
    #expect(skipped.all == [0, 1, 1])
    job.cancel()
  }

  @Test func aConfigurationCreatesATimer() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int>()
    let timer = try Repeater(
      Repeater.Configuration(.interval(.seconds(1)), mode: .finite(2)), clock: .virtual(clock),
      overlap: .skip
    ) { _, tick async in log.append(tick.iteration) }
    await clock.advance(by: .seconds(2))
    #expect(log.all == [])
    timer.start()
    timer.fire()
    await clock.advance(by: .seconds(2))
    #expect(log.all == [1, 2])
    #expect(throws: TimerConfigurationError.invalidDuration(.zero, parameter: .interval)) {
      try Repeater.every(.zero, overlap: .skip) { _, _ async in }
    }
    #expect(throws: TimerConfigurationError.notWallClock(.suspending)) {
      try Repeater(
        Repeater.Configuration(.schedule(.daily(hour: 9))), clock: .suspending,
        overlap: .skip
      ) { _, _ async in }
    }
  }
}

private actor Counter {
  private(set) var count = 0
  func increment() { count += 1 }
}
