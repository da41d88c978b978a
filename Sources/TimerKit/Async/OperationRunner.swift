import Dispatch

extension Repeater {
  /// The treatment of a tick that comes while the operation of a timer still runs for an earlier one.
  ///
  /// An interval is four steps here, `-` or `=` being one; the operation runs for ten at the second
  /// tick. A digit is the tick that a run begins with:
  ///
  /// ```
  /// ticks      ----1---2---3---4---5---6---7---
  /// .skip      ----1---2=========--5---6---7---   5 has missed == 2: it stands for 3 and 4 too
  /// .queueOne  ----1---2=========4-5---6---7---   4 has missed == 1: it stands for 3 too
  /// ```
  public enum Overlap: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tick is merged into the next one: the operation runs again with the first tick after its
    /// end, whose ``Repeater/Tick/missed`` counts those before. The last tick of a run is not skipped,
    /// since none comes after it: it waits for the operation to end.
    case skip
    /// The newest tick waits, and the operation runs again as soon as it has ended. Its
    /// ``Repeater/Tick/missed`` counts others that came meanwhile.
    case queueOne
  }

  /// A closure that runs in a task of its own for every tick. It receives the timer, so that it need
  /// not capture it.
  public typealias Operation = @Sendable (Repeater, Tick) async -> Void
}

/// Runs the operation of a timer for its ticks: one run at a time, each in a task.
///
/// A task holds its timer: one that runs is not cancelled by the timer's deallocation, which waits for
/// its end.
final class OperationRunner: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    /// The tick for which the operation runs when it has ended.
    var next: Repeater.Tick?
    /// The ticks of which the next run has to give account.
    var skippedCount = 0
    var waiters: [@Sendable () -> Void] = []

    mutating func takeSkipped() -> Int {
      defer { skippedCount = 0 }
      return skippedCount
    }
  }

  /// The runner whose operation the current task belongs to.
  @TaskLocal private static var current: OperationRunner?

  private let overlap: Repeater.Overlap
  private let executor: (any TaskExecutor)?
  private let operation: Repeater.Operation
  private let state = Guarded(State())

  /// - Parameter executor: the executor on which tasks run; `nil` for the default one.
  init(
    _ overlap: Repeater.Overlap, executor: (any TaskExecutor)?,
    operation: @escaping Repeater.Operation
  ) {
    self.overlap = overlap
    self.executor = executor
    self.operation = operation
  }

  /// Begins a run, or has the tick wait or be counted while another run lasts.
  func run(_ timer: Repeater, _ tick: Repeater.Tick) {
    state.withLock { state in
      if state.isCancelled { return }
      state.skippedCount = state.skippedCount.addingSaturated(tick.missed)
      var tick = tick
      if state.task != nil {
        let isCounted = overlap == .skip && !tick.isLast || state.next != nil
        if isCounted { state.skippedCount = state.skippedCount.addingSaturated(1) }
        if overlap == .queueOne || tick.isLast { state.next = tick }
      } else {
        tick.missed = state.takeSkipped()
        state.task = Task(executorPreference: executor) { [self] in
          await Self.$current.withValue(self) { await runAll(timer, from: tick) }
        }
      }
    }
  }

  private func runAll(_ timer: Repeater, from first: Repeater.Tick) async {
    var next: Repeater.Tick? = first
    while let tick = next {
      // A control may have revoked the tick before its task began.
      if !isCancelled, timer.storage.read({ !$0.isRevoked(tick) }) { await operation(timer, tick) }
      next = finishRun()
    }
  }

  private var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// - Returns: the tick that has waited.
  private func finishRun() -> Repeater.Tick? {
    var waiters: [@Sendable () -> Void] = []
    let next = state.withLock { state -> Repeater.Tick? in
      if var next = state.next.take() {
        next.missed = state.takeSkipped()
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

  /// Cancels the task that runs. No run begins after this has returned.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      state.next = nil
      return state.task
    }
    task?.cancel()
  }

  /// Arranges for `resume` to be called when no operation runs any more.
  /// - Returns: false if none runs.
  func notifyWhenIdle(_ resume: @escaping @Sendable () -> Void) -> Bool {
    precondition(
      Self.current !== self,
      "cancelAndWait() in the timer's own operation would wait for itself: use cancel() there")
    return state.withLock { state in
      if state.task == nil { return false }
      state.waiters.append(resume)
      return true
    }
  }
}
