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
    /// All there have been.
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

  /// Suspends until all tasks on this executor wait, the calling one apart. They do when this returns.
  nonisolated(nonsending) func waitUntilIdle() async {
    let isolation: (any Actor)? = #isolation
    guard let isolation, !isCurrent else { return await waitForNoJobs() }
    // A task without this executor: that of the caller may have it, and be a job here at each turn.
    await Task { await waitForNoJobs(from: isolation) }.value
  }

  /// Suspends until there is no job here, and none of those that tasks have enqueued on an actor, such
  /// as the main actor, comes back here.
  private func waitForNoJobs(from actor: isolated any Actor) async {
    var before: Int
    repeat {
      await waitForNoJobs()
      before = state.withLock(\.enqueuedCount)
      // The next turn on the actor comes after them.
      await withCheckedContinuation { turn in
        Task { Self.resume(turn, on: actor) }
      }
    } while state.withLock { $0.jobCount > 0 || $0.enqueuedCount != before }
  }

  private static func resume(
    _ turn: CheckedContinuation<Void, Never>, on actor: isolated any Actor
  ) {
    turn.resume()
  }

  private nonisolated(nonsending) func waitForNoJobs() async {
    // A caller on this executor is a job itself, until it suspends.
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

extension TimeSource {
  /// The executor of tasks that a timer on this clock starts: `nil`, for the default one, unless the
  /// clock is virtual.
  var virtualExecutor: (any TaskExecutor)? {
    if case .virtual(let time) = self { return time.executor }
    return nil
  }
}
