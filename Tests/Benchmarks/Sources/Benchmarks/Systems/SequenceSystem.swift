import AsyncAlgorithms
import TimerKit

/// A way to read ticks, and debounced elements, as an asynchronous sequence.
protocol SequenceSystem: Sendable {
  /// Ticks every `interval` nanoseconds, and calls `body` for each tick until it returns false.
  /// - Parameter body: Receives the number of ticks that are merged into the delivered one.
  func read(every interval: Int64, _ body: @Sendable (_ missed: Int) -> Bool) async throws

  /// Reads all elements of a debounced sequence.
  func debounce(_ base: Numbers, quiet: Int64) async throws -> [Int]

  /// Reads all elements of a sequence in arrays of at most `size`, each of which waits for at most a second.
  /// - Returns: The numbers of elements in the arrays.
  func chunk(_ base: Numbers, size: Int) async throws -> [Int]
}

/// TimerKit: `Repeater.ticks`, `debounced(for:)` and `chunked(count:)`.
struct TimerKitSequences: SequenceSystem {
  func read(every interval: Int64, _ body: @Sendable (_ missed: Int) -> Bool) async throws {
    for await tick in try Repeater.ticks(every: .nanoseconds(interval)) {
      if !body(tick.missedCount) { return }
    }
  }

  func debounce(_ base: Numbers, quiet: Int64) async throws -> [Int] {
    var elements: [Int] = []
    for await element in try base.debounced(for: .nanoseconds(quiet)) { elements.append(element) }
    return elements
  }

  func chunk(_ base: Numbers, size: Int) async throws -> [Int] {
    var counts: [Int] = []
    for await chunk in try base.chunked(count: size, maxWait: .seconds(1)) {
      counts.append(chunk.count)
    }
    return counts
  }
}

/// swift-async-algorithms, on TimerKit's default clock.
struct AsyncAlgorithmsSequences: SequenceSystem {
  func read(every interval: Int64, _ body: @Sendable (_ missed: Int) -> Bool) async throws {
    for await _ in AsyncTimerSequence(interval: .nanoseconds(interval), clock: .suspending) {
      if !body(0) { return }
    }
  }

  func debounce(_ base: Numbers, quiet: Int64) async throws -> [Int] {
    var elements: [Int] = []
    for await element in base.debounce(for: .nanoseconds(quiet), clock: .suspending) {
      elements.append(element)
    }
    return elements
  }

  func chunk(_ base: Numbers, size: Int) async throws -> [Int] {
    var counts: [Int] = []
    let second = AsyncTimerSequence(interval: .seconds(1), clock: .suspending)
    for await chunk in base.chunks(ofCount: size, or: second) { counts.append(chunk.count) }
    return counts
  }
}

/// The numbers below a bound, without delays.
struct Numbers: AsyncSequence, Sendable {
  typealias Failure = Never

  let bound: Int

  func makeAsyncIterator() -> Iterator { Iterator(bound: bound) }

  struct Iterator: AsyncIteratorProtocol {
    let bound: Int
    var number = 0

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      guard number < bound else { return nil }
      defer { number += 1 }
      return number
    }
  }
}
