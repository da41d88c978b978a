import Dashboard
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

struct LineCounterTests {
  private func count(_ blocks: [String]) -> (perBlock: [Int], end: Int, sum: Int) {
    var counter = LineCounter()
    let counts = blocks.map { block in
      Array(block.utf8).withUnsafeBytes { counter.add($0) }
    }
    return (counts, counter.end(), counter.count)
  }

  @Test func linesEndAtNewlines() {
    #expect(count(["a\nb\n", "c", "d\n\n"]) == ([2, 0, 2], 0, 4))
    #expect(count(["a\n\u{0}\u{1B}]52;c;x\u{7}"]) == ([1], 1, 2))
    #expect(count([String(repeating: "x", count: 100_000), "y"]) == ([0, 0], 1, 1))
    #expect(count([]) == ([], 0, 0))
  }
}

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct TriggeredByLinesTests {
  @Test func everyLineTriggersTheWaitingTimers() throws {
    let now = ClockReading.now()
    var board = Board()
    #expect(board.trigger(times: 3, at: now) == nil)
    let specs = try TimerSpec.parse(arguments: ["debounce 1h throttle 1h 1h coalesce 1h idle 1h"])
    _ = board.perform(.start(specs), at: now)
    #expect(board.trigger(times: 2500, at: now) != nil)
    for number in [0, 1, 3, 4] {
      #expect(board.timers[number].machine.calls?.callCount == 2500)
    }
    #expect(board.timers[2].machine.deliveredCount == 0)
  }
}
