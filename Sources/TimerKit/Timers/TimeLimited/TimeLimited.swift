public import Dispatch

/// A container for a value that expires: a session, a token, an entry of a cache.
///
/// ```swift
/// let session = try TimeLimited("anna", for: .minutes(20)) { _, user in
///   print("\(user) is logged out")
/// }
/// if let user = session.value {
///   print("\(user) is active")
///   try session.renew()
/// }
/// ```
///
/// ```
/// created ─── renew ──────────── x expired        from x on, value is nil and renew() throws;
///      lifetime      lifetime                     replace(with:) holds another value
/// ```
///
/// A value exists until its deadline and no longer: from then on ``value`` is `nil` and the value cannot
/// be renewed, even if the alarm is late because its queue is busy. Expiry and controls use the same mutex,
/// so that a late alarm never removes a newer or a renewed value.
///
/// The handler receives every value that expires, once, on the timer's queue and in the order of the
/// deadlines. It does not receive a value that was replaced or taken. You can use everything from any
/// thread and from inside the handler. Deallocating the container cancels it.
public final class TimeLimited<Value: Sendable>: Sendable {
  /// A closure called with a value that has expired.
  public typealias Handler = @Sendable (TimeLimited<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<TimeLimited<Value>, TimeLimitedStateMachine<Value>>

  /// Creates a container that holds a value from now on.
  /// - Parameters:
  ///   - value: the value.
  ///   - lifetime: the time for which it is held, and after each ``renew()`` again; greater than zero.
  ///   - tolerance: the time by which an expiry may be delivered late, so that several timers share a
  ///     wake-up. The value is gone at its time all the same.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - onExpire: called with a value that has expired.
  public init(
    _ value: Value, for lifetime: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, onExpire: Handler? = nil
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      TimeLimitedStateMachine(lifetime: try lifetime.checkedInterval()), clock: clock,
      queue: queue, tolerance: try tolerance.checkedTolerance(),
      handler: onExpire.map(HandlerBox.init))
    replace(with: value)
  }

  /// Creates a container whose handler runs on the main actor.
  public convenience init(
    _ value: Value, for lifetime: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, isolation: MainActor,
    onExpire: @escaping @MainActor (TimeLimited<Value>, Value) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(value, for: lifetime, tolerance: tolerance, clock: clock, queue: .main) {
      container, value in
      MainActor.assumeIsolated { onExpire(container, value) }
    }
  }

  /// Sets the closure that is called with a value that has expired.
  public func setHandler(_ onExpire: @escaping Handler) {
    storage.replace(where: \.isHandler, with: .handler(HandlerBox(handler: onExpire)))
  }
}

extension TimeLimited: ObservableTimer, ObservableOwner {
  public typealias State = TimeLimitedState
  public typealias Delivery = Expiry
  @usableFromInline typealias Machine = TimeLimitedStateMachine<Value>

  @usableFromInline
  struct HandlerBox: TimerHandler {
    let handler: Handler

    @usableFromInline
    func callAsFunction(_ container: TimeLimited<Value>, _ expiry: Expiry) {
      handler(container, expiry.value)
    }
  }
}

// MARK: - Controls
extension TimeLimited {
  /// The value; `nil` from its deadline on, or when it was taken.
  public var value: Value? {
    storage.control(self) { (machine, now) in machine.read(at: now) }
  }

  /// Returns the value, and gives it its whole lifetime again: for a time-out that counts from the last
  /// use, such as that of a session.
  /// - Returns: `nil` from the value's deadline on, or when it was taken.
  public func renewedValue() -> Value? {
    storage.control(self) { (machine, now) in
      guard let value = machine.read(at: now) else { return nil }
      try? machine.renew(for: nil, at: now)
      return value
    }
  }

  /// Gives the value its whole lifetime again.
  /// - Throws: ``TimeLimitedError`` if the container is empty.
  public func renew() throws(TimeLimitedError) {
    try storage.control(self) { (machine, now) throws(TimeLimitedError) in
      try machine.renew(for: nil, at: now)
    }
  }

  /// Gives the value a new lifetime, which later renewals give it as well.
  /// - Throws: ``TimeLimitedError`` if the container is empty, or the lifetime is not greater than zero.
  public func renew(for lifetime: Duration) throws(TimeLimitedError) {
    let nanoseconds = try checked(lifetime)
    try storage.control(self) { (machine, now) throws(TimeLimitedError) in
      try machine.renew(for: nanoseconds, at: now)
    }
  }

  /// Holds another value, for a whole lifetime; also if the one before has expired or was taken. A
  /// cancelled container holds none.
  /// - Returns: the value that was held, if any was: it does not expire.
  @discardableResult
  public func replace(with value: Value) -> Value? {
    // A value that is not taken is released when the mutex is not held.
    var value: Value? = value
    return storage.control(self) { (machine, now) in
      machine.replace(with: &value, for: nil, at: now)
    }
  }

  /// Holds another value with another lifetime, which later renewals give it as well.
  /// - Throws: ``TimeLimitedError/invalidLifetime(_:)``.
  @discardableResult
  public func replace(
    with value: Value, for lifetime: Duration
  ) throws(TimeLimitedError) -> Value? {
    let nanoseconds = try checked(lifetime)
    var value: Value? = value
    return storage.control(self) { (machine, now) in
      machine.replace(with: &value, for: nanoseconds, at: now)
    }
  }

  /// Removes the value, so that it does not expire. Of several threads that call this, one gets the value.
  /// - Returns: the value; `nil` if the container is empty.
  @discardableResult
  public func take() -> Value? {
    storage.control(self) { (machine, now) in machine.take(at: now) }
  }

  /// Ends the container for good: its value does not expire, values that have expired and are not
  /// delivered are dropped, its handler and observers are released, and their streams end.
  @discardableResult
  public func cancel() -> ControlResult {
    .changed(if: storage.end(self) { $0.removeAll() }.hasEnded)
  }

  /// The current state.
  public var state: TimeLimitedState { snapshot.state }

  /// The time at which the value expires, on the timer's clock; `nil` if the container is empty.
  public var deadline: TimerClock.Instant? { snapshot.deadline }

  /// The time until the value expires; `nil` if the container is empty.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.time.instant) }

  /// The time for which a value is held.
  public var lifetime: Duration { .nanoseconds(storage.read(\.lifetime)) }

  /// The current state of the container, in one consistent value.
  public var snapshot: Snapshot {
    let identity = storage.time.identity
    return storage.control(self) { (machine, now) in machine.snapshot(at: now, on: identity) }
  }

  private func checked(_ lifetime: Duration) throws(TimeLimitedError) -> Int64 {
    guard lifetime > .zero else { throw .invalidLifetime(lifetime) }
    return lifetime.clampedNanoseconds
  }
}
