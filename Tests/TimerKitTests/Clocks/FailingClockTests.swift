import Testing

@testable import TimerKit

/// A clock that TimerKit does not know, whose sleep throws an error: one that was closed, or that a test must not use.
private final class FailingClock: Clock {
  struct Failure: Error, Equatable {}

  typealias Instant = ContinuousClock.Instant
  /// The number of sleeps that end well, at once, before the first one that fails.
  let goodSleeps: Int
  /// The error of a sleep. That of a cancellation is none of the sleeping task's own, either.
  let error: any Error
  let sleeps = Recorder<Void>()
  private let time = Guarded(ContinuousClock.now)

  init(after goodSleeps: Int, throwing error: any Error) {
    self.goodSleeps = goodSleeps
    self.error = error
  }

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    sleeps.append(())
    if sleeps.count > goodSleeps { throw error }
    time.withLock { $0 = max($0, deadline) }
  }
}

@Suite struct FailingClockTests {
  private static let errors: [any Error & Sendable] = [FailingClock.Failure(), CancellationError()]

  /// The sequence ends: nothing sleeps again and again.
  @Test(arguments: [0, 3], errors.indices)
  func ticksEnd(after goodSleeps: Int, errorIndex: Int) async throws {
    let clock = FailingClock(after: goodSleeps, throwing: Self.errors[errorIndex])
    var count = 0
    for await _ in try Repeater.ticks(every: .seconds(60), clock: clock) { count += 1 }
    #expect(count <= goodSleeps && (count > 0) == (goodSleeps > 0))
    #expect(clock.sleeps.count == goodSleeps + 1)
  }

  /// The pending element comes without waiting, and then the end.
  @Test(arguments: errors.indices) func limitedSequencesEnd(errorIndex: Int) async throws {
    for isDebounced in [true, false] {
      let clock = FailingClock(after: 0, throwing: Self.errors[errorIndex])
      let (base, input) = AsyncStream.makeStream(of: String.self)
      for text in ["a", "b"] { input.yield(text) }
      var all: [String] = []
      if isDebounced {
        for await text in try base.debounced(for: .seconds(60), clock: clock) { all.append(text) }
      } else {
        for await text in try base.throttled(for: .seconds(60), clock: clock) { all.append(text) }
      }
      // The base sequence has not ended. Its last element may be read after the failure.
      #expect(["a", "b"].starts(with: all) || all == ["b"])
      #expect(!all.isEmpty)
      #expect(clock.sleeps.count == 1)
      input.finish()
    }
  }

  @Test func aTimeoutOnItFailsAndCancelsTheOperation() async {
    let clock = FailingClock(after: 0, throwing: FailingClock.Failure())
    await #expect(throws: FailingClock.Failure.self) {
      try await withTimeout(.seconds(60), clock: clock) {
        try await Task.sleep(for: .seconds(3_600))
      }
    }
  }
}
