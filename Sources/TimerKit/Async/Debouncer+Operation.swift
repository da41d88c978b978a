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
  ///     ``Repeater/Overlap/skip`` it is dropped; with ``Repeater/Overlap/queueOne`` the newest one waits; with
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
