import Dispatch

/// Returns a callback of a timer on the main queue, or on a ``VirtualClock`` that is advanced on the main actor, which
/// calls a closure on the main actor.
func onMainActor<each Argument: Sendable>(
  _ body: @escaping @MainActor (repeat each Argument) -> Void
) -> @Sendable (repeat each Argument) -> Void {
  { (argument: repeat each Argument) in
    MainActor.assumeIsolated { body(repeat each argument) }
  }
}

extension TimerStorage {
  func add(_ callback: Callback) -> ObserverToken {
    state.withLock { state in
      state.hasReportedCancellation ? ObserverToken.next() : state.observers.add(callback)
    }
  }

  @discardableResult
  func remove(where matches: (Observers.Entry) -> Bool) -> Bool {
    // Destroyed after the mutex has been unlocked, because destroying it can run any code.
    var removed: Callback?
    state.withLock { removed = $0.observers.remove(where: matches) }
    removed?.stream?.finish()
    return removed != nil
  }

  /// Replaces the first callback that matches, or adds the new one. A cancelled timer ignores it.
  func replace(where matches: (Callback) -> Bool, with callback: Callback) {
    var replaced: Callback?
    state.withLock { state in
      guard !state.hasReportedCancellation else { return }
      replaced = state.observers.replace(where: matches, with: callback)
    }
    _ = replaced
  }

  /// Replaces the handler, and the operation of a timer that has one. The running operation is cancelled.
  /// - Parameter nextRunner: a closure that returns the runner of the new operation. The runner of the previous
  ///   operation stays if there is no new one, because `cancelAndWait()` waits for its run.
  func setHandler(
    _ handler: Timer.HandlerBox, nextRunner: (OperationRunner?) -> OperationRunner? = { $0 }
  ) {
    var replaced: Callback?
    var previous: OperationRunner?
    state.withLock { state in
      guard !state.machine.isClosed else { return }
      replaced = state.observers.replace(where: \.isHandler, with: .handler(handler))
      if !state.coldState.isUnused { previous = state.coldState.value.operationRunner }
      let next = nextRunner(previous)
      if next !== previous { state.coldState.change { $0.operationRunner = next } }
    }
    _ = replaced
    previous?.cancel()
  }

  /// Returns a callback that calls a closure on the main actor. Traps unless the callbacks of the timer run on the main
  /// queue, or on a ``VirtualClock``.
  func onMainActor<each Argument: Sendable>(
    _ timer: Timer, _ body: @escaping @MainActor (repeat each Argument) -> Void
  ) -> @Sendable (repeat each Argument) -> Void {
    precondition(
      state.withLock { $0.driver(of: timer) } === timeSource.driver(for: .main),
      "a callback on the main actor needs a timer on the main queue, such as one created with isolation:"
    )
    return TimerKit.onMainActor(body)
  }

  /// Removes all callbacks, and runs a control in the same step.
  func removeAll(_ timer: Timer, _ body: (inout Machine, _ now: Int64) -> Void) {
    let now = timeSource.now
    var removed = Observers.Removed()
    var driverToWake: AlarmDriver?
    var unheard: [Machine.Delivery]?
    var drainWaiters: [@Sendable () -> Void] = []
    state.withLock { state in
      removed = state.observers.removeAll()
      state.perform(timer, body, at: now, &driverToWake, &unheard)
      drainWaiters = state.takeDrainWaiters()
    }
    removed.finishStreams()
    operationRunner?.removeOperation()
    driverToWake?.requestWake()
    for resume in drainWaiters { resume() }
  }

  /// Returns a stream of events, which ends when the timer is cancelled or deallocated.
  /// - Parameter final: another state with which the stream ends.
  func stream(
    _ timer: Timer, bufferingNewest limit: Int, endingOn final: Machine.State? = nil
  ) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(limit))
    let tokens = state.withLock { state -> [ObserverToken] in
      if state.machine.isCancelled || state.machine.state == final { return [] }
      let token = state.observers.add(.stream(continuation))
      guard let final else { return [token] }
      let end = state.observers.add(
        .observer { _, event in
          if case .state(from: _, to: final) = event { continuation.finish() }
        })
      return [token, end]
    }
    guard !tokens.isEmpty else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak timer] _ in
      for token in tokens { timer?.storage.remove { $0.token == token } }
    }
    return stream
  }

  var droppedEventCount: Int { state.withLock { $0.observers.droppedEventCount } }

  /// Blocks until a running handler of a cancelled timer has returned.
  func waitForHandler() {
    precondition(
      state.withLock { $0.acquiringThread } != currentThread(),
      "cancelAndWait() in the timer's own handler would wait for itself: use cancel() there")
    let endWait = operationRunner?.beginWait()
    defer { endWait?() }
    waitUntilReleased()
    guard let operationRunner else { return }
    let semaphore = DispatchSemaphore(value: 0)
    operationRunner.whenRunEnds { semaphore.signal() }
    semaphore.wait()
  }

  /// Suspends the task until a running handler of a cancelled timer has returned.
  nonisolated(nonsending) func waitForHandler() async {
    let endWait = operationRunner?.beginWait()
    defer { endWait?() }
    await withCheckedContinuation { continuation in whenReleased { continuation.resume() } }
    guard let operationRunner else { return }
    await withCheckedContinuation { continuation in
      operationRunner.whenRunEnds { continuation.resume() }
    }
  }

  /// Sets the runner of a timer with an asynchronous operation. It is cancelled with the timer.
  func setOperation(_ runner: OperationRunner) {
    state.withLock { $0.coldState.change { $0.operationRunner = runner } }
  }

  /// The runner of a timer with an asynchronous operation.
  var operationRunner: OperationRunner? {
    state.withLock { $0.coldState.isUnused ? nil : $0.coldState.value.operationRunner }
  }

  /// Blocks while a thread has acquired the timer.
  func waitUntilReleased() {
    let semaphore = DispatchSemaphore(value: 0)
    whenReleased { semaphore.signal() }
    semaphore.wait()
  }

  /// Calls `resume` when the thread that has acquired the timer releases it; at once if none has.
  private func whenReleased(_ resume: @escaping @Sendable () -> Void) {
    let waits = state.withLock { state in
      if state.isAcquired { state.coldState.change { $0.waiters.append(resume) } }
      return state.isAcquired
    }
    if !waits { resume() }
  }
}

extension TimerStorage.State {
  /// Removes and returns the callbacks of a cancelled timer, so that what they have captured is
  /// destroyed before the timer.
  mutating func takeUnneededCallbacks() -> TimerStorage.Observers.Removed {
    hasReportedCancellation ? observers.removeAll() : TimerStorage.Observers.Removed()
  }
}
