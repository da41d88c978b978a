import Dispatch

extension TimerStorage {
  /// The state of one drain. It delivers the pending events, at most one tick, and the events that follow
  /// from the end of that tick.
  private struct DrainPass {
    var pendingEvents: ArraySlice<Event> = []
    /// The delivery. It is kept until the end, because it may be the last reference to a value of the user,
    /// which must not be released while the mutex is locked.
    var delivery: Machine.Delivery?
    var isDeliveryStarted = false
    /// The generation of the delivery. When that of the machine changes, callbacks that have not been called
    /// are skipped.
    var deliveryGeneration: UInt64 = 0
    var isExecuting = false

    /// The current event, the token of the observer that received it last, and the token of the last observer
    /// that is to receive it.
    var event: Event?
    var cursor = ObserverToken(number: 0)
    var last = ObserverToken(number: 0)

    mutating func begin(_ event: Event, through last: ObserverToken) {
      self.event = event
      self.last = last
      cursor = ObserverToken(number: 0)
    }
  }

  /// Handles an alarm or a drain; called by the driver.
  func handle(_ owner: Owner, _ alarmEvent: AlarmEvent, at now: Int64) {
    var drain = DrainPass()
    var callback: Callback?
    var completion = DrainCompletion()
    state.withLock { state in
      guard commit(alarmEvent, &state, &drain, at: now) else { return }
      callback = next(&state, &drain)
      if callback == nil { completion = state.finishDrain(owner, at: now) }
    }
    while let current = callback, let event = drain.event {
      callback = nil
      let isDropped = current.call(owner, event)
      state.withLock { state in
        if isDropped { state.observers.recordDroppedEvent() }
        callback = next(&state, &drain)
        if callback == nil { completion = state.finishDrain(owner, at: now) }
      }
    }
    complete(&completion, of: owner, at: now)
  }

  /// Commits the delivery for an event, while the mutex is locked.
  /// - Returns: false if the event is obsolete, or another thread or driver handles it.
  private func commit(
    _ alarmEvent: AlarmEvent, _ state: inout State, _ drain: inout DrainPass, at now: Int64
  ) -> Bool {
    if !state.coldState.isUnused, let driver = state.coldState.value.driver, !driver.isDrainingHere
    {
      return false
    }
    switch alarmEvent {
    case .alarm(let ticket):
      // If the ticket differs, the timer was armed again after the driver had removed this alarm.
      guard state.alarm.ticket == ticket else { return false }
      state.alarm.ticket = 0
    case .drain:
      state.isDrainRequested = false
    }
    guard !state.isAcquired else {
      state.isDeferred = true
      return false
    }
    let before = state.previousState(at: now)
    let effect: Effect<Machine.Delivery>
    switch alarmEvent {
    case .alarm:
      // An alarm before the deadline is armed again for the deadline, even if that has passed meanwhile.
      let isEarly = !state.alarm.isSuperseded && state.alarm.at < state.machine.deadline ?? .max
      effect =
        isEarly
        ? .nothing
        : state.machine.handleAlarm(
          generation: state.alarmGeneration, at: now, on: time.identity)
    case .drain:
      effect = state.machine.takePending(at: now, on: time.identity)
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
    state.acquiringThread = currentThread()
    return true
  }

  /// Returns the next callback to call; `nil` at the end of the drain.
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
        let before = state.previousState(at: .min)
        state.machine.deliveryFinished { time.now }
        state.recordTransition(from: before)
        drain.pendingEvents = state.observers.takePendingEvents()
      } else if let event = drain.pendingEvents.popFirst() {
        drain.begin(event, through: state.observers.lastToken)
      } else if let delivery = drain.delivery, !drain.isDeliveryStarted {
        drain.isDeliveryStarted = true
        drain.isExecuting = true
        state.isDelivering = true
        drain.begin(.delivery(delivery), through: state.observers.lastToken)
      } else {
        return nil
      }
    }
  }
}

extension TimerStorage {
  /// The work of a drain that is done after the mutex has been unlocked.
  struct DrainCompletion {
    /// The callbacks of a timer that has ended. Releasing what they have captured can run any code; until
    /// then the timer stays acquired.
    var callbacks: Observers.Removed?
    /// The closures of those who wait for the timer to be released.
    var waiters: [@Sendable () -> Void] = []
    var driver: AlarmDriver?
  }

  /// Completes a drain. It releases what the callbacks have captured before it resumes
  /// those who wait, so that nothing of it exists after `cancelAndWait()` has returned.
  func complete(_ work: inout DrainCompletion, of owner: Owner, at now: Int64) {
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
  /// Ends the drain and releases the timer, unless there are callbacks to release first.
  mutating func finishDrain(_ owner: Owner, at now: Int64) -> TimerStorage.DrainCompletion {
    let thread = acquiringThread
    acquiringThread = 0
    isDeferred = false
    var completion = TimerStorage.DrainCompletion()
    completion.driver = reschedule(owner, at: now)
    let callbacks = takeUnneededCallbacks()
    if callbacks.isEmpty {
      if !coldState.isUnused { completion.waiters = takeWaiters() }
    } else {
      completion.callbacks = callbacks
      acquiringThread = thread
    }
    return completion
  }

  private mutating func takeWaiters() -> [@Sendable () -> Void] {
    coldState.change { coldState in
      defer { coldState.waiters = [] }
      return coldState.waiters
    }
  }
}
