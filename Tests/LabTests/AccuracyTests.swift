import Dispatch
import Testing
import TimerKit

@testable import Lab

struct AccuracyTests {
  @Test func oursDoesNotDriftAndAddedUpWaitsDo() async {
    let run = AccuracyRun(periods: 400)
    run.start()
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "lab.test").async {
        run.wait()
        continuation.resume()
      }
    }
    let (ours, theirs) = run.traces
    #expect(run.isOver)
    #expect(ours.periods >= 400 && ours.fires.count + ours.missed == ours.periods)
    #expect(ours.fires.allSatisfy { $0.drift == 0 && $0.lateness >= 0 })
    #expect(theirs.fires.count == 400)
    // Each wait is at least an interval, so what was late stays late.
    #expect(zip(theirs.fires, theirs.fires.dropFirst()).allSatisfy { $0.lateness < $1.lateness })
  }

  /// The figures are this run's; all else is the same every time.
  @Test func theStoredTextIsItsOwn() async throws {
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
