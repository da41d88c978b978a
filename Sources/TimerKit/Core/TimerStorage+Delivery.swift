import Dispatch

extension TimerStorage {
  /// One ring: what was in the pendingEvents, at most one delivery, and what is to be told of its end.
  private struct DrainPass {
    var pendingEvents: ArraySlice<Event> = []
    /// Kept until the ring is over: it may be the last to hold something of the user's, which must
    /// not be released while the mutex is held.
    var delivery: Machine.Delivery?
    var isDeliveryTold = false
    /// Of the delivery: when it changes, callbacks not called yet are passed over.
    var deliveryGeneration: UInt64 = 0
    var isExecuting = false

    /// What is being told, who was told last, and who was there when it began.
    var event: Event?
    var cursor = ObserverToken(number: 0)
    var last = ObserverToken(number: 0)

    mutating func tell(_ event: Event, through last: ObserverToken) {
      self.event = event
      self.last = last
      cursor = ObserverToken(number: 0)
    }
  }

  /// The driver rings.
  func ring(_ owner: Owner, _ ring: AlarmEvent, at now: Int64) {
    var drain = DrainPass()
    var callback: Callback?
    var driverToWake: AlarmDriver?
    var ended: [Callback] = []
    state.withLock { state in
      guard commit(ring, &state, &drain, at: now) else { return }
      callback = next(&state, &drain)
      if callback == nil { ended = state.finishDrain(owner, &driverToWake, at: now) }
    }
    while let current = callback, let event = drain.event {
      callback = nil
      let isDropped = current.call(owner, event)
      state.withLock { state in
        if isDropped { state.observers.noteDropped() }
        callback = next(&state, &drain)
        if callback == nil { ended = state.finishDrain(owner, &driverToWake, at: now) }
      }
    }
    for callback in ended { callback.stream?.finish() }
    driverToWake?.requestWake()
  }

  /// Decides under the mutex what the ring comes to. Answers false where that is for others to do.
  private func commit(
    _ ring: AlarmEvent, _ state: inout State, _ drain: inout DrainPass, at now: Int64
  ) -> Bool {
    if !state.coldState.isUnused, let driver = state.coldState.value.driver, !driver.isDrainingHere
    {
      return false
    }
    switch ring {
    case .alarm(let ticket):
      // It was armed anew while the ring was on its way.
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
    switch ring {
    case .alarm:
      // Too early by itself: armed anew it rings in its place, even if its time has come by now.
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
      state.observers.post(.stale(generation: generation))
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

  /// The next callback of the drain.
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
        drain.tell(event, through: state.observers.lastToken)
      } else if let delivery = drain.delivery, !drain.isDeliveryTold {
        drain.isDeliveryTold = true
        drain.isExecuting = true
        state.isDelivering = true
        drain.tell(.tick(delivery), through: state.observers.lastToken)
      } else {
        return nil
      }
    }
  }
}

extension TimerStorage.State {
  /// - Returns: the observers to release, if the timer has ended and they have received everything.
  mutating func finishDrain(
    _ owner: Owner, _ driverToWake: inout AlarmDriver?, at now: Int64
  ) -> [TimerStorage.Callback] {
    deliverer = 0
    isDeferred = false
    if !coldState.isUnused { signalWaiters() }
    driverToWake = reschedule(owner, at: now)
    return removeObserversIfOver()
  }

  /// Removes the handler and the observers if the timer has ended and they have received everything.
  /// - Returns: those to release when the mutex is not held.
  mutating func removeObserversIfOver() -> [TimerStorage.Callback] {
    machine.isCancelled && !isDrainRequested ? observers.removeAll() : []
  }

  private mutating func signalWaiters() {
    coldState.change { coldState in
      for resume in coldState.waiters { resume() }
      coldState.waiters = []
    }
  }
}
