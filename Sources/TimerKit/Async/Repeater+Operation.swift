import Dispatch

extension Repeater {
  /// Creates an idle timer that runs an asynchronous operation for its ticks, one run at a time.
  ///
  /// ```swift
  /// actor Store {
  ///   func reload() async {}
  /// }
  /// let store = Store()
  /// let refresh = try Repeater.every(.minutes(5), overlap: .skip) { _, _ in
  ///   await store.reload()
  /// }
  /// ```
  ///
  /// The argument `overlap` makes the closure an operation, whether or not it contains `await`. Without it, the closure
  /// is a handler and cannot be asynchronous.
  ///
  /// The operation runs in a separate task: the timer does not wait for it, and `isExecuting` does not include
  /// it. An operation that is isolated to an actor begins and runs on that actor. After `cancel()`, `pause()` or `reset()`
  /// has returned on that actor, none begins that the control has revoked.
  ///
  /// `cancel()` cancels the running task, and `await cancelAndWait()` also waits for it to end. A pause or a reset does
  /// not cancel the running operation, but drops ticks that wait for it. A running operation keeps the timer alive
  /// until it ends.
  ///
  /// With ``MissedTicks/delay`` the interval counts from the tick, not from the end of the operation.
  /// - Parameters:
  ///   - configuration: the times at which it fires, and the number of ticks.
  ///   - clock: the clock it follows; `nil` is ``TimerClock/wall`` for a schedule, and otherwise
  ///     ``TimerClock/suspending``.
  ///   - overlap: the treatment of ticks that come while the operation runs.
  ///   - operation: the closure to run for every tick.
  /// - Throws: ``TimerConfigurationError`` for the first invalid value of the configuration, or for a schedule on a
  ///   clock that is not of the kind ``TimerClock/Kind/wall``.
  public convenience init(
    _ configuration: Configuration, clock: TimerClock? = nil, overlap: Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let clock = try configuration.resolvedClock(clock)
    let runner = OperationRunner(
      overlap, executor: clock.timeSource.virtualExecutor, operation: operation)
    self.init(
      try RepeaterStateMachine(configuration), driver: clock.timeSource.driverForTasks,
      tolerance: try configuration.tolerance.checkedTolerance()
    ) { timer, tick in
      runner.run(timer, tick)
    }
    storage.setOperation(runner)
  }

  /// Replaces the handler or the operation. If the old operation is running, it is cancelled, and the first run of the
  /// new one begins when it has ended.
  /// - Parameters:
  ///   - overlap: the treatment of ticks that come while the operation runs.
  ///   - operation: the closure to run for every tick: see ``init(_:clock:overlap:operation:)``.
  public func setOperation(overlap: Overlap = .skip, _ operation: @escaping Operation) {
    let runner = OperationRunner(
      overlap, executor: storage.timeSource.virtualExecutor, operation: operation)
    storage.setHandler(HandlerBox(handler: { timer, tick in runner.run(timer, tick) })) {
      previous in
      if let previous { runner.startAfter(previous, self) }
      return runner
    }
  }

  /// Creates and starts a timer that runs an asynchronous operation once. The parameters and errors are those
  /// of ``init(_:clock:overlap:operation:)``.
  public static func once(
    after interval: Duration, tolerance: Duration = .zero, clock: TimerClock = .suspending,
    overlap: Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) -> Repeater {
    try every(
      interval, count: 1, tolerance: tolerance, clock: clock, overlap: overlap,
      operation: operation)
  }

  /// Creates and starts a timer that runs an asynchronous operation for `count` ticks, or repeatedly if
  /// that is `nil`, one run at a time. The other parameters and the errors are those of
  /// ``init(_:clock:overlap:operation:)``.
  public static func every(
    _ interval: Duration, count: Int? = nil, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, overlap: Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      Configuration(
        .interval(interval), mode: Mode(count: count), tolerance: tolerance),
      clock: clock, overlap: overlap, operation: operation)
    timer.start()
    return timer
  }

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

  /// A closure that runs for every tick, in a separate task and on the actor that it is isolated to. It receives the
  /// timer, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Repeater, Tick) async -> Void
}

/// An object that runs the operation of a timer for its ticks in a task, one run at a time.
///
/// A task references its timer strongly, so that the timer is not deallocated while the operation runs.
final class OperationRunner: Sendable {
  private struct State {
    /// `nil` after the operation was cancelled or removed. A run that has begun keeps it until its end.
    var operation: Repeater.Operation?
    var task: Task<Void, Never>?
    /// The identity of `task`, once it has begun.
    var taskID: Int?
    /// The runner whose run must end before the first one begins.
    var predecessor: OperationRunner?
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

  private let overlap: Repeater.Overlap
  private let executor: (any TaskExecutor)?
  private let state: Guarded<State>

  /// Creates a runner.
  /// - Parameter executor: the executor on which tasks run; `nil` for the default executor.
  init(
    _ overlap: Repeater.Overlap, executor: (any TaskExecutor)?,
    operation: @escaping Repeater.Operation
  ) {
    self.overlap = overlap
    self.executor = executor
    state = Guarded(State(operation: operation))
  }

  /// Starts a run for the tick. While another run is in progress, the tick waits or is counted as skipped.
  func run(_ timer: Repeater, _ tick: Repeater.Tick) {
    state.withLock { state in
      if state.operation == nil { return }
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
      state.predecessor = previous
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
      state.withLock { $0.taskID = Self.currentTaskID }
      var next = await first()
      while let tick = next {
        if let operation = state.withLock(\.operation) {
          await begin(operation, timer, tick, isolation: operation.isolation)
        }
        next = finishRun()
      }
    }
  }

  /// Runs the operation unless a control has revoked the tick.
  ///
  /// It is called on the isolation of the operation, so that the operation begins without a suspension after the check.
  private func begin(
    _ operation: Repeater.Operation, _ timer: Repeater, _ tick: Repeater.Tick,
    isolation: isolated (any Actor)?
  ) async {
    if state.withLock({ $0.operation == nil }) { return }
    if timer.storage.readMachine({ $0.isRevoked(tick) }) { return }
    await operation(timer, tick)
  }

  /// Ends a run.
  /// - Returns: the tick that waits for the next run; `nil` if none does.
  private func finishRun() -> Repeater.Tick? {
    var waiters: [@Sendable () -> Void] = []
    let next = state.withLock { state -> Repeater.Tick? in
      state.predecessor = nil
      if var next = state.next.take() {
        next.missedCount = state.takeSkipped()
        return next
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

  /// Releases the operation and drops the tick that waits. A run that has begun continues; afterward, none begins.
  func removeOperation() { _ = takeOperation() }

  /// Releases the operation and cancels its run.
  func cancel() { takeOperation().task?.cancel() }

  /// - Returns: the operation, whose destruction can run any code, and the task of the current run.
  private func takeOperation() -> (operation: Repeater.Operation?, task: Task<Void, Never>?) {
    state.withLock { state in
      state.next = nil
      return (state.operation.take(), state.task)
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
