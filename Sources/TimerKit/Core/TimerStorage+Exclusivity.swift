import Dispatch

extension TimerStorage {
  /// Runs `body` while no callback of the timer runs; callbacks that come due wait until it has returned.
  ///
  /// `body` runs on the queue, where it excludes the queue's other work, or inline if the caller is on the
  /// queue or has acquired the timer. The queue alone is not sufficient: it may be concurrent, the clock may
  /// be virtual, or the timer may have moved while a callback still runs on its old queue. Therefore the
  /// timer is acquired as well. The mutex is not locked while `body` runs.
  func exclusively<Success, Failure: Error>(
    _ timer: Timer, _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    let thread = currentThread()
    let (driver, isAcquiredByCaller) = state.withLock {
      ($0.driver(of: timer), $0.acquiringThread == thread)
    }
    // Inline even if the timer has moved meanwhile: the work on its new queue may wait for this thread.
    if isAcquiredByCaller { return try body() }
    // For the check against deadlocks: it records that this thread waits for the one that has acquired the timer.
    let record =
      AcquiredTimers.count == 0
      ? nil : AcquisitionRecord(thread) { timer.storage.readGuardedState(\.acquiringThread) }
    guard let queue = driver.queue, !driver.isCallerOnQueueOrDelivering else {
      return try performAcquired(timer, record, body)
    }
    let result = queue.sync { () -> Result<Success, Failure> in
      do throws(Failure) {
        return .success(try performAcquired(timer, record, body))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func performAcquired<Success, Failure: Error>(
    _ timer: Timer, _ record: AcquisitionRecord?, _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
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
