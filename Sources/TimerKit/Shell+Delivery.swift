import Dispatch

extension Shell {
  /// One ring: what was in the outbox, at most one delivery, and what is to be told of its end.
  private struct Turn {
    var outbox: ArraySlice<Event> = []
    /// Kept until the ring is over: it may be the last to hold something of the user's, which must
    /// not be released while the mutex is held.
    var delivery: Machine.Delivery?
    var isDeliveryTold = false
    /// Of the delivery: when it changes, callbacks not called yet are passed over.
    var epoch: UInt64 = 0
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
  func ring(_ owner: Owner, _ ring: Ring, at now: Int64) {
    var turn = Turn()
    var callback: Callback?
    var kicked: AlarmDriver?
    var dropped: [Callback] = []
    state.withLock { state in
      guard commit(ring, &state, &turn, at: now) else { return }
      callback = next(&state, &turn)
      if callback == nil { dropped = state.endTurn(owner, &kicked, at: now) }
    }
    while let current = callback, let event = turn.event {
      callback = nil
      let isDropped = current.call(owner, event)
      state.withLock { state in
        if isDropped { state.observers.noteDropped() }
        callback = next(&state, &turn)
        if callback == nil { dropped = state.endTurn(owner, &kicked, at: now) }
      }
    }
    Self.drop(dropped)
    kicked?.kick()
  }

  /// Decides under the mutex what the ring comes to. Answers false where that is for others to do.
  private func commit(
    _ ring: Ring, _ state: inout State, _ turn: inout Turn, at now: Int64
  ) -> Bool {
    if !state.rare.isUntouched, let driver = state.rare.value.driver, !driver.isRinging {
      return false
    }
    switch ring {
    case .alarm(let ticket):
      // It was armed anew while the ring was on its way.
      guard state.alarm.ticket == ticket else { return false }
      state.alarm.ticket = 0
    case .turn:
      state.isTurnRequested = false
    }
    guard !state.isHeld else {
      state.isPutOff = true
      return false
    }
    let before = state.before(now)
    let effect: Effect<Machine.Delivery>
    switch ring {
    case .alarm:
      // Too early by itself: armed anew it rings in its place, even if its time has come by now.
      let isEarly = !state.alarm.isOvertaken && state.alarm.at < state.machine.deadline ?? .max
      effect =
        isEarly ? .nothing : state.machine.alarm(generation: state.alarmGeneration, at: now)
    case .turn:
      effect = state.machine.next(at: now)
    }
    if case .stale(let generation) = effect {
      state.observers.post(.stale(generation: generation))
    }
    if case .deliver(let delivery) = effect {
      turn.delivery = delivery
      turn.epoch = state.machine.epoch
    }
    state.note(since: before)
    turn.outbox = state.observers.takeMail()
    state.holder = currentThread()
    return true
  }

  /// The next callback of the turn.
  private func next(_ state: inout State, _ turn: inout Turn) -> Callback? {
    while true {
      if let event = turn.event {
        let isTakenBack = turn.isExecuting && turn.epoch != state.machine.epoch
        if !isTakenBack,
          let callback = state.observers.next(
            after: &turn.cursor, through: turn.last, for: event)
        {
          return callback
        }
        turn.event = nil
        guard turn.isExecuting else { continue }
        turn.isExecuting = false
        let before = state.before(.min)
        state.machine.handlersReturned { time.now }
        state.note(since: before)
        turn.outbox = state.observers.takeMail()
      } else if let event = turn.outbox.popFirst() {
        turn.tell(event, through: state.observers.lastToken)
      } else if let delivery = turn.delivery, !turn.isDeliveryTold {
        turn.isDeliveryTold = true
        turn.isExecuting = true
        turn.tell(.tick(delivery), through: state.observers.lastToken)
      } else {
        return nil
      }
    }
  }
}

extension Shell.State {
  /// Answers the callbacks that have been told the last there was to tell.
  mutating func endTurn(
    _ owner: Owner, _ kicked: inout AlarmDriver?, at now: Int64
  ) -> [Shell.Callback] {
    holder = 0
    isPutOff = false
    if !rare.isUntouched { signalWaiters() }
    kicked = settle(owner, at: now)
    return takeUnneededCallbacks()
  }

  private mutating func signalWaiters() {
    rare.change { rare in
      for waiter in rare.waiters { waiter.signal() }
      rare.waiters = []
    }
  }
}
