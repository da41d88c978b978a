import Dispatch

/// The executor of the tasks of a ``VirtualClock``, which detects when all of them wait.
///
/// It runs their jobs one at a time, in the order in which they became ready, on its own queue. A task that
/// waits for the clock or for another task has no job. Therefore all tasks wait exactly when there is no job.
final class VirtualExecutor: TaskExecutor {
  private struct State {
    /// The number of enqueued jobs, including the running one.
    var jobCount = 0
    /// The number of jobs that were ever enqueued.
    var enqueuedCount = 0
    /// The streams for whose end tasks wait.
    var waiters: [AsyncStream<Never>.Continuation] = []
  }

  private let queue = DispatchQueue(label: "TimerKit.virtual")
  private let queueKey = DispatchSpecificKey<Void>()
  private let state = Guarded(State())

  init() {
    queue.setSpecific(key: queueKey, value: ())
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.jobCount += 1
      state.enqueuedCount += 1
    }
    queue.async { [self] in
      job.runSynchronously(on: asUnownedTaskExecutor())
      let waiters = state.withLock { state in
        state.jobCount -= 1
        guard state.jobCount == 0 else { return [AsyncStream<Never>.Continuation]() }
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.finish() }
    }
  }

  /// Suspends the calling task until all other tasks on this executor wait, or until it is cancelled.
  nonisolated(nonsending) func waitUntilIdle() async {
    let isolation: (any Actor)? = #isolation
    guard let isolation, !isCurrent else { return await waitForNoJobs() }
    // A new task, because it does not inherit a preference for this executor. With one, the task that waits would
    // itself be a job.
    let task = Task { await waitForNoJobs(from: isolation) }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Suspends until this executor has no job, and the jobs already enqueued on `actor`, such as the main actor, have
  /// run without adding one.
  private func waitForNoJobs(from actor: isolated any Actor) async {
    var before: Int
    repeat {
      await waitForNoJobs()
      before = state.withLock { $0.enqueuedCount }
      // A new job on the actor runs after the jobs that are already enqueued there.
      await withCheckedContinuation { continuation in
        Task { Self.resume(continuation, on: actor) }
      }
    } while !Task.isCancelled && state.withLock { $0.jobCount > 0 || $0.enqueuedCount != before }
  }

  private static func resume(
    _ continuation: CheckedContinuation<Void, Never>, on actor: isolated any Actor
  ) {
    continuation.resume()
  }

  private nonisolated(nonsending) func waitForNoJobs() async {
    // A caller on this executor is itself a job until it suspends.
    while !Task.isCancelled, !state.withLock({ $0.jobCount <= (isCurrent ? 1 : 0) }) {
      let (never, waiter) = AsyncStream.makeStream(of: Never.self)
      let waits = state.withLock { state in
        if state.jobCount > 0 { state.waiters.append(waiter) }
        return state.jobCount > 0
      }
      if !waits { return }
      for await _ in never {}
    }
  }

  private var isCurrent: Bool { DispatchQueue.getSpecific(key: queueKey) != nil }
}
