import Dispatch
import Testing

@testable import TimerKit

/// One test for each fault that other timer libraries have and this one must not have. Each fails if the
/// fault is introduced.
@Suite struct RepeaterFaultTests {
  let clock = VirtualClock()
  let ticks = Recorder<Repeater.Tick>()
  let states = Recorder<TimerState>()

  private func make(
    _ mode: Repeater.Mode = .infinite, every interval: Duration = .seconds(1),
    handler: @escaping @Sendable (Repeater) -> Void = { _ in }
  ) throws -> Repeater {
    let timer = try Repeater(interval: interval, mode: mode, clock: .virtual(clock)) {
      [ticks] timer, tick in
      ticks.append(tick)
      handler(timer)
    }
    timer.onStateChanged = { [states] _, _, new in states.append(new) }
    return timer
  }

  // MARK: Repeat

  @Test func repeat_stateStuckInExecuting() throws {
    let timer = try make(.finite(2))
    timer.start()
    clock.advance(by: .seconds(1))
    #expect(timer.state == .running)
    clock.advance(by: .seconds(1))
    #expect(timer.state == .finished)
    #expect(states.all == [.running, .finished])
  }

  @Test func repeat_fireBeforeStartMakesStartFail() throws {
    let timer = try make()
    #expect(timer.fire() == .changed)
    #expect(timer.state == .idle)
    #expect(timer.start() == .changed)
    clock.advance(by: .seconds(1))
    #expect(ticks.all.map(\.isManual) == [true, false])
  }

  @Test func repeat_pauseLosesTheTimeLeftAndResumeFiresAtOnce() throws {
    let timer = try make()
    timer.start()
    clock.advance(by: .milliseconds(900))
    timer.pause()
    clock.advance(by: .seconds(60))
    timer.start()
    clock.advance(by: .milliseconds(99))
    #expect(ticks.count == 0)
    clock.advance(by: .milliseconds(1))
    #expect(ticks.count == 1)
  }

  @Test(arguments: [Repeater.Mode.once, .finite(3)])
  func repeat_pauseInTheLastHandlerLosesTheFinish(_ mode: Repeater.Mode) throws {
    let timer = try make(mode) { timer in
      guard timer.snapshot.remainingIterations == 0 else { return }
      #expect(timer.pause() == .refused(.finished))
    }
    timer.start()
    clock.advance(by: .seconds(3))
    #expect(timer.state == .finished)
    #expect(states.all.last == .finished)
  }

  @Test func repeat_finiteZeroNeverEnds() {
    #expect(throws: TimerConfigurationError.invalidCount(0, parameter: .count)) {
      try make(.finite(0))
    }
  }

  @Test func repeat_extraFiresDriveTheCountBelowZero() throws {
    let timer = try make(.finite(2)) { timer in
      for _ in 0..<3 { timer.fire() }
    }
    timer.start()
    timer.fire()
    clock.advance(by: .seconds(5))
    #expect(ticks.all.map(\.remainingIterations) == [1, 0])
    #expect(timer.snapshot.remainingIterations == 0)
    #expect(timer.fire() == .refused(.finished))
    // The two fires that were still pending when it finished.
    #expect(timer.snapshot.staleCount == 2)
  }

  @Test func repeat_concurrentFiresDriveTheCountBelowZero() throws {
    let timer = try make(.finite(100))
    timer.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { timer.fire() }
    }
    clock.advance(by: .zero)
    #expect(ticks.all.map(\.remainingIterations) == (0..<100).reversed().map(Optional.some))
    #expect(timer.state == .finished)
  }

  @Test func repeat_fractionsOfAMillisecondAreTruncated() throws {
    let timer = try make(every: .microseconds(900))
    timer.start()
    clock.advance(by: .seconds(1))
    #expect(ticks.count == 1111)
    #expect(ticks.all[1110].deadline.nanoseconds == 1111 * 900_000)
  }

  @Test func repeat_observersInRandomOrderAndAfterRemoval() throws {
    let timer = try make()
    let calls = Recorder<Int>()
    let tokens = (0..<100).map { number in
      timer.observe { _, event in if case .delivery = event { calls.append(number) } }
    }
    for number in stride(from: 0, to: 100, by: 3) { timer.removeObserver(tokens[number]) }
    timer.fire()
    #expect(calls.all == (0..<100).filter { $0 % 3 != 0 })
  }

  @Test func repeat_crashOnReleaseWhileSuspendedOrFiredUnstarted() throws {
    let queue = DispatchQueue(label: "released")
    for state in TimerState.allCases {
      let timer = try Repeater(interval: .seconds(1), mode: .once, queue: queue) { _, _ in }
      switch state {
      case .idle: timer.fire()
      case .running: timer.start()
      case .paused:
        timer.start()
        timer.pause()
      case .finished:
        timer.start()
        timer.fire()
        queue.sync {}
      case .cancelled: timer.cancel()
      }
    }
    queue.sync {}
  }

  @Test func repeat_crashOnConcurrentStartAndPause() throws {
    let timer = try Repeater(interval: .microseconds(50)) { _, _ in }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<500 {
        _ = thread % 2 == 0 ? timer.start() : timer.pause()
      }
    }
    timer.cancelAndWait()
    #expect(timer.state == .cancelled)
  }

  // MARK: SwiftTimer

  @Test func swiftTimer_oneShotFiresTwice() throws {
    let timer = try make(.once)
    timer.start()
    timer.fire()
    clock.advance(by: .seconds(10))
    #expect(ticks.count == 1)
  }

  @Test func swiftTimer_rescheduleDropsTheToleranceAndIsIgnoredByOneShots() throws {
    let timer = try Repeater(
      interval: .seconds(5), mode: .once, tolerance: .seconds(1), clock: .virtual(clock)
    ) { [ticks] in ticks.append($1) }
    timer.start()
    timer.setInterval(.seconds(2))
    #expect(timer.snapshot.configuration.tolerance == .seconds(1))
    clock.advance(by: .seconds(2))
    #expect(ticks.count == 1)
  }

  // MARK: MABGTimer

  @Test func mabgTimer_controlsInTheHandlerDeadlock() async throws {
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    let timer = try Repeater(interval: .microseconds(100)) { timer, _ in
      #expect(throws: Never.self) {
        timer.setInterval(.microseconds(200), counting: .fromNextFire)
        timer.adjustTimeLeft(by: .microseconds(1))
        timer.pause()
        timer.restart()
        timer.fire()
        _ = timer.snapshot
        timer.setHandler { _, _ in }
        timer.cancel()
      }
      continuation.finish()
    }
    timer.start()
    for await _ in done {}
    #expect(timer.state == .cancelled)
  }

  @Test func mabgTimer_cannotBeRescheduledInItsHandler() throws {
    let timer = try make(.once) { timer in
      if timer.snapshot.deliveredCount < 3 { timer.start() }
    }
    timer.start()
    clock.advance(by: .seconds(10))
    #expect(ticks.all.map(\.deadline.nanoseconds) == [1, 2, 3].map { $0 * 1_000_000_000 })
  }

  @Test func mabgTimer_isRetainedByItsOwnSource() throws {
    let queue = DispatchQueue(label: "retained")
    weak var dropped: Repeater?
    do {
      let timer = try Repeater(interval: .microseconds(100), queue: queue) { _, _ in }
      timer.start()
      dropped = timer
    }
    // The driver may hold a reference while it delivers an alarm, but no longer.
    queue.sync {}
    #expect(dropped == nil)
  }
}
