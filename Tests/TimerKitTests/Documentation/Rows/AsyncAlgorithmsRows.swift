// Table: swift-async-algorithms
// Source: the guides Timer.md, Debounce.md, Throttle.md and Chunked.md of apple/swift-async-algorithms 1.1, and its
// AsyncThrottleSequence.swift and AsyncFlatMapLatestSequence.swift.

import Testing

@testable import TimerKit

@Suite(.virtualTime) struct AsyncAlgorithmsRows {
  let system = VirtualSystem.current
  let work = Work()
  let texts: AsyncStream<String>
  let input: AsyncStream<String>.Continuation

  init() { (texts, input) = AsyncStream.makeStream(of: String.self) }

  // Row: `for await _ in AsyncTimerSequence(interval: .seconds(1), clock: .suspending) { work() }`
  @Test func aTimerSequence() async throws {
    try await system.advance(by: .seconds(3)) { [work] in
      for await _ in try Repeater.ticks(every: .seconds(1)) { work() }
    }
    #expect(work.times == [1, 2, 3])
  }

  // Row: `AsyncTimerSequence(interval: .seconds(1), tolerance: .milliseconds(100), clock: .continuous)`
  @Test func aTimerSequenceWithTolerance() async throws {
    try await system.advance(by: .seconds(3.1)) { [work] in
      let ticks = try Repeater.ticks(
        every: .seconds(1), tolerance: .milliseconds(100), clock: .continuous)
      for await _ in ticks { work() }
    }
    #expect(work.times.count == 3)
    #expect(zip(work.times, [1.0, 2, 3]).allSatisfy { ($1...$1 + 0.1).contains($0) })
  }

  // Row: `AsyncTimerSequence(interval: .seconds(1), clock: clock)` in code that is generic over `Clock`
  @Test func aTimerSequenceOfAnyClock() async throws {
    try await system.advance(by: .seconds(3)) { [work] in
      for await _ in try Repeater.ticks(every: .seconds(1), clock: ContinuousClock()) { work() }
    }
    #expect(work.times == [1, 2, 3])
  }

  // Row: `texts.debounce(for: .seconds(1))`
  @Test func debounce() async throws {
    let lines = try await system.collect(
      try texts.debounced(for: .seconds(1)), feeding: input,
      [(0, "a"), (0.5, "b"), (2, "c")], endingAt: 5)
    #expect(lines == ["1.5 b", "3.0 c"])
  }

  // Row: `texts.debounce(for: .seconds(1)).flatMapLatest { text in … }`, to cancel the work for an earlier text
  @Test func anEarlierTextIsCancelled() async throws {
    let log = Recorder<String>()
    @Sendable func find(_ text: String) async {
      log.append("\(system.now) \(text)")
      do {
        try await TimerClock.suspending.sleep(for: .seconds(3))
        log.append("\(system.now) found \(text)")
      } catch {
        log.append("\(system.now) cancelled \(text)")
      }
    }
    let search = try Debouncer<String>(delay: .seconds(1), overlap: .cancelPrevious) { _, text in
      await find(text)
    }
    try await system.advance(by: .seconds(20)) { [clock = system.clock] in
      search.call("a")
      search.call("b")
      try await clock.sleep(for: .seconds(2))
      search.call("c")
    }
    #expect(log.all == ["1.0 b", "3.0 cancelled b", "3.0 c", "6.0 found c"])
  }

  // Row: `texts._throttle(for: .seconds(1))`
  @Test func throttleKeepsTheLatest() async throws {
    let lines = try await system.collect(
      try texts.throttled(for: .seconds(1)), feeding: input,
      [(0, "a"), (0.2, "b"), (0.4, "c"), (3, "d")], endingAt: 5)
    // Theirs yields c only with the next element, at 3, and d at the end.
    #expect(lines == ["0.0 a", "1.0 c", "3.0 d"])
  }

  // Row: `texts._throttle(for: .seconds(1), latest: false)`
  @Test func throttleKeepsTheFirst() async throws {
    let lines = try await system.collect(
      try texts.throttled(for: .seconds(1), keeping: .first), feeding: input,
      [(0, "a"), (0.2, "b"), (0.4, "c"), (3, "d")], endingAt: 5)
    #expect(lines == ["0.0 a", "1.0 b", "3.0 d"])
  }

  // Row: `texts.chunks(ofCount: 100)`
  @Test func chunksOfACount() async throws {
    let sizes = counts(try texts.chunked(count: 100))
    let lines = try await system.collect(
      sizes, feeding: input, (0..<250).map { (1, "\($0)") }, endingAt: 5)
    #expect(lines == ["1.0 100", "1.0 100", "5.0 50"])
  }

  // Row: `texts.chunks(ofCount: 100, or: .repeating(every: .seconds(1)))`
  @Test func chunksOfACountOrATime() async throws {
    let sizes = counts(try texts.chunked(count: 100, maxWait: .seconds(1)))
    let lines = try await system.collect(
      sizes, feeding: input,
      (0..<250).map { ($0 < 150 ? 0.25 : 3, "\($0)") }, endingAt: 9)
    #expect(lines == ["0.25 100", "1.25 50", "3.0 100"])
  }
}

/// The sizes of the arrays of a sequence.
private func counts<Base: AsyncSequence & Sendable>(_ base: Base)
  -> AsyncMapSequence<Base, Int> where Base.Element == [String]
{
  base.map(\.count)
}
