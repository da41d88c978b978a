import Dispatch
import Testing

@testable import TimerKit

/// Asynchronous operations of a debouncer. What it shares with those of a repeater is in `OperationTests`.
@Suite struct DebouncerOperationTests {
  /// Four searches, of which each takes ten milliseconds, begin at 3, 8, 12 and 40.
  @Test(arguments: [
    (
      Repeater.Overlap.skip, ["a begins at 3", "a ends at 13", "d begins at 43", "d ends at 53"],
      discarded: 2
    ),
    (
      .queueOne,
      [
        "a begins at 3", "a ends at 13", "c begins at 13", "c ends at 23", "d begins at 43",
        "d ends at 53",
      ], discarded: 1
    ),
    (
      .cancelPrevious,
      [
        "a begins at 3", "a is cancelled at 8", "b begins at 8", "b is cancelled at 12",
        "c begins at 12", "c ends at 22", "d begins at 43", "d ends at 53",
      ], discarded: 0
    ),
  ])
  func theOverlapIsThatOfARepeater(
    _ overlap: Repeater.Overlap, _ expected: [String], discarded: Int
  ) async throws {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let search = try Debouncer<String>(
      delay: .milliseconds(3), clock: .virtual(clock), overlap: overlap
    ) { [log] _, text in
      log.append("\(text) begins at \(milliseconds(clock))")
      do {
        try await clock.sleep(for: .milliseconds(10))
        log.append("\(text) ends at \(milliseconds(clock))")
      } catch {
        log.append("\(text) is cancelled at \(milliseconds(clock))")
      }
    }
    for (text, time) in [("a", 0), ("b", 5), ("c", 9), ("d", 40)] {
      await clock.advance(by: .milliseconds(Int64(time) - milliseconds(clock)))
      search.call(text)
    }
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == expected)
    let snapshot = search.snapshot
    #expect(snapshot.discardedCount == discarded)
    #expect(snapshot.deliveredCount == 4 && snapshot.droppedCount == 0)
    search.cancel()
    #expect(search.snapshot.discardedCount == discarded)
  }

  @Test func cancelPendingDropsTheValueThatWaitsForARun() async throws {
    let clock = VirtualClock()
    let log = Recorder<Int>()
    let debouncer = try Debouncer<Int>(
      delay: .milliseconds(1), clock: .virtual(clock), overlap: .queueOne
    ) { [log] _, value in
      log.append(value)
      try? await clock.sleep(for: .milliseconds(10))
      #expect(!Task.isCancelled)
    }
    debouncer.call(1)
    await clock.advance(by: .milliseconds(1))
    debouncer.call(2)
    await clock.advance(by: .milliseconds(1))
    // It was delivered, and waits for the end of the first run.
    debouncer.cancelPending()
    debouncer.call(3)
    #expect(await clock.advanceToEnd(within: .seconds(1)))
    #expect(log.all == [1, 3])
  }

  /// On the main actor, an operation that has been delivered begins only when the actor is free.
  @Test @MainActor func noneBeginsAfterACancellationOnItsActor() async throws {
    let queue = DispatchQueue(label: "search")
    let values = Recorder<Int>()
    for round in 0..<20 {
      let delivered = DispatchSemaphore(value: 0)
      let debouncer = try Debouncer<Int>(delay: .zero, overlap: .skip) {
        @MainActor [values] _, value in values.append(value)
      }
      debouncer.observe { _, event in
        if case .delivery = event { delivered.signal() }
      }
      debouncer.call(round)
      queue.sync { delivered.wait() }
      if round.isMultiple(of: 2) { debouncer.cancelPending() } else { debouncer.cancel() }
      await debouncer.cancelAndWait()
    }
    #expect(values.all == [])
  }

  @Test func cancelEndsTheRunAndReleasesTheOperation() async throws {
    final class Owner: Sendable {}
    let clock = VirtualClock()
    weak var released: Owner?
    let debouncer: Debouncer<Int>
    do {
      let owner = Owner()
      released = owner
      debouncer = try Debouncer(
        DebounceConfiguration(delay: .milliseconds(1)), clock: .virtual(clock), overlap: .skip
      ) { [owner] _, _ in
        try? await clock.sleep(for: .hours(1))
        #expect(Task.isCancelled)
        withExtendedLifetime(owner) {}
      }
    }
    debouncer.call(1)
    await clock.advance(by: .milliseconds(1))
    #expect(released != nil)
    await debouncer.cancelAndWait()
    await clock.waitUntilIdle()
    #expect(released == nil && clock.pendingCount == 0)
  }

  @Test func invalidValuesAreErrors() {
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .delay)) {
      try Debouncer<Int>(delay: .seconds(-1), overlap: .skip) { _, _ in await Task.yield() }
    }
  }
}
