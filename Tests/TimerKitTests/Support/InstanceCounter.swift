@testable import TimerKit

/// Counts the instances that are still alive.
final class InstanceCounter: Sendable {
  private let count = Guarded(0)
  var liveCount: Int { count.withLock { $0 } }

  final class Instance: Sendable {
    let instances: InstanceCounter
    init(_ instances: InstanceCounter) {
      self.instances = instances
      instances.count.withLock { $0 += 1 }
    }
    deinit { instances.count.withLock { $0 -= 1 } }
  }
}
