import Dispatch
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

extension TimerModel {
  /// Creates a model with the clocks of the system, as the program does.
  /// - Parameter receive: Called on the main queue when events of the timers have arrived.
  @MainActor
  static func live(isMuted: Bool, receive: @escaping @MainActor @Sendable () -> Void) -> TimerModel
  {
    TimerModel(
      Board(isMuted: isMuted, seed: .random(in: 0...(.max))),
      queue: DispatchQueue(label: "carillon.timers"), readClocks: ClockReading.now
    ) {
      DispatchQueue.main.async { receive() }
    }
  }
}
