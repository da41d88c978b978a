public import Dispatch

/// A value that expires: a session, a token, an entry of a cache. Value, timer and mutex in one, so
/// that nothing outside has to be right for it to be (S0).
///
/// ```swift
/// let session = try TimeLimited("anna", for: .minutes(20)) { _, user in
///   print("\(user) is logged out")
/// }
/// if let user = session.value {
///   try session.renew()  // anna is active
/// }
/// ```
///
/// ```
/// made ────── renew ──────────── x expired        value is nil from x on,
///      lifetime      lifetime                     renew() throws, replace(with:) begins anew
/// ```
///
/// A value is there until its deadline and not a moment longer: one that is read later is `nil`, and
/// cannot be renewed, also where the alarm is late because its queue is busy. Expiry and controls
/// take place under one mutex, so a late alarm never takes a newer or a renewed value away.
///
/// Every value that expires is told to the handler once, on the timer's queue and in the order of the
/// deadlines; one that is replaced or taken before is not. Everything can be called from any thread
/// and from inside the handler. A container that is dropped tells no more.
public final class TimeLimited<Value: Sendable>: Sendable {
  /// Called with a value that has expired.
  public typealias Handler = @Sendable (TimeLimited<Value>, Value) -> Void

  @usableFromInline let storage: TimerStorage<TimeLimited<Value>, TimeLimitedStateMachine<Value>>

  /// Holds a value from now on.
  /// - Parameters:
  ///   - value: what is held.
  ///   - lifetime: how long, and after each ``renew()`` again; longer than zero. The longest ones are
  ///     clamped to 292 years, which is never.
  ///   - tolerance: how much later than its time an expiry may be told, so that several timers share
  ///     a wake-up. The value is gone at its time all the same.
  ///   - timeline: the clock it follows.
  ///   - queue: where the handler runs; `nil` is a serial queue that all timers without one share.
  ///   - onExpire: called with a value that has expired.
  /// - Throws: ``TimerError/invalidInterval(_:)`` or ``TimerError/invalidTolerance(_:)``.
  public init(
    _ value: Value, for lifetime: Duration, tolerance: Duration = .zero,
    clock: TimerClock = .suspending, queue: DispatchQueue? = nil,
    onExpire: Handler? = nil
  ) throws(TimerError) {
    storage = TimerStorage(
      TimeLimitedStateMachine(lifetime: try lifetime.checkedInterval()), on: timeline, queue: queue,
      tolerance: try tolerance.checkedTolerance(), handler: onExpire.map(Call.init))
    replace(with: value)
  }

  /// Sets what is called with a value that has expired.
  public func setHandler(_ onExpire: @escaping Handler) {
    storage.replace(where: \.isHandler, with: .handler(Call(handler: onExpire)))
  }
}

extension TimeLimited: ObservableTimer, ObservableOwner {
  /// What it shows.
  public typealias State = TimeLimitedState
  /// What observers are told.
  public typealias Delivery = Expiry
  @usableFromInline typealias Machine = TimeLimitedStateMachine<Value>

  @usableFromInline
  struct Call: TimerCall {
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

  /// Gives the value its whole lifetime again.
  /// - Throws: ``TimerError/expired`` if there is none any more.
  public func renew() throws(TimerError) {
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.renew(for: nil, at: now)
    }
  }

  /// Gives the value a new lifetime, and ``renew()`` as well from then on.
  /// - Throws: ``TimerError/expired`` if there is none any more, or
  ///   ``TimerError/invalidInterval(_:)``.
  public func renew(for lifetime: Duration) throws(TimerError) {
    let nanoseconds = try lifetime.checkedInterval()
    try storage.control(self) { (machine, now) throws(TimerError) in
      try machine.renew(for: nanoseconds, at: now)
    }
  }

  /// Holds another value, for a whole lifetime; also if the one before has expired or was taken.
  /// - Returns: the one that was held, if any was: it does not expire.
  @discardableResult
  public func replace(with value: Value) -> Value? {
    storage.control(self) { (machine, now) in machine.replace(with: value, for: nil, at: now) }
  }

  /// The same with another lifetime, which ``renew()`` gives it as well from then on.
  /// - Throws: ``TimerError/invalidInterval(_:)``.
  @discardableResult
  public func replace(with value: Value, for lifetime: Duration) throws(TimerError) -> Value? {
    let nanoseconds = try lifetime.checkedInterval()
    return storage.control(self) { (machine, now) in
      machine.replace(with: value, for: nanoseconds, at: now)
    }
  }

  /// Takes the value out: it does not expire any more. Of several threads one gets it.
  /// - Returns: `nil` if there is none.
  @discardableResult
  public func take() -> Value? {
    storage.control(self) { (machine, now) in machine.take(at: now) }
  }

  /// What it shows at this moment.
  public var state: TimeLimitedState { snapshot.state }

  /// When the value expires, on the timer's timeline; `nil` if there is none.
  public var deadline: TimerClock.Instant? { snapshot.deadline }

  /// The time until the value expires; `nil` if there is none.
  public var timeLeft: Duration? { snapshot.timeLeft(at: storage.time.instant) }

  /// How long a value is held.
  public var lifetime: Duration { .nanoseconds(storage.read(\.lifetime)) }

  /// Everything there is to know about it at this moment: one consistent value.
  public var snapshot: Snapshot {
    storage.control(self) { (machine, now) in machine.snapshot(at: now) }
  }
}
