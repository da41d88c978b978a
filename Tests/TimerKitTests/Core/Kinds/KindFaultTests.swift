import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// One test for each fault that other timer libraries have and these timers must not have. Each fails
/// if the fault is introduced.
@Suite struct KindFaultTests {
  let clock = VirtualClock()
  let store = Store()

  // MARK: MABGTimer

  /// In MABGTimer, every control is a `sync` on the queue on which the block runs.
  @Test(arguments: BackgroundTimerExclusivityTests.QueueKind.allCases)
  func mabgTimer_deadlockOnControlsInTheBlock(
    _ queueKind: BackgroundTimerExclusivityTests.QueueKind
  ) async {
    let (timer, virtual) = queueKind.timer(for: store, .delay)
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    timer.perform(after: .microseconds(1)) { [weak timer] store in
      guard let timer else { return }
      timer.perform(after: .hours(1)) { _ in }
      timer.performExclusively { store.done.append("locked") }
      #expect(timer.cancelPending() == .changed)
      timer.setQueue(DispatchQueue(label: "another"))
      #expect(!timer.isPending)
      continuation.finish()
    }
    await virtual?.advance(by: .microseconds(1))
    for await _ in done {}
    #expect(store.done.all == ["locked"])
  }

  /// In MABGTimer, the timer is cancelled after the block, whatever the block did.
  @Test func mabgTimer_cannotBeRescheduledInTheBlock() {
    let timer = BackgroundTimer(for: store, clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { [weak timer] store in
      store.done.append("first")
      timer?.perform(after: .seconds(1)) { $0.done.append("second") }
      #expect(timer?.isPending == true)
    }
    clock.advance(by: .seconds(1))
    #expect(timer.isPending)
    clock.advance(by: .seconds(1))
    #expect(store.done.all == ["first", "second"])
  }

  /// In MABGTimer, a block with a later time is dropped although it is the newest.
  @Test func mabgTimer_coalescingKeepsTheOldBlock() {
    let timer = BackgroundTimer(for: store, behavior: .coalesce, clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { $0.done.append("old") }
    timer.perform(after: .seconds(5)) { $0.done.append("new") }
    clock.advance(by: .seconds(1))
    #expect(store.done.all == ["new"])
    clock.advance(by: .seconds(9))
    #expect(store.done.count == 1)
  }

  /// In MABGTimer, the source's handler retains the timer, and the timer retains the source.
  @Test(arguments: BackgroundTimerExclusivityTests.QueueKind.allCases)
  func mabgTimer_isRetainedByItsOwnSource(_ queueKind: BackgroundTimerExclusivityTests.QueueKind) {
    weak var gone: BackgroundTimer<Store>?
    do {
      let (timer, _) = queueKind.timer(for: store)
      timer.perform(after: .hours(1)) { $0.done.append("work") }
      gone = timer
      #expect(gone != nil)
    }
    #expect(gone == nil)
  }

  /// In MABGTimer, the object is an unretained pointer: it must cancel in its `dealloc`, or it is called
  /// after deallocation.
  @Test func mabgTimer_callsADeallocatedObject() {
    var owner: Store? = Store()
    let done = Recorder<Void>()
    let timer = BackgroundTimer(for: owner, clock: .virtual(clock))
    timer.perform(after: .seconds(1)) { _ in done.append(()) }
    owner = nil
    clock.advance(by: .seconds(1))
    #expect(done.count == 0)
    withExtendedLifetime((timer, owner)) {}
  }

  // MARK: The article "Design patterns for safe timer usage"

  /// In the article, the initializer of `TimeLimitedContainer` sets its value to nil.
  @Test func safeTimerUsage_theContainerNeverStoresItsValue() throws {
    #expect(try TimeLimited("child", for: .seconds(1), clock: .virtual(clock)).value == "child")
  }

  /// The pattern "deferred invocation": if used twice, the timer of the first child deletes the
  /// second.
  @Test func safeTimerUsage_aLateExpiryDeletesTheNewValue() throws {
    let container = try TimeLimited("first", for: .seconds(10), clock: .virtual(clock))
    clock.advance(by: .seconds(6))
    container.replace(with: "second")
    clock.advance(by: .seconds(6))
    #expect(container.value == "second")
    clock.advance(by: .seconds(4))
    #expect(container.value == nil)
  }

  /// The pattern "cancellable timer": its handler was already queued when the new child was
  /// created.
  @Test func safeTimerUsage_aQueuedHandlerDeletesTheNewValue() throws {
    let container = Guarded<TimeLimited<String>?>(nil)
    let expired = Recorder<String>()
    // Older than the container, so that it fires first when both are due.
    let alarm = DeadlineTimer(clock: .virtual(clock)) { _, _ in
      container.withLock { $0 }?.replace(with: "second")
    }
    alarm.schedule(at: clock.instant(10_000_000_000))
    let made = try TimeLimited("first", for: .seconds(10), clock: .virtual(clock)) { _, value in
      expired.append(value)
    }
    container.withLock { $0 = made }
    clock.advance(by: .seconds(10))
    #expect(made.value == "second")
    #expect(expired.all == ["first"])
    container.withLock { $0 = nil }
  }

  /// The timer's identity is the same after rescheduling; its generation is not.
  @Test func safeTimerUsage_aRescheduledTimerFiresForItsOldDeadline() throws {
    let container = try TimeLimited("child", for: .seconds(10), clock: .virtual(clock))
    let stale = Recorder<UInt64>()
    container.observe { _, event in
      if case .stale(let generation) = event { stale.append(generation) }
    }
    clock.advance(by: .seconds(9))
    try container.renew()
    clock.advance(by: .seconds(9))
    #expect(container.value == "child")
  }

  /// The pattern "deferred invocation" again: the timer outlives the resource.
  @Test func safeTimerUsage_theTimerOutlivesItsResource() throws {
    let expired = Recorder<String>()
    var container: TimeLimited<String>? = try TimeLimited(
      "child", for: .seconds(1), clock: .virtual(clock)
    ) {
      _, value in
      expired.append(value)
    }
    #expect(container?.value == "child")
    container = nil
    clock.advance(by: .seconds(2))
    #expect(expired.count == 0)
  }

  // MARK: SwiftTimer

  @Test func swiftTimer_aOneShotFiresTwice() throws {
    let steps = Recorder<Int>()
    let countdown = try Countdown(
      from: 1, every: .seconds(1), missedSteps: .burst(limit: 9), clock: .virtual(clock)
    ) { [clock] countdown, remainingSteps in
      steps.append(remainingSteps)
      countdown.step()
      clock.advance(by: .seconds(9))
    }
    countdown.start()
    clock.advance(by: .seconds(9))
    #expect(steps.all == [0])
  }

  /// In SwiftTimer, rescheduling a timer drops its leeway.
  @Test func swiftTimer_reschedulingDropsTheLeeway() throws {
    let countdown = try Countdown(
      from: 3, every: .seconds(1), tolerance: .milliseconds(50), clock: .virtual(clock)
    ) { _, _ in }
    countdown.setInterval(.seconds(2))
    #expect(countdown.snapshot.configuration.tolerance == .milliseconds(50))
  }

  /// In SwiftTimer, releasing a suspended source crashes the process.
  @Test(arguments: Kind.allCases)
  func swiftTimer_crashOnReleaseUnstarted(_ kind: Kind) throws {
    for uses in 0..<40 {
      let timer = try kind.make(on: DispatchQueue(label: "released")) { false }
      var random = SplitMix(state: UInt64(uses))
      for _ in 0..<uses % 4 { timer.use(&random) }
    }
  }
}
