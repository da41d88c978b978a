/// A ``Throttler`` without its shell.
///
/// Ground rules:
/// - Fixed: every delivery, for whatever reason it was made, closes the throttle for an interval,
///   counted from the delivery itself. So no two are closer, however late one is; only a flush goes
///   past.
/// - Deferred: it is closed by the call that begins to wait, and opened by its delivery.
/// - What comes while it is closed waits, whatever the time. So a suppressed call reads no clock, but for
///   one that can be set.
@usableFromInline
struct ThrottleMachine<Value: Sendable>: CallMachine {
  /// What becomes of a call that nothing stands in the way of.
  @usableFromInline
  enum Opening: Sendable {
    /// The interval is zero: all calls are delivered.
    case pass
    case fire
    case wait
    case deferred
  }

  @usableFromInline typealias Status = CallState
  @usableFromInline typealias Delivery = Value

  @usableFromInline var queue = CallQueue<Value>()
  @usableFromInline let opening: Opening
  @usableFromInline let keeps: ThrottledValue
  /// Its clock can be set.
  @usableFromInline let canGoBack: Bool
  @usableFromInline let interval: Int64
  /// When it opens, or what waits is due.
  @usableFromInline var opensAt: Int64?

  init(
    interval: Duration, mode: ThrottleMode, keeps: ThrottledValue, clock: ClockKind = .uptime
  ) throws(TimerError) {
    canGoBack = clock == .wall
    let nanoseconds = try interval.checkedDelay()
    self.interval = nanoseconds
    self.keeps = keeps
    opening =
      switch mode {
      case _ where nanoseconds == 0: .pass
      case .fixed(immediateFire: true): .fire
      case .fixed(immediateFire: false): .wait
      case .deferred: .deferred
      }
  }

  @inlinable var deadline: Int64? { opening == .deferred && queue.waiting == nil ? nil : opensAt }

  @usableFromInline var remembersUntil: Int64? { nil }

  /// Where nothing waits yet.
  @inlinable var isClosed: Bool {
    (opening == .fire || opening == .wait) && (opensAt != nil || !queue.ready.isEmpty)
  }

  /// A call while another one waits: it changes neither the time nor the status. Answers false where
  /// none does, or where the clock may have been set back and must be read.
  @inlinable
  mutating func join(_ value: inout Value?) -> Bool {
    guard queue.waiting != nil, !canGoBack else { return false }
    queue.callCount += 1
    if keeps == .latest { swap(&value, &queue.waiting) }
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at now: Int64) {
    if join(&value) { return }
    queue.callCount += 1
    // It never opens later than an interval from now, unless the clock was set back.
    if canGoBack, let time = opensAt { opensAt = min(time, now.addingSaturated(interval)) }
    if queue.waiting != nil {
      if keeps == .latest { swap(&value, &queue.waiting) }
      return
    }
    if isClosed { return swap(&value, &queue.waiting) }
    switch opening {
    case .pass, .fire:
      queue.admit(&value, at: now)
    case .wait, .deferred:
      swap(&value, &queue.waiting)
      opensAt = now.addingSaturated(interval)
    }
  }

  @usableFromInline
  mutating func deadlineCame() {
    if opening != .deferred { opensAt = nil }
  }

  @usableFromInline
  mutating func delivered(at now: Int64) {
    if opening == .fire || opening == .wait { opensAt = now.addingSaturated(interval) }
  }

  @usableFromInline
  mutating func forgetPast() {
    opensAt = nil
  }
}
