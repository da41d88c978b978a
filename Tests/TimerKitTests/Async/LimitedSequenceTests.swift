import Testing

@testable import TimerKit

@Suite struct LimitedSequenceTests {
  private func debounced(
    _ base: String, for delay: Int = 3, _ edges: DebounceEdges = .trailing, maxWait: Int? = nil,
    readerTakes: Int = 0
  ) async throws -> String {
    let clock = VirtualClock()
    let sequence = try MarbleSequence(marbles: base, clock: clock).debounced(
      for: .milliseconds(delay), edges: edges, maxWait: maxWait.map { .milliseconds($0) },
      clock: .virtual(clock))
    return await clock.run {
      async let drawing = draw(sequence, on: clock, delay: readerTakes)
      #expect(await clock.advanceToEnd(within: .seconds(1)))
      return await drawing
    }
  }

  private func throttled(
    _ base: String, for interval: Int = 4, mode: ThrottleMode = .fromDelivery,
    keeping: KeptValue = .latest, readerTakes: Int = 0
  ) async throws -> String {
    let clock = VirtualClock()
    let sequence = try MarbleSequence(marbles: base, clock: clock).throttled(
      for: .milliseconds(interval), mode: mode, keeping: keeping, clock: .virtual(clock))
    return await clock.run {
      async let drawing = draw(sequence, on: clock, delay: readerTakes)
      #expect(await clock.advanceToEnd(within: .seconds(1)))
      return await drawing
    }
  }

  /// The diagrams of the documentation.
  @Test func debouncedMatchesTheDiagrams() async throws {
    let base = "a-b-c---------d-|"
    #expect(try await debounced(base) == "-------c--------d|")
    #expect(try await debounced(base, .leading) == "a-------------d-|")
    #expect(try await debounced(base, .both) == "a------c------d-|")
    #expect(try await debounced("a-b-c-d-e-----|", maxWait: 5) == "-----c----e---|")
  }

  @Test func throttledMatchesTheDiagrams() async throws {
    let base = "a-bc---d-------e-f|"
    #expect(try await throttled(base) == "a---c---d------e--f|")
    #expect(try await throttled(base, keeping: .first) == "a---b---d------e--f|")
    #expect(try await throttled(base, keeping: .nothing) == "a------d-------e--|")
    #expect(try await throttled(base, mode: .deferred) == "----c------d------f|")
    #expect(try await throttled("ab-c|", for: 0) == "ab-c|")
  }

  /// The error comes after the pending element, with its type.
  @Test func errorsPassThrough() async throws {
    #expect(try await debounced("a-b#") == "---b#")
    #expect(try await debounced("-#") == "-#")
    #expect(try await throttled("ab#") == "a-b#")
    #expect(try await debounced("|") == "|")
  }

  /// The newest element waits for a reader that is slower than the sequence.
  @Test func aSlowReaderReceivesTheNewest() async throws {
    #expect(
      try await throttled("a--b--c--d--e--|", for: 1, readerTakes: 7) == "a------c------e------|")
    #expect(try await debounced("a---b---c---|", for: 1, readerTakes: 9) == "-a--------c--------|")
  }

  @Test func invalidValuesAreThrown() {
    let base = MarbleSequence(marbles: "a", clock: VirtualClock())
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .delay)) {
      try base.debounced(for: .seconds(-1))
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .maxWait)) {
      try base.debounced(for: .zero, maxWait: .seconds(-1))
    }
    #expect(
      throws: TimerConfigurationError.invalidDuration(.seconds(-2), parameter: .throttleInterval)
    ) {
      try base.throttled(for: .seconds(-2))
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-3), parameter: .tolerance)) {
      try base.throttled(for: .seconds(2), tolerance: .seconds(-3))
    }
  }

  /// A base sequence that never ends by itself is cancelled and released.
  @Test(arguments: [false, true]) func theBaseEndsWithItsReader(_ isCancelled: Bool)
    async throws
  {
    let clock = VirtualClock()
    let live = LiveIterators()
    let base = CountedSequence(live: live, clock: clock)
    let sequence = try base.debounced(for: .milliseconds(3), clock: .virtual(clock))
    await clock.run {
      await withTaskGroup { group in
        group.addTask {
          for await _ in sequence where !isCancelled { break }
        }
        await clock.advance(by: .milliseconds(isCancelled ? 11 : 20))
        if isCancelled {
          #expect(live.count.withLock(\.self) == 1)
          #expect(clock.pendingCount == 2)
        }
        group.cancelAll()
      }
      await clock.waitUntilIdle()
    }
    #expect(live.count.withLock(\.self) == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test func anIteratorThatIsReleasedEndsTheBase() async throws {
    let clock = VirtualClock()
    let live = LiveIterators()
    let sequence = try CountedSequence(live: live, clock: clock).throttled(
      for: .milliseconds(3), clock: .virtual(clock))
    // An iterator that is never read has not started the base.
    _ = sequence.makeAsyncIterator()
    #expect(live.count.withLock(\.self) == 0)
    async let first = {
      var iterator = sequence.makeAsyncIterator()
      return await iterator.next(isolation: nil)
    }()
    await clock.waitForSleepingTasks(1)
    await clock.advance(by: .milliseconds(10))
    #expect(await first == 1)
    await clock.waitUntilIdle()
    #expect(live.count.withLock(\.self) == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test func runsOnTheSystemClock() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 1...100 { continuation.yield(number) }
    continuation.finish()
    var received: [Int] = []
    for await number in try stream.debounced(for: .hours(1), edges: .both) {
      received.append(number)
    }
    #expect(received == [1, 100])
  }
}

/// The number of iterators that are alive.
final class LiveIterators: Sendable {
  let count = Guarded(0)
}

/// An element every ten milliseconds.
struct CountedSequence: AsyncSequence, Sendable {
  let live: LiveIterators
  let clock: VirtualClock

  func makeAsyncIterator() -> Iterator { Iterator(life: Life(live), clock: clock) }

  struct Iterator: AsyncIteratorProtocol {
    let life: Life
    let clock: VirtualClock

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      try? await clock.sleep(for: .milliseconds(10))
      return Task.isCancelled ? nil : 1
    }
  }

  final class Life: Sendable {
    private let live: LiveIterators

    init(_ live: LiveIterators) {
      self.live = live
      live.count.withLock { $0 += 1 }
    }

    deinit { live.count.withLock { $0 -= 1 } }
  }
}
