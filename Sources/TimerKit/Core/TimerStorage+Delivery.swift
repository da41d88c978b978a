import Dispatch
import Synchronization

extension TimerStorage {
  /// The progress of one call by the driver. The call passes to the callbacks either the pending events, or a delivery and
  /// then the events that became pending by its end.
  private struct CallbackPass {
    var pendingEvents: ArraySlice<Observers.PendingEvent> = []
    /// The delivery. It is kept until the end, because it may be the last reference to a value of the user,
    /// which must not be destroyed while the mutex is locked.
    var delivery: Machine.Delivery?
    var isDeliveryStarted = false
    /// The state before the delivery.
    var stateBefore: Machine.State?
    /// The machine's `revocationNumber` when the delivery began. If it has changed, a control has revoked the
    /// delivery, and callbacks that have not been called are skipped.
    var revocationNumber: UInt64 = 0
    /// True while ``event`` is the delivery.
    var isDelivering = false

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

  /// Handles a call by the driver.
  func handle(_ timer: Timer, _ driverCall: DriverCall, at now: Int64) {
    var pass = CallbackPass()
    var callback: Callback?
    var completion = ReleaseCompletion()
    state.withLock { state in
      guard commit(timer, driverCall, &state, &pass, at: now) else { return }
      callback = next(&state, &pass)
      if callback == nil { completion = state.releaseTimer(timer, at: now) }
    }
    while let current = callback, let event = pass.event {
      callback = nil
      if case .delivery = event { timeSource.takeHold(of: timer)?() }
      let isDropped = current.call(timer, event)
      state.withLock { state in
        if isDropped { state.observers.additional.change { $0.droppedEventCount += 1 } }
        callback = next(&state, &pass)
        if callback == nil { completion = state.releaseTimer(timer, at: now) }
      }
    }
    complete(&completion, of: timer, at: now)
  }

  /// Commits the delivery for a call by the driver, while the mutex is locked: acquires the timer, and takes from the machine
  /// and from the pending events what the call delivers.
  /// - Returns: false if the call is obsolete, or another thread or driver does its work.
  private func commit(
    _ timer: Timer, _ driverCall: DriverCall, _ state: inout State, _ pass: inout CallbackPass,
    at now: Int64
  ) -> Bool {
    if !state.coldState.isUnused, let driver = state.coldState.value.driver,
      !driver.isCallerDelivering
    {
      return false
    }
    switch driverCall {
    case .alarm(let ticket):
      // If the ticket differs, the timer was armed again after the driver had removed this alarm.
      guard state.alarm.ticket == ticket else { return false }
      state.alarm.ticket = 0
    case .drain:
      state.isDrainRequested = false
    }
    guard !state.isAcquired else {
      state.hasDeferredDriverCall = true
      return false
    }
    let before = state.stateBeforeChange(at: now)
    let effect: Effect<Machine.Delivery>
    switch driverCall {
    case .alarm where state.alarm.isSuperseded:
      effect = .stale(generation: state.supersededGeneration)
    case .alarm where state.alarm.at < state.machine.deadline ?? .max:
      // An alarm before the deadline is armed again for the deadline, even if that has passed meanwhile.
      effect = .nothing
    case .alarm where state.observers.hasPendingEvents:
      // Observers of these events can supersede the alarm, so that it comes again after them.
      state.arm(timer, at: state.alarm.at)
      effect = .nothing
    case .drain where state.observers.hasPendingEvents:
      // For the same reason, what is ready waits for the next drain.
      effect = .nothing
    case .alarm:
      effect = state.machine.handleArmedAlarm(at: now, on: timeSource.identity)
    case .drain:
      effect = state.machine.takeReady(at: now, on: timeSource.identity)
    }
    switch effect {
    case .nothing: break
    case .stale(let generation):
      state.coldState.change { $0.staleCount += 1 }
      state.observers.enqueue(.stale(generation: generation))
    case .deliver(let delivery):
      state.deliveredCount += 1
      if Inspection.isAttached.load(ordering: .relaxed) {
        var due = now
        if case .alarm = driverCall { due = state.alarm.at }
        Inspection.record(lateness: now.subtractingSaturated(due))
      }
      pass.delivery = delivery
      pass.revocationNumber = state.machine.revocationNumber
      pass.stateBefore = before.state
      state.holdsStateEvents = true
    }
    state.recordTransition(from: before)
    pass.pendingEvents = state.observers.takePendingEvents()
    state.acquiringThread = currentThread()
    return true
  }

  /// Returns the next callback to call; `nil` at the end of the pass.
  private func next(_ state: inout State, _ pass: inout CallbackPass) -> Callback? {
    while true {
      if let event = pass.event {
        let isRevoked =
          pass.isDelivering && pass.revocationNumber != state.machine.revocationNumber
        if !isRevoked,
          let callback = state.observers.next(
            after: &pass.cursor, through: pass.last, for: event)
        {
          // The operation of a timer that has one begins only later.
          if pass.isDelivering, !state.coldState.isUnused {
            state.coldState.change { $0.deliveryRevocationNumber = pass.revocationNumber }
          }
          return callback
        }
        pass.event = nil
        guard pass.isDelivering else { continue }
        pass.isDelivering = false
        state.isDelivering = false
        state.machine.deliveryFinished { timeSource.now }
        state.holdsStateEvents = false
        // The end of a delivery supersedes no alarm.
        state.recordTransition(
          from: (pass.stateBefore ?? state.machine.state, state.machine.generation, false))
        pass.pendingEvents = state.observers.takePendingEvents()
      } else if let (event, last) = pass.pendingEvents.popFirst() {
        pass.begin(event, through: last)
      } else if let delivery = pass.delivery, !pass.isDeliveryStarted {
        pass.isDeliveryStarted = true
        pass.isDelivering = true
        state.isDelivering = true
        pass.begin(.delivery(delivery), through: state.observers.lastToken)
      } else {
        return nil
      }
    }
  }

  /// The work that remains when a thread releases a timer. It is done after the mutex has been unlocked.
  struct ReleaseCompletion {
    /// The callbacks of a timer that has ended. Destroying what they have captured can run any code; until that is
    /// done, the timer stays acquired.
    var callbacks: Observers.Removed?
    /// The closures that resume those who wait until the timer is released.
    var waiters: [@Sendable () -> Void] = []
    var driver: AlarmDriver?
  }

  /// Completes the release of the timer. It destroys what the callbacks have captured before it resumes those who wait,
  /// so that none of those objects exists after `cancelAndWait()` has returned.
  func complete(_ work: inout ReleaseCompletion, of timer: Timer, at now: Int64) {
    while work.callbacks != nil {
      work.callbacks?.finishStreams()
      work.callbacks = nil
      work = state.withLock { $0.releaseTimer(timer, at: now) }
    }
    for resume in work.waiters { resume() }
    work.driver?.requestWake()
  }
}

extension TimerStorage.State {
  /// Releases the timer, unless there are callbacks to destroy first.
  mutating func releaseTimer(_ timer: Timer, at now: Int64) -> TimerStorage.ReleaseCompletion {
    let thread = acquiringThread
    acquiringThread = 0
    hasDeferredDriverCall = false
    var completion = TimerStorage.ReleaseCompletion()
    completion.driver = reschedule(timer, at: now)
    let callbacks = takeUnneededCallbacks()
    if callbacks.isEmpty {
      if !coldState.isUnused {
        coldState.change { swap(&completion.waiters, &$0.waiters) }
        completion.waiters += takeDrainWaiters()
      }
    } else {
      completion.callbacks = callbacks
      acquiringThread = thread
    }
    return completion
  }
}
