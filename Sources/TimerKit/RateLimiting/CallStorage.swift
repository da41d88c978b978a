/// The values of calls that wait for their delivery, and the counts of all calls and deliveries.
///
/// It does not destroy values but returns them, because destroying a value can run any code and the mutex may
/// be locked.
@usableFromInline
struct CallStorage<Value: Sendable>: Sendable {
  @usableFromInline
  struct Ready: Sendable {
    @usableFromInline let value: Value
    @usableFromInline let since: Int64

    @inlinable
    init(value: Value, since: Int64) {
      self.value = value
      self.since = since
    }
  }

  /// The value that waits for its time; a later call may replace it.
  @usableFromInline var waiting: Value?
  @usableFromInline var isExecuting = false
  @usableFromInline var isCancelled = false
  var staleCount: UInt32 = 0
  @usableFromInline var callCount = 0
  var deliveredCount = 0
  @usableFromInline var generation: UInt64 = 0
  /// The values that wait only for the next drain.
  @usableFromInline var ready = FIFOQueue<Ready>()

  init() {}

  @inlinable var isPending: Bool { waiting != nil || !ready.isEmpty }

  @inlinable var pendingCount: Int { ready.count + (waiting == nil ? 0 : 1) }

  /// Moves `value` to the ready values, so that it is delivered without waiting for its time.
  @inlinable
  mutating func makeReady(_ value: inout Value?, at now: Int64) {
    if let admitted = value.take() { ready.append(Ready(value: admitted, since: now)) }
  }

  /// Removes and returns the first ready value, or the value that waits for its time if none is ready.
  mutating func popNext() -> Value? { ready.popFirst()?.value ?? waiting.take() }

  mutating func removeAll() -> [Value] {
    var removed: [Value] = []
    while let next = popNext() { removed.append(next) }
    return removed
  }
}
