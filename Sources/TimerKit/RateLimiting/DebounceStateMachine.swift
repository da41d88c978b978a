/// The state machine of a ``Debouncer``.
///
/// Ground rules:
/// - A call begins a burst if it comes at least a delay after the previous call, or if it is the first one. The times
///   of the two calls determine this, so that a busy queue has no effect on it, with two exceptions: no burst begins
///   while a value waits whose delivery is late, or, with a delay of zero, while an earlier value
///   waits only for the queue.
/// - A pending value is due a delay after the newest call. With a maximum wait, it is due earlier if that ends first.
/// - The maximum wait begins with the burst, and again with each delivery that leaves no value waiting. It is never
///   shorter than the delay.
/// - While a delivery is late, a call still replaces the value. Therefore at most one value waits for its time.
@usableFromInline
struct DebounceStateMachine<Value: Sendable>: CallStateMachine {
  @usableFromInline typealias Delivery = Value

  @usableFromInline var calls = CallStorage<Value>()
  @usableFromInline let edges: DebounceEdges
  /// True if the clock can be set back. On other clocks, the time of a call can be earlier than that of the call
  /// before it only if two threads call: the first to read the clock can be the second to lock the mutex.
  @usableFromInline let clockCanGoBack: Bool
  @usableFromInline var delay: Int64
  /// The time of the newest call; `Int64.min` if there is none.
  @usableFromInline var lastCall = Int64.min
  /// The maximum wait, which prevents a steady stream of calls from deferring the delivery without end; `Int64.max` if
  /// there is none.
  @usableFromInline let maxWait: Int64
  /// The time from which the maximum wait counts.
  @usableFromInline var maxWaitStart = Int64.min

  init(
    _ configuration: DebounceConfiguration, clock: TimerClock.Kind = .suspending
  ) throws(TimerConfigurationError) {
    clockCanGoBack = clock == .wall
    delay = try configuration.delay.checked(.delay)
    edges = configuration.edges
    maxWait = try configuration.maxWait?.checked(.maxWait) ?? .max
  }

  func configuration(tolerance: Duration) -> DebounceConfiguration {
    DebounceConfiguration(
      delay: .nanoseconds(delay), edges: edges,
      maxWait: maxWait == .max ? nil : .nanoseconds(maxWait), tolerance: tolerance)
  }

  /// Changes the delay.
  /// - Returns: false if it is the same.
  mutating func setDelay(_ newDelay: Int64) -> Bool {
    defer { delay = newDelay }
    return delay != newDelay
  }

  @usableFromInline var maximumTolerance: Int64 { delay / 2 }

  @inlinable var deadline: Int64? {
    calls.waiting == nil ? nil : min(lastCall.addingSaturated(delay), maxWaitDeadline)
  }

  /// The time at which the maximum wait ends; `Int64.max` if there is no maximum.
  @inlinable var maxWaitDeadline: Int64 {
    maxWait == .max ? .max : maxWaitStart.addingSaturated(max(delay, maxWait))
  }

  @usableFromInline var historyExpiresAt: Int64? {
    guard lastCall != .min, edges != .trailing || maxWait < .max else { return nil }
    return lastCall.addingSaturated(delay)
  }

  /// Replaces the value that waits. This can only move the deadline to a later time.
  /// - Returns: false if no value waits, or the clock was set back.
  @inlinable
  mutating func replacePending(_ value: inout Value?, at time: Int64) -> Bool {
    guard calls.waiting != nil, !clockCanGoBack || time >= lastCall else { return false }
    lastCall = max(time, lastCall)
    calls.callCount += 1
    swap(&value, &calls.waiting)
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at time: Int64) -> Bool {
    if clockCanGoBack, time < lastCall { clockWentBack(to: time) }
    if replacePending(&value, at: time) || calls.phase.isClosed { return false }
    // Another thread may have read the clock later than this one and locked the mutex earlier.
    let now = max(time, lastCall)
    let beginsBurst =
      now.subtractingSaturated(lastCall) >= delay && (delay > 0 || calls.ready.isEmpty)
    lastCall = now
    calls.callCount += 1
    if beginsBurst || edges == .leading && now >= maxWaitDeadline {
      restartMaxWait(at: now)
      if edges != .trailing {
        calls.makeReady(&value, at: now)
        return true
      }
    }
    if edges != .leading { swap(&value, &calls.waiting) }
    return false
  }

  @usableFromInline
  mutating func deadlineReached() {}

  @usableFromInline
  mutating func delivered(at now: Int64) {
    if calls.waiting == nil { restartMaxWait(at: now) }
  }

  @inlinable
  mutating func restartMaxWait(at now: Int64) {
    // On a clock that cannot go back, another thread may have read a later time.
    maxWaitStart = clockCanGoBack ? now : max(maxWaitStart, now)
  }

  /// Adjusts the times of past calls to a clock that was set back. Otherwise this call would wait until the
  /// clock reaches them again. A burst continues, unless the clock was set back by more than a delay and no
  /// value waits.
  @usableFromInline
  mutating func clockWentBack(to time: Int64) {
    if calls.waiting == nil, lastCall.subtractingSaturated(time) > delay { return resetHistory() }
    lastCall = time
    maxWaitStart = min(maxWaitStart, time)
  }

  @usableFromInline
  mutating func resetHistory() {
    lastCall = .min
    maxWaitStart = .min
  }
}

extension DebounceStateMachine: Equatable where Value: Equatable {}
extension DebounceStateMachine: Hashable where Value: Hashable {}
