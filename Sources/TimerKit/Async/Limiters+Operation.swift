// Asynchronous operations of the limiters.

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
  ///     ``Repeater/Overlap/skip`` it is discarded.
  ///   - operation: the closure to run for every value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock, overlap: overlap, operation: operation)
  }

  /// Creates a throttler that runs an asynchronous operation. The parameters and errors are those of
  /// ``init(interval:mode:keeping:tolerance:clock:overlap:operation:)`` and ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending,
    overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { throttler, value in
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
  ///     with ``Repeater/Overlap/skip`` it is discarded.
  ///   - operation: the closure to run for every key and value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay, `maxWait` or tolerance.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, overlap: overlap, operation: operation)
  }

  /// Creates a keyed debouncer that runs an asynchronous operation. The parameters and errors are those of
  /// ``init(delay:edges:maxWait:tolerance:clock:overlap:operation:)`` and ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { timer, key, value in
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
  ///     with ``Repeater/Overlap/skip`` it is discarded.
  ///   - operation: the closure to run for every key and value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock, overlap: overlap, operation: operation)
  }

  /// Creates a keyed throttler that runs an asynchronous operation. The parameters and errors are those of
  /// ``init(interval:mode:keeping:tolerance:clock:overlap:operation:)`` and ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending,
    overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { timer, key, value in
      runner.run(for: timer, in: key, on: operation.isolation, revokedBy: \.generation) { _ in
        await operation(timer, key, value)
      }
    }
    storage.setOperation(runner)
  }
}

extension Batcher {
  /// A closure that runs for every batch, in a separate task and on the actor that it is isolated to. It receives the
  /// batcher, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Batcher<Value>, [Value]) async -> Void

  /// Creates a batcher that runs an asynchronous operation for its batches, one run at a time.
  ///
  /// ```swift
  /// actor Server {
  ///   func upload(_ lines: [String]) async {}
  /// }
  /// let server = Server()
  /// let log = try Batcher<String>(count: 100, maxWait: .seconds(5), overlap: .queueOne) { _, lines in
  ///   await server.upload(lines)
  /// }
  /// log.add("started")
  /// ```
  ///
  /// Cancellation is that of ``Debouncer/init(_:clock:overlap:operation:)``.
  /// - Parameters:
  ///   - configuration: the size and the times of a batch, the bound on memory and the tolerance.
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of values that come while the operation runs: ``BatchOverlap/queueOne``.
  ///   - operation: the closure to run for every batch.
  /// - Throws: ``TimerConfigurationError`` for an invalid duration, count or limit.
  public convenience init(
    _ configuration: BatchConfiguration, clock: TimerClock = .suspending,
    overlap: BatchOverlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(.queueOne, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { batcher, batch in
      batcher.storage.update { $0.isBusy = true }
      runner.run(
        for: batcher, valueCount: batch.count, on: operation.isolation,
        whenOver: { batcher.storage.control(batcher) { (machine, _) in machine.isBusy = false } }
      ) { _ in await operation(batcher, batch) }
    }
    storage.setOperation(runner)
  }

  /// Creates a batcher that runs an asynchronous operation. The parameters are the properties of ``BatchConfiguration``,
  /// and those of ``init(_:clock:overlap:operation:)``.
  public convenience init(
    count: Int? = nil, maxWait: Duration? = nil, quietTime: Duration? = nil, limit: Int = 10_000,
    whenFull overflow: BatchOverflow = .dropOldest, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, overlap: BatchOverlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      BatchConfiguration(
        count: count, maxWait: maxWait, quietTime: quietTime, limit: limit, whenFull: overflow,
        tolerance: tolerance), clock: clock, overlap: overlap, operation: operation)
  }
}

extension TimeLimited {
  /// A closure that runs for every value that has expired, in a separate task and on the actor that it is isolated to. It
  /// receives the container, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (TimeLimited<Value>, Value) async -> Void

  /// Creates a container that runs an asynchronous operation for the values that expire, one run at a time.
  ///
  /// `cancel()` cancels a run that has begun, and `await cancelAndWait()` also waits for its end. The other parameters and
  /// the errors are those of ``init(_:for:tolerance:clock:queue:onExpire:)``.
  /// - Parameters:
  ///   - value: the value.
  ///   - lifetime: the time after which the value expires; greater than zero.
  ///   - tolerance: the time by which the operation may begin late.
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a value that expires while the operation runs for an earlier one: with
  ///     ``Repeater/Overlap/skip`` the operation does not run for it.
  ///   - operation: the closure to run for every value that has expired.
  public convenience init(
    _ value: Value, for lifetime: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(
      value, for: lifetime, tolerance: tolerance, clock: clock, queue: AlarmDriver.taskQueue
    ) { container, value in
      runner.run(for: container, on: operation.isolation) { _ in await operation(container, value) }
    }
    storage.setOperation(runner)
  }
}

extension Debouncer {
  /// A closure that runs for every value that is delivered, in a separate task and on the actor that it is isolated to. It
  /// receives the debouncer, so that it need not capture it.
  public typealias Operation = @isolated(any) @Sendable (Debouncer<Value>, Value) async -> Void

  /// Creates a debouncer that runs an asynchronous operation for the values that it delivers, one run at a time.
  ///
  /// ```swift
  /// actor Results {
  ///   func search(_ text: String) async {}
  /// }
  /// let results = Results()
  /// let search = try Debouncer<String>(delay: .milliseconds(300), overlap: .cancelPrevious) { _, text in
  ///   await results.search(text)
  /// }
  /// search.call("swift")
  /// ```
  ///
  /// The rules are those of ``Repeater/init(_:clock:overlap:operation:)``. After `cancel()` or `cancelPending()` has returned
  /// on the actor of the operation, none begins for an earlier call. `cancelPending()` does not cancel a run that has begun;
  /// `cancel()` does, and `await cancelAndWait()` also waits for its end.
  /// - Parameters:
  ///   - configuration: the delay, the edges, the maximum wait and the tolerance.
  ///   - clock: the clock it follows.
  ///   - overlap: the treatment of a value that is delivered while the operation runs for an earlier one: with
  ///     ``Repeater/Overlap/skip`` it is discarded; with ``Repeater/Overlap/queueOne`` the newest one waits; with
  ///     ``Repeater/Overlap/cancelPrevious`` the current run is cancelled, so that only the result of the latest value counts.
  ///   - operation: the closure to run for every value.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay, `maxWait` or tolerance.
  public convenience init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    overlap: Repeater.Overlap, operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    let runner = OperationRunner(overlap, on: clock)
    try self.init(configuration, clock: clock, queue: AlarmDriver.taskQueue) { debouncer, value in
      runner.run(for: debouncer, on: operation.isolation) { _ in await operation(debouncer, value) }
    }
    storage.setOperation(runner)
  }

  /// Creates a debouncer that runs an asynchronous operation. The parameters are the properties of
  /// ``DebounceConfiguration``, and those of ``init(_:clock:overlap:operation:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, overlap: Repeater.Overlap,
    operation: @escaping Operation
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, overlap: overlap, operation: operation)
  }
}
