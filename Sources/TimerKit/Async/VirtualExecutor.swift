import Dispatch

/// The executor of the tasks of a ``VirtualClock``: it knows when all of them wait.
///
/// It runs their jobs one at a time, in the order they became ready, on a queue of its own. A task
/// that waits, for time or for another task, has no job; so the tasks are idle exactly when there is
/// no job.
final class VirtualExecutor: TaskExecutor {
  private struct State {
    /// Those that wait and the one that runs.
    var jobCount = 0
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
    state.withLock { $0.jobCount += 1 }
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

  /// Suspends until all tasks on this executor wait, the calling one apart. They do when this returns.
  nonisolated(nonsending) func waitUntilIdle() async {
    while !isIdle {
      await withCheckedContinuation { waiter in
        let isIdle = state.withLock { state in
          if state.jobCount > 0 { state.waiters.append(waiter) }
          return state.jobCount == 0
        }
        if isIdle { waiter.resume() }
      }
    }
  }

  /// A Boolean value that indicates whether there is no job besides the caller's own.
  private var isIdle: Bool {
    let own = DispatchQueue.getSpecific(key: queueKey) == nil ? 0 : 1
    return state.withLock { $0.jobCount <= own }
  }
}

extension TimeSource {
  /// The executor of tasks that a timer on this clock starts: `nil`, for the default one, unless the
  /// clock is virtual.
  var virtualExecutor: (any TaskExecutor)? {
    if case .virtual(let time) = self { return time.executor }
    return nil
  }
}
