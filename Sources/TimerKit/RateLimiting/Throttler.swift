public import Dispatch

/// A timer that delivers at most one of many calls in each interval.
///
/// With an interval of four units of time, `-` being one:
///
/// ```
/// calls                                 a-bc---d----------e---------
/// .fromDelivery                         a---c---d---------e---------   the first at once
///  … keeping .first                     a---b---d---------e---------
/// .fromDelivery(firstAtOnce: false)     ----c---d-------------e-----   the first after an interval
/// .deferred                             ----c------d----------e-----   each after an interval of its own
/// ```
///
/// In the mode ``ThrottleMode/fromDelivery``, an interval begins with a delivery, so that two deliveries are never
/// closer than an interval, even if one is late, unless you call ``CallLimiter/flush()`` or
/// ``CallLimiter/cancelPending()`` between them. In the mode ``ThrottleMode/deferred``, an interval begins with the first call that waits; later calls do not
/// defer the delivery, so that a steady stream does not starve it. With an interval of zero, all calls are
/// delivered, except those that come while 1,024 wait for the queue.
///
/// Name the type of the values, `Throttler<Double>`: the compiler infers it only from a body that determines it, such as
/// `show(progress)`, and not from `print(progress)`.
///
/// You can use every member from any thread and, except the blocking `cancelAndWait()`, from inside the handler. The
/// handler runs on the queue, one call at a time, in the order of the calls. Deallocating the throttler cancels it.
///
/// The modes are those of the throttler in Daniele Margutti's Repeat; `keeping` corresponds to `latest` in
/// Combine and AsyncAlgorithms. For lodash's `throttle` without a trailing edge, use a ``Debouncer`` with the
/// ``DebounceEdges/leading`` edge and a `maxWait` equal to its delay.
public final class Throttler<Value: Sendable>: Sendable {
  /// A closure called on the timer's queue, one call at a time. It receives the timer, so that it need
  /// not capture it.
  public typealias Handler = @Sendable (Throttler<Value>, Value) -> Void
  /// A closure called on the main actor, one call at a time.
  public typealias MainActorHandler = @MainActor (Throttler<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<Throttler<Value>, ThrottleStateMachine<Value>>

  /// Creates a throttler.
  /// - Parameters:
  ///   - configuration: the interval, the mode, the value to keep and the tolerance.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - handler: called with the throttler and the value. You can add it later, or use observers instead:
  ///     see ``setHandler(_:)``.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative interval or tolerance.
  public convenience init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending,
    queue: DispatchQueue? = nil, handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    self.init(
      try ThrottleStateMachine(configuration, clock: clock.kind), driver: clock.driver(for: queue),
      tolerance: try configuration.tolerance.checkedTolerance(), handler: handler)
  }

  /// Creates a throttler from validated values.
  init(
    _ machine: ThrottleStateMachine<Value>, driver: AlarmDriver, tolerance: Int64,
    handler: Handler?
  ) {
    storage = TimerStorage(
      machine, driver: driver, tolerance: tolerance, handler: handler.map(HandlerBox.init))
  }

  /// Creates a throttler. The parameters are the properties of ``ThrottleConfiguration``, and those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    handler: Handler? = nil
  ) throws(TimerConfigurationError) {
    try self.init(
      ThrottleConfiguration(interval: interval, mode: mode, keeping: keeping, tolerance: tolerance),
      clock: clock, queue: queue, handler: handler)
  }

  /// Creates a throttler whose handler runs on the main actor. The other parameters are those of
  /// ``init(_:clock:queue:handler:)``.
  public convenience init(
    _ configuration: ThrottleConfiguration, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(configuration, clock: clock, queue: .main, handler: onMainActor(handler))
  }

  /// Creates a throttler whose handler runs on the main actor. The other parameters are those of
  /// ``init(interval:mode:keeping:tolerance:clock:queue:handler:)``.
  public convenience init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero, clock: TimerClock = .suspending, isolation: MainActor,
    handler: @escaping MainActorHandler
  ) throws(TimerConfigurationError) {
    try self.init(
      interval: interval, mode: mode, keeping: keeping, tolerance: tolerance, clock: clock,
      queue: .main, handler: onMainActor(handler))
  }

  /// Submits a value. The value is delivered at once, is dropped, or is pending until it is delivered or
  /// replaced by a newer one.
  /// - Returns: true if the value is delivered without waiting; false if it waits, or is dropped.
  @inlinable @discardableResult
  public func call(_ value: Value) -> Bool {
    // The value that is replaced is destroyed after the mutex has been unlocked.
    var value: Value? = value
    if storage.updateIfHeard({ $0.callWhileWaiting(&value) }) { return false }
    return storage.control(self) { (machine, now) in machine.call(&value, at: now) }
  }

  /// The configuration. Its durations are rounded to nanoseconds.
  public var configuration: ThrottleConfiguration {
    storage.readGuardedState { $0.machine.configuration(tolerance: .nanoseconds($0.tolerance)) }
  }

  /// Replaces the handler. The new one takes the old one's place in the order of the observers, or the last place if
  /// there was no handler.
  public func setHandler(_ handler: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: handler))
  }

  /// Replaces the handler with one that runs on the main actor: see ``setHandler(_:)``.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The throttler must have been created with it, or with the main queue;
  ///     otherwise the call traps.
  ///   - handler: the new handler.
  public func setHandler(isolation: MainActor, _ handler: @escaping MainActorHandler) {
    setHandler(storage.onMainActor(self, handler))
  }
}

extension Throttler: CallLimiter, LimiterStorageOwner {
  public typealias State = CallState
  public typealias Delivery = Value
  @usableFromInline typealias Machine = ThrottleStateMachine<Value>
  @usableFromInline typealias HandlerBox = CallHandler<Throttler<Value>, Value>
}

/// The configuration of a ``Throttler``, except for its clock, queue and handler.
public struct ThrottleConfiguration: Sendable, Hashable, Codable {
  /// The minimum time between two deliveries. With zero, every call is delivered, except those that come while 1,024 wait
  /// for the queue.
  public var interval: Duration
  /// The event with which an interval begins.
  public var mode: ThrottleMode
  /// The value that is delivered at the end of an interval, of all calls that came during it.
  public var keptValue: KeptValue
  /// The time by which a value may be late, so that several timers share a wake-up. At most half of the interval has an
  /// effect.
  public var tolerance: Duration

  /// Creates a configuration. Its values are checked when a throttler is created from it.
  public init(
    interval: Duration, mode: ThrottleMode = .fromDelivery, keeping: KeptValue = .latest,
    tolerance: Duration = .zero
  ) {
    self.interval = interval
    self.mode = mode
    keptValue = keeping
    self.tolerance = tolerance
  }
}

/// The event with which an interval of a ``Throttler`` begins.
public enum ThrottleMode: Sendable, Hashable, Codable {
  /// An interval begins with a delivery. A call that comes while there is no interval is delivered at once if
  /// `firstAtOnce` is true, and otherwise after an interval, which then begins with the call.
  case fromDelivery(firstAtOnce: Bool)
  /// An interval begins with the first call that waits, and the delivery comes at its end.
  case deferred

  /// The mode in which an interval begins with a delivery, and a call that comes while there is no interval is
  /// delivered at once.
  public static var fromDelivery: ThrottleMode { .fromDelivery(firstAtOnce: true) }

  private enum Key: String, CodingKey { case mode, firstAtOnce }
  private enum Mode: String, Codable { case fromDelivery, deferred }

  /// Decodes a mode: `{"mode": "fromDelivery", "firstAtOnce": true}` or `{"mode": "deferred"}`. The form is stable: a
  /// later version reads what an earlier one has encoded.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self =
      switch try values.decode(Mode.self, forKey: .mode) {
      case .fromDelivery:
        .fromDelivery(firstAtOnce: try values.decode(Bool.self, forKey: .firstAtOnce))
      case .deferred: .deferred
      }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .fromDelivery(let firstAtOnce):
      try values.encode(Mode.fromDelivery, forKey: .mode)
      try values.encode(firstAtOnce, forKey: .firstAtOnce)
    case .deferred: try values.encode(Mode.deferred, forKey: .mode)
    }
  }
}

/// The value that a ``Throttler`` delivers at the end of an interval, of all calls that came during it.
public enum KeptValue: String, Sendable, Hashable, Codable, CaseIterable {
  /// The oldest value.
  case first
  /// The newest value.
  case latest
  /// No value: all calls during the interval are dropped, as by a rate limit.
  case nothing
}
