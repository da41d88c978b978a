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
///      lifetime      lifetime                     replace(with:) stores another value
/// ```
///
/// A value expires exactly at its deadline: from then on, ``value`` is `nil` and the value cannot be renewed,
/// even if the timer fires late because its queue is busy. Expiration and controls use the same mutex, so that a
/// late fire never removes a newer or a renewed value.
///
/// The handler receives every value that expires, once, on the timer's queue and in the order of the
/// deadlines. It does not receive a value that was replaced or taken. You can use every member from any
/// thread and, except the blocking `cancelAndWait()`, from inside the handler. Deallocating the container cancels it.
public final class TimeLimited<Value: Sendable>: Sendable {
  /// A closure called on the timer's queue with a value that has expired.
  public typealias Handler = @Sendable (TimeLimited<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<TimeLimited<Value>, TimeLimitedStateMachine<Value>>

  /// Creates a container that holds a value from now on.
  /// - Parameters:
  ///   - value: the value.
  ///   - lifetime: the time after which the value expires, counted from now and again from each ``renew()``;
  ///     greater than zero.
  ///   - tolerance: the time by which the handler may be called late, so that several timers share a wake-up.
  ///     It does not delay the expiration of the value.
  ///   - clock: the clock it follows.
  ///   - queue: the queue on which the handler runs; `nil` is a serial queue that all timers without
  ///     one share.
  ///   - onExpire: called with a value that has expired.
  /// - Throws: ``TimerConfigurationError`` for an invalid lifetime or tolerance.
  public init(
    _ value: Value, for lifetime: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil, onExpire: Handler? = nil
  ) throws(TimerConfigurationError) {
    storage = TimerStorage(
      TimeLimitedStateMachine(lifetime: try lifetime.checked(.lifetime)),
      driver: clock.driver(for: queue), tolerance: try tolerance.checkedTolerance(),
      handler: onExpire.map(HandlerBox.init))
    replace(with: value)
  }

  /// Creates a container whose handler runs on the main actor. The errors are those of
  /// ``init(_:for:tolerance:clock:queue:onExpire:)``.
  /// - Parameters:
  ///   - value: the value.
  ///   - lifetime: the time after which the value expires; greater than zero.
  ///   - tolerance: the time by which the handler may be called late.
  ///   - clock: the clock it follows.
  ///   - isolation: `MainActor.shared`. If the clock is that of a ``VirtualClock``, advance it on the main actor:
  ///     elsewhere the handler traps.
  ///   - onExpire: called with a value that has expired.
  public convenience init(
    _ value: Value, for lifetime: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, isolation: MainActor,
    onExpire: @escaping @MainActor (TimeLimited<Value>, Value) -> Void
  ) throws(TimerConfigurationError) {
    try self.init(
      value, for: lifetime, tolerance: tolerance, clock: clock, queue: .main,
      onExpire: onMainActor(onExpire))
  }

  /// Replaces the handler, or adds one. It is called with every value that expires.
  public func setHandler(_ onExpire: @escaping Handler) {
    storage.setHandler(HandlerBox(handler: onExpire))
  }

  /// Replaces the handler by one that runs on the main actor.
  /// - Parameters:
  ///   - isolation: `MainActor.shared`. The container must run on the main queue, for example because it was created
  ///     with `isolation:`; otherwise the call traps.
  ///   - onExpire: called with every value that expires.
  public func setHandler(
    isolation: MainActor, _ onExpire: @escaping @MainActor (TimeLimited<Value>, Value) -> Void
  ) {
    setHandler(storage.onMainActor(self, onExpire))
  }
}

extension TimeLimited: ObservableTimer, ObservableStorageOwner {
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

  // MARK: - Controls

  /// The value; `nil` if the container is empty: the value has expired or was taken, or the container was cancelled.
  ///
  /// To read a value at or after its deadline expires it, before the timer fires: the handler then receives it.
  public var value: Value? {
    // A control, because it can expire the value.
    storage.control(self) { (machine, now) in machine.read(at: now) }
  }

  /// Restarts the lifetime of the value. Use it for a timeout that counts from the last use, such as that of a
  /// session.
  /// - Returns: the value.
  /// - Throws: ``TimeLimitedError`` if the container is empty.
  @discardableResult
  public func renew() throws(TimeLimitedError) -> Value { try renew(nil) }

  /// Restarts the lifetime of the value with a new duration, which also applies to later renewals.
  /// - Returns: the value.
  /// - Throws: ``TimeLimitedError`` if the container is empty, or the lifetime is not greater than zero.
  @discardableResult
  public func renew(for lifetime: Duration) throws(TimeLimitedError) -> Value {
    try renew(try checked(lifetime))
  }

  private func renew(_ lifetime: Int64?) throws(TimeLimitedError) -> Value {
    // The attempt can expire the value, so that an error must not end the control.
    try storage.control(self) { (machine, now) in
      Result { () throws(TimeLimitedError) in try machine.renew(for: lifetime, at: now) }
    }.get()
  }

  /// Replaces the value and starts the lifetime of the new one, even if the previous value has expired or was
  /// taken. A cancelled container ignores the value.
  /// - Returns: the previous value, which does not expire; `nil` if the container was empty.
  @discardableResult
  public func replace(with value: Value) -> Value? { replace(with: value, nil) }

  /// Replaces the value and the lifetime, which also applies to later renewals.
  /// - Returns: the previous value, which does not expire; `nil` if the container was empty.
  /// - Throws: ``TimeLimitedError/configuration(_:)`` if the lifetime is not greater than zero.
  @discardableResult
  public func replace(
    with value: Value, for lifetime: Duration
  ) throws(TimeLimitedError) -> Value? {
    replace(with: value, try checked(lifetime))
  }

  private func replace(with value: Value, _ lifetime: Int64?) -> Value? {
    // A value that the container ignores is destroyed after the mutex has been unlocked.
    var value: Value? = value
    return storage.control(self) { (machine, now) in
      machine.replace(with: &value, for: lifetime, at: now)
    }
  }

  /// Removes the value and returns it, so that it does not expire. If several threads call this, one of them
  /// receives the value.
  /// - Returns: the value; `nil` if the container is empty.
  @discardableResult
  public func take() -> Value? {
    storage.control(self) { (machine, now) in machine.take(at: now) }
  }

  /// Ends the container permanently. Its value does not expire, expired values that have not been delivered
  /// are dropped, the handler and observers are released, and the streams end.
  @discardableResult
  public func cancel() -> ControlResult {
    .changed(if: storage.end(self) { $0.removeAll() }.didEnd)
  }

  /// The current state of the container.
  public var state: TimeLimitedState { snapshot.state }

  /// The time at which the value expires, on the timer's clock; `nil` if the container is empty.
  public var deadline: TimerClock.Instant? { snapshot.deadline }

  /// The time until the value expires; `nil` if the container is empty.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.timeSource.currentInstant) }

  /// The time after which a value expires.
  public var lifetime: Duration { .nanoseconds(storage.readMachine { $0.lifetime }) }

  /// The current state of the container, in one consistent value.
  public var snapshot: Snapshot {
    storage.control(self) { (machine, now) in machine.advance(to: now) }
    return storage.snapshot { (machine, context) in
      Snapshot(
        state: machine.state, value: machine.value, lifetime: .nanoseconds(machine.lifetime),
        deadline: context.instant(machine.deadline),
        generation: machine.generation, expiredCount: machine.expiredCount,
        staleCount: context.staleCount)
    }
  }

  private func checked(_ lifetime: Duration) throws(TimeLimitedError) -> Int64 {
    do throws(TimerConfigurationError) {
      return try lifetime.checked(.lifetime)
    } catch {
      throw .configuration(error)
    }
  }
}
