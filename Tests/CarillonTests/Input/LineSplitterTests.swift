import Testing

@testable import CarillonRuntime

/// Lines are those between newlines, whatever the blocks are.
struct LineSplitterTests {
  private func lines(_ blocks: [String]) -> [[String]] {
    var splitter = LineSplitter()
    var taken = blocks.map { block in
      var lines: [String] = []
      Array(block.utf8).withUnsafeBytes { bytes in
        try? splitter.process(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
      }
      return lines
    }
    var last: [String] = []
    splitter.end { last.append(String(decoding: $0, as: UTF8.self)) }
    taken.append(last)
    return taken
  }

  @Test(arguments: [
    (["a\nb"], [["a"], ["b"]]),
    (["a\nb\nc\nd\ne\n"], [["a", "b", "c", "d", "e"], []]),
    (["a\nb\nc\n"], [["a", "b", "c"], []]),
    (["a", "b", "\n", "c\n\n"], [[], [], ["ab"], ["c", ""], []]),
    (["\n\n\n\nx"], [["", "", "", ""], ["x"]]),
    (["é", "\n"], [[], ["é"], []]),
    ([], [[]]),
  ])
  func splitsBlocks(blocks: [String], expected: [[String]]) {
    #expect(lines(blocks) == expected)
  }

  @Test func theLengthOfALineIsLimited() throws {
    var splitter = LineSplitter()
    var lengths: [Int] = []
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: LineSplitter.longestLine / 4)
    try block.withUnsafeBytes { block in
      for _ in 0..<4 { try splitter.process(block) { _ in } }
    }
    try [UInt8(ascii: "\n")].withUnsafeBytes { end in
      try splitter.process(end) { lengths.append($0.count) }
    }
    #expect(lengths == [LineSplitter.longestLine])
    #expect(throws: ProgramFailure.self) {
      try block.withUnsafeBytes { block in
        for _ in 0..<5 { try splitter.process(block) { _ in } }
      }
    }
  }
}
