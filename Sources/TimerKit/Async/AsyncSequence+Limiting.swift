extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a sequence that yields one of many elements: when no more come, when they begin, or both.
  ///
  /// ```swift
  /// func search(_ texts: AsyncStream<String>) async throws {
  ///   for await text in try texts.debounced(for: .milliseconds(300)) {
  ///     print("search for \(text)")
  ///   }
  /// }
  /// ```
  ///
  /// It is a ``Debouncer`` between two sequences, and follows its rules. With a delay of three steps,
  /// `-` being one, and `|` the end:
  ///
  /// ```
  /// base       a-b-c---------d-|
  /// .trailing  -------c--------d|   what is pending at the end is yielded without waiting
  /// .leading   a-------------d-|
  /// .both      a------c------d-|
  /// ```
  ///
  /// **Backpressure.** A task of its own reads the base as fast as that yields, so no queue grows in
  /// front of it. One element at most waits behind it: if the reader is so slow that the next one is
  /// due, that takes its place. A base that waits for its reader is therefore not slowed down.
  ///
  /// **End.** What is pending when the base ends or throws is yielded first, without waiting; then the
  /// sequence ends, or throws the same error. When the task that reads is cancelled, or its iterator is
  /// released, the sequence ends at once, what is pending is dropped, and the task that reads the base
  /// is cancelled.
  /// - Parameters:
  ///   - delay: the time without elements before the trailing edge; zero or more.
  ///   - edges: the elements of a burst that are yielded.
  ///   - maxWait: the longest time that an element waits for the trailing edge. `nil` sets no bound.
  ///   - tolerance: the time by which an element may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` for a negative delay or `maxWait`, or
  ///   ``TimerConfigurationError/invalidTolerance(_:)``.
  public func debounced(
    for delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> some AsyncSequence<Element, Failure> & Sendable {
    let machine = try DebounceStateMachine<LimitedElement<Element, Failure>>(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock.kind)
    let tolerance = try tolerance.checkedTolerance()
    return LimitedSequence(base: self, executor: clock.source.virtualExecutor) { deliver in
      Debouncer(machine, driver: clock.source.sleepDriver, tolerance: tolerance) { deliver($1) }
    }
  }

  /// Returns a sequence that yields at most one of many elements in an interval.
  ///
  /// ```swift
  /// func show(_ progress: AsyncStream<Double>) async throws {
  ///   for await fraction in try progress.throttled(for: .milliseconds(100)) {
  ///     print("\(Int(fraction * 100)) %")
  ///   }
  /// }
  /// ```
  ///
  /// It is a ``Throttler`` between two sequences, and follows its rules. With an interval of four
  /// steps, `-` being one, and `|` the end:
  ///
  /// ```
  /// base             a-bc---d-------e-f|
  /// .fixed           a---c---d------e--f|   what is pending at the end is yielded without waiting
  /// keeping: .first  a---b---d------e--f|
  /// keeping: .none   a------d-------e--|
  /// .deferred        ----c------d------f|
  /// ```
  ///
  /// Backpressure, end, errors and cancellation are those of
  /// ``debounced(for:edges:maxWait:tolerance:clock:)``. With an interval of zero all elements go
  /// through, and a slow reader receives the newest of them.
  /// - Parameters:
  ///   - interval: the least time between two elements; zero or more.
  ///   - mode: the beginning of the intervals.
  ///   - keeping: the element that is yielded of those that come too early.
  ///   - tolerance: the time by which an element may be late, so that several timers share a wake-up.
  ///   - clock: the clock it follows.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` for a negative interval, or
  ///   ``TimerConfigurationError/invalidTolerance(_:)``.
  public func throttled(
    for interval: Duration, mode: ThrottleMode = .fixed, keeping: ThrottledValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) -> some AsyncSequence<Element, Failure> & Sendable {
    let machine = try ThrottleStateMachine<LimitedElement<Element, Failure>>(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock.kind)
    let tolerance = try tolerance.checkedTolerance()
    return LimitedSequence(base: self, executor: clock.source.virtualExecutor) { deliver in
      Throttler(machine, driver: clock.source.sleepDriver, tolerance: tolerance) { deliver($1) }
    }
  }
}
