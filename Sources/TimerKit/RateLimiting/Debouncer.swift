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
/// Name the type of the values, `Debouncer<String>`: the compiler infers it only from a body that determines it, such as
/// `find(text)`, and not from `print(text)`.
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
  public convenience init(
    _ configuration: DebounceConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    self.init(
      try DebounceStateMachine(configuration, clock: clock.kind), driver: clock.driver(for: queue),
      tolerance: try configuration.tolerance.checkedTolerance(), handler: handler)
  }

  /// Creates a debouncer from validated values.
  init(
    _ machine: DebounceStateMachine<Value>, driver: AlarmDriver, tolerance: Int64,
    handler: Handler?
  ) {
    storage = TimerStorage(
      machine, driver: driver, tolerance: tolerance, handler: handler.map(HandlerBox.init))
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
      .changed(if: machine.isClosed ? nil : machine.setDelay(nanoseconds))
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
    setHandler(storage.onMainActor(self, handler))
  }
}

extension Debouncer: CallLimiter, LimiterStorageOwner {
  public typealias State = CallState
  public typealias Delivery = Value
  @usableFromInline typealias Machine = DebounceStateMachine<Value>
  @usableFromInline typealias HandlerBox = CallHandler<Debouncer<Value>, Value>
}

/// The configuration of a ``Debouncer``, except for its clock, queue and handler.
public struct DebounceConfiguration: Sendable, Hashable, Codable {
  /// The time without calls before the trailing edge, and before the next leading edge. With zero, a value is
  /// delivered as soon as the queue is free.
  public var delay: Duration
  /// The calls of a burst that are delivered.
  public var edges: DebounceEdges
  /// The maximum time for which a call waits for the trailing edge; the delay if that is longer. `nil` if there is no
  /// maximum.
  ///
  /// It counts from the beginning of the burst or the last delivery. With ``DebounceEdges/leading``, the first call
  /// after that time is delivered too, although the burst continues.
  public var maxWait: Duration?
  /// The time by which a value may be late, so that several timers share a wake-up. At most half of the delay has an
  /// effect.
  public var tolerance: Duration

  /// Creates a configuration. Its values are checked when a debouncer is created from it.
  public init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero
  ) {
    self.delay = delay
    self.edges = edges
    self.maxWait = maxWait
    self.tolerance = tolerance
  }
}

/// The calls of a burst that a ``Debouncer`` delivers.
public enum DebounceEdges: String, Sendable, Hashable, Codable, CaseIterable {
  /// The first call, at once.
  case leading
  /// The newest call, after a delay without calls.
  case trailing
  /// The first call, at once; and, if there were others, the newest one after a delay without calls.
  case both
}
