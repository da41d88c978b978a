import Dispatch

extension Repeater {
  /// The treatment of a tick that comes while the operation still runs for an earlier tick.
  ///
  /// Here an interval is four units of time, `-` or `=` being one, and the operation runs for ten units at the
  /// second tick. A digit is the tick with which a run begins:
  ///
  /// ```
  /// ticks      ----1---2---3---4---5---6---7---
  /// .skip      ----1---2=========--5---6---7---   5 has missedCount == 2, for 3 and 4
  /// .queueOne  ----1---2=========4-5---6---7---   4 has missedCount == 1, for 3
  /// ```
  public enum Overlap: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tick is merged into the next one: the operation runs again at the first tick after its end, whose
    /// ``Repeater/Tick/missedCount`` counts the skipped ticks. The last tick of a timer is not skipped, because no
    /// tick comes after it: it waits until the operation ends.
    case skip
    /// The newest tick waits, and its run begins as soon as the current run has ended. The tick's
    /// ``Repeater/Tick/missedCount`` counts the other ticks that came meanwhile.
    case queueOne
  }

  /// A closure that runs for every tick, in a separate task. It receives the timer, so that it need not
  /// capture it.
  public typealias Operation = @Sendable (Repeater, Tick) async -> Void
}

/// An object that runs the operation of a timer for its ticks in a task, one run at a time.
///
/// A task references its timer strongly, so that the timer is not deallocated while the operation runs.
final class OperationRunner: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    /// The tick that waits until the operation has ended.
    var next: Repeater.Tick?
    /// The number of skipped ticks that the next run reports.
    var skippedCount = 0
    var waiters: [@Sendable () -> Void] = []

    mutating func takeSkipped() -> Int {
      defer { skippedCount = 0 }
      return skippedCount
    }
  }

  /// The timer whose operation the current task runs.
  @TaskLocal private static var currentTimer: ObjectIdentifier?

  private let overlap: Repeater.Overlap
  private let executor: (any TaskExecutor)?
  private let operation: Repeater.Operation
  private let state = Guarded(State())

  /// Creates a runner.
  /// - Parameter executor: the executor on which tasks run; `nil` for the default executor.
  init(
    _ overlap: Repeater.Overlap, executor: (any TaskExecutor)?,
    operation: @escaping Repeater.Operation
  ) {
    self.overlap = overlap
    self.executor = executor
    self.operation = operation
  }

  /// Starts a run for the tick. While another run is in progress, the tick waits or is counted as skipped.
  func run(_ timer: Repeater, _ tick: Repeater.Tick) {
    state.withLock { state in
      if state.isCancelled { return }
      state.skippedCount = state.skippedCount.addingSaturated(tick.missedCount)
      var tick = tick
      if state.task != nil {
        let isCounted = overlap == .skip && !tick.isLast || state.next != nil
        if isCounted { state.skippedCount = state.skippedCount.addingSaturated(1) }
        if overlap == .queueOne || tick.isLast { state.next = tick }
      } else {
        tick.missedCount = state.takeSkipped()
        state.task = makeTask(timer) { [tick] in tick }
      }
    }
  }

  /// Delays the first run until the run of another runner of the timer has ended. A tick that comes before that is
  /// treated as one that comes during a run.
  func startAfter(_ previous: OperationRunner, _ timer: Repeater) {
    guard let task = previous.state.withLock(\.task) else { return }
    state.withLock { state in
      state.task = makeTask(timer) { [self] in
        await task.value
        return finishRun()
      }
    }
  }

  private func makeTask(
    _ timer: Repeater, from first: @escaping @Sendable () async -> Repeater.Tick?
  ) -> Task<Void, Never> {
    Task(executorPreference: executor) { [self] in
      await Self.$currentTimer.withValue(ObjectIdentifier(timer)) {
        await runAll(timer, from: first())
      }
    }
  }

  private func runAll(_ timer: Repeater, from first: Repeater.Tick?) async {
    var next = first
    while let tick = next {
      // A control may have revoked the tick before its task began.
      if !isCancelled, timer.storage.readMachine({ !$0.isRevoked(tick) }) {
        await operation(timer, tick)
      }
      next = finishRun()
    }
  }

  private var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Ends a run.
  /// - Returns: the tick that waits for the next run; `nil` if none does.
  private func finishRun() -> Repeater.Tick? {
    var waiters: [@Sendable () -> Void] = []
    let next = state.withLock { state -> Repeater.Tick? in
      if var next = state.next.take() {
        next.missedCount = state.takeSkipped()
        return next
      }
      state.task = nil
      waiters = state.waiters
      state.waiters = []
      return nil
    }
    for resume in waiters { resume() }
    return next
  }

  /// Cancels the running task and drops the tick that waits. Afterward, no task is created.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      state.next = nil
      return state.task
    }
    task?.cancel()
  }

  /// Arranges for `resume` to be called when the operation has ended.
  /// - Returns: false if the operation does not run.
  func notifyWhenRunEnds(
    _ timer: some AnyObject, _ resume: @escaping @Sendable () -> Void
  ) -> Bool {
    precondition(
      Self.currentTimer != ObjectIdentifier(timer),
      "cancelAndWait() in the timer's own operation would wait for itself: use cancel() there")
    return state.withLock { state in
      if state.task == nil { return false }
      state.waiters.append(resume)
      return true
    }
  }
}
