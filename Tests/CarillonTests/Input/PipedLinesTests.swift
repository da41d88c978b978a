import Dashboard
import Synchronization
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
  @Test func everyLineTriggersTheWaitingTimers() async throws {
    let reference = WeakReference<TimerModel>()
    let model = TimerModel.live(isMuted: true) { reference.object?.receive() }
    reference.object = model
    #expect(!model.trigger(times: 3) {})
    let specs = try TimerSpec.parse(arguments: ["debounce 1h throttle 1h 1h coalesce 1h idle 1h"])
    #expect(model.perform(.start(specs)).isEmpty)
    let isDone = Atomic(false)
    #expect(model.trigger(times: 2500) { isDone.store(true, ordering: .releasing) })
    try await until { isDone.load(ordering: .acquiring) }
    func calls(_ number: Int) -> Int? {
      guard case .triggered(let calls) = model.board.timers[number].status else { return nil }
      return calls.callCount
    }
    try await until { [0, 1, 3, 4].allSatisfy { calls($0) == 2500 } }
    #expect(model.board.timers[2].status.deliveredCount == 0)
  }
}
