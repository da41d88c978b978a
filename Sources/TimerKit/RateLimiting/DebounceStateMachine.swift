/// The state machine of a ``Debouncer``.
///
/// Ground rules:
/// - A call begins a burst if no call came during the delay before it. Only its time and that of the previous call
///   determine this; a busy queue has no effect on it. With a delay of zero, a call begins a burst unless an earlier
///   value is ready and waits for the queue.
/// - A pending value waits until a delay after the newest call, or until `maxWait` after the start of the
///   burst or the last delivery, whichever is earlier.
/// - While a delivery is late, a call still replaces the value. Therefore at most one value waits.
@usableFromInline
struct DebounceStateMachine<Value: Sendable>: CallStateMachine {
  @usableFromInline typealias State = CallState
  @usableFromInline typealias Delivery = Value

  @usableFromInline var calls = CallStorage<Value>()
  @usableFromInline let edges: DebounceEdges
  /// True if the clock can be set back. On other clocks, the time of a call can be earlier than that of the call
  /// before it only if two threads call: the first to read the clock can be the second to lock the mutex.
  @usableFromInline let clockCanGoBack: Bool
  @usableFromInline var delay: Int64
  /// The time of the newest call; `Int64.min` if there is none.
  @usableFromInline var lastCall = Int64.min
  @usableFromInline var limit = LazyBox<Limit>()

  /// The maximum wait, which prevents a steady stream of calls from deferring the delivery without end.
  @usableFromInline
  struct Limit: Sendable, Defaultable {
    /// `Int64.max` if there is no maximum.
    var maxWait = Int64.max
    /// The time from which the maximum wait counts.
    var start = Int64.min

    @usableFromInline init() {}
  }

  init(
    _ configuration: DebounceConfiguration, clock: TimerClock.Kind = .suspending
  ) throws(TimerConfigurationError) {
    clockCanGoBack = clock == .wall
    delay = try configuration.delay.checked(.delay)
    edges = configuration.edges
    if let maxWait = try configuration.maxWait?.checked(.maxWait), maxWait < .max {
      limit.change { $0.maxWait = maxWait }
    }
  }

  func configuration(tolerance: Duration) -> DebounceConfiguration {
    let maxWait = limit.isUnused ? nil : Duration.nanoseconds(limit.value.maxWait)
    return DebounceConfiguration(
      delay: .nanoseconds(delay), edges: edges, maxWait: maxWait, tolerance: tolerance)
  }

  /// Changes the delay.
  /// - Returns: false if it is the same.
  mutating func setDelay(_ newDelay: Int64) -> Bool {
    defer { delay = newDelay }
    return delay != newDelay
  }

  @inlinable var deadline: Int64? {
    calls.waiting == nil ? nil : min(lastCall.addingSaturated(delay), maxWaitDeadline)
  }

  /// The time at which the maximum wait ends; `Int64.max` if there is no maximum.
  @inlinable var maxWaitDeadline: Int64 { limit.isUnused ? .max : limitedWaitDeadline }

  @usableFromInline var limitedWaitDeadline: Int64 {
    limit.value.start.addingSaturated(max(delay, limit.value.maxWait))
  }

  @usableFromInline var expiresAt: Int64? {
    guard lastCall != .min, edges != .trailing || !limit.isUnused else { return nil }
    return lastCall.addingSaturated(delay)
  }

  /// Replaces the value that waits. This can only move the deadline to a later time.
  /// - Returns: false if no value waits, or the clock was set back.
  @inlinable
  mutating func mergeIntoWaiting(_ value: inout Value?, at time: Int64) -> Bool {
    guard calls.waiting != nil, !clockCanGoBack || time >= lastCall else { return false }
    lastCall = max(time, lastCall)
    calls.callCount += 1
    swap(&value, &calls.waiting)
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at time: Int64) -> Bool {
    if clockCanGoBack, time < lastCall { clockWentBack(to: time) }
    if mergeIntoWaiting(&value, at: time) || calls.isCancelled { return false }
    // Another thread may have locked the mutex between reading the clock and locking it here.
    let now = max(time, lastCall)
    let isFirst = now.subtractingSaturated(lastCall) >= delay && (delay > 0 || calls.ready.isEmpty)
    lastCall = now
    calls.callCount += 1
    if isFirst || edges == .leading && now >= maxWaitDeadline {
      if !limit.isUnused { restartMaxWait(at: now) }
      if edges != .trailing {
        calls.admit(&value, at: now)
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
    if calls.waiting == nil, !limit.isUnused { restartMaxWait(at: now) }
  }

  @usableFromInline
  mutating func restartMaxWait(at now: Int64) {
    let earliest = clockCanGoBack ? now : limit.value.start
    limit.change { $0.start = max(earliest, now) }
  }

  /// Adjusts the times of past calls to a clock that was set back. Otherwise this call would wait until the
  /// clock reaches them again. A burst continues, unless the clock was set back by more than a delay and no
  /// value waits.
  @usableFromInline
  mutating func clockWentBack(to time: Int64) {
    if calls.waiting == nil, lastCall.subtractingSaturated(time) > delay { return resetHistory() }
    lastCall = time
    if !limit.isUnused { limit.change { $0.start = min($0.start, time) } }
  }

  @usableFromInline
  mutating func resetHistory() {
    lastCall = .min
    if !limit.isUnused { limit.change { $0.start = .min } }
  }
}
