import Dispatch

/// A public timer, which has a ``TimerStorage``.
@usableFromInline
protocol TimerStorageOwner: AlarmTarget {
  associatedtype Machine: TimerStateMachine
  associatedtype HandlerBox: TimerHandler<Self, Machine.Delivery>
  var storage: TimerStorage<Self, Machine> { get }
}

extension TimerStorageOwner {
  @usableFromInline
  func handle(_ event: AlarmEvent, at now: Int64) { storage.handle(self, event, at: now) }

  @usableFromInline var alarmDeadline: Int64? { storage.read(\.deadline) }
}

/// The parts of a timer that all kinds share: state machine, mutex, alarm, delivery and observers.
///
/// Ground rules:
/// - The mutex guards everything, and is never held while a callback runs, or while a value of the
///   user's is released.
/// - A delivery is *committed* under the mutex, on the driver's queue, and then passed to the callbacks
///   one by one; each is looked up under the mutex just before it is called. No two callbacks of a timer
///   run at the same time or inside one another: a thread *acquires* the timer while it delivers, and
///   an alarm that fires meanwhile is deferred until it releases the timer.
/// - Events that no alarm announces wait among the pending events, or in the machine, for a drain.
/// - The clock is read before the mutex is locked, so a control can carry a time a little before that
///   of the one before it. Machines must accept that.
@usableFromInline
struct TimerStorage<Owner: TimerStorageOwner, Machine: TimerStateMachine>: ~Copyable, Sendable
where Owner.Machine == Machine {
  @usableFromInline typealias Event = TimerEvent<Machine.Status, Machine.Delivery>
  @usableFromInline typealias Callback = TimerKit.Callback<Owner.HandlerBox, Machine.Status>
  @usableFromInline typealias Observers = TimerKit.Observers<Owner.HandlerBox, Machine.Status>

  /// The driver it was created for: that of its clock always, and of its alarms until it moves.
  @usableFromInline let home: AlarmDriver
  @usableFromInline let state: Guarded<State>

  init(
    _ machine: consuming Machine, clock: TimerClock, queue: DispatchQueue?, tolerance: Int64 = 0,
    handler: consuming Owner.HandlerBox?
  ) {
    home = clock.source.driver(for: queue)
    state = Guarded(
      State(machine: machine, tolerance: tolerance, observers: Observers(handler: handler)))
  }

  init(
    _ machine: consuming Machine, driver: AlarmDriver, tolerance: Int64,
    handler: consuming Owner.HandlerBox?
  ) {
    home = driver
    state = Guarded(
      State(machine: machine, tolerance: tolerance, observers: Observers(handler: handler)))
  }

  /// Deallocating a timer cancels it, and ends its streams.
  deinit {
    var events: [Event] = []
    var streams: [AsyncStream<Event>.Continuation] = []
    state.withLock { state in
      if state.alarm.isRegistered {
        (state.coldState.value.driver ?? home).release(state.alarm.slot)
      }
      guard state.observers.observeMoreThanTicks else { return }
      let before = state.before(0)
      _ = state.machine.cancel()
      state.recordTransition(from: before)
      events = Array(state.observers.takePendingEvents())
      streams = state.observers.streams
    }
    for stream in streams {
      for event in events { stream.yield(event) }
      stream.finish()
    }
  }

  @inlinable var time: TimeSource { home.time }

  /// Runs a control of the machine, then arms its alarm and requests a drain as needed.
  @inlinable
  func control<Result: Sendable, Failure: Error>(
    _ owner: Owner, _ body: (inout Machine, _ now: Int64) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let now = time.now
    var driverToWake: AlarmDriver?
    let result = try state.withLock { (state) throws(Failure) -> Result in
      try state.perform(owner, body, at: now, &driverToWake)
    }
    driverToWake?.requestWake()
    return result
  }

  /// Ends the machine for good. That needs no clock: an alarm that still fires then was due if it was
  /// armed for the deadline, and not early.
  func end(_ owner: Owner) -> Bool { end(owner) { _ in }.hasEnded }

  /// Ends the machine for good, and removes from it what is to be released, in one step.
  func end<Removed: Sendable>(
    _ owner: Owner, _ remove: (inout Machine) -> Removed
  ) -> (hasEnded: Bool, removed: Removed) {
    var driverToWake: AlarmDriver?
    var dropped = Observers.Removed()
    var operation: OperationRunner?
    let result = state.withLock { state in
      let before = Before(
        status: state.machine.status, generation: state.machine.generation,
        wasDue: state.alarm.at == state.machine.deadline)
      let removed = remove(&state.machine)
      let hasEnded = state.machine.cancel()
      state.recordTransition(from: before)
      driverToWake = state.reschedule(owner, at: state.observers.hasPendingEvents ? time.now : .max)
      dropped = state.takeUnneededCallbacks()
      if !state.coldState.isUnused { operation = state.coldState.value.operation }
      return (hasEnded: hasEnded, removed: removed)
    }
    dropped.finishStreams()
    operation?.cancel()
    driverToWake?.requestWake()
    return result
  }

  /// Changes the machine in a way that concerns neither its time nor its status: there is nothing to
  /// arm and nothing to report.
  @inlinable
  func update<Result: Sendable>(_ body: (inout Machine) -> Result) -> Result {
    state.withLock { body(&$0.machine) }
  }

  @inlinable
  func read<Result: Sendable>(_ body: (Machine) -> Result) -> Result {
    state.withLock { body($0.machine) }
  }

  func readState<Result: Sendable>(_ body: (State) -> Result) -> Result {
    state.withLock { body($0) }
  }
}
