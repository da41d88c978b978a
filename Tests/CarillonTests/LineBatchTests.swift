import Synchronization
import Testing
import TimerKit

@testable import CarillonRuntime

/// Only three lines of a block are passed on, and a limiter delivers the same values as with all
/// lines.
struct LineBatchTests {
  private func lines(_ blocks: [String]) -> [[String]] {
    var batch = LineBatch()
    var taken = blocks.map { block in
      var lines: [String] = []
      Array(block.utf8).withUnsafeBytes { bytes in
        try? batch.process(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
      }
      return lines
    }
    var last: [String] = []
    batch.end { last.append(String(decoding: $0, as: UTF8.self)) }
    taken.append(last)
    return taken
  }

  @Test(arguments: [
    (["a\nb"], [["a"], ["b"]]),
    (["a\nb\nc\nd\ne\n"], [["a", "b", "e"], []]),
    (["a\nb\nc\n"], [["a", "b", "c"], []]),
    (["a", "b", "\n", "c\n\n"], [[], [], ["ab"], ["c", ""], []]),
    (["\n\n\n\nx"], [["", "", ""], ["x"]]),
    (["é", "\n"], [[], ["é"], []]),
    ([], [[]]),
  ])
  func reducesBlocks(blocks: [String], expected: [[String]]) {
    #expect(lines(blocks) == expected)
  }

  @Test func theLengthOfALineIsLimited() throws {
    var batch = LineBatch()
    var lengths: [Int] = []
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: LineBatch.longestLine / 4)
    try block.withUnsafeBytes { block in
      for _ in 0..<4 { try batch.process(block) { _ in } }
    }
    try [UInt8(ascii: "\n")].withUnsafeBytes { end in
      try batch.process(end) { lengths.append($0.count) }
    }
    #expect(lengths == [LineBatch.longestLine])
    #expect(throws: ProgramFailure.self) {
      try block.withUnsafeBytes { block in
        for _ in 0..<5 { try batch.process(block) { _ in } }
      }
    }
  }

  /// Every configuration of a limiter, compared with a limiter that is called for every line.
  @Test(arguments: 0..<8)
  func deliversTheSameValuesAsAllLines(configuration: Int) throws {
    let blocks = ["a\n", "b\nc\nd\ne\n", "fg\nh\n", "i\nj\nk\nl\nm\nn\n", "op\n"]
    let expected = try delivered(configuration, from: blocks) { _, block, call in
      for line in block.split(separator: "\n") { call(String(line)) }
    }
    let actual = try delivered(configuration, from: blocks) { batch, block, call in
      Array(block.utf8).withUnsafeBytes { bytes in
        try? batch.process(bytes) { call(String(decoding: $0, as: UTF8.self)) }
      }
    }
    #expect(actual == expected)
    #expect(!expected.isEmpty)
  }

  private func delivered(
    _ configuration: Int, from blocks: [String],
    _ feed: (inout LineBatch, String, (String) -> Void) -> Void
  ) throws -> [String] {
    let clock = VirtualClock()
    let received = Mutex<[String]>([])
    let limiter = try limiter(configuration, on: clock) { line in
      received.withLock { $0.append(line) }
    }
    var batch = LineBatch()
    for block in blocks {
      feed(&batch, block) { limiter.call($0) }
      clock.advance(by: .milliseconds(700))
    }
    limiter.flush()
    clock.advance(by: .zero)
    return received.withLock { $0 }
  }

  private func limiter(
    _ configuration: Int, on clock: VirtualClock, _ take: @escaping @Sendable (String) -> Void
  ) throws -> any CallLimiter<String> {
    let second = Duration.seconds(1)
    func debouncer(_ edges: DebounceEdges, _ maxWait: Duration?) throws -> any CallLimiter<String> {
      try Debouncer(delay: second, edges: edges, maxWait: maxWait, clock: .virtual(clock)) {
        take($1)
      }
    }
    func throttler(
      _ mode: ThrottleMode, _ kept: KeptValue
    ) throws -> any CallLimiter<String> {
      try Throttler(interval: second, mode: mode, keeping: kept, clock: .virtual(clock)) {
        take($1)
      }
    }
    return switch configuration {
    case 0: try debouncer(.trailing, nil)
    case 1: try debouncer(.leading, nil)
    case 2: try debouncer(.both, nil)
    case 3: try debouncer(.both, .seconds(2))
    case 4: try throttler(.fromDelivery, .latest)
    case 5: try throttler(.fromDelivery, .first)
    case 6: try throttler(.deferred, .latest)
    default: try throttler(.deferred, .first)
    }
  }
}
