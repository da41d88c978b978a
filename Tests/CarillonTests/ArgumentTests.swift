import Testing

@testable import carillon

/// The parser of arguments sees few of them, however many timers there are.
struct ArgumentTests {
  /// The words that the board is given, as the parser hands over what was packed.
  private func words(_ packed: [String]) -> [String] {
    var board = Board()
    board.timers = packed
    return board.words
  }

  @Test func manyTimersAreFewArguments() {
    let timers = (0..<10_000).map { "t\($0)=3m" }
    let packed = Board.packing(timers)
    #expect(packed.count == 2)
    #expect(words(packed) == timers)
    let mixed = Board.packing(["--fresh"] + timers + ["--config", "FILE", "every", "", "3m"])
    #expect(mixed.count == 6)
    #expect(mixed[0] == "--fresh" && mixed[3...4] == ["--config", "FILE"])
    #expect(words([mixed[1], mixed[2], mixed[5]]) == timers + ["every", "", "3m"])
  }

  @Test(arguments: [
    [], ["3m"], ["--", "-3m", "a", "b"], ["a", "b", "--", "c", "d"],
    ["a=3m", "note", "x\u{301} y", "\u{301}"],
  ])
  func allArgumentsAreThere(arguments: [String]) {
    #expect(words(Board.packing(arguments)) == arguments)
  }

  @Test func thoseOfCommandsAreLeftAlone() {
    for arguments in [["run", "3m", "4m", "--", "echo", "a", "b"], ["status", "a", "b"]] {
      #expect(Board.packing(arguments) == arguments)
    }
  }
}
