import TimerBoard
import TimerKit

@testable import CarillonRuntime

extension LaunchOptions {
  /// Opens a session as a board does, where no owner listens.
  static func opening(_ store: SessionStore) throws -> LaunchOptions {
    try SessionOpening(takesOver: false, environment: [:], check: {})
      .open(store, as: SessionOwner(.board, at: ClockReading(wall: SessionSample.wall)))
  }
}

extension LockOutcome {
  var isAcquired: Bool { if case .acquired = self { true } else { false } }
}
