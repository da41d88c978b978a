import Dispatch
import Testing
import TimerKit

@testable import Lab

struct AccuracyTests {
  @Test func aRepeaterDoesNotDriftAndChainedWaitsDo() async {
    let run = AccuracyRun(periods: 400)
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "lab.test").async {
        run.wait()
        continuation.resume()
      }
    }
    let (repeater, chained) = run.traces
    #expect(run.isOver)
    #expect(repeater.periods >= 400 && repeater.fires.allSatisfy { $0.lateness >= 0 })
    // A fire that stands for overdue ones skips their periods.
    #expect(zip(repeater.fires, repeater.fires.dropFirst()).allSatisfy { $0.period < $1.period })
    #expect(chained.fires.count == 400)
    // Each wait is at least an interval, so a delay is never made up.
    #expect(zip(chained.fires, chained.fires.dropFirst()).allSatisfy { $0.lateness < $1.lateness })
  }

  /// Only the figures differ between runs.
  @Test func storedTextHasTheSameWords() async throws {
    let text = await withCheckedContinuation { continuation in
      DispatchQueue(label: "lab.test").async {
        continuation.resume(returning: Scene.accuracy.plainText())
      }
    }
    try StoredText("Tests/LabTests/Snapshots/accuracy.txt").expect(text + "\n") { text in
      text.split { !$0.isLetter }.joined(separator: " ")
    }
  }
}
