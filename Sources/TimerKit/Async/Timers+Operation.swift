// Asynchronous operations of the timers other than Repeater.

extension Countdown {
  /// A closure that runs for every step, in a separate task and on the actor that it is isolated to, with the number of
  /// steps left. It receives the countdown, so that it need not capture it.
  public typealias Operation =
    @isolated(any) @Sendable (Countdown, _ remainingSteps: Int) async -> Void

  /// Creates an idle countdown that runs an asynchronous operation for its steps, one run at a time. The parameters and
  /// errors are those of ``init(from:every:startingAfter:tolerance:missedSteps:jitter:clock:overlap:operation:)`` and
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: Repeater.Configuration, clock: TimerClock? = nil, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let clock = try configuration.resolvedClock(clock)
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { countdown, steps in
      runner.run(for: countdown, isLast: steps == 0, on: operation.isolation) { _ in
        await operation(countdown, steps)
      }
    }
    storage.setOperation(runner)
  }

  /// Creates a countdown from a checkpoint, which runs an asynchronous operation for its steps, and starts it if it was
  /// running. The parameters and errors are those of
  /// ``init(from:every:startingAfter:tolerance:missedSteps:jitter:clock:overlap:operation:)`` and
  /// ``init(restoring:policy:clock:queue:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    let (checkpoint, passedDeadlines) = try checkpoint.checked(policy, at: clock.wallNow)
    do throws(TimerConfigurationError) {
      try self.init(
        checkpoint.configuration, clock: clock, overlap: overlap, operation: operation)
    } catch {
      throw .configuration(error)
    }
    try storage.restore(self, checkpoint, passedDeadlines: passedDeadlines)
  }

  /// Creates an idle countdown that runs an asynchronous operation for its steps, one run at a time.
  ///
  /// Steps that come while the operation runs are treated as the ticks of a repeater:
  /// ``Repeater/init(_:clock:overlap:operation:)`` has the rules. The last step, with 0 left, is not skipped. The other
  /// parameters and the errors are those of
  /// ``init(from:every:startingAfter:tolerance:missedSteps:jitter:clock:queue:handler:)``.
  /// - Parameters:
  ///   - steps: the number of steps.
  ///   - interval: the time between two steps.
  ///   - startDelay: the time from the start to the first step; `nil` for the interval.
  ///   - tolerance: the maximum time by which a step may be late, so that wake-ups can be shared.
  ///   - missedSteps: the treatment of steps that were missed.
  ///   - jitter: the maximum random delay of each step; `nil` for none.
  ///   - clock: the clock that the countdown follows.
  ///   - overlap: the treatment of steps that come while the operation runs.
  ///   - operation: the closure to run for every step.
  public convenience init(
    from steps: Int, every interval: Duration, startingAfter startDelay: Duration? = nil,
    tolerance: Duration = .zero, missedSteps: Repeater.MissedTicks = .skip,
    jitter: Duration? = nil, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      Repeater.Configuration(
        .interval(interval), mode: .finite(steps), startingAfter: startDelay,
        tolerance: tolerance, missedTicks: missedSteps, jitter: jitter),
      clock: clock, overlap: overlap, operation: operation)
  }
}

extension Cycle {
  /// A closure that runs when a phase has ended, in a separate task and on the actor that it is isolated to. It
  /// receives the cycle, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Cycle, Tick) async -> Void

  /// Creates an idle cycle that runs an asynchronous operation when a phase has ended, one run at a time. The parameters
  /// and errors are those of ``init(_:rounds:includesFinalRest:tolerance:clock:overlap:operation:)`` and
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: Configuration, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { cycle, tick in
      runner.run(for: cycle, isLast: tick.isLast, on: operation.isolation) { _ in
        await operation(cycle, tick)
      }
    }
    storage.setOperation(runner)
  }

  /// Creates a cycle from a checkpoint, which runs an asynchronous operation when a phase has ended, and starts it if it was
  /// running. The parameters and errors are those of
  /// ``init(_:rounds:includesFinalRest:tolerance:clock:overlap:operation:)`` and
  /// ``init(restoring:policy:clock:queue:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    let (checkpoint, endedPhases) = try checkpoint.checked(policy, at: clock.wallNow)
    do throws(TimerConfigurationError) {
      try self.init(
        checkpoint.configuration, clock: clock, overlap: overlap, operation: operation)
    } catch {
      throw .configuration(error)
    }
    storage.restore(self, passedDeadlines: endedPhases) { (machine, now) in
      machine.restore(checkpoint, at: now)
    }
  }

  /// Creates an idle cycle that runs an asynchronous operation when a phase has ended, one run at a time.
  ///
  /// Ticks that come while the operation runs are treated as those of a repeater:
  /// ``Repeater/init(_:clock:overlap:operation:)`` has the rules. A tick is passed on as it was delivered: its
  /// ``Tick/missedCount`` does not count skipped ticks. The last tick of a run is not skipped.
  ///
  /// The other parameters and the errors are those of
  /// ``init(_:rounds:includesFinalRest:tolerance:clock:queue:handler:)``.
  /// - Parameters:
  ///   - phases: the phases of a round, in order.
  ///   - rounds: the number of rounds in a run; `nil` for an endless cycle.
  ///   - includesFinalRest: true if the last round has its last phase, too.
  ///   - tolerance: the maximum time by which the end of a phase may be late, so that wake-ups can be shared.
  ///   - clock: the clock that the cycle follows.
  ///   - overlap: the treatment of ticks that come while the operation runs.
  ///   - operation: the closure to run for every tick.
  public convenience init(
    _ phases: [Phase], rounds: Int? = nil, includesFinalRest: Bool = false,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      Configuration(
        phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance),
      clock: clock, overlap: overlap, operation: operation)
  }
}

extension DeadlineTimer {
  /// A closure that runs when the timer fires, in a separate task and on the actor that it is isolated to, with the
  /// deadline for which it fires. It receives the timer, so that it need not capture it.
  public typealias Operation =
    @isolated(any) @Sendable (DeadlineTimer, _ deadline: TimerClock.Instant) async -> Void

  /// Creates a timer without a deadline and without tolerance, which runs an asynchronous operation when it fires, one
  /// run at a time.
  ///
  /// After a control has returned on the actor of the operation, none begins for an earlier deadline. ``schedule(at:)``
  /// does not cancel a run that has begun; ``cancel()`` does, and `await cancelAndWait()` also waits for its end.
  /// - Parameters:
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a deadline that comes while the operation runs for an earlier one: with
  ///     ``Repeater/Overlap/skip`` it is dropped.
  ///   - operation: the closure to run for every deadline.
  public convenience init(
    clock: TimerClock = .suspending, overlap: Repeater.Overlap, operation: @escaping Operation
  ) {
    self.init(tolerance: 0, clock: clock, overlap: overlap, operation: operation)
  }

  /// Creates a timer without a deadline, which runs an asynchronous operation when it fires. The parameters are those of
  /// ``init(clock:overlap:operation:)`` and ``init(tolerance:clock:queue:handler:)``.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` if the tolerance is negative.
  public convenience init(
    tolerance: Duration, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    self.init(
      tolerance: try tolerance.checkedTolerance(), clock: clock, overlap: overlap,
      operation: operation)
  }

  private convenience init(
    tolerance: Int64, clock: TimerClock, overlap: Repeater.Overlap, operation: @escaping Operation
  ) {
    let runner = OperationRunner(overlap, on: clock)
    self.init(tolerance: tolerance, driver: clock.timeSource.driverForTasks) { timer, deadline in
      runner.run(for: timer, on: operation.isolation) { _ in await operation(timer, deadline) }
    }
    storage.setOperation(runner)
  }
}

extension Stopwatch {
  /// A closure that runs for every lap and for the alarm, in a separate task and on the actor that it is isolated to. It
  /// receives the stopwatch, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Stopwatch, Delivery) async -> Void

  /// Creates an idle stopwatch that runs an asynchronous operation for its laps and its alarm, one run at a time.
  ///
  /// ``PausableTimer/reset()`` drops laps that wait for a run; ``PausableTimer/pause()`` does not.
  /// - Parameters:
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a lap that comes while the operation runs for an earlier one: with
  ///     ``Repeater/Overlap/skip`` the operation does not run for it; ``laps`` has it all the same.
  ///   - operation: the closure to run for every lap and alarm.
  public convenience init(
    clock: TimerClock = .suspending, overlap: Repeater.Overlap, operation: @escaping Operation
  ) {
    let runner = OperationRunner(overlap, on: clock)
    self.init(clock: clock, queue: AlarmDriver.taskQueue) { stopwatch, delivery in
      runner.run(for: stopwatch, on: operation.isolation) { _ in
        await operation(stopwatch, delivery)
      }
    }
    storage.setOperation(runner)
  }

  /// Creates a stopwatch from a checkpoint, which runs an asynchronous operation, and starts it if it was running. The
  /// parameters and errors are those of ``init(clock:overlap:operation:)`` and
  /// ``init(restoring:policy:clock:queue:handler:)``.
  public convenience init(
    restoring checkpoint: Checkpoint, policy: RestorePolicy = .catchUp,
    clock: TimerClock? = nil, overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(RestoreError) {
    let clock = clock ?? TimerClock(checkpoint.clock)
    let (checkpoint, passedAlarms) = try checkpoint.checked(policy, at: clock.wallNow)
    self.init(clock: clock, overlap: overlap, operation: operation)
    storage.restore(self, passedDeadlines: passedAlarms) { (machine, now) in
      machine.restore(checkpoint, at: now)
    }
  }
}
