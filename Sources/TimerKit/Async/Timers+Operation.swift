// Asynchronous operations of the timers other than Repeater.

extension Countdown {
  /// A closure that runs for every step, in a separate task and on the actor that it is isolated to, with the number of
  /// steps left. It receives the countdown, so that it need not capture it.
  public typealias Operation =
    @isolated(any) @Sendable (Countdown, _ remainingSteps: Int) async -> Void

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
    let runner = OperationRunner(overlap, on: clock)
    try self.init(
      from: steps, every: interval, startingAfter: startDelay, tolerance: tolerance,
      missedSteps: missedSteps, jitter: jitter, clock: clock, queue: AlarmDriver.taskQueue
    ) { countdown, steps in
      runner.run(for: countdown, isLast: steps == 0, on: operation.isolation) { _ in
        await operation(countdown, steps)
      }
    }
    storage.setOperation(runner)
  }
}

extension Cycle {
  /// A closure that runs when a phase has ended, in a separate task and on the actor that it is isolated to. It
  /// receives the cycle, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Cycle, Tick) async -> Void

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
    let runner = OperationRunner(overlap, on: clock)
    try self.init(
      phases, rounds: rounds, includesFinalRest: includesFinalRest, tolerance: tolerance,
      clock: clock, queue: AlarmDriver.taskQueue
    ) { cycle, tick in
      runner.run(for: cycle, isLast: tick.isLast, on: operation.isolation) { _ in
        await operation(cycle, tick)
      }
    }
    storage.setOperation(runner)
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
    let runner = OperationRunner(overlap, on: clock)
    self.init(clock: clock, queue: AlarmDriver.taskQueue) { timer, deadline in
      runner.run(for: timer, on: operation.isolation) { _ in await operation(timer, deadline) }
    }
    storage.setOperation(runner)
  }
}
