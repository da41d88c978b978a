import Dispatch

extension TimerStorage {
  /// Runs `body` while no callback of the timer runs; callbacks that come due wait until it has returned. It runs
  /// inline if the caller has acquired the timer already. The mutex is not locked meanwhile.
  func exclusively<Success, Failure: Error>(
    _ timer: Timer, _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let thread = currentThread()
    if state.withLock({ $0.acquiringThread == thread }) { return try body() }
    // For the check against deadlocks: it records that this thread waits for the one that has acquired the timer.
    let record =
      AcquiredTimers.count == 0
      ? nil : AcquisitionRecord(thread) { timer.storage.readGuardedState(\.acquiringThread) }
    acquire()
    AcquiredTimers.count += 1
    defer {
      AcquiredTimers.count -= 1
      record?.end()
      release(timer)
    }
    return try body()
  }

  /// Acquires the timer for the calling thread, and waits while another thread has acquired it.
  private func acquire() {
    let thread = currentThread()
    while true {
      let released = state.withLock { state -> DispatchSemaphore? in
        guard state.isAcquired else {
          state.acquiringThread = thread
          return nil
        }
        let semaphore = DispatchSemaphore(value: 0)
        state.coldState.change { $0.waiters.append { semaphore.signal() } }
        return semaphore
      }
      guard let released else { return }
      released.wait()
    }
  }

  private func release(_ timer: Timer) {
    let now = timeSource.now
    var driverWithDueAlarms: AlarmDriver?
    var completion = ReleaseCompletion()
    state.withLock { state in
      if state.hasDeferredDriverCall { driverWithDueAlarms = state.driver(of: timer) }
      completion = state.releaseTimer(timer, at: now)
    }
    complete(&completion, of: timer, at: now)
    driverWithDueAlarms?.deliverDueAlarms()
  }

  /// Moves the timer to another driver of the same clock. A running callback continues on its old queue.
  func move(_ timer: Timer, to driver: AlarmDriver) {
    let now = timeSource.now
    var driverToWake: AlarmDriver?
    // The previous driver must not be destroyed while the mutex is locked.
    var old: AlarmDriver?
    state.withLock { state in
      let current = state.driver(of: timer)
      guard current !== driver else { return }
      old = current
      if state.alarm.isRegistered { current.freeSlot(state.alarm.slot) }
      state.coldState.change { $0.driver = driver }
      state.alarm = AlarmHandle()
      state.isDrainRequested = false
      driverToWake = state.reschedule(timer, at: now)
    }
    driverToWake?.requestWake()
    _ = old
  }
}
