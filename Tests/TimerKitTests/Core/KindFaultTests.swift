import Dispatch
import Fuzzing
import Testing

@testable import TimerKit

/// One test for each fault that other timer libraries have here, and these kinds must not. Each fails
/// if the fault is put in.
@Suite struct KindFaultTests {
  let clock = VirtualClock()
  let store = Store()

  // MARK: MABGTimer

  /// There every control is a `sync` on the queue on which the block runs.
  @Test(arguments: BackgroundTimerExclusivityTests.Place.allCases)
  func mabgTimer_deadlockOnControlsInTheBlock(_ place: BackgroundTimerExclusivityTests.Place) async
  {
    let (timer, virtual) = place.timer(for: store, .delay)
    let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    timer.after(.microseconds(1)) { [weak timer] store in
      guard let timer else { return }
      timer.after(.hours(1)) { _ in }
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

  /// There the timer is cancelled behind the block, whatever that did.
  @Test func mabgTimer_cannotBeArmedAnewInTheBlock() {
    let timer = BackgroundTimer(for: store, clock: .virtual(clock))
    timer.after(.seconds(1)) { [weak timer] store in
      store.done.append("first")
      timer?.after(.seconds(1)) { $0.done.append("second") }
      #expect(timer?.isPending == true)
    }
    clock.advance(by: .seconds(1))
    #expect(timer.isPending)
    clock.advance(by: .seconds(1))
    #expect(store.done.all == ["first", "second"])
  }

  /// There a block that comes with a later time is thrown away, though it is the newest.
  @Test func mabgTimer_coalescingKeepsTheOldBlock() {
    let timer = BackgroundTimer(for: store, .coalesce, clock: .virtual(clock))
    timer.after(.seconds(1)) { $0.done.append("old") }
    timer.after(.seconds(5)) { $0.done.append("new") }
    clock.advance(by: .seconds(1))
    #expect(store.done.all == ["new"])
    clock.advance(by: .seconds(9))
    #expect(store.done.count == 1)
  }

  /// There the source's handler holds the timer, and the timer the source.
  @Test(arguments: BackgroundTimerExclusivityTests.Place.allCases)
  func mabgTimer_isRetainedByItsOwnSource(_ place: BackgroundTimerExclusivityTests.Place) {
    weak var gone: BackgroundTimer<Store>?
    do {
      let (timer, _) = place.timer(for: store)
      timer.after(.hours(1)) { $0.done.append("work") }
      gone = timer
      #expect(gone != nil)
    }
    #expect(gone == nil)
  }

  /// There the object is an unretained pointer: it must cancel in its `dealloc`, or it is called when
  /// it is gone.
  @Test func mabgTimer_callsAnObjectThatIsGone() {
    var owner: Store? = Store()
    let done = Recorder<Void>()
    let timer = BackgroundTimer(for: owner, clock: .virtual(clock))
    timer.after(.seconds(1)) { _ in done.append(()) }
    owner = nil
    clock.advance(by: .seconds(1))
    #expect(done.count == 0)
    withExtendedLifetime((timer, owner)) {}
  }

  // MARK: Design patterns for safe timer usage (S0)

  /// There the initializer of `TimeLimitedContainer` sets its value to nil.
  @Test func s0_theContainerNeverStoresItsValue() throws {
    #expect(try TimeLimited("child", for: .seconds(1), clock: .virtual(clock)).value == "child")
  }

  /// The deferred invocation: made twice, the timer of the first child deletes the second.
  @Test func s0_aLateExpiryDeletesTheNewValue() throws {
    let container = try TimeLimited("first", for: .seconds(10), clock: .virtual(clock))
    clock.advance(by: .seconds(6))
    container.replace(with: "second")
    clock.advance(by: .seconds(6))
    #expect(container.value == "second")
    clock.advance(by: .seconds(4))
    #expect(container.value == nil)
  }

  /// The cancellable timer: its handler was already on its way when the new child was made.
  @Test func s0_aHandlerOnItsWayDeletesTheNewValue() throws {
    let container = Guarded<TimeLimited<String>?>(nil)
    let expired = Recorder<String>()
    // Older than the container, so that it goes first where both are due.
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

  /// The identity of the timer is the same after rescheduling; the generation is not.
  @Test func s0_aRescheduledTimerStillFiresForItsOldDeadline() throws {
    let container = try TimeLimited("child", for: .seconds(10), clock: .virtual(clock))
    let stale = Recorder<UInt64>()
    container.observe { _, event in
      if case .stale(let generation) = event { stale.append(generation) }
    }
    clock.advance(by: .seconds(9))
    try container.renew()
    clock.advance(by: .seconds(9))
    #expect(container.value == "child")
    var machine = TimeLimitedStateMachine<String>(lifetime: 10)
    var value: String? = "child"
    _ = machine.replace(with: &value, for: nil, at: 0)
    let old = machine.generation
    try machine.renew(for: nil, at: 9)
    #expect(machine.alarm(generation: old, at: 25) == .stale(generation: old))
    #expect(machine.read(at: 18) == "child")
  }

  /// The deferred invocation again: it outlives what it was for.
  @Test func s0_theTimerOutlivesItsResource() throws {
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
    ) { [clock] countdown, stepsLeft in
      steps.append(stepsLeft)
      countdown.step()
      clock.advance(by: .seconds(9))
    }
    countdown.start()
    clock.advance(by: .seconds(9))
    #expect(steps.all == [0])
  }

  /// Rescheduling a timer there drops its leeway.
  @Test func swiftTimer_reschedulingDropsTheLeeway() throws {
    let countdown = try Countdown(
      from: 3, every: .seconds(1), tolerance: .milliseconds(50), clock: .virtual(clock)
    ) { _, _ in }
    try countdown.setInterval(.seconds(2))
    #expect(countdown.snapshot.configuration.tolerance == .milliseconds(50))
  }

  /// A suspended source that is released kills the process there.
  @Test(arguments: Kind.allCases)
  func swiftTimer_crashOnReleaseUnstarted(_ kind: Kind) throws {
    for uses in 0..<40 {
      let timer = try kind.make(on: DispatchQueue(label: "released")) { false }
      var random = SplitMix(state: UInt64(uses))
      for _ in 0..<uses % 4 { timer.use(&random) }
    }
  }
}
