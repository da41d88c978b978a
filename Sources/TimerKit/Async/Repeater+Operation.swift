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
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { timer, tick in
      runner.run(operation, timer, tick)
    }
    storage.setOperation(runner)
  }

  /// Creates an idle timer with an interval, which runs an asynchronous operation. The parameters and errors are those
  /// of ``init(_:clock:overlap:operation:)`` and
  /// ``init(interval:mode:startingAfter:tolerance:missedTicks:jitter:clock:queue:handler:)``.
  public convenience init(
    interval: Duration, mode: Mode = .infinite, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending, overlap: Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        .interval(interval), mode: mode, startingAfter: startDelay, tolerance: tolerance,
        missedTicks: missedTicks, jitter: jitter),
      clock: clock, overlap: overlap, operation: operation)
  }

  /// Creates an idle timer that follows the time of day, and runs an asynchronous operation. The parameters and errors are
  /// those of ``init(_:clock:overlap:operation:)`` and
  /// ``init(schedule:mode:tolerance:missedTicks:jitter:clock:queue:handler:)``.
  public convenience init(
    schedule: WallSchedule, mode: Mode = .infinite, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
    overlap: Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        .schedule(schedule), mode: mode, tolerance: tolerance, missedTicks: missedTicks,
        jitter: jitter),
      clock: clock, overlap: overlap, operation: operation)
  }

  /// Creates a timer from a checkpoint, which runs an asynchronous operation, and starts it if it was running. The
  /// parameters and errors are those of ``init(_:clock:overlap:operation:)`` and
  /// ``init(restoring:policy:clock:queue:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, overlap: Overlap, operation: @escaping Operation
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    let (checkpoint, passedDeadlines) = try checkpoint.checked(policy, at: clock.wallNow)
    do throws(TimerConfigurationError) {
      try self.init(
        checkpoint.configuration, clock: clock, overlap: overlap, operation: operation)
    } catch {
      throw .configuration(error)
    }
    // Only now: the timer has its operation before it starts.
    try storage.restore(self, checkpoint, passedDeadlines: passedDeadlines)
  }

  /// Replaces the handler or the operation. If the old operation is running, it is cancelled, and the first run of the
  /// new one begins when it has ended.
  /// - Parameters:
  ///   - overlap: the treatment of ticks that come while the operation runs.
  ///   - operation: the closure to run for every tick: see ``init(_:clock:overlap:operation:)``.
  public func setOperation(overlap: Overlap = .skip, _ operation: @escaping Operation) {
    let runner = OperationRunner(overlap, on: TimerClock(storage.timeSource))
    let handler = HandlerBox { runner.run(operation, $0, $1) }
    storage.setHandler(handler) { previous in
      if let previous { runner.startAfter(previous) }
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
    _ interval: Duration, count: Int? = nil, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedTicks: MissedTicks = .skip, jitter: Duration? = nil,
    clock: TimerClock = .suspending, overlap: Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      interval: interval, mode: Mode(count: count), startingAfter: startDelay,
      tolerance: tolerance, missedTicks: missedTicks, jitter: jitter, clock: clock,
      overlap: overlap, operation: operation)
    timer.start()
    return timer
  }

  /// Creates and starts a timer that follows the time of day and runs an asynchronous operation, one run at a time: a job of
  /// a server.
  ///
  /// <!-- snippet
  /// let sendReport: @Sendable () async -> Void = {}
  /// -->
  /// ```swift
  /// let report = try Repeater.following(.daily(hour: 3), overlap: .skip) { _, tick in
  ///   await sendReport()
  /// }
  /// ```
  ///
  /// An occurrence that comes while the operation runs is treated as a tick: see ``Overlap``. The parameters and errors are
  /// those of ``following(_:count:tolerance:missedTicks:jitter:clock:queue:handler:)`` and
  /// ``init(_:clock:overlap:operation:)``.
  public static func following(
    _ schedule: WallSchedule, count: Int? = nil, tolerance: Duration = .zero,
    missedTicks: MissedTicks = .skip, jitter: Duration? = nil, clock: TimerClock = .wall,
    overlap: Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) -> Repeater {
    let timer = try Repeater(
      schedule: schedule, mode: Mode(count: count), tolerance: tolerance,
      missedTicks: missedTicks, jitter: jitter, clock: clock, overlap: overlap,
      operation: operation)
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
  ///
  /// With `.cancelPrevious`, an operation that ends when its task is cancelled begins at every tick.
  public enum Overlap: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tick is merged into the next one: the operation runs again at the first tick after its end, whose
    /// ``Repeater/Tick/missedCount`` counts the skipped ticks. The last tick of a timer is not skipped, because no
    /// tick comes after it: it waits until the operation ends.
    case skip
    /// The newest tick waits, and its run begins as soon as the current run has ended. The tick's
    /// ``Repeater/Tick/missedCount`` counts the other ticks that came meanwhile.
    case queueOne
    /// The current run is cancelled, and the run of the newest tick begins as soon as it has ended. Use it if only the
    /// newest result matters. The tick's ``Repeater/Tick/missedCount`` counts the other ticks that came meanwhile.
    case cancelPrevious
  }

  /// A closure that runs for every tick, in a separate task and on the actor that it is isolated to. It receives the
  /// timer, so that it need not capture it. It does not throw, because nobody waits for its result: handle errors in it.
  public typealias Operation = @isolated(any) @Sendable (Repeater, Tick) async -> Void
}

extension OperationRunner {
  fileprivate func run(
    _ operation: @escaping Repeater.Operation, _ timer: Repeater, _ tick: Repeater.Tick
  ) {
    run(
      for: timer, missedCount: tick.missedCount, isLast: tick.isLast, on: operation.isolation
    ) { missedCount in
      var tick = tick
      tick.missedCount = missedCount
      await operation(timer, tick)
    }
  }
}
