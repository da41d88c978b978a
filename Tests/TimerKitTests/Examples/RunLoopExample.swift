import Foundation
import Synchronization
import Testing
import TimerKit

// The page TimersAndRunLoops.md shows the code from here on.

private final class FireCounter: Sendable {
  let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func add() { count.withLock { $0 += 1 } }
}

/// Counts the fires of a `Timer` that a thread adds to its run loop in the default mode, and of a `Repeater` beside it.
/// Both have an interval of 20 ms, while the thread does its work for 210 ms.
private func compare(_ work: @escaping @Sendable () -> Void) throws -> (timer: Int, repeater: Int) {
  let (fires, ticks, isDone) = (FireCounter(), FireCounter(), DispatchSemaphore(value: 0))
  let repeater = try Repeater.every(.milliseconds(20)) { _, _ in ticks.add() }
  Thread.detachNewThread {
    let timer = Timer(timeInterval: 0.02, repeats: true) { _ in fires.add() }
    RunLoop.current.add(timer, forMode: .default)
    work()
    timer.invalidate()
    isDone.signal()
  }
  isDone.wait()
  repeater.cancel()
  return (fires.value, ticks.value)
}

/// Runs the run loop of the current thread in a mode.
@Sendable private func runLoop(_ mode: RunLoop.Mode, for seconds: Double) {
  let end = Date(timeIntervalSinceNow: seconds)
  while Date() < end {
    // Without a timer or a source in that mode, the run loop does not wait.
    if !RunLoop.current.run(mode: mode, before: end) { Thread.sleep(forTimeInterval: 0.01) }
  }
}

private let works: [(name: String, work: @Sendable () -> Void)] = [
  ("a run loop", { runLoop(.default, for: 0.21) }),
  ("no run loop", { Thread.sleep(forTimeInterval: 0.21) }),
  ("another mode", { runLoop(RunLoop.Mode("tracking"), for: 0.21) }),
  (
    "a busy thread",
    {
      Thread.sleep(forTimeInterval: 0.11)  // work on the thread of the run loop
      runLoop(.default, for: 0.1)
    }
  ),
]

// The page has the code up to here.

/// Counts under load vary, so only those that cannot are expected.
@Test(arguments: works.indices) func aTimerOfFoundationNeedsARunLoopInItsMode(index: Int) throws {
  let (timer, repeater) = try compare(works[index].work)
  #expect(repeater > 0)
  switch works[index].name {
  case "a run loop": #expect(timer > 0)
  case "a busy thread": #expect(timer < 9, "those of the busy time are lost")
  default: #expect(timer == 0)
  }
}

@Test func thePageOfRunLoopsHasTheExample() throws {
  let file = URL(filePath: #filePath)
  let page = file.deletingLastPathComponent().appending(
    path: "../../../Sources/TimerKit/TimerKit.docc/Migration/TimersAndRunLoops.md")
  let parts = try String(contentsOf: file, encoding: .utf8).split(separator: "// The page ")
  let code = parts[1].drop { $0 != "\n" }
  let text = try String(contentsOf: page, encoding: .utf8)
  #expect(text.contains(code.trimmingCharacters(in: .newlines).replacing("private ", with: "")))
}
