public import Dispatch

/// A timer that delivers one of many calls: the last one when no more come, the first one, or both.
///
/// A *burst* is a series of calls in which each call comes less than `delay` after the previous one. With a
/// delay of three units of time, `-` being one:
///
/// ```
/// calls      a-b-c---------d---------
/// .trailing  -------c---------d------   the newest, a delay after it
/// .leading   a-------------d---------   the first, at once
/// .both      a------c------d---------   both, the second only if there was a second call
/// ```
///
/// A steady stream of calls defers the trailing edge without end; `maxWait` limits the wait. Here it is five
/// units:
///
/// ```
/// calls      a-b-c-d-e-f-g-----------
/// no maxWait ---------------g--------
/// maxWait    -----c----f----g--------
/// ```
///
/// `maxWait` counts from the beginning of the burst or the last delivery, as in lodash. It also
/// repeats the leading edge in a stream that never stops.
///
/// You can use every member from any thread and from inside the handler. The handler runs on the queue, one
/// call at a time, in the order of the calls; if the queue is late, it receives the newest value.
/// Deallocating the debouncer cancels it.
///
/// The behavior is that of lodash's `debounce`. SwiftTimer and Repeat implement its trailing edge.
public final class Debouncer<Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (Debouncer<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<Debouncer<Value>, DebounceStateMachine<Value>>

  /// Creates a debouncer.
  /// - Parameters:
  ///   - configuration: the delay, the edges, the maximum wait and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the debouncer and the value.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` for a negative delay or `maxWait`, or
  ///   ``TimerConfigurationError/invalidTolerance(_:)``.
  public init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      try DebounceStateMachine(configuration, clock: clock.kind), clock: clock, queue: queue,
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: HandlerBox(handler: handler))
  }

  /// Creates a debouncer from validated values.
  init(
    _ machine: DebounceStateMachine<Value>, driver: AlarmDriver, tolerance: Int64,
    handler: @escaping Handler
  ) {
    storage = TimerStorage(
      machine, driver: driver, tolerance: tolerance, handler: HandlerBox(handler: handler))
  }

  /// Creates a debouncer. The parameters are the properties of ``DebounceConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: @escaping Handler
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a debouncer whose handler runs on the main actor. The other parameters are those of
  /// ``init(delay:edges:maxWait:tolerance:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping @MainActor (Debouncer<Value>, Value) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance, clock: clock,
      queue: .main
    ) { debouncer, value in
      MainActor.assumeIsolated { handler(debouncer, value) }
    }
  }

  /// Submits a value. The value is delivered at once, or is pending until it is delivered or replaced by a
  /// newer one, or is suppressed.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  @inlinable @discardableResult
  public func call(_ value: Value) -> Bool {
    // The value that is replaced is released after the mutex has been unlocked.
    var value: Value? = value
    let now = storage.time.now
    if storage.update({ $0.mergeIntoWaiting(&value, at: now) }) { return false }
    return storage.control(self) { (machine, now) in machine.call(&value, at: now) }
  }

  /// Changes the delay, and submits a value.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` if the delay is negative; nothing changes then.
  @discardableResult
  public func call(
    _ value: Value, newDelay: Duration
  ) throws(TimerConfigurationError) -> Bool {
    let nanoseconds = try newDelay.checkedDelay()
    var value: Value? = value
    return storage.control(self) { (machine, now) in
      machine.delay = nanoseconds
      return machine.call(&value, at: now)
    }
  }

  /// The time without calls before the trailing edge.
  public var delay: Duration { .nanoseconds(storage.read(\.delay)) }
}

extension Debouncer: CallLimiter, CallLimiterOwner {
  public typealias State = CallState
  public typealias Delivery = Value
  @usableFromInline typealias Machine = DebounceStateMachine<Value>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ debouncer: Debouncer<Value>, _ value: Value) { handler(debouncer, value) }
  }
}
