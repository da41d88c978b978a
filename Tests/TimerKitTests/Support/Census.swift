@testable import TimerKit

/// Counts the handlers that are still alive.
final class Census: Sendable {
  private let count = Guarded(0)
  var living: Int { count.withLock { $0 } }

  final class Member: Sendable {
    let census: Census
    init(_ census: Census) {
      self.census = census
      census.count.withLock { $0 += 1 }
    }
    deinit { census.count.withLock { $0 -= 1 } }
  }
}
