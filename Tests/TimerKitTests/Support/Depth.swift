import Synchronization

/// Counts how many handlers of one timer run at the same time.
final class Depth: Sendable {
  private let now = Atomic(0)
  private let most = Atomic(0)

  func enter() {
    let depth = now.add(1, ordering: .sequentiallyConsistent).newValue
    most.max(depth, ordering: .sequentiallyConsistent)
  }

  func leave() { now.subtract(1, ordering: .sequentiallyConsistent) }

  var deepest: Int { most.load(ordering: .sequentiallyConsistent) }
}
