import Platform
import TimerBoard
import TimerKit

/// The take-over of a session from its owner, which does not end before this process confirms.
///
/// If one of the two processes ends in between, the other one has the session: the file is complete before the
/// confirmation, and the lock is free as soon as its owner has ended.
struct SessionTakeOver {
  let store: SessionStore
  let client: ControlClient

  /// Takes over the session.
  /// - Returns: The launch options, with the ownership; `nil` if the owner has ended, or has passed the session on,
  ///   before it responded.
  func perform(as owner: SessionOwner) throws -> LaunchOptions? {
    guard let response = try client.response(to: ControlRequest(.handOver)) else { return nil }
    guard response.isOK else {
      throw ControlClient.Fault(description: response.error ?? "the owner refused")
    }
    guard let bytes = try store.load() else { return try openUnownedSession() }
    let file = try SessionFile(bytes)
    let board = try file.savedBoard()
    guard let instant = file.continuousNs else { return try openUnownedSession() }
    var confirmation = ControlRequest(.confirm)
    confirmation.value = owner.text
    // If the owner ended before its response, its lock is free.
    let confirmed = try? client.response(to: confirmation)
    var launch = LaunchOptions()
    launch.events = confirmed?.lastEvent.flatMap {
      RecentEvents(last: $0, text: confirmed?.events ?? "")
    }
    launch.ownership = try lock()
    launch.view = file.view
    launch.source = .handOver(
      board, stoppedAt: TimerClock.continuous.instant(nanoseconds: instant))
    return launch
  }

  /// Opens the session of an owner that ended without a hand-over.
  private func openUnownedSession() throws -> LaunchOptions {
    LaunchOptions(of: try lock())
  }

  /// Locks the session, which the owner is releasing.
  private func lock() throws -> SessionOwnership {
    let end = TimerClock.suspending.now.advanced(by: .seconds(5))
    while true {
      switch try store.acquireLock() {
      case .acquired(let ownership): return ownership
      case .held(let holder):
        guard TimerClock.suspending.now < end else {
          throw ControlClient.Fault(
            description: "session '\(store.name)' is still owned by \(holder)")
        }
        usleep(1000)
      }
    }
  }
}
