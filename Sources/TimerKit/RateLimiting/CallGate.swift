/// A debouncer, a throttler or a background timer as a value, without a queue, a clock and a handler: see ``TimerValue``.
///
/// ```swift
/// let now = TimerClock.suspending.now
/// var search = try CallGate<String>(.debounce(DebounceConfiguration(delay: .milliseconds(300))))
/// search.call("swift", at: now)
/// search.call("timer", at: now + .milliseconds(100))
/// print(search.wakeUp as Any)  // 300 ms after the second call
/// print(search.advance(to: now + .seconds(1)) as Any)  // "timer"
/// ```
///
/// It delivers the values that its ``Rule`` selects. Like a live limiter it has no checkpoint: a pending call is not to be
/// made in another process. Advance it to the time of a call before the call, as a live timer on a free queue does;
/// otherwise the call counts as one that came while the queue was busy.
public struct CallGate<Value: Sendable>: TimerValue {
  public typealias Delivery = Value

  /// The rule by which a ``CallGate`` selects the values to deliver, and the times of their deliveries.
  public enum Rule: Sendable, Hashable {
    /// The rule of a ``Debouncer``.
    case debounce(DebounceConfiguration)
    /// The rule of a ``Throttler``.
    case throttle(ThrottleConfiguration)
    /// The rule of a ``BackgroundTimer``, of which each call requests its value after the same delay.
    case background(BackgroundBehavior, delay: Duration, tolerance: Duration = .zero)
  }

  fileprivate enum Storage: Sendable {
    case debounce(ValueStorage<DebounceStateMachine<Value>>)
    case throttle(ValueStorage<ThrottleStateMachine<Value>>)
    case background(ValueStorage<BackgroundStateMachine<Value>>, delay: Int64)
  }

  private var storage: Storage

  /// Creates a gate.
  /// - Parameters:
  ///   - rule: the rule by which it selects values.
  ///   - clock: the clock of all its instants. The gate never reads it.
  /// - Throws: ``TimerConfigurationError/invalidDuration(_:parameter:)`` for a negative duration of a debouncer or a
  ///   throttler, or a negative tolerance. A negative delay of a background timer counts as zero.
  public init(
    _ rule: Rule, clock: TimerClock = .suspending
  ) throws(TimerConfigurationError) {
    switch rule {
    case .debounce(let configuration):
      storage = .debounce(
        ValueStorage(
          try DebounceStateMachine(configuration, clock: clock.kind), clock: clock,
          tolerance: try configuration.tolerance.checkedTolerance()))
    case .throttle(let configuration):
      storage = .throttle(
        ValueStorage(
          try ThrottleStateMachine(configuration, clock: clock.kind), clock: clock,
          tolerance: try configuration.tolerance.checkedTolerance()))
    case .background(let behavior, let delay, let tolerance):
      storage = .background(
        ValueStorage(
          BackgroundStateMachine(behavior), clock: clock,
          tolerance: try tolerance.checkedTolerance()),
        delay: max(0, delay.clampedNanoseconds))
    }
  }

  /// Removes the storage, so that a change of it copies no values. The caller puts it back.
  private mutating func take() -> Storage {
    var taken = Storage.background(
      ValueStorage(BackgroundStateMachine(.coalesce), clock: .suspending, tolerance: 0), delay: 0)
    swap(&taken, &storage)
    return taken
  }

  public var wakeUp: ClosedRange<TimerClock.Instant>? {
    switch storage {
    case .debounce(let gate): gate.wakeUp
    case .throttle(let gate): gate.wakeUp
    case .background(let gate, _): gate.wakeUp
    }
  }

  public mutating func advance(to now: TimerClock.Instant) -> Value? {
    switch take() {
    case .debounce(var gate):
      defer { storage = .debounce(gate) }
      return gate.advance(to: now)
    case .throttle(var gate):
      defer { storage = .throttle(gate) }
      return gate.advance(to: now)
    case .background(var gate, let delay):
      defer { storage = .background(gate, delay: delay) }
      return gate.advance(to: now).flatMap { _ in gate.machine.takeDueWork() }
    }
  }

  /// The kind of the clock of all its instants.
  public var clock: TimerClock.Kind {
    switch storage {
    case .debounce(let gate): gate.clock.kind
    case .throttle(let gate): gate.clock.kind
    case .background(let gate, _): gate.clock.kind
    }
  }

  // MARK: - Controls

  /// Submits a value, once or several times. The value is due at once, is dropped, or is pending until it is due or
  /// replaced by a newer one. See ``CallLimiter/call(_:)`` and ``BackgroundTimer/perform(after:_:)``.
  /// - Parameters:
  ///   - value: the value to deliver.
  ///   - times: the number of calls, all of the same value at the same time. Zero or less is none.
  ///   - now: the time of the calls.
  /// - Returns: true if a call is due without waiting, so that ``advance(to:)`` delivers it; false if all wait, or are
  ///   dropped.
  /// - Complexity: O(1). Of several calls, at most 1,024 are due at once.
  @discardableResult
  public mutating func call(
    _ value: Value, times: Int = 1, at now: TimerClock.Instant
  ) -> Bool {
    guard times > 0 else { return false }
    switch take() {
    case .debounce(var gate):
      defer { storage = .debounce(gate) }
      return gate.machine.call(value, times: times, at: gate.nanoseconds(now))
    case .throttle(var gate):
      defer { storage = .throttle(gate) }
      return gate.machine.call(value, times: times, at: gate.nanoseconds(now))
    case .background(var gate, let delay):
      defer { storage = .background(gate, delay: delay) }
      var value: Value? = value
      gate.machine.submit(&value, times: times, after: delay, at: gate.nanoseconds(now))
      return false
    }
  }

  /// Drops the pending values, and resets the history of calls: see ``CallLimiter/cancelPending()``.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  public mutating func cancelPending() -> ControlResult {
    let wasPending = snapshot.state == .pending
    switch take() {
    case .debounce(var gate):
      _ = gate.machine.cancelPending()
      storage = .debounce(gate)
    case .throttle(var gate):
      _ = gate.machine.cancelPending()
      storage = .throttle(gate)
    case .background(var gate, let delay):
      _ = gate.machine.cancelPending()
      storage = .background(gate, delay: delay)
    }
    return .changed(if: wasPending)
  }

  /// Makes the pending value due now: see ``CallLimiter/flush()``.
  /// - Returns: ``ControlResult/unchanged`` if nothing was pending.
  @discardableResult
  public mutating func flush(at now: TimerClock.Instant) -> ControlResult {
    switch take() {
    case .debounce(var gate):
      defer { storage = .debounce(gate) }
      return .changed(if: gate.machine.flush(at: gate.nanoseconds(now)))
    case .throttle(var gate):
      defer { storage = .throttle(gate) }
      return .changed(if: gate.machine.flush(at: gate.nanoseconds(now)))
    case .background(var gate, let delay):
      defer { storage = .background(gate, delay: delay) }
      return .changed(if: gate.machine.flush(at: gate.nanoseconds(now)))
    }
  }

  /// The number of calls by their outcome, as a live limiter reports it. It executes nothing, and has no stale fires.
  public var snapshot: CallSnapshot {
    switch storage {
    case .debounce(let gate): gate.machine.snapshot(gate.snapshotContext)
    case .throttle(let gate): gate.machine.snapshot(gate.snapshotContext)
    case .background(let gate, _): gate.machine.snapshot(gate.snapshotContext)
    }
  }
}

extension CallGate where Value == Void {
  /// Submits a call without a value, once or several times: see ``call(_:times:at:)``.
  @discardableResult
  public mutating func call(times: Int = 1, at now: TimerClock.Instant) -> Bool {
    call((), times: times, at: now)
  }
}

extension CallGate.Storage: Equatable where Value: Equatable {}
extension CallGate.Storage: Hashable where Value: Hashable {}
extension CallGate: Equatable where Value: Equatable {}
extension CallGate: Hashable where Value: Hashable {}

extension CallStateMachine {
  /// Submits a value several times at the same time, in constant time.
  /// - Returns: true if a call is to be delivered without waiting.
  fileprivate mutating func call(_ value: Delivery, times: Int, at now: Int64) -> Bool {
    var isReady = false
    for count in 1...min(times, ControlResult.Refusal.pendingLimit) {
      let pendingBefore = pendingCount
      var submitted: Delivery? = value
      let isCallReady = call(&submitted, at: now)
      isReady = isReady || isCallReady
      // The calls after one that changes nothing change nothing either.
      if count > 1, !isCallReady, pendingCount == pendingBefore {
        calls.callCount = calls.callCount.addingSaturated(times - count)
        return isReady
      }
    }
    let rest = max(0, times - ControlResult.Refusal.pendingLimit)
    calls.callCount = calls.callCount.addingSaturated(rest)
    return isReady
  }
}
