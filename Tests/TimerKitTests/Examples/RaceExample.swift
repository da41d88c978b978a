import Synchronization
import Testing
import TimerKit

/// The race of Matt Gallagher's "Design patterns for safe timer usage": a user returns when the timer of the session
/// has fired already, and its handler waits for the lock.
@Suite("Example: a handler that waits for a lock")
struct RaceExample {
  private final class Server: Sendable {
    private struct State {
      var user: String?
      var timeout: DeadlineTimer?
    }

    private let state = Mutex(State())
    private let clock: TimerClock
    private let asks: Bool

    init(clock: TimerClock, asks: Bool) {
      self.clock = clock
      self.asks = asks
    }

    var user: String? { state.withLock { $0.user } }
    var timeout: DeadlineTimer? { state.withLock { $0.timeout } }

    func use(by user: String) {
      state.withLock { state in
        let timeout = state.timeout ?? makeTimeout()
        timeout.schedule(after: .seconds(10))
        state.user = user
        state.timeout = timeout
      }
    }

    private func makeTimeout() -> DeadlineTimer {
      DeadlineTimer(clock: clock) { [weak self, asks] timer, deadline in
        self?.state.withLock { state in
          if !asks || timer.isCurrent(deadline) { state.user = nil }
        }
      }
    }
  }

  /// Without the question, the handler ends the session of a user who has just come.
  @Test(arguments: [false, true])
  func aLateHandlerDoesNotEndANewSession(_ asks: Bool) throws {
    let clock = VirtualClock()
    let server = Server(clock: .virtual(clock), asks: asks)
    server.use(by: "anna")
    let timeout = try #require(server.timeout)
    let hasStarted = clock.advance(by: .seconds(10), holding: timeout) { server.use(by: "ben") }
    #expect(hasStarted)
    #expect(server.user == (asks ? "ben" : nil))
    clock.advance(by: .seconds(10))
    #expect(server.user == nil)
  }
}
