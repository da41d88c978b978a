/// The state machine of a ``Throttler``.
///
/// Ground rules:
/// - Fixed: every delivery, for whatever reason it was made, closes the throttle for an interval,
///   counted from the delivery itself. So no two are closer, however late one is; only a flush goes
///   past.
/// - Deferred: it is closed by the call that begins to wait, and opened by its delivery.
/// - What comes while it is closed waits, whatever the time. Where nothing waits, it opens at its time.
@usableFromInline
struct ThrottleStateMachine<Value: Sendable>: CallStateMachine {
  /// The treatment of a call while the throttle is open.
  @usableFromInline
  enum GatePolicy: Sendable {
    /// The interval is zero: all calls are delivered.
    case pass
    case fire
    case wait
    case deferred
  }

  @usableFromInline typealias Status = CallState
  @usableFromInline typealias Delivery = Value

  @usableFromInline var queue = CallQueue<Value>()
  @usableFromInline let gatePolicy: GatePolicy
  @usableFromInline let keeps: ThrottledValue
  /// True if the clock can be set.
  @usableFromInline let canGoBack: Bool
  @usableFromInline let interval: Int64
  /// The time at which it opens, or at which the value that waits is due.
  @usableFromInline var opensAt: Int64?

  init(
    _ configuration: ThrottleConfiguration, clock: TimerClock.Kind = .suspending
  ) throws(TimerConfigurationError) {
    canGoBack = clock == .wall
    let nanoseconds = try configuration.interval.checkedDelay()
    interval = nanoseconds
    keeps = configuration.keeping
    gatePolicy =
      switch configuration.mode {
      case _ where nanoseconds == 0: .pass
      case .fixed(immediateFire: true): .fire
      case .fixed(immediateFire: false): .wait
      case .deferred: .deferred
      }
  }

  @inlinable var deadline: Int64? {
    gatePolicy == .deferred && queue.waiting == nil ? nil : opensAt
  }

  @usableFromInline var expiresAt: Int64? { nil }

  /// True if calls have to wait, while none waits yet.
  @inlinable var isClosed: Bool {
    (gatePolicy == .fire || gatePolicy == .wait) && (opensAt != nil || !queue.ready.isEmpty)
  }

  /// Takes a call while another one waits: it changes neither the time nor the status.
  /// - Returns: false if none waits, or the clock may have been set back and must be read.
  @inlinable
  mutating func join(_ value: inout Value?) -> Bool {
    guard queue.waiting != nil, !canGoBack else { return false }
    queue.callCount += 1
    if keeps == .latest { swap(&value, &queue.waiting) }
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at now: Int64) -> Bool {
    if join(&value) || queue.isCancelled { return false }
    queue.callCount += 1
    // It never opens later than an interval from now, unless the clock was set back.
    if canGoBack, let time = opensAt { opensAt = min(time, now.addingSaturated(interval)) }
    if queue.waiting != nil {
      if keeps == .latest { swap(&value, &queue.waiting) }
      return false
    }
    // Where none waits for the opening, a late queue must not suppress calls after its time.
    if keeps == .none, queue.ready.isEmpty, let opensAt, opensAt <= now { self.opensAt = nil }
    if isClosed {
      if keeps != .none { swap(&value, &queue.waiting) }
      return false
    }
    switch gatePolicy {
    case .pass, .fire:
      queue.admit(&value, at: now)
      return true
    case .wait, .deferred:
      swap(&value, &queue.waiting)
      opensAt = now.addingSaturated(interval)
      return false
    }
  }

  @usableFromInline
  mutating func deadlineReached() {
    if gatePolicy != .deferred { opensAt = nil }
  }

  @usableFromInline
  mutating func delivered(at now: Int64) {
    if gatePolicy == .fire || gatePolicy == .wait { opensAt = now.addingSaturated(interval) }
  }

  @usableFromInline
  mutating func resetHistory() {
    opensAt = nil
  }
}
