// Table: MABGTimer (Objective-C)
// Source: Mike Ash, "Friday Q&A 2010-07-02: Background Timers".

import Dispatch
import Testing
import TimerKit

@Suite(.virtualTime) struct MABGTimerRows {
  final class Owner: Sendable {
    let calls = Work()
    func work() { calls() }
  }

  let system = VirtualSystem.current
  let owner = Owner()

  // Row: `initWithObject: self behavior: MABGTimerCoalesce`
  // Row: `afterDelay: 1 do: ^(id self) { [self work]; }`
  @Test func coalescing() {
    let timer = BackgroundTimer(for: owner, behavior: .coalesce)
    // "Calling with 2 seconds and then with 1 second will fire after 1 second."
    timer.perform(after: .seconds(2)) { owner in owner.work() }
    timer.perform(after: .seconds(1)) { owner in owner.work() }
    system.advance(by: .seconds(9))
    #expect(owner.calls.times == [1])
    // "Calling with 10 seconds, then waiting 1 second, then calling with 5 seconds, will fire at the 6-second mark."
    timer.perform(after: .seconds(10)) { owner in owner.work() }
    system.advance(by: .seconds(1))
    timer.perform(after: .seconds(5)) { owner in owner.work() }
    system.advance(by: .seconds(20))
    #expect(owner.calls.times == [1, 15])
  }

  /// The other behavior: "the timer's firing time is reset with each call".
  @Test func delaying() {
    let timer = BackgroundTimer(for: owner, behavior: .delay)
    for _ in 1...4 {
      timer.perform(after: .seconds(1)) { owner in owner.work() }
      system.advance(by: .milliseconds(500))
    }
    system.advance(by: .seconds(5))
    #expect(owner.calls.times == [2.5])
  }

  // Row: `performWhileLocked: ^{ [self work]; }`
  // Row: `cancel`
  // Row: `setTargetQueue: queue`
  @Test func cancelWaitsForWorkThatHasBegun() async {
    // In real time, because the work and the cancellation are on two threads.
    let log = Recorder<String>()
    let timer = BackgroundTimer(for: owner, clock: VirtualSystem.realTime)
    let queue = DispatchQueue(label: "work")
    timer.setQueue(queue)
    let isCancelling = DispatchSemaphore(value: 0)
    let (begun, input) = AsyncStream.makeStream(of: Void.self)
    timer.perform(after: .zero) { _ in
      log.append("begins")
      input.yield()
      isCancelling.wait()
      log.append("ends")
    }
    for await _ in begun.prefix(1) {}
    isCancelling.signal()
    timer.performExclusively { _ = timer.cancelPending() }
    log.append("returned")
    #expect(log.all == ["begins", "ends", "returned"])
    timer.performExclusively { owner.work() }
    #expect(owner.calls.times.count == 1)
  }

  // Row: `[messages addObject: message]`, and work that sends them
  @Test func messagesThatAreSentTogether() throws {
    let batcher = try Batcher<String>(maxWait: .seconds(30)) { _, messages in owner.work() }
    for message in ["a", "b", "c"] {
      batcher.add(message)
      system.advance(by: .seconds(9))
    }
    system.advance(by: .seconds(60))
    #expect(owner.calls.times == [30])
  }

  // Row: `setTargetQueue: dispatch_get_main_queue()`
  @MainActor @Test func workForTheMainQueue() {
    let timer = BackgroundTimer(for: owner, isolation: MainActor.shared)
    timer.perform(after: .seconds(1), isolation: MainActor.shared) { owner in owner.work() }
    system.advance(by: .seconds(2))
    #expect(owner.calls.times == [1])
  }
}
