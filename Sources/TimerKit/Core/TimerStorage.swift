import Dispatch
import Synchronization

/// What holds a ``TimerStorage``: one of the public timers.
@usableFromInline
protocol TimerStorageOwner: AlarmTarget {
  associatedtype Machine: TimerStateMachine
  associatedtype HandlerBox: TimerHandler<Self, Machine.Delivery>
  var storage: TimerStorage<Self, Machine> { get }
}

extension TimerStorageOwner {
  @usableFromInline
  func ring(_ ring: AlarmEvent, at now: Int64) { storage.ring(self, ring, at: now) }

  @usableFromInline var alarmDeadline: Int64? { storage.read(\.deadline) }
}

/// What makes a timer of a ``TimerStateMachine``: mutex, alarm, delivery, observers. All kinds share it.
///
/// Ground rules:
/// - The mutex guards everything, and is never held while a callback runs, or while something of
///   the user's is released.
/// - A delivery is *committed* under the mutex, on the driver's queue, and then told to the
///   callbacks one by one; each is looked up under the mutex when its drain comes. No two callbacks
///   of a timer run at the same time or inside one another: a thread *holds* the timer while it
///   delivers, and what rings meanwhile is put off until it lets go.
/// - What is to be told without an alarm waits in the pendingEvents, or in the machine, for a drain.
/// - The clock is read before the mutex is taken, so a control can carry a time a little before that
///   of the one before it. Machines must not mind.
@usableFromInline
struct TimerStorage<Owner: TimerStorageOwner, Machine: TimerStateMachine>: ~Copyable, Sendable
where Owner.Machine == Machine {
  @usableFromInline typealias Event = TimerEvent<Machine.Status, Machine.Delivery>
  @usableFromInline typealias Callback = TimerKit.Callback<Owner.HandlerBox, Machine.Status>
  @usableFromInline typealias Observers = TimerKit.Observers<Owner.HandlerBox, Machine.Status>

  /// The driver it was made for: that of its clock for good, and of its alarms until it moves.
  @usableFromInline let home: AlarmDriver
  @usableFromInline let state: Guarded<State>

  init(
    _ machine: consuming Machine, clock: TimerClock, queue: DispatchQueue?, tolerance: Int64 = 0,
    handler: Owner.HandlerBox?
  ) {
    self.init(
      machine, driver: clock.source.driver(for: queue), tolerance: tolerance, handler: handler)
  }

  init(
    _ machine: consuming Machine, driver: AlarmDriver, tolerance: Int64,
    handler: Owner.HandlerBox?
  ) {
    home = driver
    state = Guarded(
      State(machine: machine, tolerance: tolerance, observers: Observers(handler: handler)))
  }

  /// Dropping a timer cancels it, and ends its streams.
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

  /// Runs a control of the machine, and arms, tells and delivers what comes of it.
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

  /// Ends the machine for good. That needs no clock: what still rings then is on its way, so it was
  /// due if it was armed for the deadline, and not early.
  func end(_ owner: Owner) -> Bool {
    var driverToWake: AlarmDriver?
    var operation: OperationRunner?
    let hasEnded = state.withLock { state in
      let before = Before(
        status: state.machine.status, generation: state.machine.generation,
        wasDue: state.alarm.at == state.machine.deadline)
      let hasEnded = state.machine.cancel()
      state.recordTransition(from: before)
      driverToWake = state.reschedule(owner, at: state.observers.hasPendingEvents ? time.now : .max)
      if !state.coldState.isUnused { operation = state.coldState.value.operation }
      return hasEnded
    }
    operation?.cancel()
    driverToWake?.requestWake()
    return hasEnded
  }

  /// Changes the machine in a way that concerns neither its time nor its status: there is nothing to
  /// arm and nothing to tell.
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

extension TimerStorage {
  @usableFromInline
  struct State: Sendable {
    @usableFromInline var machine: Machine
    @usableFromInline var observers: Observers
    let creation = Creation.next()
    /// The thread that has the timer: it delivers, or keeps deliveries away. 0: none has.
    var deliverer: UInt = 0
    var coldState = LazyBox<ColdState>()
    @usableFromInline var alarm = AlarmHandle()
    @usableFromInline var isDrainRequested = false
    /// The handlers and observers of a delivery run.
    var isDelivering = false
    /// A ring came while another thread had the timer.
    var isDeferred = false

    var isAcquired: Bool { deliverer != 0 }
    var tolerance: Int64 { coldState.isUnused ? 0 : coldState.value.tolerance }

    init(machine: consuming Machine, tolerance: Int64, observers: consuming Observers) {
      self.machine = machine
      self.observers = observers
      // A negative one is none.
      if tolerance > 0 { coldState.change { $0.tolerance = tolerance } }
    }
  }

  /// How things stood before a machine was asked to do something.
  @usableFromInline
  struct Before {
    @usableFromInline let status: Machine.Status
    @usableFromInline let generation: UInt64
    @usableFromInline let wasDue: Bool

    @inlinable
    init(status: Machine.Status, generation: UInt64, wasDue: Bool) {
      self.status = status
      self.generation = generation
      self.wasDue = wasDue
    }
  }
}

// The way of a control that changes nothing but the machine is inlined into its callers, for the
// sake of ``Debouncer``; what it comes upon seldom is not.
extension TimerStorage.State {
  @inlinable
  mutating func perform<Result: Sendable, Failure: Error>(
    _ owner: Owner, _ body: (inout Machine, _ now: Int64) throws(Failure) -> Result,
    at now: Int64, _ driverToWake: inout AlarmDriver?
  ) throws(Failure) -> Result {
    let before = before(now)
    let result = try body(&machine, now)
    recordTransition(from: before)
    driverToWake = reschedule(owner, at: now)
    return result
  }

  /// To be called before every change of the machine.
  @inlinable
  func before(_ now: Int64) -> TimerStorage.Before {
    TimerStorage.Before(
      status: machine.status, generation: machine.generation,
      wasDue: (machine.deadline ?? .max) <= now)
  }

  /// To be called after every change of the machine.
  @inlinable
  mutating func recordTransition(from before: TimerStorage.Before) {
    if observers.observeMoreThanTicks, machine.status != before.status {
      observers.post(.state(from: before.status, to: machine.status))
    }
    // An alarm that was due when its schedule was taken away is on its way, or as good as: it must
    // be known for what it is when it rings.
    if before.wasDue, machine.generation != before.generation {
      supersedeAlarm(of: before.generation)
    }
  }

  @usableFromInline
  mutating func supersedeAlarm(of generation: UInt64) {
    guard !alarm.isSuperseded else { return }
    alarm.isSuperseded = true
    alarm.superseded = UInt32(truncatingIfNeeded: generation)
  }

  /// For whom the alarm rings.
  var alarmGeneration: UInt64 {
    guard alarm.isSuperseded else { return machine.generation }
    let distance = UInt32(truncatingIfNeeded: machine.generation) &- alarm.superseded
    return machine.generation - UInt64(distance)
  }

  func driver(of owner: Owner) -> AlarmDriver {
    coldState.isUnused ? owner.storage.home : coldState.value.driver ?? owner.storage.home
  }

  /// Makes alarm and drain what the machine wants them to be. Answers the driver to requestWake once the
  /// mutex is released, if it is to be driverToWake.
  @inlinable
  mutating func reschedule(_ owner: Owner, at now: Int64) -> AlarmDriver? {
    rescheduleAlarm(owner)
    if machine.pendingSince == nil, !observers.hasPendingEvents, !machine.isCancelled { return nil }
    return rescheduleDrain(owner, at: now)
  }

  @usableFromInline
  mutating func rescheduleDrain(_ owner: Owner, at now: Int64) -> AlarmDriver? {
    var isWakeRequested = false
    let canAsk = !isAcquired && !isDrainRequested
    let time = canAsk ? machine.pendingSince ?? (observers.hasPendingEvents ? now : nil) : nil
    if let time {
      isDrainRequested = true
      isWakeRequested = driver(of: owner).requestDrain(&alarm, of: registration(owner), at: time)
    }
    if machine.isCancelled, alarm.isRegistered {
      if canAsk, time == nil {
        driver(of: owner).release(alarm.slot)
        alarm.slot = AlarmHandle.none
      } else {
        driver(of: owner).disarm(alarm.slot)
      }
    }
    return isWakeRequested ? driver(of: owner) : nil
  }

  /// Re-arming is lazy: an alarm that rings too early finds nothing due, and is armed again then.
  @inlinable
  mutating func rescheduleAlarm(_ owner: Owner) {
    let deadline = machine.deadline ?? .max
    if deadline < .max, !alarm.isArmed || alarm.at > deadline { arm(owner, at: deadline) }
  }

  @usableFromInline
  mutating func arm(_ owner: Owner, at deadline: Int64) {
    driver(of: owner).arm(&alarm, of: registration(owner), at: deadline)
    alarm.isSuperseded = false
  }

  private func registration(_ owner: Owner) -> AlarmRegistration {
    AlarmRegistration(target: owner, creation: creation, tolerance: tolerance)
  }
}

/// What a ``TimerStorage`` holds for few timers, and not for long.
struct ColdState: Sendable, Defaultable {
  var tolerance: Int64 = 0
  var waiters: [@Sendable () -> Void] = []
  /// Of a timer that has moved. The one before it may be about to ring the timer.
  var driver: AlarmDriver?
  /// Of a timer whose handler is asynchronous.
  var operation: OperationRunner?
}

/// The order in which timers were made.
enum Creation {
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
