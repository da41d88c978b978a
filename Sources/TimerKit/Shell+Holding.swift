import Dispatch

extension Shell {
  /// Runs `body` while no callback of the timer runs; those that come due wait until it is done.
  ///
  /// It runs on the queue, where it keeps all that away that the queue does, or inline if the caller
  /// is there already or holds the timer. That alone would not do: the queue may be a concurrent one, the timeline
  /// virtual, or the timer have moved here while a callback still runs elsewhere. So the timer is
  /// held as well. The mutex is not.
  func exclusively<Result, Failure: Error>(
    _ owner: Owner, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = currentThread()
    let (driver, isMine) = state.withLock { ($0.driver(of: owner), $0.holder == thread) }
    // Wherever it has moved to meanwhile: who waits there may wait for this thread.
    if isMine { return try body() }
    let wait =
      HeldTimers.count == 0 ? nil : LockWait(thread) { owner.shell.readState(\.holder) }
    guard let queue = driver.queue, !driver.isCurrent else { return try hold(owner, wait, body) }
    let result = queue.sync { () -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try hold(owner, wait, body))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func hold<Result, Failure: Error>(
    _ owner: Owner, _ wait: LockWait?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    take()
    HeldTimers.count += 1
    defer {
      HeldTimers.count -= 1
      wait?.end()
      letGo(owner)
    }
    return try body()
  }

  /// Waits until the timer is the caller's.
  private func take() {
    let thread = currentThread()
    while true {
      let other = state.withLock { state -> DispatchSemaphore? in
        guard state.isHeld else {
          state.holder = thread
          return nil
        }
        let semaphore = DispatchSemaphore(value: 0)
        state.rare.change { $0.waiters.append(semaphore) }
        return semaphore
      }
      guard let other else { return }
      other.wait()
    }
  }

  private func letGo(_ owner: Owner) {
    let now = time.now
    var kicked: AlarmDriver?
    var late: AlarmDriver?
    var dropped: [Callback] = []
    state.withLock { state in
      if state.isPutOff { late = state.driver(of: owner) }
      dropped = state.endTurn(owner, &kicked, at: now)
    }
    Self.drop(dropped)
    kicked?.kick()
    late?.catchUp()
  }

  /// From now on the timer is woken by another driver, of the same timeline. A callback that runs
  /// goes on where it is.
  func move(_ owner: Owner, to driver: AlarmDriver) {
    let now = time.now
    var kicked: AlarmDriver?
    var old: AlarmDriver?
    state.withLock { state in
      let current = state.driver(of: owner)
      guard current !== driver else { return }
      old = current
      if state.alarm.isRegistered { current.release(state.alarm.slot) }
      state.rare.change { $0.driver = driver }
      state.alarm = AlarmHandle()
      state.isTurnRequested = false
      kicked = state.settle(owner, at: now)
    }
    kicked?.kick()
    _ = old
  }
}
