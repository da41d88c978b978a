import Dispatch
import Testing

@testable import TimerKit

/// `cancel()` ends a timer of every kind permanently, whatever its state.
@Suite struct CancelTests {
  /// A timer that is about to deliver.
  struct Subject: Sendable {
    let cancel: @Sendable () -> ControlResult
    /// Performs every call that could make the timer deliver.
    let use: @Sendable () -> Void
    let isCancelled: @Sendable () -> Bool
    /// The state changes that observers receive from now on.
    let states: Recorder<String>
    /// Returns when the stream of the timer's events has ended.
    let endOfEvents: @Sendable () async -> Void
    let timer: any AnyObject & Sendable
  }

  struct Maker: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The state before the cancellation, or `nil` for a kind without states.
    let state: String?
    let make: @Sendable (VirtualClock, _ handler: @escaping @Sendable () -> Void) throws -> Subject

    init(
      _ name: String, state: String?,
      _ make:
        @escaping @Sendable (VirtualClock, _ handler: @escaping @Sendable () -> Void) throws ->
        Subject
    ) {
      (testDescription, self.state, self.make) = (name, state, make)
    }
  }

  private static func subject<Timer: ObservableTimer>(
    _ timer: Timer, cancel: @escaping @Sendable (Timer) -> ControlResult,
    use: @escaping @Sendable (Timer) -> Void
  ) -> Subject where Timer: TimerStorageOwner {
    let states = Recorder<String>()
    timer.observe { _, event in
      if case .state(let old, let new) = event { states.append("\(old) → \(new)") }
    }
    let events = timer.events()
    return Subject(
      cancel: { cancel(timer) }, use: { use(timer) },
      isCancelled: { timer.storage.readMachine(\.isCancelled) }, states: states,
      endOfEvents: { for await _ in events {} }, timer: timer)
  }

  private static func subject<Timer: PausableTimer & TimerStorageOwner>(
    _ timer: Timer, use: @escaping @Sendable (Timer) -> Void
  ) -> Subject {
    timer.start()
    return subject(
      timer, cancel: { $0.cancel() },
      use: { timer in
        use(timer)
        timer.start()
        timer.pause()
        timer.start()
      })
  }

  private static func limiter<Timer: CallLimiter<Int> & TimerStorageOwner>(
    _ timer: Timer
  ) -> Subject {
    for value in 1...3 { timer.call(value) }
    return subject(
      timer, cancel: { $0.cancel() },
      use: { timer in
        #expect(!timer.call(1))
        #expect(timer.flush() == .refused(.cancelled))
        #expect(timer.cancelPending() == .refused(.cancelled))
        #expect(!timer.isPending)
      })
  }

  private static func keyed<Timer: KeyedCallLimiter<Int, Int> & TimerStorageOwner>(
    _ timer: Timer
  ) -> Subject {
    for key in 1...3 { for value in 1...3 { timer.call(value, for: key) } }
    return subject(
      timer, cancel: { $0.cancel() },
      use: { timer in
        #expect(!timer.call(1, for: 1))
        #expect(timer.flush() == .refused(.cancelled))
        #expect(timer.flush(for: 1) == .refused(.cancelled))
        #expect(timer.cancelPending() == .refused(.cancelled))
        #expect(timer.cancelPending(for: 1) == .refused(.cancelled))
        #expect(timer.keyCount == 0)
      })
  }

  static let makers: [Maker] = [
    Maker("Repeater", state: "running") { clock, handler in
      subject(try Repeater(interval: .seconds(1), clock: .virtual(clock)) { _, _ in handler() }) {
        $0.fire()
        $0.restart()
      }
    },
    Maker("Countdown", state: "running") { clock, handler in
      subject(
        try Countdown(from: 9, every: .seconds(1), clock: .virtual(clock)) { _, _ in handler() }
      ) {
        $0.step()
        $0.restart()
      }
    },
    Maker("Cycle", state: "running") { clock, handler in
      subject(
        try Cycle([.init("a", .seconds(1))], clock: .virtual(clock)) { _, _ in handler() }
      ) {
        $0.skip()
        $0.restart()
      }
    },
    Maker("Stopwatch", state: "running") { clock, handler in
      let timer = Stopwatch(clock: .virtual(clock)) { _, _ in handler() }
      timer.setAlarm(at: .seconds(1))
      return subject(timer) {
        $0.lap()
        $0.restart()
      }
    },
    Maker("Debouncer", state: "pending") { clock, handler in
      limiter(try Debouncer(delay: .seconds(1), clock: .virtual(clock)) { _, _ in handler() })
    },
    Maker("Throttler", state: "pending") { clock, handler in
      limiter(
        try Throttler(interval: .seconds(1), mode: .deferred, clock: .virtual(clock)) { _, _ in
          handler()
        })
    },
    Maker("KeyedDebouncer", state: "pending") { clock, handler in
      keyed(
        try KeyedDebouncer(delay: .seconds(1), clock: .virtual(clock)) { _, _, _ in handler() })
    },
    Maker("KeyedThrottler", state: "pending") { clock, handler in
      keyed(
        try KeyedThrottler(interval: .seconds(1), mode: .deferred, clock: .virtual(clock)) {
          _, _, _ in handler()
        })
    },
    Maker("BackgroundTimer", state: "pending") { clock, handler in
      let timer = BackgroundTimer(for: clock, clock: .virtual(clock))
      timer.perform(after: .seconds(1)) { _ in handler() }
      return subject(
        timer, cancel: { $0.cancel() },
        use: { timer in
          let result = timer.perform(after: .seconds(1)) { _ in Issue.record("work after cancel") }
          #expect(result == .refused(.cancelled))
          #expect(timer.cancelPending() == .refused(.cancelled))
          #expect(!timer.isPending)
          #expect(timer.performExclusively { true })
        })
    },
    Maker("TimeLimited", state: "holding") { clock, handler in
      subject(
        try TimeLimited(7, for: .seconds(1), clock: .virtual(clock)) { _, _ in handler() },
        cancel: { $0.cancel() },
        use: { timer in
          #expect(timer.replace(with: 8) == nil)
          #expect(timer.value == nil)
          #expect(timer.take() == nil)
          #expect(timer.deadline == nil)
          #expect(throws: TimeLimitedError.cancelled) { try timer.renew() }
          #expect(throws: TimeLimitedError.cancelled) { try timer.renew(for: .seconds(1)) }
        })
    },
    Maker("DeadlineTimer", state: nil) { clock, handler in
      let timer = DeadlineTimer(clock: .virtual(clock)) { _, _ in handler() }
      timer.schedule(at: clock.now.advanced(by: .seconds(1)))
      return Subject(
        cancel: { timer.cancel() },
        use: {
          #expect(timer.schedule(at: clock.now) == .refused(.cancelled))
          #expect(timer.unschedule() == .refused(.cancelled))
          #expect(timer.deadline == nil)
        }, isCancelled: { timer.storage.readMachine(\.isCancelled) }, states: Recorder(),
        endOfEvents: {}, timer: timer)
    },
  ]

  @Test(arguments: makers) func nothingIsDeliveredAfterCancel(_ maker: Maker) throws {
    let clock = VirtualClock()
    let subject = try maker.make(clock) { Issue.record("a delivery after cancel") }
    #expect(!subject.isCancelled())
    #expect(subject.cancel() == .changed)
    #expect(subject.isCancelled())
    #expect(subject.cancel() == .unchanged)
    subject.use()
    clock.advance(by: .days(1))
    subject.use()
    #expect(subject.cancel() == .unchanged)
    clock.advance(by: .days(1))
    #expect(subject.isCancelled())
    #expect(clock.driver.usage.slots == clock.driver.usage.freeSlots)
  }

  /// Pending deliveries are dropped without an intermediate state.
  @Test(arguments: makers) func observersReceiveOneChangeAndStreamsEnd(_ maker: Maker) async throws
  {
    let clock = VirtualClock()
    let subject = try maker.make(clock) {}
    _ = subject.cancel()
    subject.use()
    #expect(subject.states.all == (maker.state.map { ["\($0) → cancelled"] } ?? []))
    await subject.endOfEvents()
  }

  @Test(arguments: makers) func handlerAndObserversAreReleased(_ maker: Maker) throws {
    let instances = InstanceCounter()
    let clock = VirtualClock()
    let subject = try { [instance = InstanceCounter.Instance(instances)] in
      try maker.make(clock) { withExtendedLifetime(instance) {} }
    }()
    #expect(instances.liveCount == 1)
    _ = subject.cancel()
    #expect(instances.liveCount == 0)
    withExtendedLifetime(subject) {}
  }

  /// The handler cancels its own timer, and must not be released while it runs.
  @Test(arguments: makers) func handlersCanCancel(_ maker: Maker) throws {
    let instances = InstanceCounter()
    let clock = VirtualClock()
    let reference = Guarded<Subject?>(nil)
    let count = Recorder<Void>()
    let subject = try { [instance = InstanceCounter.Instance(instances)] in
      try maker.make(clock) {
        count.append(())
        #expect(reference.withLock { $0 }?.cancel() == .changed)
        reference.withLock { $0 }?.use()
        #expect(instances.liveCount == 1)
        withExtendedLifetime(instance) {}
      }
    }()
    reference.withLock { $0 = subject }
    clock.advance(by: .seconds(9))
    #expect(count.count == 1)
    #expect(instances.liveCount == 0)
    #expect(clock.driver.usage.slots == clock.driver.usage.freeSlots)
    reference.withLock { $0 = nil }
  }

  /// A value that has expired is gone, but its expiry is not delivered after cancellation.
  @Test func anUndeliveredExpiryIsDropped() throws {
    let clock = VirtualClock()
    let instances = InstanceCounter()
    let container = try TimeLimited(
      InstanceCounter.Instance(instances), for: .seconds(1), clock: .virtual(clock)
    ) {
      _, _ in Issue.record("a delivery after cancel")
    }
    let busy = DeadlineTimer(clock: .virtual(clock)) { _, _ in
      clock.advance(by: .seconds(5))
      #expect(container.value == nil)
      container.replace(with: InstanceCounter.Instance(instances))
      clock.advance(by: .seconds(5))
      container.replace(with: InstanceCounter.Instance(instances))
      #expect(container.snapshot.expiredCount == 2)
      #expect(instances.liveCount == 3)
      container.cancel()
      #expect(instances.liveCount == 0)
    }
    busy.schedule(at: clock.now)
    clock.advance(by: .zero)
    clock.advance(by: .days(1))
    #expect(container.state == .cancelled)
    withExtendedLifetime(busy) {}
  }

  /// A call comes either before the cancellation and is dropped, or after it and is ignored.
  @Test func callsThatRaceWithCancelLeaveNothingPending() throws {
    let instances = InstanceCounter()
    for round in 0..<500 {
      let debouncer = try Debouncer<InstanceCounter.Instance>(delay: .hours(1)) { _, _ in }
      let keyed = try KeyedThrottler<Int, InstanceCounter.Instance>(
        interval: .hours(1), mode: .deferred
      ) {
        _, _, _ in
      }
      let owner = Owner()
      let background = BackgroundTimer(for: owner)
      let container = try TimeLimited(InstanceCounter.Instance(instances), for: .hours(1))
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for number in 0..<20 {
          if thread == 1, number == round % 20 {
            debouncer.cancel()
            keyed.cancel()
            background.cancel()
            container.cancel()
          }
          debouncer.call(InstanceCounter.Instance(instances))
          keyed.call(InstanceCounter.Instance(instances), for: number)
          background.perform(after: .hours(1)) {
            [instance = InstanceCounter.Instance(instances)] _ in
            withExtendedLifetime(instance) {}
          }
          container.replace(with: InstanceCounter.Instance(instances))
        }
      }
      #expect(instances.liveCount == 0)
      #expect(!debouncer.isPending && !keyed.isPending && !background.isPending)
      #expect(container.value == nil)
    }
  }
}
