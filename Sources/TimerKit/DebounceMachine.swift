/// A ``Debouncer`` without its shell.
///
/// Ground rules:
/// - A call begins a burst if none came for a whole delay before it. Whether it did is a matter of
///   the two times alone: a busy queue makes no call the first of its burst, and none a later one.
/// - What is pending waits until a delay after the newest call, or until `maxWait` after the burst
///   began or the last delivery was, whichever is earlier.
/// - While a delivery is late, calls still take its value's place. So at most one value waits.
@usableFromInline
struct DebounceMachine<Value: Sendable>: CallMachine {
  @usableFromInline typealias Status = CallState
  @usableFromInline typealias Delivery = Value

  @usableFromInline var queue = CallQueue<Value>()
  @usableFromInline let edges: DebounceEdges
  @usableFromInline var delay: Int64
  /// The farthest time stands for none.
  @usableFromInline let maxWait: Int64
  /// When the newest call came; the earliest time: there was none to remember.
  @usableFromInline var lastCall = Int64.min
  /// From when on `maxWait` counts.
  @usableFromInline var waitStart = Int64.min

  init(delay: Duration, edges: DebounceEdges, maxWait: Duration?) throws(TimerError) {
    self.delay = try delay.checkedDelay()
    self.edges = edges
    self.maxWait = try maxWait?.checkedDelay() ?? .max
  }

  @inlinable var deadline: Int64? {
    queue.waiting == nil ? nil : min(lastCall.addingSaturated(delay), longestWait)
  }

  /// When `maxWait` is over.
  @inlinable var longestWait: Int64 {
    maxWait == .max ? .max : waitStart.addingSaturated(max(delay, maxWait))
  }

  @usableFromInline var remembersUntil: Int64? {
    guard lastCall != .min, edges != .trailing || maxWait != .max else { return nil }
    return lastCall.addingSaturated(delay)
  }

  @inlinable
  mutating func call(_ value: inout Value?, at time: Int64) {
    // Threads overtake one another between reading the clock and taking the mutex.
    let now = max(time, lastCall)
    let isFirst = now.subtractingSaturated(lastCall) >= delay && (delay > 0 || queue.ready.isEmpty)
    lastCall = now
    queue.callCount += 1
    if queue.waiting == nil, isFirst || edges == .leading && now >= longestWait {
      waitStart = max(waitStart, now)
      if edges != .trailing { return queue.admit(&value, at: now) }
    }
    if edges != .leading { swap(&value, &queue.waiting) }
  }

  @usableFromInline
  mutating func deadlineCame() {}

  @usableFromInline
  mutating func delivered(at now: Int64) {
    if queue.waiting == nil { waitStart = max(waitStart, now) }
  }

  @usableFromInline
  mutating func forgetPast() {
    lastCall = .min
    waitStart = .min
  }
}
