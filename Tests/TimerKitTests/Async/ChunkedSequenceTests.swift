import Testing

@testable import TimerKit

@Suite struct ChunkedSequenceTests {
  /// A digit is the number of elements of an array.
  private func chunked(
    _ base: String, count: Int = 3, maxWait: Int? = 6, quietTime: Int? = 4, readerTakes: Int = 0
  ) async throws -> String {
    let clock = VirtualClock()
    let sequence = try MarbleSequence(marbles: base, clock: clock).chunked(
      count: count, maxWait: maxWait.map { .milliseconds($0) },
      quietTime: quietTime.map { .milliseconds($0) }, clock: .virtual(clock)
    ).map { Character("\($0.count)") }
    return await clock.run {
      async let drawing = draw(sequence, on: clock, delay: readerTakes)
      #expect(await clock.advanceToEnd(within: .seconds(1)))
      return await drawing
    }
  }

  /// The first is the diagram of the documentation.
  @Test func matchesTheDiagrams() async throws {
    #expect(
      try await chunked("a-b-c------d-------e--f---g-|") == "----3----------1---------2--1|")
    #expect(try await chunked("a-b-c------d-|", maxWait: nil, quietTime: nil) == "----3--------1|")
    #expect(try await chunked("abc|") == "--3|")
    #expect(try await chunked("|") == "|")
  }

  @Test func errorsPassThroughAfterTheElements() async throws {
    #expect(try await chunked("ab#") == "--2#")
    #expect(try await chunked("#") == "#")
  }

  /// No element is dropped: the base sequence waits. A merged array has no more than `count` elements.
  @Test func aSlowReaderReceivesAllElements() async throws {
    let whole = try await chunked("abcdefghijklm|", readerTakes: 10)
    #expect(whole == "--3---------3---------3---------3---------1---------|")
    // The parts of an array that were delivered at different times are joined.
    let joined = try await chunked(
      "abc-d-----e------|", maxWait: 3, quietTime: nil, readerTakes: 12)
    #expect(joined == "--3-----------2-----------|")
  }

  @Test func theBaseSequenceIsReadAheadByOneArray() async throws {
    let clock = VirtualClock()
    let read = Recorder<Int>()
    let base = AsyncStream<Int>(unfolding: {
      read.append(read.count)
      return read.count
    })
    let chunks = try base.chunked(count: 4, clock: .virtual(clock))
    await clock.run {
      var iterator = chunks.makeAsyncIterator()
      await clock.waitUntilIdle()
      #expect(read.count == 0)
      #expect(await iterator.next(isolation: nil) == [1, 2, 3, 4])
      await clock.waitUntilIdle()
      // One more waits for a place.
      #expect(read.count == 9)
      #expect(await iterator.next(isolation: nil) == [5, 6, 7, 8])
      await clock.waitUntilIdle()
      #expect(read.count == 13)
    }
  }

  /// The base sequence never ends by itself. Its task waits for a place, or for an element.
  @Test(arguments: [2, 100], [false, true])
  func theBaseEndsWithItsReader(_ count: Int, _ isCancelled: Bool) async throws {
    let clock = VirtualClock()
    let live = LiveIterators()
    let chunks = try CountedSequence(live: live, clock: clock).chunked(
      count: count, maxWait: .milliseconds(25), clock: .virtual(clock))
    await clock.run {
      await withTaskGroup { group in
        group.addTask {
          for await _ in chunks {
            if isCancelled { try? await clock.sleep(for: .hours(1)) } else { break }
          }
        }
        await clock.advance(by: .seconds(1))
        #expect(live.count.withLock(\.self) == (isCancelled ? 1 : 0))
        group.cancelAll()
      }
      await clock.waitUntilIdle()
    }
    #expect(live.count.withLock(\.self) == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test func invalidValuesAreThrown() {
    let base = MarbleSequence(marbles: "a", clock: VirtualClock())
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .batchCount)) {
      try base.chunked(count: 0)
    }
    #expect(throws: TimerConfigurationError.invalidCount(.min, parameter: .batchCount)) {
      try base.chunked(count: .min)
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .quietTime)) {
      try base.chunked(count: .max, quietTime: .seconds(-1))
    }
    #expect(throws: TimerConfigurationError.invalidDuration(.seconds(-1), parameter: .tolerance)) {
      try base.chunked(count: 3, tolerance: .seconds(-1))
    }
  }
}
