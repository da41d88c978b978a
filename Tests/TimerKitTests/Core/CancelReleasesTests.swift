import Dispatch
import Foundation
import Testing

@testable import TimerKit

/// `cancel()` releases the handler and all observers, as a dispatch source does, although the timer is
/// still referenced.
@Suite(.timeLimit(.minutes(1))) struct CancelReleasesTests {
  let census = Census()
  let clock = VirtualClock()
  let received = Recorder<String>()

  private var member: Census.Member { Census.Member(census) }

  private func repeater(_ queue: DispatchQueue? = nil) throws -> Repeater {
    let clock: TimerClock = queue == nil ? .virtual(clock) : .suspending
    return try Repeater(every: .milliseconds(1), clock: clock, queue: queue) { [member] _, _ in
      withExtendedLifetime(member) {}
    }
  }

  /// Four of its callbacks capture something: the handler, two observers, a change of state.
  private func observe<Timer: PausableTimer>(_ timer: Timer) {
    for _ in 0..<2 {
      timer.observe { [member, received] _, event in
        withExtendedLifetime(member) {}
        if case .state(_, let state) = event { received.append("\(state)") }
      }
    }
    timer.onStateChanged = { [member] _, _, _ in withExtendedLifetime(member) {} }
  }

  private func check<Timer: PausableTimer>(_ timer: Timer) throws {
    observe(timer)
    timer.start()
    #expect(census.living == 4)
    timer.cancel()
    #expect(census.living == 0)
    #expect(received.all.suffix(2) == ["cancelled", "cancelled"])
    #expect(timer.onStateChanged == nil)
    // What comes later is not called, so it is not kept.
    observe(timer)
    #expect(census.living == 0)
  }

  @Test func everyKindThatCanBeCancelled() throws {
    try check(repeater())
    try check(
      Countdown(from: 3, every: .seconds(1), clock: .virtual(clock)) { [member] _, _ in
        withExtendedLifetime(member) {}
      })
    try check(
      Cycle([.init("a", .seconds(1))], clock: .virtual(clock)) { [member] _, _ in
        withExtendedLifetime(member) {}
      })
    try check(
      Stopwatch(clock: .virtual(clock)) { [member] _, _ in withExtendedLifetime(member) {} })
    let alarm = DeadlineTimer(clock: .virtual(clock)) { [member] _, _ in
      withExtendedLifetime(member) {}
    }
    #expect(census.living == 1)
    alarm.cancel()
    #expect(census.living == 0)
  }

  @Test func cancelAndWaitReleasesToo() throws {
    let timer = try repeater(DispatchQueue(label: "waits"))
    timer.start()
    timer.cancelAndWait()
    #expect(census.living == 0)
  }

  /// A handler that is set in place of the first is one of them.
  @Test func aHandlerThatIsSetLater() throws {
    let timer = try repeater()
    timer.setHandler { [member] _, _ in withExtendedLifetime(member) {} }
    #expect(census.living == 1)
    timer.cancel()
    timer.setHandler { [member] _, _ in withExtendedLifetime(member) {} }
    #expect(census.living == 0)
  }

  /// The handler is in use until it returns.
  @Test func aHandlerThatCancelsFinishes() throws {
    let timer = try Repeater(every: .milliseconds(1), clock: .virtual(clock)) {
      [member, census, received] timer, _ in
      timer.cancel()
      received.append("\(census.living)")
      withExtendedLifetime(member) {}
    }
    timer.start()
    clock.advance(by: .milliseconds(1))
    #expect(received.all == ["1"])
    #expect(census.living == 0)
  }

  @Test func aHandlerThatRunsElsewhereFinishes() throws {
    let queue = DispatchQueue(label: "elsewhere")
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let timer = try Repeater(every: .microseconds(10), queue: queue) { [member] _, _ in
      begun.signal()
      goOn.wait()
      withExtendedLifetime(member) {}
    }
    timer.start()
    begun.wait()
    timer.cancel()
    #expect(census.living == 1)
    goOn.signal()
    timer.cancelAndWait()
    #expect(census.living == 0)
  }

  /// Blocks where it is released.
  private final class SlowRelease: Sendable {
    let (isReleasing, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    final class Member: Sendable {
      let release: SlowRelease
      init(_ release: SlowRelease) { self.release = release }
      deinit {
        release.isReleasing.signal()
        release.goOn.wait()
      }
    }
  }

  @Test func whoeverWaitsForTheEndFindsAllReleased() throws {
    let release = SlowRelease()
    let queue = DispatchQueue(label: "elsewhere")
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let timer = try Repeater(every: .microseconds(10), queue: queue) {
      [member = SlowRelease.Member(release)] _, _ in
      begun.signal()
      goOn.wait()
      withExtendedLifetime(member) {}
    }
    timer.start()
    begun.wait()
    timer.cancel()
    let returned = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      timer.cancelAndWait()
      returned.signal()
    }
    goOn.signal()
    release.isReleasing.wait()
    #expect(returned.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
    release.goOn.signal()
    returned.wait()
  }

  /// Streams are received of the end first.
  @Test func streamsEndWithTheLastState() async throws {
    let queue = DispatchQueue(label: "suspended")
    let timer = try repeater(queue)
    let events = timer.events()
    queue.suspend()
    timer.start()
    timer.cancel()
    #expect(census.living == 1)
    queue.resume()
    var states: [TimerState] = []
    for await case .state(_, let state) in events { states.append(state) }
    #expect(states == [.running, .cancelled])
    queue.sync {}
    #expect(census.living == 0)
  }

  /// What is released can use the timer: its mutex is free then.
  @Test func releasingUsesTheTimer() throws {
    final class User: Sendable {
      let timer = Guarded<Repeater?>(nil)
      let received: Recorder<String>
      init(_ received: Recorder<String>) { self.received = received }
      deinit { received.append(timer.withLock { $0 }?.state.description ?? "none") }
    }
    var user: User? = User(received)
    let timer = try Repeater(every: .seconds(1), clock: .virtual(clock)) { [user] _, _ in
      withExtendedLifetime(user) {}
    }
    user?.timer.withLock { $0 = timer }
    user = nil
    timer.cancel()
    #expect(received.all == ["cancelled"])
  }
}
