import Synchronization

extension TimerStorage {
  @usableFromInline
  struct State: Sendable {
    @usableFromInline var machine: Machine
    @usableFromInline var observers: Observers
    /// The number of the timer in the order of creation.
    let creationNumber = CreationCounter.next()
    /// The thread that has acquired the timer: it delivers, or excludes deliveries. 0 if none has.
    var acquiringThread: UInt = 0
    var coldState = LazyBox<ColdState>()
    /// The number of deliveries since the timer was created.
    var deliveredCount = 0
    @usableFromInline var alarm = AlarmHandle()
    @usableFromInline var isDrainRequested = false
    /// True from the commitment of a delivery to its end. The change of state by the delivery and its handlers is one
    /// event, which follows it.
    @usableFromInline var holdsStateEvents = false
    /// True while the handlers and observers of a delivery run.
    var isDelivering = false
    /// True if an alarm or a drain came while a thread had acquired the timer.
    var hasDeferredDriverCall = false

    var isAcquired: Bool { acquiringThread != 0 }
    /// True if the timer is cancelled and observers, if there are any, have received that event: no callback is called
    /// again.
    var hasReportedCancellation: Bool {
      machine.isCancelled && !isAcquired && !(isDrainRequested && observers.hasObservers)
    }
    var tolerance: Int64 { coldState.isUnused ? 0 : coldState.value.tolerance }
    var staleCount: Int { coldState.value.staleCount }
    /// True if a control has revoked the delivery in progress, of a timer with an asynchronous operation.
    var isDeliveryRevoked: Bool {
      machine.revocationNumber != coldState.value.deliveryRevocationNumber
    }
    var deadlinesPassedBeforeRestore: Int { coldState.value.deadlinesPassedBeforeRestore }

    init(machine: consuming Machine, tolerance: Int64, observers: consuming Observers) {
      self.machine = machine
      self.observers = observers
      // A tolerance that is not positive has no effect.
      if tolerance > 0 { coldState.change { $0.tolerance = tolerance } }
    }
  }

  /// The state of a machine before a change, to compare with the state after it.
  @usableFromInline typealias PreviousState = (
    state: Machine.State, generation: UInt64, alarmCountsAsDue: Bool
  )
}

// The path of a control that changes only the machine is inlined into its callers, mainly for the calls of a
// ``Debouncer``. Its rare branches are not inlined.
extension TimerStorage.State {
  @inlinable
  mutating func perform<Result: Sendable>(
    _ timer: Timer, _ body: (inout Machine, _ now: Int64) -> Result,
    at now: Int64, _ driverToWake: inout AlarmDriver?, _ unheard: inout [Machine.Delivery]?
  ) -> Result {
    let isHeard = !Machine.deliversToNobodyAtOnce || observers.hasCallbacks
    if !isHeard { deliverToNobody(timer, at: now, &unheard) }
    let before = stateBeforeChange(at: now)
    let result = body(&machine, now)
    recordTransition(from: before)
    if !isHeard { deliverToNobody(timer, at: now, &unheard) }
    driverToWake = reschedule(timer, at: now)
    return result
  }

  /// Completes the deliveries that are due, of a timer without callbacks, each at its time.
  /// - Parameter unheard: the deliveries, which the caller destroys after the mutex has been unlocked.
  @usableFromInline
  mutating func deliverToNobody(
    _ timer: Timer, at now: Int64, _ unheard: inout [Machine.Delivery]?
  ) {
    while !isAcquired {
      let effect: Effect<Machine.Delivery>
      if machine.readySince != nil {
        effect = machine.takeReady(at: now, on: timer.storage.timeSource.identity)
      } else if let deadline = machine.deadline, deadline <= now {
        // When the armed alarm fires, it has nothing to do. It is armed again for the next deadline.
        alarm.ticket = 0
        effect = machine.handleArmedAlarm(at: deadline, on: timer.storage.timeSource.identity)
      } else {
        return
      }
      guard case .deliver(let delivery) = effect else { continue }
      deliveredCount += 1
      machine.deliveryFinished { now }
      if unheard == nil { unheard = [] }
      unheard?.append(delivery)
    }
  }

  /// Returns the state of the machine. Call it before every change of the machine.
  @inlinable
  func stateBeforeChange(at now: Int64) -> TimerStorage.PreviousState {
    (machine.state, machine.generation, (machine.deadline ?? .max) <= now)
  }

  /// Adds an event for a change of state, and marks a superseded alarm. Call it after every change of the
  /// machine.
  @inlinable
  mutating func recordTransition(from before: TimerStorage.PreviousState) {
    if observers.hasObservers, !holdsStateEvents, machine.state != before.state {
      observers.enqueue(.state(from: before.state, to: machine.state))
    }
    // An alarm that was due when a control superseded it may be about to fire, and must then be rejected as stale.
    if before.alarmCountsAsDue, machine.generation != before.generation {
      supersedeAlarm(of: before.generation)
    }
  }

  @usableFromInline
  mutating func supersedeAlarm(of generation: UInt64) {
    guard !alarm.isSuperseded else { return }
    alarm.isSuperseded = true
    alarm.supersededGeneration = UInt32(truncatingIfNeeded: generation)
  }

  /// The generation that a superseded alarm was armed for.
  var supersededGeneration: UInt64 {
    let distance = UInt32(truncatingIfNeeded: machine.generation) &- alarm.supersededGeneration
    return machine.generation - UInt64(distance)
  }

  @inline(__always)
  func driver(of timer: Timer) -> AlarmDriver {
    coldState.isUnused
      ? timer.storage.originalDriver : coldState.value.driver ?? timer.storage.originalDriver
  }

  /// Arms the alarm and requests a drain if the machine needs them.
  /// - Returns: the driver to wake after the mutex has been unlocked; `nil` if none.
  @inlinable
  mutating func reschedule(_ timer: Timer, at now: Int64) -> AlarmDriver? {
    rescheduleAlarm(timer)
    if machine.readySince == nil, !observers.hasPendingEvents, !machine.isCancelled { return nil }
    return requestDrainOrFreeSlot(timer, at: now)
  }

  @usableFromInline
  mutating func requestDrainOrFreeSlot(_ timer: Timer, at now: Int64) -> AlarmDriver? {
    var isWakeRequested = false
    let canRequest = !isAcquired && !isDrainRequested
    let time = canRequest ? machine.readySince ?? (observers.hasPendingEvents ? now : nil) : nil
    if let time {
      isDrainRequested = true
      isWakeRequested = driver(of: timer).requestDrain(&alarm, of: registration(timer), at: time)
    }
    if machine.isCancelled, alarm.isRegistered {
      if canRequest, time == nil {
        if coldState.isUnused {
          timer.storage.originalDriver.freeSlot(alarm.slot)
        } else {
          driver(of: timer).freeSlot(alarm.slot)
        }
        alarm.slot = AlarmHandle.noSlot
      } else {
        driver(of: timer).disarm(alarm.slot)
      }
    }
    return isWakeRequested ? driver(of: timer) : nil
  }

  /// Arms the alarm, unless an earlier one is armed. An alarm that fires early is then armed again.
  @inlinable
  mutating func rescheduleAlarm(_ timer: Timer) {
    let deadline = machine.deadline ?? .max
    if deadline < .max, !alarm.isArmed || alarm.at > deadline { arm(timer, at: deadline) }
  }

  @usableFromInline
  mutating func arm(_ timer: Timer, at deadline: Int64) {
    // Most timers never change their driver. Accessing their original driver in place avoids its reference count, for
    // which all timers of the driver would contend.
    if coldState.isUnused {
      timer.storage.originalDriver.arm(&alarm, of: registration(timer), at: deadline)
    } else {
      driver(of: timer).arm(&alarm, of: registration(timer), at: deadline)
    }
    alarm.isSuperseded = false
  }

  @inline(__always)
  func registration(_ timer: Timer) -> AlarmRegistration {
    AlarmRegistration(
      target: timer, creationNumber: creationNumber,
      tolerance: tolerance == 0 ? 0 : min(tolerance, machine.maximumTolerance))
  }
}

/// The state that most timers never have: see ``LazyBox``.
struct ColdState: Sendable, Defaultable {
  var tolerance: Int64 = 0
  /// The closures to call when the thread that has acquired the timer releases it.
  var waiters: [@Sendable () -> Void] = []
  /// The runner of a timer with an asynchronous operation.
  var operationRunner: OperationRunner?
  /// The values and runs that a drain has not let end; `nil` if the timer does not drain.
  var drainResult: DrainResult?
  /// The closures to call when a timer that drains has delivered what it delivers.
  var drainWaiters: [@Sendable () -> Void] = []
  /// The machine's `revocationNumber` at the commitment of the delivery in progress.
  var deliveryRevocationNumber: UInt64 = 0
  /// The driver of a timer that has changed it. A call by the previous driver that comes later has no effect.
  var driver: AlarmDriver?
  /// The number of alarms and requests that were rejected because a control had superseded them.
  var staleCount = 0
  var deadlinesPassedBeforeRestore = 0
}

/// A counter that numbers timers in the order of their creation.
enum CreationCounter {
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
