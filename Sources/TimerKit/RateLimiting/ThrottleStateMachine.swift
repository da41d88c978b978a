/// The state machine of a ``Throttler``.
///
/// The throttle is *open* or *closed*. The ``GatePolicy`` determines what happens to a call while it is open. While it
/// is closed, no call is delivered at once; ``KeptValue`` determines which one of the calls waits.
///
/// Ground rules:
/// - ``ThrottleMode/fromDelivery(firstAtOnce:)``: every delivery closes the throttle for an interval, which counts from the delivery itself and not from its
///   deadline. Therefore no two deliveries are closer than an interval, however late one is. There are two
///   exceptions: a flush delivers while the throttle is closed, and a cancellation of pending values opens it.
/// - ``ThrottleMode/deferred``: the first call waits and closes the throttle; the delivery opens it.
/// - The alarm at the end of the interval opens the throttle. A call that comes after the end, but before a busy queue
///   has handled the alarm, still waits. With ``KeptValue/nothing`` it would be dropped instead; therefore it
///   opens the throttle itself.
@usableFromInline
struct ThrottleStateMachine<Value: Sendable>: CallStateMachine {
  /// The treatment of a call while the throttle is open.
  @usableFromInline
  enum GatePolicy: Sendable {
    /// The call is delivered and does not close the throttle, because the interval is zero.
    case deliver
    /// The call is delivered and closes the throttle.
    case deliverAndClose
    /// The call waits for an interval; then its delivery closes the throttle again.
    case waitAndClose
    /// The call waits for an interval; then its delivery opens the throttle.
    case waitAndOpen
  }

  @usableFromInline typealias Delivery = Value

  @usableFromInline var calls = CallStorage<Value>()
  let mode: ThrottleMode
  @usableFromInline let gatePolicy: GatePolicy
  @usableFromInline let keptValue: KeptValue
  @usableFromInline let clockCanGoBack: Bool
  @usableFromInline let interval: Int64
  /// The time at which the throttle opens, or at which the value that waits is due.
  @usableFromInline var opensAt: Int64?

  init(
    _ configuration: ThrottleConfiguration, clock: TimerClock.Kind = .suspending
  ) throws(TimerConfigurationError) {
    clockCanGoBack = clock == .wall
    let nanoseconds = try configuration.interval.checked(.throttleInterval)
    interval = nanoseconds
    mode = configuration.mode
    keptValue = configuration.keptValue
    gatePolicy =
      switch configuration.mode {
      case _ where nanoseconds == 0: .deliver
      case .fromDelivery(firstAtOnce: true): .deliverAndClose
      case .fromDelivery(firstAtOnce: false): .waitAndClose
      case .deferred: .waitAndOpen
      }
  }

  func configuration(tolerance: Duration) -> ThrottleConfiguration {
    ThrottleConfiguration(
      interval: .nanoseconds(interval), mode: mode, keeping: keptValue, tolerance: tolerance)
  }

  @usableFromInline var maximumTolerance: Int64 { interval / 2 }

  @inlinable var deadline: Int64? {
    gatePolicy == .waitAndOpen && calls.waiting == nil ? nil : opensAt
  }

  /// A throttler remembers past calls only by its deadline.
  @usableFromInline var historyExpiresAt: Int64? { nil }

  /// True if the throttle is closed by a delivery. It is always false with ``ThrottleMode/deferred``, in which the
  /// throttle is closed while `calls.waiting` has a value, and with an interval of zero, which never closes it.
  @inlinable var isClosedAfterDelivery: Bool {
    (gatePolicy == .deliverAndClose || gatePolicy == .waitAndClose)
      && (opensAt != nil || !calls.ready.isEmpty)
  }

  /// Handles a call while another one waits. It changes neither the deadline nor the state.
  /// - Returns: false if no call waits, or the clock must be read because it may have been set back.
  @inlinable
  mutating func callWhileWaiting(_ value: inout Value?) -> Bool {
    guard calls.waiting != nil, !clockCanGoBack else { return false }
    calls.callCount += 1
    if keptValue == .latest { swap(&value, &calls.waiting) }
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at now: Int64) -> Bool {
    if callWhileWaiting(&value) || calls.phase.isClosed { return false }
    calls.callCount += 1
    // `opensAt` is later than an interval from now only if the clock was set back.
    if clockCanGoBack, let time = opensAt { opensAt = min(time, now.addingSaturated(interval)) }
    if calls.waiting != nil {
      if keptValue == .latest { swap(&value, &calls.waiting) }
      return false
    }
    // If no value is kept, a busy queue must not cause calls after the interval to be dropped.
    if keptValue == .nothing, calls.ready.isEmpty, let opensAt, opensAt <= now {
      self.opensAt = nil
    }
    if isClosedAfterDelivery {
      if keptValue != .nothing { swap(&value, &calls.waiting) }
      return false
    }
    switch gatePolicy {
    case .deliver where calls.ready.count >= ControlResult.Refusal.pendingLimit:
      return false
    case .deliver, .deliverAndClose:
      calls.makeReady(&value, at: now)
      return true
    case .waitAndClose, .waitAndOpen:
      swap(&value, &calls.waiting)
      opensAt = now.addingSaturated(interval)
      return false
    }
  }

  @usableFromInline
  mutating func deadlineReached() {
    if gatePolicy != .waitAndOpen { opensAt = nil }
  }

  @usableFromInline
  mutating func delivered(at now: Int64) {
    if gatePolicy == .deliverAndClose || gatePolicy == .waitAndClose {
      opensAt = now.addingSaturated(interval)
    }
  }

  @usableFromInline
  mutating func resetHistory() {
    opensAt = nil
  }
}

extension ThrottleStateMachine: Equatable where Value: Equatable {}
extension ThrottleStateMachine: Hashable where Value: Hashable {}
