import Dispatch
import Synchronization

/// The temporary resource that a timer is to delete at the end of its life (S0).
final class Child: Sendable {}

/// Who has a child for a while: the same in five ways, and in TimerKit's two.
///
/// The patterns are those of Matt Gallagher's “Design patterns for safe timer usage” (S0), in today's
/// Swift. The lines that begin with `log.` tell the stage what happens, and change nothing.
protocol Parent: AnyObject, Sendable {
  /// A new child in place of the old one, with a timer that is to delete it.
  func createChild(for lifetime: DispatchTimeInterval) throws
  /// The same child; its timer begins anew.
  func resetChildTimer(to lifetime: DispatchTimeInterval) throws
  var hasChild: Bool { get }
}

/// A value and the queue that guards it: S0's `queue.sync { … }` as a mutex.
///
/// The queue keeps the order. The `Mutex` within has nobody to keep out; it is how the compiler
/// comes to know.
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

  /// For those who are on the queue already.
  func onQueue<Result: Sendable>(_ body: (inout sending Value) -> Result) -> Result {
    dispatchPrecondition(condition: .onQueue(queue))
    return value.withLock { body(&$0) }
  }
}
