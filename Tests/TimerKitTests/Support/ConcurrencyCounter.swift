import Synchronization

/// Counts how many handlers of one timer run at the same time.
final class ConcurrencyCounter: Sendable {
  private let current = Atomic(0)
  private let highest = Atomic(0)

  func enter() {
    let count = current.add(1, ordering: .sequentiallyConsistent).newValue
    highest.max(count, ordering: .sequentiallyConsistent)
  }

  func leave() { current.subtract(1, ordering: .sequentiallyConsistent) }

  var maximum: Int { highest.load(ordering: .sequentiallyConsistent) }
}
