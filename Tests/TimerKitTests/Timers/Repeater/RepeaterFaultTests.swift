import Dispatch
import Testing

@testable import TimerKit

/// One test for each fault that other timer libraries have here, and this one must not. Each fails
/// if the fault is put in.
@Suite struct RepeaterFaultTests {
  let timeline = VirtualClock()
  let ticks = Recorder<Repeater.Tick>()
  let states = Recorder<Repeater.State>()

  private func make(
    _ mode: Repeater.Mode = .infinite, every interval: Duration = .seconds(1),
    handler: @escaping @Sendable (Repeater) throws -> Void = { _ in }
  ) throws -> Repeater {
    let timer = try Repeater(every: interval, mode: mode, on: timeline) { [ticks] timer, tick in
      ticks.append(tick)
      #expect(throws: Never.self) { try handler(timer) }
    }
    timer.onStateChanged = { [states] _, _, new in states.append(new) }
    return timer
  }

  // MARK: Repeat

  @Test func repeat_stateStuckInExecuting() throws {
    let timer = try make(.finite(2))
    try timer.start()
    timeline.advance(by: .seconds(1))
    #expect(timer.state == .running)
    timeline.advance(by: .seconds(1))
    #expect(timer.state == .finished)
    #expect(states.all == [.running, .executing, .running, .executing, .finished])
  }

  @Test func repeat_fireBeforeStartMakesStartFail() throws {
    let timer = try make()
    #expect(try timer.fire())
    #expect(timer.state == .idle)
    #expect(try timer.start())
    timeline.advance(by: .seconds(1))
    #expect(ticks.all.map(\.isManual) == [true, false])
  }

  @Test func repeat_pauseLosesThePhaseAndResumeFiresAtOnce() throws {
    let timer = try make()
    try timer.start()
    timeline.advance(by: .milliseconds(900))
    try timer.pause()
    timeline.advance(by: .seconds(60))
    try timer.start()
    timeline.advance(by: .milliseconds(99))
    #expect(ticks.count == 0)
    timeline.advance(by: .milliseconds(1))
    #expect(ticks.count == 1)
  }

  @Test(arguments: [Repeater.Mode.once, .finite(1), .finite(3)])
  func repeat_pauseInTheLastHandlerLosesTheFinish(_ mode: Repeater.Mode) throws {
    let timer = try make(mode) { timer in
      guard timer.snapshot.remainingIterations == 0 else { return }
      let wasPaused = try timer.pause()
      #expect(!wasPaused)
    }
    try timer.start()
    timeline.advance(by: .seconds(3))
    #expect(timer.state == .finished)
    #expect(states.all.last == .finished)
  }

  @Test func repeat_finiteZeroNeverEnds() {
    #expect(throws: TimerError.invalidCount(0)) { try make(.finite(0)) }
  }

  @Test func repeat_extraFiresDriveTheCountBelowZero() throws {
    let timer = try make(.finite(2)) { timer in
      for _ in 0..<3 { _ = try timer.fire() }
    }
    try timer.start()
    try timer.fire()
    timeline.advance(by: .seconds(5))
    #expect(ticks.all.map(\.remainingIterations) == [1, 0])
    #expect(timer.snapshot.remainingIterations == 0)
    #expect(try timer.fire() == false)
    // The two that were still waiting when it finished.
    #expect(timer.snapshot.staleCount == 2)
  }

  @Test func repeat_concurrentFiresDriveTheCountBelowZero() throws {
    let timer = try make(.finite(100))
    try timer.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { _ = try? timer.fire() }
    }
    timeline.advance(by: .zero)
    #expect(ticks.all.map(\.remainingIterations) == (0..<100).reversed().map(Optional.some))
    #expect(timer.state == .finished)
  }

  @Test func repeat_partsOfAMillisecondAreCutOff() throws {
    let timer = try make(every: .microseconds(900))
    try timer.start()
    timeline.advance(by: .seconds(1))
    #expect(ticks.count == 1111)
    #expect(ticks.all[1110].scheduled.nanoseconds == 1111 * 900_000)
  }

  @Test func repeat_observersInRandomOrderAndAfterRemoval() throws {
    let timer = try make()
    let calls = Recorder<Int>()
    let tokens = (0..<100).map { number in
      timer.observe { _, event in if case .tick = event { calls.append(number) } }
    }
    for number in stride(from: 0, to: 100, by: 3) { timer.remove(tokens[number]) }
    try timer.fire()
    #expect(calls.all == (0..<100).filter { $0 % 3 != 0 })
  }

  @Test func repeat_crashOnReleaseWhileSuspendedOrFiredUnstarted() throws {
    let queue = DispatchQueue(label: "released")
    for phase in Repeater.Phase.allCases {
      let timer = try Repeater(every: .seconds(1), mode: .once, queue: queue) { _, _ in }
      switch phase {
      case .idle: try timer.fire()
      case .running: try timer.start()
      case .paused:
        try timer.start()
        try timer.pause()
      case .finished:
        try timer.start()
        try timer.fire()
        queue.sync {}
      case .cancelled: timer.cancel()
      }
    }
    queue.sync {}
  }

  @Test func repeat_crashOnConcurrentStartAndPause() throws {
    let timer = try Repeater(every: .microseconds(50)) { _, _ in }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<500 {
        _ = try? thread % 2 == 0 ? timer.start() : timer.pause()
      }
    }
    timer.cancelAndWait()
    #expect(timer.state == .cancelled)
  }

  // MARK: SwiftTimer

  @Test func swiftTimer_oneShotFiresTwice() throws {
    let timer = try make(.once)
    try timer.start()
    try timer.fire()
    timeline.advance(by: .seconds(10))
    #expect(ticks.count == 1)
  }

  @Test func swiftTimer_rescheduleDropsTheToleranceAndIsIgnoredByOneShots() throws {
    let timer = try Repeater(
      every: .seconds(5), mode: .once, tolerance: .seconds(1), on: timeline
    ) { [ticks] in ticks.append($1) }
    try timer.start()
    try timer.setInterval(.seconds(2))
    #expect(timer.snapshot.tolerance == .seconds(1))
    timeline.advance(by: .seconds(2))
    #expect(ticks.count == 1)
  }

  // MARK: MABGTimer

  @Test func mabgTimer_controlsInTheHandlerDeadlock() async throws {
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater(every: .microseconds(100)) { timer, _ in
      #expect(throws: Never.self) {
        try timer.setInterval(.microseconds(200), .nextPeriod)
        try timer.adjustTimeLeft(by: .microseconds(1))
        try timer.pause()
        try timer.reset()
        try timer.fire()
        _ = timer.snapshot
        timer.setHandler { _, _ in }
        timer.cancel()
      }
      continuation.finish()
    }
    try timer.start()
    for await _ in done {}
    #expect(timer.state == .cancelled)
  }

  @Test func mabgTimer_cannotBeArmedAgainInItsHandler() throws {
    let timer = try make(.once) { timer in
      if timer.snapshot.deliveredCount < 3 { try timer.start() }
    }
    try timer.start()
    timeline.advance(by: .seconds(10))
    #expect(ticks.all.map(\.scheduled.nanoseconds) == [1, 2, 3].map { $0 * 1_000_000_000 })
  }

  @Test func mabgTimer_isRetainedByItsOwnSource() throws {
    let queue = DispatchQueue(label: "retained")
    weak var dropped: Repeater?
    do {
      let timer = try Repeater(every: .microseconds(100), queue: queue) { _, _ in }
      try timer.start()
      dropped = timer
    }
    // The driver may be ringing it at this moment; it holds it for no longer than that.
    queue.sync {}
    #expect(dropped == nil)
  }
}
