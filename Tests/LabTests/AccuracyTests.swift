import Dispatch
import TimerKit
import Testing

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
}
