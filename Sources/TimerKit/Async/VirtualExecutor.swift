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
    var waiters: [CheckedContinuation<Void, Never>] = []
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
      finishJob()
    }
  }

  private func finishJob() {
    let waiters = state.withLock { state in
      state.jobCount -= 1
      guard state.jobCount == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Suspends the calling task until all other tasks on this executor wait.
  nonisolated(nonsending) func waitUntilIdle() async {
    let isolation: (any Actor)? = #isolation
    guard let isolation, !isCurrent else { return await waitForNoJobs() }
    // A new task, because it does not inherit a preference for this executor. With one, the task that waits would
    // itself be a job.
    await Task { await waitForNoJobs(from: isolation) }.value
  }

  /// Suspends until this executor has no job, and the jobs already enqueued on `actor`, such as the main actor, have
  /// run without adding one.
  private func waitForNoJobs(from actor: isolated any Actor) async {
    var before: Int
    repeat {
      await waitForNoJobs()
      before = state.withLock(\.enqueuedCount)
      // A new job on the actor runs after the jobs that are already enqueued there.
      await withCheckedContinuation { continuation in
        Task { Self.resume(continuation, on: actor) }
      }
    } while state.withLock { $0.jobCount > 0 || $0.enqueuedCount != before }
  }

  private static func resume(
    _ continuation: CheckedContinuation<Void, Never>, on actor: isolated any Actor
  ) {
    continuation.resume()
  }

  private nonisolated(nonsending) func waitForNoJobs() async {
    // A caller on this executor is itself a job until it suspends.
    while !state.withLock({ $0.jobCount <= (isCurrent ? 1 : 0) }) {
      await withCheckedContinuation { waiter in
        let isIdle = state.withLock { state in
          if state.jobCount > 0 { state.waiters.append(waiter) }
          return state.jobCount == 0
        }
        if isIdle { waiter.resume() }
      }
    }
  }

  private var isCurrent: Bool { DispatchQueue.getSpecific(key: queueKey) != nil }
}
