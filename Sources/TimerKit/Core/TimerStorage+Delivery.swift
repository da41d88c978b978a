import Dispatch

extension TimerStorage {
  /// One drain: the events that were pending, at most one delivery, and the events of its end.
  private struct DrainPass {
    var pendingEvents: ArraySlice<Event> = []
    /// Kept until the end: it may be the last reference to a value of the user's, which must not be
    /// released while the mutex is held.
    var delivery: Machine.Delivery?
    var isDeliveryStarted = false
    /// The generation of the delivery: when it changes, callbacks not called yet are passed over.
    var deliveryGeneration: UInt64 = 0
    var isExecuting = false

    /// The event that is delivered, the observer that received it last, and the last one to receive it.
    var event: Event?
    var cursor = ObserverToken(number: 0)
    var last = ObserverToken(number: 0)

    mutating func begin(_ event: Event, through last: ObserverToken) {
      self.event = event
      self.last = last
      cursor = ObserverToken(number: 0)
    }
  }

  /// Handles an alarm or a drain: the driver calls it.
  func handle(_ owner: Owner, _ alarmEvent: AlarmEvent, at now: Int64) {
    var drain = DrainPass()
    var callback: Callback?
    var deferred = DeferredWork()
    state.withLock { state in
      guard commit(alarmEvent, &state, &drain, at: now) else { return }
      callback = next(&state, &drain)
      if callback == nil { deferred = state.finishDrain(owner, at: now) }
    }
    while let current = callback, let event = drain.event {
      callback = nil
      let isDropped = current.call(owner, event)
      state.withLock { state in
        if isDropped { state.observers.noteDropped() }
        callback = next(&state, &drain)
        if callback == nil { deferred = state.finishDrain(owner, at: now) }
      }
    }
    complete(&deferred, of: owner, at: now)
  }

  /// Decides under the mutex on the outcome of the event.
  /// - Returns: false if another thread or driver has to deal with it.
  private func commit(
    _ alarmEvent: AlarmEvent, _ state: inout State, _ drain: inout DrainPass, at now: Int64
  ) -> Bool {
    if !state.coldState.isUnused, let driver = state.coldState.value.driver, !driver.isDrainingHere
    {
      return false
    }
    switch alarmEvent {
    case .alarm(let ticket):
      // It was armed again after the driver had taken the alarm.
      guard state.alarm.ticket == ticket else { return false }
      state.alarm.ticket = 0
    case .drain:
      state.isDrainRequested = false
    }
    guard !state.isAcquired else {
      state.isDeferred = true
      return false
    }
    let before = state.before(now)
    let effect: Effect<Machine.Delivery>
    switch alarmEvent {
    case .alarm:
      // Too early by itself: it is armed again for its deadline, even if that has come by now.
      let isEarly = !state.alarm.isSuperseded && state.alarm.at < state.machine.deadline ?? .max
      effect =
        isEarly
        ? .nothing
        : state.machine.alarm(
          generation: state.alarmGeneration, at: now, on: time.identity)
    case .drain:
      effect = state.machine.next(at: now, on: time.identity)
    }
    if case .stale(let generation) = effect {
      state.observers.enqueue(.stale(generation: generation))
    }
    if case .deliver(let delivery) = effect {
      drain.delivery = delivery
      drain.deliveryGeneration = state.machine.deliveryGeneration
    }
    state.recordTransition(from: before)
    drain.pendingEvents = state.observers.takePendingEvents()
    state.deliverer = currentThread()
    return true
  }

  /// Returns the next callback of the drain.
  private func next(_ state: inout State, _ drain: inout DrainPass) -> Callback? {
    while true {
      if let event = drain.event {
        let isRevoked =
          drain.isExecuting && drain.deliveryGeneration != state.machine.deliveryGeneration
        if !isRevoked,
          let callback = state.observers.next(
            after: &drain.cursor, through: drain.last, for: event)
        {
          return callback
        }
        drain.event = nil
        guard drain.isExecuting else { continue }
        drain.isExecuting = false
        state.isDelivering = false
        let before = state.before(.min)
        state.machine.deliveryFinished { time.now }
        state.recordTransition(from: before)
        drain.pendingEvents = state.observers.takePendingEvents()
      } else if let event = drain.pendingEvents.popFirst() {
        drain.begin(event, through: state.observers.lastToken)
      } else if let delivery = drain.delivery, !drain.isDeliveryStarted {
        drain.isDeliveryStarted = true
        drain.isExecuting = true
        state.isDelivering = true
        drain.begin(.tick(delivery), through: state.observers.lastToken)
      } else {
        return nil
      }
    }
  }
}

extension TimerStorage {
  /// The work that a drain leaves for when the mutex is unlocked.
  struct DeferredWork {
    /// The callbacks of a timer that has ended: what they have captured can run any code when it is
    /// released. Until it is, the timer stays acquired.
    var callbacks: Observers.Removed?
    /// To call: they wait for the thread that had the timer.
    var waiters: [@Sendable () -> Void] = []
    var driver: AlarmDriver?
  }

  /// Performs the work that a drain left. What the callbacks have captured is released before those who
  /// wait for the end of the timer resume: `cancelAndWait()` leaves nothing of them behind.
  func complete(_ work: inout DeferredWork, of owner: Owner, at now: Int64) {
    while work.callbacks != nil {
      work.driver?.requestWake()
      work.callbacks?.finishStreams()
      work.callbacks = nil
      work = state.withLock { $0.finishDrain(owner, at: now) }
    }
    for resume in work.waiters { resume() }
    work.driver?.requestWake()
  }
}

extension TimerStorage.State {
  /// Releases the timer, unless there are callbacks to release first.
  mutating func finishDrain(_ owner: Owner, at now: Int64) -> TimerStorage.DeferredWork {
    let thread = deliverer
    deliverer = 0
    isDeferred = false
    var deferred = TimerStorage.DeferredWork()
    deferred.driver = reschedule(owner, at: now)
    let callbacks = takeUnneededCallbacks()
    if callbacks.isEmpty {
      if !coldState.isUnused { deferred.waiters = takeWaiters() }
    } else {
      deferred.callbacks = callbacks
      deliverer = thread
    }
    return deferred
  }

  private mutating func takeWaiters() -> [@Sendable () -> Void] {
    coldState.change { coldState in
      defer { coldState.waiters = [] }
      return coldState.waiters
    }
  }
}
