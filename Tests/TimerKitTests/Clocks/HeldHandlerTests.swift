import Dispatch
import Testing

@testable import TimerKit

/// Handlers that a virtual clock holds at their entry, and what a handler can ask about itself.
@Suite struct HeldHandlerTests {
  private let clock = VirtualClock()
  private let log = Recorder<String>()

  /// The race of "Design patterns for safe timer usage": the handler of a cancelled timer waits for the lock, and
  /// continues with another state. With `isCurrent` it ignores its tick.
  @Test(arguments: [false, true])
  func aHandlerThatHasStartedCannotBeStopped(_ asks: Bool) throws {
    let session = Guarded<String?>("first")
    let timer = DeadlineTimer(clock: .virtual(clock)) { timer, deadline in
      session.withLock { session in
        if asks, !timer.isCurrent(deadline) { return }
        session = nil
      }
    }
    timer.schedule(after: .seconds(1))
    let isHeld = clock.advance(by: .seconds(5), holding: timer) { [clock] in
      #expect(clock.now == clock.instant(1_000_000_000))
      session.withLock { session in
        session = "second"
        timer.schedule(after: .seconds(60))
      }
    }
    #expect(isHeld)
    #expect(session.withLock { $0 } == (asks ? "second" : nil))
    #expect(clock.now == clock.instant(5_000_000_000))
    #expect(timer.deadline == clock.instant(61_000_000_000))
  }

  /// Only one handler of the given timer is held.
  @Test func theNextHandlerOfTheTimerIsHeld() throws {
    let timers = try ["a", "b"].map { name in
      try Repeater.every(.seconds(1), clock: .virtual(clock)) { [log] timer, tick in
        log.append("\(name)\(tick.iteration)\(timer.isCurrent(tick) ? "" : " revoked")")
      }
    }
    var isHeld = clock.advance(by: .milliseconds(500), holding: timers[1]) { [log] in
      log.append("too early")
    }
    #expect(!isHeld)
    isHeld = clock.advance(by: .seconds(2), holding: timers[1]) { [log] in
      log.append("held")
      timers[1].pause()
    }
    #expect(isHeld)
    #expect(log.all == ["a1", "held", "b1 revoked", "a2"])
    clock.advance(by: .seconds(1))
    #expect(log.all.last == "a3")
    withExtendedLifetime(timers) {}
  }

  @Test func aHandlerOfAnyKindIsHeld() throws {
    let debouncer = try Debouncer<Int>(delay: .seconds(1), clock: .virtual(clock)) { [log] in
      log.append("\($1) of \($0.snapshot.pendingCount)")
    }
    debouncer.call(1)
    let isHeld = clock.advance(by: .seconds(1), holding: debouncer) {
      debouncer.call(2)
      debouncer.cancelPending()
    }
    #expect(isHeld)
    #expect(log.all == ["1 of 0"])
  }

  @Test func aDeadlineIsCurrentFromItsFireToTheNextControl() {
    let timer = DeadlineTimer(clock: .virtual(clock)) { [log] timer, deadline in
      log.append("\(timer.isCurrent(deadline))")
    }
    #expect(timer.clock == .virtual(clock))
    let deadline = clock.now + .seconds(1)
    for control in [{ timer.unschedule() }, { timer.schedule(at: deadline) }, { timer.cancel() }] {
      timer.schedule(at: deadline)
      #expect(!timer.isCurrent(deadline))
      clock.advance(by: .seconds(1))
      #expect(timer.isCurrent(deadline) && !timer.isCurrent(deadline + .seconds(1)))
      #expect(!timer.isCurrent(TimerClock.suspending.instant(nanoseconds: deadline.nanoseconds)))
      _ = control()
      #expect(!timer.isCurrent(deadline))
    }
    #expect(log.all == ["true", "true", "true"])
  }

  @Test func aCallerIsIsolatedOnTheQueueAndInCallbacks() throws {
    let (queue, other) = (DispatchQueue(label: "timer"), DispatchQueue(label: "other"))
    let target = DispatchQueue(label: "targets it", target: queue)
    let timer = BackgroundTimer<VirtualClock>(for: clock, queue: queue)
    let deadline = DeadlineTimer(queue: queue) { _, _ in }
    let virtual = BackgroundTimer<VirtualClock>(for: clock, clock: .virtual(clock))
    func isolated() -> [Bool] {
      [timer.isCallerIsolated, deadline.isCallerIsolated, virtual.isCallerIsolated]
    }
    #expect(isolated() == [false, false, false])
    #expect(queue.sync { isolated() } == [true, true, false])
    #expect(target.sync { isolated() } == [true, true, false])
    #expect(other.sync { isolated() } == [false, false, false])
    #expect(timer.performExclusively { isolated() } == [true, false, false])
    virtual.perform(after: .zero) { [log] _ in log.append("\(virtual.isCallerIsolated)") }
    virtual.observe { [log] timer, _ in log.append("\(timer.isCallerIsolated)") }
    clock.advance(by: .zero)
    #expect(Set(log.all) == ["true"] && log.count >= 2)
    timer.setQueue(other)
    #expect(queue.sync { timer.isCallerIsolated } == false)
    #expect(other.sync { timer.isCallerIsolated })
  }

  @MainActor @Test func theMainActorIsTheMainQueue() async throws {
    let timer = try Repeater(interval: .seconds(1), isolation: MainActor.shared) { _, _ in }
    #expect(timer.isCallerIsolated)
    #expect(await Task.detached { timer.isCallerIsolated }.value == false)
  }
}
