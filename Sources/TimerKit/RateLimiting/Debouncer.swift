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
/// You can use every member from any thread and, except the blocking `cancelAndWait()`, from inside the handler. The
/// handler runs on the queue, for one value at a time, in the order in which they were submitted. While the queue is busy, a newer call
/// still replaces the value that waits. Deallocating the debouncer cancels it.
///
/// The behavior is that of lodash's `debounce`. 100mango's SwiftTimer and Daniele Margutti's Repeat
/// implement its trailing edge.
public final class Debouncer<Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (Debouncer<Value>, Value) -> Void
  /// A closure called on the main actor, one call at a time.
  public typealias MainActorHandler = @MainActor (Debouncer<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<Debouncer<Value>, DebounceStateMachine<Value>>

  /// Creates a debouncer.
  /// - Parameters:
  ///   - configuration: the delay, the edges, the maximum wait and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the debouncer and the value. You can add it later, or use observers instead:
  ///     see ``setHandler(_:)``.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative delay, `maxWait` or tolerance.
  public init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil,
    handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      try DebounceStateMachine(configuration, clock: clock.kind), clock: clock, queue: queue,
      tolerance: try configuration.tolerance.checkedTolerance(),
      handler: handler.map(HandlerBox.init))
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
    handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      DebounceConfiguration(delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a debouncer whose handler runs on the main actor. The other parameters are those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a debouncer whose handler runs on the main actor. The other parameters are those of
  /// ``init(delay:edges:maxWait:tolerance:clock:queue:handler:)``.
  public convenience init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      delay: delay, edges: edges, maxWait: maxWait, tolerance: tolerance, clock: clock,
      queue: .main, handler: onMainActor(handler))
  }

  /// Submits a value. The value is delivered at once, is dropped, or is pending until it is delivered or replaced by a
  /// newer one.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is dropped.
  @inlinable @discardableResult
  public func call(_ value: Value) -> Bool {
    // The value that is replaced is destroyed after the mutex has been unlocked.
    var value: Value? = value
    let now = storage.timeSource.now
    if storage.updateIfHeard({ $0.replacePending(&value, at: now) }) { return false }
    return storage.control(self) { (machine, now) in machine.call(&value, at: now) }
  }

  /// Changes the delay. A pending value is then due when the new delay has passed since its call.
  /// - Returns: ``ControlResult/unchanged`` if the delay is the same;
  ///   ``ControlResult/Refusal/invalid(_:)`` if the delay is negative.
  @discardableResult
  public func setDelay(_ delay: Duration) -> ControlResult {
    storage.control(self, try delay.checked(.delay)) { (machine, nanoseconds, _) in
      .changed(if: machine.isCancelled ? nil : machine.setDelay(nanoseconds))
    }
  }

  /// The configuration. Its durations are rounded to nanoseconds.
  public var configuration: DebounceConfiguration {
    storage.readGuardedState { $0.machine.configuration(tolerance: .nanoseconds($0.tolerance)) }
  }

  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler with one that runs on the main actor: see ``setHandler(_:)``.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The debouncer must have been created with it, or with the main queue;
  ///     otherwise the call traps.
  ///   - handler: the new handler.
  public func setHandler(isolation: MainActor, _ handler: @escaping MainActorHandler) {
    storage.requireMainQueue(self)
    setHandler(onMainActor(handler))
  }
}

extension Debouncer: CallLimiter, CallLimiterStorageOwner {
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
