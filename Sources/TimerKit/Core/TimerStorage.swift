import Dispatch

/// A public timer type that is implemented with a ``TimerStorage``.
@usableFromInline
protocol TimerStorageOwner: AlarmTarget {
  associatedtype Machine: TimerStateMachine
  associatedtype HandlerBox: TimerHandler<Self, Machine.Delivery>
  var storage: TimerStorage<Self, Machine> { get }
}

extension TimerStorageOwner {
  @usableFromInline
  func handle(_ call: DriverCall, at now: Int64) { storage.handle(self, call, at: now) }

  @usableFromInline var timerDeadline: Int64? { storage.readMachine { $0.deadline } }
}

/// The parts of a timer that all kinds share: state machine, mutex, alarm, delivery and observers.
///
/// Ground rules:
/// - The mutex guards all state. It is never locked while a callback runs, or while a value of the user is
///   destroyed.
/// - A delivery is *committed* under the mutex, on the driver's queue, and then passed to the callbacks
///   one by one; each is looked up under the mutex just before it is called. No two callbacks of a timer
///   run at the same time or inside one another: a thread *acquires* the timer while it delivers, and
///   an alarm that fires meanwhile is deferred until it releases the timer.
/// - A *drain* is a call by the driver that passes on the events other than deliveries, which wait in the list of
///   pending events, and the deliveries that no alarm triggers, which wait in the machine.
/// - The clock is read before the mutex is locked, so the time of a control can be slightly earlier than
///   that of the control before it. Machines must accept that.
@usableFromInline
struct TimerStorage<Timer: TimerStorageOwner, Machine: TimerStateMachine>: ~Copyable, Sendable
where Timer.Machine == Machine {
  @usableFromInline typealias Event = TimerEvent<Machine.State, Machine.Delivery>
  @usableFromInline typealias Callback = TimerKit.Callback<Timer.HandlerBox, Machine.State>
  @usableFromInline typealias Observers = TimerKit.Observers<Timer.HandlerBox, Machine.State>

  /// The driver that the timer was created with. It determines the clock permanently, and drives the alarms
  /// until the timer moves to another queue.
  @usableFromInline let originalDriver: AlarmDriver
  @usableFromInline let state: Guarded<State>

  init(
    _ machine: consuming Machine, driver: AlarmDriver, tolerance: Int64 = 0,
    handler: consuming Timer.HandlerBox?
  ) {
    originalDriver = driver
    state = Guarded(
      State(machine: machine, tolerance: tolerance, observers: Observers(handler: handler)))
  }

  /// Cancels the timer and ends its streams.
  deinit {
    var events: ArraySlice<Observers.PendingEvent> = []
    var entries: [Observers.Entry] = []
    state.withLock { state in
      if state.alarm.isRegistered {
        (state.coldState.value.driver ?? originalDriver).freeSlot(state.alarm.slot)
      }
      guard state.observers.hasObservers else { return }
      let before = state.stateBeforeChange(at: 0)
      if !state.machine.isCancelled { state.machine.cancel() }
      state.recordTransition(from: before)
      events = state.observers.takePendingEvents()
      entries = state.observers.additional.value.entries
    }
    for entry in entries {
      guard let stream = entry.callback.stream else { continue }
      for (event, last) in events where entry.token.number <= last.number { stream.yield(event) }
      stream.finish()
    }
  }

  @inlinable var timeSource: TimeSource { originalDriver.timeSource }

  /// Runs a control of the machine, then arms its alarm and requests a drain if needed.
  /// - Returns: the result of `body`.
  @inlinable
  func control<Result: Sendable>(
    _ timer: Timer, _ body: (inout Machine, _ now: Int64) -> Result
  ) -> Result {
    let now = timeSource.now
    var driverToWake: AlarmDriver?
    var unheard: [Machine.Delivery]?
    let result = state.withLock { state in
      state.perform(timer, body, at: now, &driverToWake, &unheard)
    }
    driverToWake?.requestWake()
    return result
  }

  /// Runs a control with an argument; refuses it if the argument is invalid.
  func control<Argument: Sendable>(
    _ timer: Timer, _ argument: @autoclosure () throws(TimerConfigurationError) -> Argument,
    _ body: (inout Machine, Argument, _ now: Int64) -> ControlResult
  ) -> ControlResult {
    .refusingInvalid(try argument()) { argument in
      control(timer) { (machine, now) in body(&machine, argument, now) }
    }
  }

  /// Runs the first control of a timer, which restores it from a checkpoint.
  /// - Parameter passedDeadlines: the number of deadlines that passed between the checkpoint and the restoration.
  func restore<Result: Sendable>(
    _ timer: Timer, passedDeadlines: Int, _ body: (inout Machine, _ now: Int64) -> Result
  ) -> Result {
    if passedDeadlines > 0 {
      state.withLock { state in
        state.coldState.change { $0.deadlinesPassedBeforeRestore = passedDeadlines }
      }
    }
    return control(timer, body)
  }

  /// Ends the timer permanently.
  ///
  /// It reads the clock only if events are pending. An alarm that fires afterward is rejected: as stale if it was armed
  /// for the deadline, and silently if it was armed for an earlier time.
  /// - Returns: false if it has ended before.
  func end(_ timer: Timer) -> Bool { end(timer) { _ in }.didEnd }

  /// Ends the timer permanently, and removes values from the machine in the same step.
  /// - Returns: the removed values, which the caller destroys after the mutex has been unlocked.
  func end<Removed: Sendable>(
    _ timer: Timer, _ remove: (inout Machine) -> Removed
  ) -> (didEnd: Bool, removed: Removed) {
    var driverToWake: AlarmDriver?
    var removedCallbacks = Observers.Removed()
    var stoppedRuns: OperationRunner.StoppedRuns?
    var drainWaiters: [@Sendable () -> Void] = []
    let result = state.withLock { state in
      // The clock is not read here: an alarm for the deadline counts as due.
      let before = (
        state.machine.state, state.machine.generation, state.alarm.at == state.machine.deadline
      )
      let undeliveredCount = state.machine.isCancelled ? 0 : state.machine.undeliveredCount
      let removedValues = remove(&state.machine)
      let didEnd = !state.machine.isCancelled
      if didEnd { state.machine.cancel() }
      state.recordTransition(from: before)
      driverToWake = state.reschedule(
        timer, at: state.observers.hasPendingEvents ? timeSource.now : .max)
      removedCallbacks = state.takeUnneededCallbacks()
      if !state.coldState.isUnused {
        stoppedRuns = state.coldState.value.operationRunner?.stop(cancelling: true)
        state.addToDrainResult(
          droppedCount: undeliveredCount + (stoppedRuns?.droppedCount ?? 0),
          cancelledRunCount: stoppedRuns?.cancelledCount ?? 0)
        drainWaiters = state.takeDrainWaiters()
      }
      return (didEnd: didEnd, removed: removedValues)
    }
    // These callbacks are destroyed here. None is a stream: if the timer has one, the cancellation is a pending event,
    // and the callbacks are removed after it has been passed on.
    _ = removedCallbacks
    stoppedRuns?.complete()
    driverToWake?.requestWake()
    for resume in drainWaiters { resume() }
    return result
  }

  /// Changes the machine. `body` must not change its state, and can move its deadline only to a later time, so that
  /// there is nothing to report and nothing to arm.
  @inlinable
  func update<Result: Sendable>(_ body: (inout Machine) -> Result) -> Result {
    state.withLock { body(&$0.machine) }
  }

  /// Changes the machine like ``update(_:)``, if the timer has callbacks. If it has none, a control completes first what is
  /// due.
  /// - Returns: the result of `body`; false if the timer has no callbacks.
  @inlinable
  func updateIfHeard(_ body: (inout Machine) -> Bool) -> Bool {
    state.withLock { $0.observers.hasCallbacks && body(&$0.machine) }
  }

  /// Pass closures and not key paths: generic code would make a key path anew at each call, which takes a microsecond.
  @inlinable
  func readMachine<Result: Sendable>(_ body: (Machine) -> Result) -> Result {
    state.withLock { body($0.machine) }
  }

  func readGuardedState<Result: Sendable>(_ body: (State) -> Result) -> Result {
    state.withLock { body($0) }
  }

  /// Returns a snapshot of the timer, from its state at one moment.
  func snapshot<Snapshot: Sendable>(_ body: (Machine, SnapshotContext) -> Snapshot) -> Snapshot {
    state.withLock { state in
      let context = SnapshotContext(
        clock: timeSource.identity, tolerance: state.tolerance, isExecuting: state.isDelivering,
        deliveredCount: state.deliveredCount,
        discardedCount: state.coldState.value.operationRunner?.discardedCount ?? 0,
        staleCount: state.staleCount,
        deadlinesPassedBeforeRestore: state.deadlinesPassedBeforeRestore)
      return body(state.machine, context)
    }
  }
}
