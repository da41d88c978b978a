import Dispatch

extension TimerStorage {
  /// Runs `body` while no callback of the timer runs; those that come due wait until it is done.
  ///
  /// It runs on the queue, where it keeps all that away that the queue does, or inline if the caller
  /// is there already. That alone would not do: the queue may be a concurrent one, the timeline
  /// virtual, or the timer have moved here while a callback still runs elsewhere. So the timer is
  /// held as well. The mutex is not.
  func exclusively<Result, Failure: Error>(
    _ owner: Owner, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let driver = state.withLock { $0.driver(of: owner) }
    guard let queue = driver.queue, !driver.isCurrent else { return try hold(owner, body) }
    let result = queue.sync { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try hold(owner, body)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func hold<Result, Failure: Error>(
    _ owner: Owner, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard acquire() else { return try body() }
    defer { release(owner) }
    return try body()
  }

  /// Waits until the timer is the caller's. Answers false if it is already.
  private func acquire() -> Bool {
    let thread = currentThread()
    while true {
      var isMine = false
      let other = state.withLock { state -> DispatchSemaphore? in
        isMine = state.deliverer == thread
        guard state.isAcquired, !isMine else {
          state.deliverer = thread
          return nil
        }
        let semaphore = DispatchSemaphore(value: 0)
        state.coldState.change { $0.waiters.append { semaphore.signal() } }
        return semaphore
      }
      guard let other else { return !isMine }
      other.wait()
    }
  }

  private func release(_ owner: Owner) {
    let now = time.now
    var driverToWake: AlarmDriver?
    var late: AlarmDriver?
    var ended: [Callback] = []
    state.withLock { state in
      if state.isDeferred { late = state.driver(of: owner) }
      ended = state.finishDrain(owner, &driverToWake, at: now)
    }
    for callback in ended { callback.stream?.finish() }
    driverToWake?.requestWake()
    late?.catchUp()
  }

  /// From now on the timer is woken by another driver, of the same timeline. A callback that runs
  /// goes on where it is.
  func move(_ owner: Owner, to driver: AlarmDriver) {
    let now = time.now
    var driverToWake: AlarmDriver?
    var old: AlarmDriver?
    state.withLock { state in
      let current = state.driver(of: owner)
      guard current !== driver else { return }
      old = current
      if state.alarm.isRegistered { current.release(state.alarm.slot) }
      state.coldState.change { $0.driver = driver }
      state.alarm = AlarmHandle()
      state.isDrainRequested = false
      driverToWake = state.reschedule(owner, at: now)
    }
    driverToWake?.requestWake()
    _ = old
  }
}
