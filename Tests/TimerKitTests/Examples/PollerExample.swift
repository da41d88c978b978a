import Testing

@testable import TimerKit

/// The example of the article "Guarding your own state". (It uses the test helper `Guarded` in place of
/// `Mutex`, which the thread sanitizer does not support.)
private final class Poller: Sendable {
  private let state = Guarded(State())
  private let clock: TimerClock
  /// Called while a handler waits for the lock.
  private let beforeLocking: @Sendable () -> Void

  private struct State {
    var timer: Repeater?
    var answers = 0
  }

  init(clock: TimerClock, beforeLocking: @escaping @Sendable () -> Void = {}) {
    self.clock = clock
    self.beforeLocking = beforeLocking
  }

  func start() throws {
    let timer = try Repeater(interval: .seconds(1), clock: clock) { [weak self] timer, tick in
      self?.beforeLocking()
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

  /// The handler has started and does not have the lock yet: its tick is not counted.
  @Test func aSupersededTickDoesNotCount() throws {
    let clock = VirtualClock()
    let reference = Guarded<Poller?>(nil)
    let poller = Poller(clock: .virtual(clock)) {
      let poller = reference.withLock { $0 }
      poller?.stop()
    }
    reference.withLock { $0 = poller }
    try poller.start()
    clock.advance(by: .seconds(5))
    #expect(poller.stop() == 0)
    reference.withLock { $0 = nil }
  }
}
