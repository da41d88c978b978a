/// The state machine of a ``Debouncer``.
///
/// Ground rules:
/// - A call begins a burst if none came for a whole delay before it. Whether it did is a matter of
///   the two times alone: a busy queue makes no call the first of its burst, and none a later one.
/// - What is pending waits until a delay after the newest call, or until `maxWait` after the burst
///   began or the last delivery was, whichever is earlier.
/// - While a delivery is late, calls still take its value's place. So at most one value waits.
@usableFromInline
struct DebounceStateMachine<Value: Sendable>: CallStateMachine {
  @usableFromInline typealias Status = CallState
  @usableFromInline typealias Delivery = Value

  @usableFromInline var queue = CallQueue<Value>()
  @usableFromInline let edges: DebounceEdges
  /// True if the clock can be set. On the others a time that is earlier than the one before comes from a
  /// thread that was overtaken.
  @usableFromInline let canGoBack: Bool
  @usableFromInline var delay: Int64
  /// The time of the newest call; the earliest time if there is none to remember.
  @usableFromInline var lastCall = Int64.min
  @usableFromInline var limit = LazyBox<Limit>()

  /// The bound that keeps a steady stream of calls from waiting without end.
  @usableFromInline
  struct Limit: Sendable, Defaultable {
    /// The farthest time stands for none.
    var maxWait = Int64.max
    /// The time from which it counts.
    var start = Int64.min

    @usableFromInline init() {}
  }

  init(
    _ configuration: DebounceConfiguration, clock: TimerClock.Kind = .suspending
  ) throws(TimerConfigurationError) {
    canGoBack = clock == .wall
    delay = try configuration.delay.checkedDelay()
    edges = configuration.edges
    if let maxWait = try configuration.maxWait?.checkedDelay(), maxWait < .max {
      limit.change { $0.maxWait = maxWait }
    }
  }

  @inlinable var deadline: Int64? {
    queue.waiting == nil ? nil : min(lastCall.addingSaturated(delay), longestWait)
  }

  /// The time at which `maxWait` is over.
  @inlinable var longestWait: Int64 { limit.isUnused ? .max : longestLimitedWait }

  @usableFromInline var longestLimitedWait: Int64 {
    limit.value.start.addingSaturated(max(delay, limit.value.maxWait))
  }

  @usableFromInline var expiresAt: Int64? {
    guard lastCall != .min, edges != .trailing || !limit.isUnused else { return nil }
    return lastCall.addingSaturated(delay)
  }

  /// Takes a call while another one waits: all it changes is the time, to a later one.
  /// - Returns: false if none waits.
  @inlinable
  mutating func join(_ value: inout Value?, at time: Int64) -> Bool {
    guard queue.waiting != nil, !canGoBack || time >= lastCall else { return false }
    lastCall = max(time, lastCall)
    queue.callCount += 1
    swap(&value, &queue.waiting)
    return true
  }

  @inlinable
  mutating func call(_ value: inout Value?, at time: Int64) -> Bool {
    if canGoBack, time < lastCall { clockWentBack(to: time) }
    if join(&value, at: time) || queue.isCancelled { return false }
    // Threads overtake one another between reading the clock and taking the mutex.
    let now = max(time, lastCall)
    let isFirst = now.subtractingSaturated(lastCall) >= delay && (delay > 0 || queue.ready.isEmpty)
    lastCall = now
    queue.callCount += 1
    if isFirst || edges == .leading && now >= longestWait {
      if !limit.isUnused { startWaiting(at: now) }
      if edges != .trailing {
        queue.admit(&value, at: now)
        return true
      }
    }
    if edges != .leading { swap(&value, &queue.waiting) }
    return false
  }

  @usableFromInline
  mutating func deadlineReached() {}

  @usableFromInline
  mutating func delivered(at now: Int64) {
    if queue.waiting == nil, !limit.isUnused { startWaiting(at: now) }
  }

  @usableFromInline
  mutating func startWaiting(at now: Int64) {
    let earliest = canGoBack ? now : limit.value.start
    limit.change { $0.start = max(earliest, now) }
  }

  /// Adjusts the times of past calls: without that this call would wait for the clock to reach them again.
  /// A burst continues; one that must be over by the new time as well is over.
  @usableFromInline
  mutating func clockWentBack(to time: Int64) {
    if queue.waiting == nil, lastCall.subtractingSaturated(time) > delay { return resetHistory() }
    lastCall = time
    if !limit.isUnused { limit.change { $0.start = min($0.start, time) } }
  }

  @usableFromInline
  mutating func resetHistory() {
    lastCall = .min
    if !limit.isUnused { limit.change { $0.start = .min } }
  }
}
