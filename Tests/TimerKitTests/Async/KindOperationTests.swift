import Testing

@testable import TimerKit

/// Asynchronous operations of the kinds other than repeaters and debouncers, which share their runner.
@Suite struct KindOperationTests {
  private let clock = VirtualClock()
  private let log = Recorder<String>()

  /// An operation that takes ten milliseconds.
  private var work: @Sendable (_ name: String) async -> Void {
    { [clock, log] name in
      log.append("\(name) begins at \(milliseconds(clock))")
      do {
        try await clock.sleep(for: .milliseconds(10))
        log.append("\(name) ends at \(milliseconds(clock))")
      } catch {
        log.append("\(name) is cancelled at \(milliseconds(clock))")
      }
    }
  }

  private func advance(to time: Int64) async {
    await clock.advance(by: .milliseconds(time - milliseconds(clock)))
  }

  @Test(arguments: [
    (Repeater.Overlap.skip, ["a begins at 0", "a ends at 10"]),
    (.queueOne, ["a begins at 0", "a ends at 10", "b begins at 10", "b ends at 20"]),
    (.cancelPrevious, ["a begins at 0", "a is cancelled at 6", "b begins at 6", "b ends at 16"]),
  ])
  func throttler(_ overlap: Repeater.Overlap, _ expected: [String]) async throws {
    let throttler = try Throttler<String>(
      interval: .milliseconds(6), clock: .virtual(clock), overlap: overlap
    ) { [work] _, name in await work(name) }
    throttler.call("a")
    await advance(to: 2)
    throttler.call("b")
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == expected)
  }

  /// The runs of a key supersede one another, and no others.
  @Test func keyedDebouncer() async throws {
    let debouncer = try KeyedDebouncer<String, String>(
      delay: .milliseconds(3), clock: .virtual(clock), overlap: .cancelPrevious
    ) { [work] _, _, name in await work(name) }
    debouncer.call("a1", for: "a")
    debouncer.call("b1", for: "b")
    await advance(to: 5)
    debouncer.call("a2", for: "a")
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(
      log.all == [
        "a1 begins at 3", "b1 begins at 3", "a1 is cancelled at 8", "a2 begins at 8",
        "b1 ends at 13", "a2 ends at 18",
      ])
  }

  /// - Parameter cancelled: The key whose calls are dropped; `nil` for all.
  @Test(arguments: ["a", "b", nil] as [String?])
  func keyedThrottlerDropsTheWaitingRunOfAKey(_ cancelled: String?) async throws {
    let throttler = try KeyedThrottler<String, String>(
      interval: .milliseconds(4), clock: .virtual(clock), overlap: .queueOne
    ) { [work] _, key, name in await work(key + name) }
    throttler.call("1", for: "a")
    await advance(to: 1)
    for key in ["a", "b"] { throttler.call("2", for: key) }
    await advance(to: 5)
    // Delivered at 4, the second value of "a" waits for the end of the run of the first.
    if let cancelled { throttler.cancelPending(for: cancelled) } else { throttler.cancelPending() }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    let expected = ["a1 begins at 0", "b2 begins at 1", "a1 ends at 10"]
    #expect(
      log.all == expected
        + (cancelled != "b"
          ? ["b2 ends at 11"] : ["a2 begins at 10", "b2 ends at 11", "a2 ends at 20"]))
  }

  /// The runs of all keys are cancelled and awaited, and the memory of the keys is free.
  @Test func cancellingAKeyedTimerEndsAllRuns() async throws {
    let ended = Recorder<Int>()
    let debouncer = try KeyedDebouncer<Int, Void>(
      delay: .milliseconds(1), clock: .virtual(clock), overlap: .skip
    ) { [clock] debouncer, key, _ in
      try? await clock.sleep(for: .hours(1))
      await Task.yield()
      ended.append(key)
    }
    for key in 0..<20 { debouncer.call(for: key) }
    await advance(to: 1)
    #expect(ended.all == [])
    await debouncer.cancelAndWait()
    #expect(ended.all.sorted() == Array(0..<20))
    #expect(clock.pendingCount == 0)
  }

  /// A run of one key may not wait for the end of all.
  @Test func waitingForItselfTraps() async {
    await #expect(processExitsWith: .failure) {
      let clock = VirtualClock()
      let debouncer = try KeyedDebouncer<Int, Void>(
        delay: .zero, clock: .virtual(clock), overlap: .skip
      ) { debouncer, key, _ in
        if key == 1 {
          await debouncer.cancelAndWait()
        } else {
          try? await clock.sleep(for: .hours(1))
        }
      }
      for key in 0..<3 { debouncer.call(for: key) }
      await clock.advance(by: .seconds(1))
    }
  }

  /// No tick comes after the last one, so that it waits for the end of the run.
  @Test func cycleAndItsLastTick() async throws {
    let cycle = try Cycle(
      [.init("work", .milliseconds(2)), .init("rest", .milliseconds(2))], rounds: 2,
      includesFinalRest: true, clock: .virtual(clock), overlap: .skip
    ) { [work] _, tick in await work("\(tick.ended.phase.name) \(tick.round)") }
    cycle.start()
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(
      log.all == [
        "work 1 begins at 2", "work 1 ends at 12", "rest 2 begins at 12", "rest 2 ends at 22",
      ])
  }

  @Test(arguments: [
    (Repeater.Overlap.skip, ["2 begins at 2", "2 ends at 12", "0 begins at 12", "0 ends at 22"]),
    (
      .cancelPrevious,
      [
        "2 begins at 2", "2 is cancelled at 4", "1 begins at 4", "1 is cancelled at 6",
        "0 begins at 6", "0 ends at 16",
      ]
    ),
  ])
  func countdown(_ overlap: Repeater.Overlap, _ expected: [String]) async throws {
    let countdown = try Countdown(
      from: 3, every: .milliseconds(2), clock: .virtual(clock), overlap: overlap
    ) { [work] _, steps in await work("\(steps)") }
    countdown.start()
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == expected)
  }

  @Test func aPauseDropsTheStepThatWaits() async throws {
    let countdown = try Countdown(
      from: 3, every: .milliseconds(2), clock: .virtual(clock), overlap: .queueOne
    ) { [work] _, steps in await work("\(steps)") }
    countdown.start()
    await advance(to: 5)
    countdown.pause()
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == ["2 begins at 2", "2 ends at 12"])
  }

  @Test(arguments: [false, true])
  func deadlineTimer(_ isUnscheduled: Bool) async throws {
    let timer = DeadlineTimer(clock: .virtual(clock), overlap: .queueOne) { [work] _, deadline in
      await work("\(deadline.nanoseconds / 1_000_000)")
    }
    timer.schedule(after: .milliseconds(2))
    await advance(to: 3)
    timer.schedule(after: .milliseconds(1))
    await advance(to: 5)
    if isUnscheduled { #expect(timer.unschedule() == .unchanged) }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    let first = ["2 begins at 2", "2 ends at 12"]
    #expect(log.all == first + (isUnscheduled ? [] : ["4 begins at 12", "4 ends at 22"]))
  }

  /// Values wait in the batcher, and a flush for the end of the run.
  @Test func batcher() async throws {
    let batcher = try Batcher<String>(count: 2, clock: .virtual(clock), overlap: .queueOne) {
      [work] _, batch in await work(batch.joined())
    }
    for name in ["a", "b"] { batcher.add(name) }
    await advance(to: 2)
    for name in ["c", "d"] { batcher.add(name) }
    await advance(to: 5)
    batcher.add("e")
    batcher.flush()
    await advance(to: 12)
    for name in ["f", "g"] { batcher.add(name) }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(
      log.all == [
        "ab begins at 0", "ab ends at 10", "cd begins at 10", "cd ends at 20", "ef begins at 20",
        "ef ends at 30", "g begins at 30", "g ends at 40",
      ])
    let snapshot = batcher.snapshot
    #expect(snapshot.callCount == 7 && snapshot.deliveredCount == 7 && snapshot.discardedCount == 0)
  }

  /// Values that wait for the end of a run are bounded, dropped by `cancelPending`, and delivered to the handler that replaces
  /// the operation, whose run it cancels.
  @Test(arguments: [false, true])
  func whatWaitsForARunOfABatcher(_ isDropped: Bool) async throws {
    let batcher = try Batcher<String>(
      maxWait: .milliseconds(1), limit: 2, clock: .virtual(clock), overlap: .queueOne
    ) { [work] _, batch in await work(batch.joined()) }
    batcher.add("a")
    await advance(to: 1)
    for name in ["b", "c", "d"] { batcher.add(name) }
    await advance(to: 5)
    #expect(batcher.snapshot.pendingCount == 2)
    if isDropped { batcher.cancelPending() }
    batcher.setHandler { [clock, log] _, batch in
      log.append("\(batch.joined()) handled at \(milliseconds(clock))")
    }
    await advance(to: 20)
    batcher.add("e")
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(
      log.all == ["a begins at 1", "a is cancelled at 5"]
        + (isDropped ? [] : ["c handled at 5", "d handled at 5"]) + ["e handled at 21"])
  }

  /// A revoked run gives way to the next batch.
  @Test @MainActor func aRevokedRunOfABatcherKeepsNothingBack() async throws {
    let runs = Recorder<[Int]>()
    let batcher = try Batcher<Int>(count: 2, clock: .virtual(clock), overlap: .queueOne) {
      @MainActor [runs] _, batch in runs.append(batch)
    }
    for value in 1...4 { batcher.add(value) }
    batcher.cancelPending()
    batcher.add(5)
    batcher.flush()
    await clock.waitUntilIdle()
    #expect(runs.all == [[5]])
    let snapshot = batcher.snapshot
    #expect(snapshot.deliveredCount == 3 && snapshot.discardedCount == 2)
    #expect(snapshot.droppedCount == 2)
  }

  @Test func timeLimited() async throws {
    let session = try TimeLimited(
      "a", for: .milliseconds(4), clock: .virtual(clock), overlap: .queueOne
    ) { [work] _, name in await work(name) }
    await advance(to: 5)
    session.replace(with: "b")
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(
      log.all == ["a begins at 4", "a ends at 14", "b begins at 14", "b ends at 24"])
  }

  /// The operation begins on its actor, where a control that has returned revokes it.
  @Test @MainActor func noneBeginsAfterAControlOnItsActor() async throws {
    let runs = Recorder<Int>()
    let clock = TimerClock.virtual(self.clock)
    let countdown = try Countdown(from: 1, every: .seconds(1), clock: clock, overlap: .skip) {
      @MainActor [runs] _, _ in runs.append(1)
    }
    let keyed = try KeyedDebouncer<String, Int>(
      delay: .seconds(1), clock: clock, overlap: .skip
    ) { @MainActor [runs] _, _, value in runs.append(value) }
    let timer = DeadlineTimer(clock: clock, overlap: .skip) { @MainActor [runs] _, _ in
      runs.append(4)
    }
    countdown.start()
    keyed.call(2, for: "a")
    keyed.call(3, for: "b")
    timer.schedule(after: .seconds(1))
    Self.advance(self.clock)
    countdown.reset()
    keyed.cancelPending(for: "a")
    timer.unschedule()
    // The main actor is free only now.
    await self.clock.waitUntilIdle()
    #expect(runs.all == [3])
  }

  private static func advance(_ clock: VirtualClock) { clock.advance(by: .seconds(1)) }
}
