/// The values of calls on their way to the handlers, and what became of the others.
///
/// It releases no value by itself: what has to be dropped is handed out, since to drop it can run
/// anything, and a mutex may be held.
@usableFromInline
struct CallQueue<Value: Sendable>: Sendable {
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

  /// Waits for its time; a later call may take its place.
  @usableFromInline var waiting: Value?
  @usableFromInline var isExecuting = false
  @usableFromInline var isCancelled = false
  var staleCount: UInt32 = 0
  @usableFromInline var callCount = 0
  var deliveredCount = 0
  @usableFromInline var generation: UInt64 = 0
  /// Wait for nothing but their drain.
  @usableFromInline var ready = FIFOQueue<Ready>()

  init() {}

  @inlinable var isPending: Bool { waiting != nil || !ready.isEmpty }

  @inlinable var pendingCount: Int { ready.count + (waiting == nil ? 0 : 1) }

  /// Takes the value of a call out of `value`, past all waiting.
  @inlinable
  mutating func admit(_ value: inout Value?, at now: Int64) {
    if let admitted = value.take() { ready.append(Ready(value: admitted, since: now)) }
  }

  /// Removes the value to deliver next when its time has come.
  mutating func popNext() -> Value? { ready.popFirst()?.value ?? waiting.take() }

  mutating func removeAll() -> [Value] {
    var removed: [Value] = []
    while let next = popNext() { removed.append(next) }
    return removed
  }
}
