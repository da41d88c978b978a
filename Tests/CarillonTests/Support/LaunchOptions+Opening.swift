import TimerBoard
import TimerKit

@testable import CarillonRuntime

extension LaunchOptions {
  /// Opens a session as a board does, where no owner listens.
  static func opening(_ store: SessionStore) throws -> LaunchOptions {
    let owner = SessionOwner(.board, at: ClockReading(wall: SessionSample.wall))
    return try SessionOpening(owner: owner, takesOver: false).open(store)
  }
}

extension LockOutcome {
  var isAcquired: Bool { if case .acquired = self { true } else { false } }
}

extension LaunchOptions {
  /// The board of the session; `nil` without one.
  var restored: RestoredBoard? {
    switch source {
    case .session(let board), .handOver(let board): board
    case .none: nil
    }
  }
}
