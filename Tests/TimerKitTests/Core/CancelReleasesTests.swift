import Dispatch
import Foundation
import Testing

@testable import TimerKit

/// `cancel()` releases the handler and all observers, as cancelling a dispatch source does, even while
/// the timer is still referenced.
@Suite(.timeLimit(.minutes(20))) struct CancelReleasesTests {
  let instances = InstanceCounter()
  let clock = VirtualClock()
  let received = Recorder<String>()

  private var instance: InstanceCounter.Instance { InstanceCounter.Instance(instances) }

  private func repeater(_ queue: DispatchQueue? = nil) throws -> Repeater {
    let clock: TimerClock = queue == nil ? .virtual(clock) : .suspending
    return try Repeater(interval: .milliseconds(1), clock: clock, queue: queue) { [instance] _, _ in
      withExtendedLifetime(instance) {}
    }
  }

  /// Adds callbacks that capture a counted instance: the handler, two observers and a state
  /// observer.
  private func observe<Timer: PausableTimer>(_ timer: Timer) {
    for _ in 0..<2 {
      timer.observe { [instance, received] _, event in
        withExtendedLifetime(instance) {}
        if case .state(_, let state) = event { received.append("\(state)") }
      }
    }
    timer.onStateChanged = { [instance] _, _, _ in withExtendedLifetime(instance) {} }
  }

  private func check<Timer: PausableTimer>(_ timer: Timer) throws {
    observe(timer)
    timer.start()
    #expect(instances.liveCount == 4)
    timer.cancel()
    #expect(instances.liveCount == 0)
    #expect(received.all.suffix(2) == ["cancelled", "cancelled"])
    #expect(timer.onStateChanged == nil)
    // Handlers set after cancellation are never called, so they are not kept.
    observe(timer)
    #expect(instances.liveCount == 0)
  }

  @Test func everyCancellableKindReleasesItsHandlers() throws {
    try check(repeater())
    try check(
      Countdown(from: 3, every: .seconds(1), clock: .virtual(clock)) { [instance] _, _ in
        withExtendedLifetime(instance) {}
      })
    try check(
      Cycle([.init("a", .seconds(1))], clock: .virtual(clock)) { [instance] _, _ in
        withExtendedLifetime(instance) {}
      })
    try check(
      Stopwatch(clock: .virtual(clock)) { [instance] _, _ in withExtendedLifetime(instance) {} })
    let alarm = DeadlineTimer(clock: .virtual(clock)) { [instance] _, _ in
      withExtendedLifetime(instance) {}
    }
    #expect(instances.liveCount == 1)
    alarm.cancel()
    #expect(instances.liveCount == 0)
  }

  @Test func cancelAndWaitReleasesHandlers() throws {
    let timer = try repeater(DispatchQueue(label: "waits"))
    timer.start()
    timer.cancelAndWait()
    #expect(instances.liveCount == 0)
  }

  /// A handler that replaced the first one is released too.
  @Test func aReplacedHandlerIsReleased() throws {
    let timer = try repeater()
    timer.setHandler { [instance] _, _ in withExtendedLifetime(instance) {} }
    #expect(instances.liveCount == 1)
    timer.cancel()
    timer.setHandler { [instance] _, _ in withExtendedLifetime(instance) {} }
    #expect(instances.liveCount == 0)
  }

  /// The handler is in use until it returns.
  @Test func aHandlerThatCancelsRunsToItsEnd() throws {
    let timer = try Repeater(interval: .milliseconds(1), clock: .virtual(clock)) {
      [instance, instances, received] timer, _ in
      timer.cancel()
      received.append("\(instances.liveCount)")
      withExtendedLifetime(instance) {}
    }
    timer.start()
    clock.advance(by: .milliseconds(1))
    #expect(received.all == ["1"])
    #expect(instances.liveCount == 0)
  }

  @Test func aHandlerRunningOnAnotherThreadRunsToItsEnd() throws {
    let queue = DispatchQueue(label: "elsewhere")
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let timer = try Repeater(interval: .microseconds(10), queue: queue) { [instance] _, _ in
      begun.signal()
      goOn.wait()
      withExtendedLifetime(instance) {}
    }
    timer.start()
    begun.wait()
    timer.cancel()
    #expect(instances.liveCount == 1)
    goOn.signal()
    timer.cancelAndWait()
    #expect(instances.liveCount == 0)
  }

  /// Blocks in its deinitializer.
  private final class SlowRelease: Sendable {
    let (isReleasing, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    final class Instance: Sendable {
      let release: SlowRelease
      init(_ release: SlowRelease) { self.release = release }
      deinit {
        release.isReleasing.signal()
        release.goOn.wait()
      }
    }
  }

  @Test func everythingIsReleasedWhenCancelAndWaitReturns() throws {
    let release = SlowRelease()
    let queue = DispatchQueue(label: "elsewhere")
    let (begun, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let timer = try Repeater(interval: .microseconds(10), queue: queue) {
      [instance = SlowRelease.Instance(release)] _, _ in
      begun.signal()
      goOn.wait()
      withExtendedLifetime(instance) {}
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

  /// A request that waits for the queue keeps no handler.
  @Test func cancelReleasesTheHandlerBeforeARequestedDrain() throws {
    let queue = DispatchQueue(label: "suspended")
    queue.suspend()
    let timer = try repeater(queue)
    timer.fire()
    timer.cancel()
    #expect(instances.liveCount == 0)
    queue.resume()
    queue.sync {}
    #expect(timer.snapshot.staleCount == 1)
  }

  /// Streams receive the final state before they end.
  @Test func streamsEndAfterTheLastState() async throws {
    let queue = DispatchQueue(label: "suspended")
    let timer = try repeater(queue)
    let events = timer.events()
    queue.suspend()
    timer.start()
    timer.cancel()
    #expect(instances.liveCount == 1)
    queue.resume()
    var states: [TimerState] = []
    for await case .state(_, let state) in events { states.append(state) }
    #expect(states == [.running, .cancelled])
    queue.sync {}
    #expect(instances.liveCount == 0)
  }

  /// A value can use the timer while it is released, because the mutex is not locked then.
  @Test func aReleasedValueCanUseTheTimer() throws {
    final class User: Sendable {
      let timer = Guarded<Repeater?>(nil)
      let received: Recorder<String>
      init(_ received: Recorder<String>) { self.received = received }
      deinit { received.append(timer.withLock { $0 }?.state.description ?? "none") }
    }
    var user: User? = User(received)
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(clock)) { [user] _, _ in
      withExtendedLifetime(user) {}
    }
    user?.timer.withLock { $0 = timer }
    user = nil
    timer.cancel()
    #expect(received.all == ["cancelled"])
  }
}
