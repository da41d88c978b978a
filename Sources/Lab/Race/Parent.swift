import Dispatch
import Synchronization

/// A temporary resource that a timer deletes at the end of its lifetime.
final class Child: Sendable {}

/// An owner of a child that a timer deletes, implemented in five patterns and twice with TimerKit.
///
/// The patterns are those of Matt Gallagher's article “Design patterns for safe timer usage”, in
/// current Swift. The lines that begin with `log.` record the order of events and have no other
/// effect.
protocol Parent: AnyObject, Sendable {
  /// Replaces the child with a new one and starts a timer that deletes it.
  func createChild(for lifetime: DispatchTimeInterval) throws
  /// Keeps the child and restarts its timer.
  func resetChildTimer(to lifetime: DispatchTimeInterval) throws
  var hasChild: Bool { get }
}

/// A value guarded by a serial queue: the article's `queue.sync { … }` as a mutex.
///
/// The queue provides exclusion and order. The `Mutex` inside is never contended; it lets the
/// compiler check the access.
final class QueueGuarded<Value>: Sendable {
  let queue: DispatchQueue
  private let value: Mutex<Value>

  init(_ value: sending Value, on queue: DispatchQueue) {
    self.queue = queue
    self.value = Mutex(value)
  }

  func sync<Result: Sendable>(
    _ body: (inout sending Value) throws -> Result
  ) rethrows -> Result {
    try queue.sync { try value.withLock { try body(&$0) } }
  }

  /// Runs the body for a caller that is already on the queue.
  func assumingOnQueue<Result: Sendable>(_ body: (inout sending Value) -> Result) -> Result {
    dispatchPrecondition(condition: .onQueue(queue))
    return value.withLock { body(&$0) }
  }
}
