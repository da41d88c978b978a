// Page: GuardingYourOwnState.md

import Dispatch
import Synchronization
import Testing

@testable import TimerKit

@Suite(.virtualTime) struct GuardingYourOwnStatePageTests {
  let system = VirtualSystem.current
  let work = Work()

  // Section: Overview
  @Test func aGeneration() throws {
    let lock = Mutex<String?>("session")
    let states = Recorder<String?>()
    let timer = try Repeater.every(.seconds(1)) { _, _ in
      lock.withLock { session in states.append(session) }
    }
    _ = system.clock.advance(by: .seconds(1), holding: timer) {
      lock.withLock { session in
        session = nil
        timer.cancel()  // the handler has started, and waits for the lock …
      }
      // … and now it continues, without a session
    }
    #expect(states.all == [nil])

    final class Poller: Sendable {
      private let state = Mutex(State())

      private struct State {
        var timer: Repeater?
        var pollCount = 0
      }

      func start() throws {
        let timer = try Repeater(interval: .seconds(1)) { [weak self] timer, tick in
          self?.state.withLock { state in
            guard timer.isCurrent(tick) else { return }
            state.pollCount += 1
          }
        }
        timer.start()
        state.withLock { $0.timer = timer }
      }

      func stop() -> Int {
        state.withLock { state in
          state.timer?.cancel()
          state.timer = nil
          return state.pollCount  // final: no tick counts from here on
        }
      }

      var timer: Repeater? { state.withLock { $0.timer } }
      var pollCount: Int { state.withLock { $0.pollCount } }
    }
    let poller = Poller()
    try poller.start()
    system.advance(by: .seconds(3))
    let polling = try #require(poller.timer)
    let hasStarted = system.clock.advance(by: .seconds(1), holding: polling) {
      #expect(poller.stop() == 3)
    }
    #expect(hasStarted)
    #expect(poller.pollCount == 3)
  }

  // Section: A single queue
  @Test func aSingleQueue() throws {
    final class Session: Sendable {
      private let queue = DispatchQueue(label: "session")
      private let timeout: DeadlineTimer

      init(end: @escaping @Sendable () -> Void) {
        timeout = DeadlineTimer(queue: queue) { _, _ in end() }  // on the queue
        use {}
      }

      /// Runs code that uses the session, and gives it another ten seconds.
      func use(_ body: () -> Void) {
        queue.sync {
          body()
          _ = timeout.schedule(after: .seconds(10))
        }
      }
    }
    let session = Session { work() }
    for _ in 1...3 {
      system.advance(by: .seconds(9))
      session.use {}
    }
    system.advance(by: .seconds(30))
    #expect(work.times == [37])
  }

  /// The same in real time: a handler that is due while the queue is in use does not follow the control.
  @Test func aDeadlineThatMovesOnItsQueueDoesNotFire() {
    let queue = DispatchQueue(label: "session")
    let fires = Recorder<Bool>()
    let isMoved = Mutex(false)
    let timeout = DeadlineTimer(clock: VirtualSystem.realTime, queue: queue) { _, _ in
      fires.append(isMoved.withLock { $0 })
    }
    for _ in 1...20 {
      queue.sync {
        isMoved.withLock { $0 = false }
        _ = timeout.schedule(after: .milliseconds(1))
        let due = ContinuousClock.now + .milliseconds(3)
        while ContinuousClock.now < due {}
        // It is due, and waits for the queue.
        _ = timeout.schedule(after: .hours(1))
        isMoved.withLock { $0 = true }
      }
    }
    queue.sync {}
    timeout.cancelAndWait()
    #expect(fires.all == [])
  }
}
