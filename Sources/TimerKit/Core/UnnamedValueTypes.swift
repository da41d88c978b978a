public import Dispatch

// The compiler infers the type of the values from the body of a handler only if that determines it, as in `find(x)`. For
// `print(x)` it takes the values for `Any`, and says that `Any` is not `Sendable`, of which nothing stands in the code. These
// initializers match instead, and their message says what to write. They work, so that nothing but the warning is seen. The
// documentation omits them: they have the names of those to call.

extension Debouncer where Value == any Sendable {
  /// The message for a call that does not name the type of the values. For values of any type, pass a
  /// ``DebounceConfiguration``.
  ///
  /// <!-- snippet fails: name the type of the values, such as Debouncer<String>(delay: …) -->
  /// ```swift
  /// let search = try Debouncer(delay: .milliseconds(300)) { _, text in print(text) }
  /// ```
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message: "name the type of the values, such as Debouncer<String>(delay: …)"
  )
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }
}

extension Throttler where Value == any Sendable {
  /// The message for a call that does not name the type of the values. For values of any type, pass a
  /// ``ThrottleConfiguration``.
  ///
  /// <!-- snippet fails: name the type of the values, such as Throttler<Double>(interval: …) -->
  /// ```swift
  /// let progress = try Throttler(interval: .seconds(1)) { _, fraction in print(fraction) }
  /// ```
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message: "name the type of the values, such as Throttler<Double>(interval: …)"
  )
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }
}

extension Batcher where Value == any Sendable {
  /// The message for a call that does not name the type of the values. For values of any type, pass a
  /// ``BatchConfiguration``.
  ///
  /// <!-- snippet fails: name the type of the values, such as Batcher<String>(count: …) -->
  /// ```swift
  /// let log = try Batcher(count: 100) { _, lines in print(lines) }
  /// ```
  @_documentation(visibility: internal)
  @available(
    *, deprecated,
    message: "name the type of the values, such as Batcher<String>(count: …)"
  )
  public convenience init(
    count: Int? = nil, maxWait: Duration? = nil, quietTime: Duration? = nil, limit: Int = 10_000,
    whenFull overflow: BatchOverflow = .dropOldest, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      BatchConfiguration(
        count: count, maxWait: maxWait, quietTime: quietTime, limit: limit, whenFull: overflow,
        tolerance: tolerance), clock: clock, queue: queue, handler: handler)
  }
}
