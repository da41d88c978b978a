import Testing

@testable import TimerKit

/// The article "Guarding your own state". (In place of `Mutex`, which the thread sanitizer does not
/// see, what stands for it in these tests.)
private final class Poller: Sendable {
  private let state = Guarded(State())
  private let clock: TimerClock
  /// What happens while a handler waits for the lock.
  private let isHeldUp: @Sendable () -> Void

  private struct State {
    var timer: Repeater?
    var answers = 0
  }

  init(clock: TimerClock, isHeldUp: @escaping @Sendable () -> Void = {}) {
    self.clock = clock
    self.isHeldUp = isHeldUp
  }

  func start() throws {
    let timer = try Repeater(every: .seconds(1), clock: clock) { [weak self] timer, tick in
      self?.isHeldUp()
      self?.state.withLock { state in
        guard timer.isCurrent(tick) else { return }
        state.answers += 1
      }
    }
    timer.start()
    state.withLock { $0.timer = timer }
  }

  @discardableResult
  func stop() -> Int {
    state.withLock { state in
      state.timer?.cancel()
      return state.answers
    }
  }
}

@Suite struct PollerExample {
  @Test func countsWhileItRuns() throws {
    let clock = VirtualClock()
    let poller = Poller(clock: .virtual(clock))
    try poller.start()
    clock.advance(by: .seconds(5))
    #expect(poller.stop() == 5)
    clock.advance(by: .seconds(5))
    #expect(poller.stop() == 5)
  }

  /// The handler has begun and has not got the lock yet: its tick does not count.
  @Test func aTickThatIsOvertakenDoesNotCount() throws {
    let clock = VirtualClock()
    let deliverer = Guarded<Poller?>(nil)
    let poller = Poller(clock: .virtual(clock)) {
      let poller = deliverer.withLock { $0 }
      poller?.stop()
    }
    deliverer.withLock { $0 = poller }
    try poller.start()
    clock.advance(by: .seconds(5))
    #expect(poller.stop() == 0)
    deliverer.withLock { $0 = nil }
  }
}
