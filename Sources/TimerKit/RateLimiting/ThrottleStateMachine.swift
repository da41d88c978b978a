/// A ``Throttler`` without its storage.
///
/// Ground rules:
/// - Fixed: every delivery, for whatever reason it was made, closes the throttle for an interval,
///   counted from the delivery itself. So no two are closer, however late one is; only a flush goes
///   past.
/// - Deferred: it is closed by the call that begins to wait, and opened by its delivery.
/// - What comes while it is closed waits, whatever the time. So a suppressed call reads no clock.
@usableFromInline
struct ThrottleStateMachine<Value: Sendable>: CallStateMachine {
  /// What becomes of a call that nothing stands in the way of.
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
  @usableFromInline let interval: Int64
  /// When it opens, or what waits is due.
  @usableFromInline var opensAt: Int64?

  init(interval: Duration, mode: ThrottleMode, keeps: ThrottledValue) throws(TimerError) {
    let nanoseconds = try interval.checkedDelay()
    self.interval = nanoseconds
    self.keeps = keeps
    gatePolicy =
      switch mode {
      case _ where nanoseconds == 0: .pass
      case .fixed(immediateFire: true): .fire
      case .fixed(immediateFire: false): .wait
      case .deferred: .deferred
      }
  }

  @inlinable var deadline: Int64? { gatePolicy == .deferred && queue.waiting == nil ? nil : opensAt }

  @usableFromInline var expiresAt: Int64? { nil }

  /// Where nothing waits yet.
  @inlinable var isClosed: Bool {
    (gatePolicy == .fire || gatePolicy == .wait) && (opensAt != nil || !queue.ready.isEmpty)
  }

  /// A call while another one waits: it changes neither the time nor the status. Answers false where
  /// none does.
  @inlinable
  mutating func join(_ value: inout Value?) -> Bool {
    guard queue.waiting != nil else { return false }
    queue.callCount += 1
    if keeps == .latest { swap(&value, &queue.waiting) }
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at now: Int64) {
    if join(&value) { return }
    queue.callCount += 1
    if isClosed { return swap(&value, &queue.waiting) }
    switch gatePolicy {
    case .pass, .fire:
      queue.admit(&value, at: now)
    case .wait, .deferred:
      swap(&value, &queue.waiting)
      opensAt = now.addingSaturated(interval)
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
