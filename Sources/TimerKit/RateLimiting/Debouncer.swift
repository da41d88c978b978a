public import Dispatch

/// A timer that delivers one of many calls: when no more come, when they begin, or both.
///
/// A *burst* is a run of calls with less than `delay` between any two that follow one another. With
/// a delay of three steps, `-` being one:
///
/// ```
/// calls      a-b-c---------d---------
/// .trailing  -------c---------d------   the newest, a delay after it
/// .leading   a-------------d---------   the first, at once
/// .both      a------c------d---------   both, the second only if there was a second call
/// ```
///
/// A steady stream of calls defers the trailing edge without end; `maxWait` bounds that. Here it is
/// five steps:
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
/// You can use everything from any thread and from inside the handler. Handlers run on the queue,
/// one at a time, in the order of the calls; a late queue delivers the newest value.
/// Deallocating the debouncer cancels it.
///
/// The behavior is that of lodash's `debounce`; SwiftTimer and Repeat have the trailing edge of it.
public final class Debouncer<Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (Debouncer<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<Debouncer<Value>, DebounceStateMachine<Value>>

  /// Creates a debouncer.
  /// - Parameters:
  ///   - configuration: the delay, the edges and the bounds.
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

  /// Creates a debouncer of what was checked before.
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

  /// Creates a debouncer whose handler runs on the main actor.
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

  /// Submits a value: it is delivered, or another one in its place.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is suppressed.
  @inlinable @discardableResult
  public func call(_ value: Value) -> Bool {
    // A value that it displaces is released when the mutex is not held.
    var value: Value? = value
    let now = storage.time.now
    if storage.update({ $0.join(&value, at: now) }) { return false }
    return storage.control(self) { (machine, now) in machine.call(&value, at: now) }
  }

  /// Changes the delay, and submits a value.
  /// - Throws: ``TimerConfigurationError/invalidDelay(_:)`` if it is negative; nothing has changed then.
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
