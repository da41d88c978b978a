extension TimerStorage where Timer: Drainable {
  /// Closes the timer, waits until what it delivers has been delivered and what runs has ended, and cancels it. Cancels it
  /// earlier at the deadline, or when the task is cancelled.
  nonisolated(nonsending) func drain(
    _ timer: Timer, until deadline: TimerClock.Instant?
  ) async -> DrainResult {
    let endWait = operationRunner?.beginWait()
    defer { endWait?() }
    beginDrain()
    var alarm: DeadlineTimer?
    if let deadline {
      let source = timeSource(of: deadline)
      if source.now >= deadline.nanoseconds {
        timer.cancel()
      } else {
        let new = DeadlineTimer(tolerance: 0, driver: source.driverForTasks) { _, _ in
          timer.cancel()
        }
        new.schedule(at: deadline)
        alarm = new
      }
    }
    if Task.isCancelled { timer.cancel() }
    // On the caller's actor, unlike the body of the handler: on a virtual clock, it delivers.
    close(timer)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        whenDrained { continuation.resume() }
      }
      guard let operationRunner else { return }
      await withCheckedContinuation { continuation in
        operationRunner.whenRunEnds { continuation.resume() }
      }
    } onCancel: {
      timer.cancel()
    }
    alarm?.cancel()
    timer.cancel()
    // The last release of the timer, in which its handler is destroyed.
    await waitForHandler()
    return state.withLock { $0.coldState.value.drainResult ?? DrainResult() }
  }

  /// Returns the source of the clock that an instant belongs to.
  private func timeSource(of instant: TimerClock.Instant) -> TimeSource {
    if instant.clock == timeSource.identity { return timeSource }
    precondition(instant.clock.isSystem, "the deadline is an instant of another virtual clock")
    return .system(instant.clockKind)
  }

  /// From now on, what the cancellation of the timer drops is counted.
  private func beginDrain() {
    state.withLock { state in
      state.coldState.change { $0.drainResult = $0.drainResult ?? DrainResult() }
    }
  }

  private func close(_ timer: Timer) {
    let now = timeSource.now
    var driverToWake: AlarmDriver?
    var unheard: [Machine.Delivery]?
    var removedCallbacks = Observers.Removed()
    var droppedRuns: OperationRunner.StoppedRuns?
    state.withLock { state in
      if state.machine.isClosed { return }
      // The runs that a kind waits for are those that its pending deliveries add, too.
      let runner = state.coldState.value.operationRunner
      state.perform(
        timer, { (machine, now) in machine.close(at: now) }, at: now, &driverToWake, &unheard)
      if state.machine.isCancelled { droppedRuns = runner?.stop() } else { runner?.drain() }
      removedCallbacks = state.takeUnneededCallbacks()
    }
    // Destroyed here, because that can run any code.
    _ = (removedCallbacks, droppedRuns, unheard)
    driverToWake?.requestWake()
  }

  /// Calls `resume` when the timer has nothing left to deliver and no thread has acquired it; at once if that is so.
  private func whenDrained(_ resume: @escaping @Sendable () -> Void) {
    let waiters = state.withLock { state in
      state.coldState.change { $0.drainWaiters.append(resume) }
      return state.takeDrainWaiters()
    }
    for resume in waiters { resume() }
  }
}

extension TimerStorage.State {
  /// Removes and returns the closures to call if a closed timer has nothing left to deliver.
  mutating func takeDrainWaiters() -> [@Sendable () -> Void] {
    guard !coldState.isUnused, !coldState.value.drainWaiters.isEmpty, !isAcquired,
      machine.isCancelled || machine.undeliveredCount == 0 || !observers.hasCallbacks
    else { return [] }
    return coldState.change { cold in
      defer { cold.drainWaiters = [] }
      return cold.drainWaiters
    }
  }

  /// Counts what the cancellation of a timer that drains has dropped.
  mutating func addToDrainResult(droppedCount: Int, cancelledRunCount: Int) {
    coldState.change { cold in
      cold.drainResult?.droppedCount += droppedCount
      cold.drainResult?.cancelledRunCount += cancelledRunCount
    }
  }
}
