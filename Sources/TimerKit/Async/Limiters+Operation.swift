// Asynchronous operations of the limiters other than Debouncer.

extension Throttler {
  /// A closure that runs for every value that is delivered, in a separate task and on the actor that it is isolated to.
  /// It receives the throttler, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Throttler<Value>, Value) async -> Void

  /// Creates a throttler that runs an asynchronous operation for the values that it delivers, one run at a time.
  ///
  /// ```swift
  /// actor Server {
  ///   func save(_ text: String) async {}
  /// }
  /// let server = Server()
  /// let saver = try Throttler<String>(interval: .seconds(10), overlap: .queueOne) { _, text in
  ///   await server.save(text)
  /// }
  /// saver.call("Dear Anna")
  /// ```
  ///
  /// An interval counts from the delivery, not from the end of the run. Cancellation is that of
  /// ``Debouncer/init(_:clock:overlap:operation:)``.
  /// - Parameters:
  ///   - interval: see ``ThrottleConfiguration/interval``.
  ///   - mode: see ``ThrottleConfiguration/mode``.
  ///   - keeping: see ``ThrottleConfiguration/keptValue``.
  ///   - tolerance: see ``ThrottleConfiguration/tolerance``.
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a value that is delivered while the operation runs for an earlier one: with
  ///     ``Repeater/Overlap/skip`` it is dropped.
  ///   - operation: the closure to run for every value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(
      interval: interval, mode: mode, keeping: keeping, tolerance: tolerance, clock: clock,
      queue: AlarmDriver.taskQueue
    ) { throttler, value in
      runner.run(for: throttler, on: operation.isolation) { _ in await operation(throttler, value) }
    }
    storage.setOperation(runner)
  }
}

extension KeyedDebouncer {
  /// A closure that runs for every value that is delivered, in a separate task and on the actor that it is isolated to.
  /// It receives the debouncer, so that it need not capture it.
  public typealias Operation =
    @isolated(any) @Sendable (KeyedDebouncer<Key, Value>, Key, Value) async -> Void

  /// Creates a keyed debouncer that runs an asynchronous operation for the values that it delivers, one run at a time
  /// for each key. Runs for different keys do not wait for one another.
  ///
  /// After ``KeyedCallLimiter/cancelPending(for:)`` has returned on the actor of the operation, no run begins for an
  /// earlier call for the key. The other rules are those of ``Debouncer/init(_:clock:overlap:operation:)``.
  /// - Parameters:
  ///   - delay: see ``DebounceConfiguration/delay``.
  ///   - edges: see ``DebounceConfiguration/edges``.
  ///   - maxWait: see ``DebounceConfiguration/maxWait``.
  ///   - tolerance: see ``DebounceConfiguration/tolerance``.
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a value that is delivered while the operation runs for an earlier one of its key:
  ///     with ``Repeater/Overlap/skip`` it is dropped.
  ///   - operation: the closure to run for every key and value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay, `maxWait` or tolerance.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(
      delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance, clock: clock,
      queue: AlarmDriver.taskQueue
    ) { timer, key, value in
      runner.run(for: timer, in: key, on: operation.isolation, revokedBy: \.generation) { _ in
        await operation(timer, key, value)
      }
    }
    storage.setOperation(runner)
  }
}

extension KeyedThrottler {
  /// A closure that runs for every value that is delivered, in a separate task and on the actor that it is isolated to.
  /// It receives the throttler, so that it need not capture it.
  public typealias Operation =
    @isolated(any) @Sendable (KeyedThrottler<Key, Value>, Key, Value) async -> Void

  /// Creates a keyed throttler that runs an asynchronous operation for the values that it delivers, one run at a time
  /// for each key: see ``KeyedDebouncer/init(delay:edges:maxWait:tolerance:clock:overlap:operation:)``.
  /// - Parameters:
  ///   - interval: see ``ThrottleConfiguration/interval``.
  ///   - mode: see ``ThrottleConfiguration/mode``.
  ///   - keeping: see ``ThrottleConfiguration/keptValue``.
  ///   - tolerance: see ``ThrottleConfiguration/tolerance``.
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a value that is delivered while the operation runs for an earlier one of its key:
  ///     with ``Repeater/Overlap/skip`` it is dropped.
  ///   - operation: the closure to run for every key and value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(
      interval: interval, mode: mode, keeping: keeping, tolerance: tolerance, clock: clock,
      queue: AlarmDriver.taskQueue
    ) { timer, key, value in
      runner.run(for: timer, in: key, on: operation.isolation, revokedBy: \.generation) { _ in
        await operation(timer, key, value)
      }
    }
    storage.setOperation(runner)
  }
}
