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
    let timer = try Repeater(
      Configuration(.interval(interval), mode: .once, tolerance: tolerance), clock: clock,
      overlap: overlap, operation: operation)
    timer.start()
    return timer
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
}
