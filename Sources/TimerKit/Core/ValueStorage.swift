/// The parts of a timer as a value that all kinds share: the state machine, and what a ``TimerStorage`` has beside it and
/// a value needs as well.
struct ValueStorage<Machine: TimerStateMachine>: Sendable {
  var machine: Machine
  let clock: ClockIdentity
  private(set) var deliveredCount = 0
  private var coldState = LazyBox<ColdState>()

  /// The state that most values never have.
  private struct ColdState: Hashable, Sendable, Defaultable {
    var tolerance: Int64 = 0
    var deadlinesPassedBeforeRestore = 0
  }

  init(
    _ machine: consuming Machine, clock: TimerClock, tolerance: Int64,
    deadlinesPassedBeforeRestore: Int = 0
  ) {
    self.machine = machine
    self.clock = clock.timeSource.identity
    if tolerance > 0 { coldState.change { $0.tolerance = tolerance } }
    if deadlinesPassedBeforeRestore > 0 {
      coldState.change { $0.deadlinesPassedBeforeRestore = deadlinesPassedBeforeRestore }
    }
  }

  var snapshotContext: SnapshotContext {
    SnapshotContext(
      clock: clock, tolerance: coldState.value.tolerance, isExecuting: false,
      deliveredCount: deliveredCount, staleCount: 0,
      deadlinesPassedBeforeRestore: coldState.value.deadlinesPassedBeforeRestore)
  }

  func instant(_ nanoseconds: Int64) -> TimerClock.Instant {
    TimerClock.Instant(nanoseconds: nanoseconds, clock: clock)
  }

  /// Returns the time of an instant of the value's clock.
  func nanoseconds(_ now: TimerClock.Instant) -> Int64 {
    precondition(now.clock == clock, "the instant is of another clock than the timer")
    return now.nanoseconds
  }

  var wakeUp: ClosedRange<TimerClock.Instant>? {
    let deadline = machine.deadline ?? .max
    let tolerance =
      coldState.isUnused ? 0 : min(coldState.value.tolerance, machine.maximumTolerance)
    let latest = deadline.addingSaturated(tolerance)
    if let ready = machine.readySince {
      return instant(min(ready, deadline))...instant(min(ready, latest))
    }
    // A deadline at the latest instant never comes.
    return deadline < .max ? instant(deadline)...instant(latest) : nil
  }

  mutating func advance(to now: TimerClock.Instant) -> Machine.Delivery? {
    let now = nanoseconds(now)
    while true {
      let deadline = machine.deadline ?? .max
      let effect: Effect<Machine.Delivery>
      if let ready = machine.readySince, ready < deadline {
        guard ready <= now else { return nil }
        effect = machine.takeReady(at: now, on: clock)
      } else if deadline <= now, deadline < .max {
        effect = machine.handleArmedAlarm(at: now, on: clock)
      } else {
        return nil
      }
      guard case .deliver(let delivery) = effect else { continue }
      deliveredCount += 1
      machine.deliveryFinished { now }
      return delivery
    }
  }
}

extension ValueStorage: Equatable where Machine: Equatable {}
extension ValueStorage: Hashable where Machine: Hashable {}

/// The implementation of ``PausableTimerValue`` for values that have a ``ValueStorage``.
///
/// The protocol is internal for the same reason as ``ObservableStorageOwner``.
protocol ValueStorageOwner: PausableTimerValue where Delivery == Machine.Delivery {
  associatedtype Machine: PausableStateMachine & Hashable
  var storage: ValueStorage<Machine> { get set }
}

extension ValueStorageOwner {
  public var clock: TimerClock.Kind { storage.clock.kind }

  public var wakeUp: ClosedRange<TimerClock.Instant>? { storage.wakeUp }

  public mutating func advance(to now: TimerClock.Instant) -> Machine.Delivery? {
    storage.advance(to: now)
  }

  public var state: TimerState { storage.machine.state }

  public var deadline: TimerClock.Instant? { storage.machine.deadline.map(storage.instant) }

  public func timeLeft(at now: TimerClock.Instant) -> Duration? {
    storage.machine.timeLeft(at: storage.nanoseconds(now)).map(Duration.nanoseconds(_:))
  }

  @discardableResult
  public mutating func start(at now: TimerClock.Instant) -> ControlResult {
    control(at: now) { (machine, now) in machine.start(at: now) }
  }

  @discardableResult
  public mutating func pause(at now: TimerClock.Instant) -> ControlResult {
    control(at: now) { (machine, now) in machine.pause(at: now) }
  }

  @discardableResult
  public mutating func reset(at now: TimerClock.Instant) -> ControlResult {
    control(at: now) { (machine, now) in machine.reset(at: now) }
  }

  @discardableResult
  public mutating func restart(at now: TimerClock.Instant) -> ControlResult {
    control(at: now) { (machine, now) in machine.restart(at: now) }
  }

  @discardableResult
  public mutating func catchUp(to now: TimerClock.Instant, leaving left: Int) -> Int {
    control(at: now) { (machine, now) in machine.catchUp(to: now, leaving: left) }
  }

  public func end(by limit: TimerClock.Instant) -> TimerClock.Instant? {
    storage.machine.end(by: storage.nanoseconds(limit)).map(storage.instant)
  }

  mutating func control<Result>(
    at now: TimerClock.Instant, _ body: (inout Machine, _ now: Int64) -> Result
  ) -> Result {
    let now = storage.nanoseconds(now)
    return body(&storage.machine, now)
  }
}
