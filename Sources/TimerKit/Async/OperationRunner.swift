/// A run of an operation for a delivery of a timer.
///
/// It references its timer strongly, so that the timer is not deallocated while the operation runs.
struct OperationRun: Sendable {
  /// The lane of the run: the key of a keyed timer, and 0 for all runs of another one.
  let lane: Lane
  /// The number of ticks that were merged into the delivery.
  var missedCount: Int
  /// The number of values in the delivery.
  let valueCount: Int
  /// The actor on which the operation runs.
  let isolation: (any Actor)?
  /// Returns true if a control has revoked the delivery.
  let isRevoked: @Sendable () -> Bool
  /// Calls the operation. The caller is on its isolation, so that it begins without a suspension.
  let perform: nonisolated(nonsending) @Sendable (_ missedCount: Int) async -> Void
  /// Called when the run has ended, also if the operation has not begun.
  let whenOver: @Sendable () -> Void

  typealias Lane = any Hashable & Sendable
}

/// An object that runs the operation of a timer for its deliveries in tasks, one run at a time in each lane.
final class OperationRunner: Sendable {
  /// A lane with a run.
  private struct Lane {
    var task: Task<Void, Never>
    /// The identity of `task`, once it has begun.
    var taskID: Int?
    /// The runner whose runs must end before the first one begins.
    var predecessor: OperationRunner?
    /// The runs that wait until the current one has ended; at most one, unless the timer drains.
    var waiting = FIFOQueue<OperationRun>()
    /// The number of values of the current run.
    var valueCount = 0
    var hasBegun = false
    /// True if the current run is revoked, unless it has begun.
    var isRevoked = false
    /// True if the current run was cancelled with the timer.
    var isCancelled = false

    /// Changes the lane to its next run, in the same task.
    mutating func enter(_ run: OperationRun) {
      predecessor = nil
      valueCount = run.valueCount
      hasBegun = false
      isRevoked = false
    }
  }

  private struct State {
    /// True after the operation was cancelled or removed. The handler of the timer, which is removed, keeps it until
    /// then.
    var isEnded = false
    /// True if every run is to end by itself: none is skipped, replaced or cancelled by a later one.
    var isDraining = false
    var lanes: [AnyHashable: Lane] = [:]
    /// The lane to which a handler is about to add a run; `nil` if a control has revoked that run meanwhile.
    var entering: AnyHashable?
    /// The number of skipped ticks that the next run reports.
    var skippedCount = 0
    /// The number of values for which no run has begun, nor will.
    var discardedCount = 0
    var waiters: [@Sendable () -> Void] = []

    mutating func takeSkipped() -> Int {
      defer { skippedCount = 0 }
      return skippedCount
    }

    /// Removes the runs of a lane that wait, and counts their values.
    /// - Returns: the runs, whose destruction can run any code.
    mutating func discardWaiting(in lane: AnyHashable) -> [OperationRun] {
      var taken: [OperationRun] = []
      while let run = lanes[lane]?.waiting.popFirst() {
        discardedCount += run.valueCount
        taken.append(run)
      }
      return taken
    }
  }

  private let overlap: Repeater.Overlap
  private let executor: (any TaskExecutor)?
  private let state = Guarded(State())

  /// Creates a runner, whose tasks run on the executor of a clock.
  init(_ overlap: Repeater.Overlap, on clock: TimerClock) {
    self.overlap = overlap
    executor = clock.taskExecutor
  }

  /// Starts a run for a delivery, in the handler of the timer. While another one of its lane is in progress, it waits
  /// or is counted as skipped.
  /// - Parameters:
  ///   - valueCount: the number of values in the delivery.
  ///   - number: returns a number that changes when a control revokes the delivery.
  ///   - whenOver: called when the run has ended, also if the operation has not begun; not for a run that is replaced.
  func run<Timer: TimerStorageOwner>(
    for timer: Timer, in lane: OperationRun.Lane = 0, missedCount: Int = 0, valueCount: Int = 1,
    isLast: Bool = false, on isolation: (any Actor)?,
    revokedBy number: @escaping @Sendable (Timer.Machine) -> UInt64 = { $0.revocationNumber },
    whenOver: @escaping @Sendable () -> Void = {},
    _ perform: nonisolated(nonsending) @escaping @Sendable (_ missedCount: Int) async -> Void
  ) {
    state.withLock { $0.entering = AnyHashable(lane) }
    // A control may have revoked the delivery before the handler was entered.
    let current = timer.storage.readGuardedState {
      $0.isDeliveryRevoked ? nil : number($0.machine)
    }
    var run = OperationRun(
      lane: lane, missedCount: missedCount, valueCount: valueCount, isolation: isolation,
      isRevoked: { timer.storage.readMachine(number) != current }, perform: perform,
      whenOver: whenOver)
    // Destroyed after the mutex has been unlocked, because that can run any code.
    var replaced: [OperationRun] = []
    var isDropped = false
    let superseded = state.withLock { state -> Task<Void, Never>? in
      isDropped = state.entering.take() == nil || current == nil || state.isEnded
      if isDropped {
        state.discardedCount += run.valueCount
        return nil
      }
      state.skippedCount = state.skippedCount.addingSaturated(missedCount)
      let key = AnyHashable(lane)
      guard let current = state.lanes[key] else {
        run.missedCount = state.takeSkipped()
        state.lanes[key] = Lane(
          task: makeTask(lane) { [run] in run }, valueCount: run.valueCount)
        return nil
      }
      if state.isDraining {
        state.lanes[key]?.waiting.append(run)
        return nil
      }
      let isCounted = overlap == .skip && !isLast || !current.waiting.isEmpty
      if isCounted { state.skippedCount = state.skippedCount.addingSaturated(1) }
      if overlap != .skip || isLast {
        replaced = state.discardWaiting(in: key)
        state.lanes[key]?.waiting.append(run)
      } else {
        state.discardedCount += run.valueCount
      }
      return overlap == .cancelPrevious ? current.task : nil
    }
    _ = replaced
    superseded?.cancel()
    if isDropped { whenOver() }
  }

  /// Revokes the run of a lane that waits or is about to be added, and the current one unless it has begun.
  func revokeRuns(in lane: some Hashable & Sendable) {
    _ = state.withLock { state -> [OperationRun] in
      if state.entering == AnyHashable(lane) { state.entering = nil }
      state.lanes[lane]?.isRevoked = true
      return state.discardWaiting(in: AnyHashable(lane))
    }
  }

  /// Delays the first run until the runs of another runner of the timer have ended. A tick that comes before that is
  /// treated as one that comes during a run.
  func startAfter(_ previous: OperationRunner) {
    let tasks = previous.state.withLock { $0.lanes.values.map(\.task) }
    guard !tasks.isEmpty else { return }
    state.withLock { state in
      let task = makeTask(0) { [self] in
        for task in tasks { await task.value }
        return finishRun(in: 0)
      }
      state.lanes[0] = Lane(task: task, predecessor: previous)
    }
  }

  private func makeTask(
    _ lane: OperationRun.Lane, from first: @escaping @Sendable () async -> OperationRun?
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { [self] in
      state.withLock { $0.lanes[AnyHashable(lane)]?.taskID = Self.currentTaskID }
      var next = await first()
      while let run = next {
        await begin(run, isolation: run.isolation)
        next = finishRun(in: lane)
        run.whenOver()
      }
    }
  }

  /// Runs the operation unless a control has revoked the delivery.
  ///
  /// It is called on the isolation of the operation, so that the operation begins without a suspension after the check.
  private func begin(_ run: OperationRun, isolation: isolated (any Actor)?) async {
    // No control on this isolation comes between the two checks.
    let isRevoked = run.isRevoked()
    let begins = state.withLock { state in
      let key = AnyHashable(run.lane)
      if isRevoked || state.isEnded || state.lanes[key]?.isRevoked ?? false {
        state.discardedCount += run.valueCount
        return false
      }
      state.lanes[key]?.hasBegun = true
      return true
    }
    guard begins else { return }
    await run.perform(run.missedCount)
  }

  /// Ends a run.
  /// - Returns: the next run of the lane, which waits; `nil` if none does, or it has a task of its own.
  private func finishRun(in lane: OperationRun.Lane) -> OperationRun? {
    var waiters: [@Sendable () -> Void] = []
    let next = state.withLock { state -> OperationRun? in
      let key = AnyHashable(lane)
      guard var next = state.lanes[key]?.waiting.popFirst() else {
        state.lanes[key] = nil
        if state.lanes.isEmpty { swap(&waiters, &state.waiters) }
        return nil
      }
      next.missedCount = state.takeSkipped()
      state.lanes[key]?.enter(next)
      guard overlap == .cancelPrevious else { return next }
      // The task of the run that has ended is cancelled.
      state.lanes[key]?.task = makeTask(lane) { [next] in next }
      state.lanes[key]?.taskID = nil
      return nil
    }
    for resume in waiters { resume() }
    return next
  }

  /// From now on, every run ends by itself, also those that wait: none is skipped, replaced or cancelled by a later one.
  func drain() { state.withLock { $0.isDraining = true } }

  /// Drops the runs that wait. A run that has begun continues; afterward, none begins.
  func removeOperation() { _ = stop() }

  /// Cancels the current runs, and drops those that wait.
  func cancel() { stop(cancelling: true).complete() }

  /// The runs that a runner has stopped.
  struct StoppedRuns {
    /// The runs that waited. Their destruction can run any code.
    fileprivate let dropped: [OperationRun]
    /// The tasks to cancel. That runs their cancellation handlers.
    fileprivate let tasks: [Task<Void, Never>]
    /// The number of values whose run had not begun.
    let droppedCount: Int
    /// The number of runs that had begun, and are to be cancelled.
    let cancelledCount: Int

    /// Cancels the tasks. Call it after all mutexes have been unlocked.
    func complete() { for task in tasks { task.cancel() } }
  }

  /// Drops the runs that wait. A run that has begun continues, unless it is to be cancelled; afterward, none begins.
  func stop(cancelling: Bool = false) -> StoppedRuns {
    state.withLock { state in
      var dropped: [OperationRun] = []
      var droppedCount = 0
      var cancelledCount = 0
      for key in state.lanes.keys {
        for run in state.discardWaiting(in: key) {
          droppedCount += run.valueCount
          dropped.append(run)
        }
        guard var lane = state.lanes[key] else { continue }
        if !lane.hasBegun, !lane.isRevoked, !state.isEnded { droppedCount += lane.valueCount }
        if cancelling, lane.hasBegun, !lane.isCancelled {
          cancelledCount += 1
          lane.isCancelled = true
        }
        state.lanes[key] = lane
      }
      state.isEnded = true
      return StoppedRuns(
        dropped: dropped, tasks: cancelling ? state.lanes.values.map(\.task) : [],
        droppedCount: droppedCount, cancelledCount: cancelledCount)
    }
  }

  /// The number of values for which no run has begun, nor will.
  var discardedCount: Int { state.withLock { $0.discardedCount } }

  /// Calls `resume` when all runs have ended; at once if there is none.
  func whenRunEnds(_ resume: @escaping @Sendable () -> Void) {
    let waits = state.withLock { state in
      if !state.lanes.isEmpty { state.waiters.append(resume) }
      return !state.lanes.isEmpty
    }
    if !waits { resume() }
  }

  /// Records that the current task waits for the runs to end. Traps if one of them waits, directly or through others, for
  /// the one that the task runs.
  /// - Returns: a closure to call at the end of the wait.
  func beginWait() -> @Sendable () -> Void {
    guard let caller = Self.currentTaskID else { return {} }
    Self.awaitedRunners.withLock { awaitedRunners in
      var runners = [self]
      while let runner = runners.popLast() {
        for lane in runner.state.withLock({ Array($0.lanes.values) }) {
          precondition(
            lane.taskID != caller,
            "the operation of a timer would wait forever for its own end: use cancel() there")
          let awaited = lane.taskID.flatMap { awaitedRunners[$0] }
          runners += [lane.predecessor, awaited].compactMap(\.self)
        }
      }
      awaitedRunners[caller] = self
    }
    return { _ = Self.awaitedRunners.withLock { $0.removeValue(forKey: caller) } }
  }

  /// The runner for whose run a task waits. Its mutex is locked before that of a runner.
  private static let awaitedRunners = Guarded<[Int: OperationRunner]>([:])

  /// A number that identifies the current task among those that exist; `nil` outside tasks.
  private static var currentTaskID: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}
