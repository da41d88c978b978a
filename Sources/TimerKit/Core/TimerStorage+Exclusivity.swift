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
      ThreadLocalCounter.acquiredTimers.value == 0
      ? nil : AcquisitionRecord(thread) { timer.storage.readGuardedState { $0.acquiringThread } }
    while !state.withLock({ state in
      if !state.isAcquired { state.acquiringThread = thread }
      return state.acquiringThread == thread
    }) {
      waitUntilReleased()
    }
    ThreadLocalCounter.acquiredTimers.value += 1
    defer {
      ThreadLocalCounter.acquiredTimers.value -= 1
      record?.end()
      release(timer)
    }
    return try body()
  }

  /// Returns true if the calling thread has acquired the timer, or runs on its queue.
  func isCallerIsolated(_ timer: Timer) -> Bool {
    let (thread, driver) = state.withLock { ($0.acquiringThread, $0.driver(of: timer)) }
    return thread == currentThread() || driver.isCallerOnQueue
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

extension ThreadLocalCounter {
  /// The number of timers that the calling thread has acquired to run their code: the body of
  /// `performExclusively(_:)`, or the work of a ``BackgroundTimer``.
  ///
  /// A thread with such a timer can be part of a deadlock, and records an ``AcquisitionRecord`` when it waits for
  /// another one. A timer whose observers the thread calls is not counted.
  static let acquiredTimers = ThreadLocalCounter()
}

/// The record of a thread that has acquired a timer and waits for another one, or has acquired that one as well.
struct AcquisitionRecord: Sendable {
  /// A closure that returns the thread that has acquired a timer; 0 if none has.
  typealias HolderLookup = @Sendable () -> UInt

  private static let records = Guarded<[UInt: HolderLookup]>([:])

  private let thread: UInt
  /// The thread's previous record, which ``end()`` restores. A record lasts until the body that the
  /// thread runs with the timer has returned, and a call inside that body replaces it.
  private let previous: HolderLookup?

  /// Records that the calling thread, `thread`, waits for a timer. Traps if the thread that has acquired that
  /// timer waits, directly or through others, for a timer that the caller has acquired. A thread that waits here
  /// releases no timer meanwhile, so a cycle is a deadlock.
  init(_ thread: UInt, findingHolder findHolder: @escaping HolderLookup) {
    self.thread = thread
    previous = Self.records.withLock { records in
      let previous = records.updateValue(findHolder, forKey: thread)
      var seen: Set<UInt> = []
      var next = findHolder()
      while next != thread, seen.insert(next).inserted, let findHolder = records[next] {
        next = findHolder()
      }
      precondition(
        next != thread,
        "performExclusively(_:) would wait forever: the thread that has acquired this timer waits "
          + "for one that the caller has acquired")
      return previous
    }
  }

  /// Removes the record and restores the previous one. Call it before the timer is released: after the release, another
  /// thread can acquire the timer and wait for the caller, and an old record would look like a deadlock.
  func end() {
    Self.records.withLock { $0[thread] = previous }
  }
}
