/// A run of an operation for a delivery of a timer.
///
/// It references its timer strongly, so that the timer is not deallocated while the operation runs.
struct OperationRun: Sendable {
  /// The number of ticks that were merged into the delivery.
  var missedCount = 0
  /// True if no delivery comes after this one.
  var isLast = false
  /// The actor on which the operation runs.
  let isolation: (any Actor)?
  /// Returns true if a control has revoked the delivery.
  let isRevoked: @Sendable () -> Bool
  /// Calls the operation. The caller is on its isolation, so that it begins without a suspension.
  let perform: nonisolated(nonsending) @Sendable (_ missedCount: Int) async -> Void
}

/// An object that runs the operation of a timer for its deliveries in a task, one run at a time.
final class OperationRunner: Sendable {
  private struct State {
    /// True after the operation was cancelled or removed. The handler of the timer, which is removed, keeps it until then.
    var isEnded = false
    var task: Task<Void, Never>?
    /// The identity of `task`, once it has begun.
    var taskID: Int?
    /// The runner whose run must end before the first one begins.
    var predecessor: OperationRunner?
    /// The run that waits until the current one has ended.
    var next: OperationRun?
    /// The number of skipped ticks that the next run reports.
    var skippedCount = 0
    var waiters: [@Sendable () -> Void] = []

    mutating func takeSkipped() -> Int {
      defer { skippedCount = 0 }
      return skippedCount
    }
  }

  private let overlap: Repeater.Overlap
  private let executor: (any TaskExecutor)?
  private let state = Guarded(State())

  /// Creates a runner.
  /// - Parameter executor: the executor on which tasks run; `nil` for the default executor.
  init(_ overlap: Repeater.Overlap, executor: (any TaskExecutor)?) {
    self.overlap = overlap
    self.executor = executor
  }

  /// Starts a run. While another one is in progress, it waits or is counted as skipped.
  func run(_ run: OperationRun) {
    let superseded = state.withLock { state -> Task<Void, Never>? in
      if state.isEnded { return nil }
      state.skippedCount = state.skippedCount.addingSaturated(run.missedCount)
      if state.task != nil {
        let isCounted = overlap == .skip && !run.isLast || state.next != nil
        if isCounted { state.skippedCount = state.skippedCount.addingSaturated(1) }
        if overlap != .skip || run.isLast { state.next = run }
        return overlap == .cancelPrevious ? state.task : nil
      }
      var run = run
      run.missedCount = state.takeSkipped()
      state.task = makeTask { [run] in run }
      return nil
    }
    superseded?.cancel()
  }

  /// Delays the first run until the run of another runner of the timer has ended. A tick that comes before that is
  /// treated as one that comes during a run.
  func startAfter(_ previous: OperationRunner) {
    guard let task = previous.state.withLock(\.task) else { return }
    state.withLock { state in
      state.predecessor = previous
      state.task = makeTask { [self] in
        await task.value
        return finishRun()
      }
    }
  }

  private func makeTask(
    from first: @escaping @Sendable () async -> OperationRun?
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { [self] in
      state.withLock { $0.taskID = Self.currentTaskID }
      var next = await first()
      while let run = next {
        await begin(run, isolation: run.isolation)
        next = finishRun()
      }
    }
  }

  /// Runs the operation unless a control has revoked the delivery.
  ///
  /// It is called on the isolation of the operation, so that the operation begins without a suspension after the check.
  private func begin(_ run: OperationRun, isolation: isolated (any Actor)?) async {
    if state.withLock(\.isEnded) || run.isRevoked() { return }
    await run.perform(run.missedCount)
  }

  /// Ends a run.
  /// - Returns: the next run, which waits; `nil` if none does, or it has a task of its own.
  private func finishRun() -> OperationRun? {
    var waiters: [@Sendable () -> Void] = []
    let next = state.withLock { state -> OperationRun? in
      state.predecessor = nil
      if var next = state.next.take() {
        next.missedCount = state.takeSkipped()
        guard overlap == .cancelPrevious else { return next }
        // The task of the run that has ended is cancelled.
        state.taskID = nil
        state.task = makeTask { [next] in next }
        return nil
      }
      state.task = nil
      state.taskID = nil
      waiters = state.waiters
      state.waiters = []
      return nil
    }
    for resume in waiters { resume() }
    return next
  }

  /// Drops the run that waits. A run that has begun continues; afterward, none begins.
  func removeOperation() { _ = end() }

  /// Cancels the current run, and drops the one that waits.
  func cancel() { end().task?.cancel() }

  /// - Returns: the run that waits, whose destruction can run any code, and the task of the current one.
  private func end() -> (next: OperationRun?, task: Task<Void, Never>?) {
    state.withLock { state in
      state.isEnded = true
      return (state.next.take(), state.task)
    }
  }

  /// Calls `resume` when the operation has ended; at once if it does not run. Traps if the operation waits, directly or
  /// through others, for the one that the current task runs.
  func whenRunEnds(_ resume: @escaping @Sendable () -> Void) {
    let caller = Self.currentTaskID
    let waits = Self.awaitedRunners.withLock { awaitedRunners in
      var next: OperationRunner? = self
      while caller != nil, let runner = next {
        let (taskID, predecessor) = runner.state.withLock { ($0.taskID, $0.predecessor) }
        precondition(
          taskID != caller,
          "cancelAndWait() would wait forever for the operation that calls it: use cancel() there")
        next = predecessor ?? taskID.flatMap { awaitedRunners[$0] }
      }
      return state.withLock { state in
        guard state.task != nil else { return false }
        if let caller {
          awaitedRunners[caller] = self
          state.waiters.append {
            _ = Self.awaitedRunners.withLock { $0.removeValue(forKey: caller) }
          }
        }
        state.waiters.append(resume)
        return true
      }
    }
    if !waits { resume() }
  }

  /// The runner for whose run a task waits. Its mutex is locked before that of a runner.
  private static let awaitedRunners = Guarded<[Int: OperationRunner]>([:])

  /// A number that identifies the current task among those that exist; `nil` outside tasks.
  private static var currentTaskID: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
