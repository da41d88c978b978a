import TimerBoard
import TimerKit

/// The transitions of a session since its hand-over, for the clients that watched the previous owner: they miss those
/// before they watch the new one.
struct MissedTransitions {
  /// The time in which the clients connect again.
  private static let timeLimit = Duration.seconds(2)

  /// The number of clients that have not connected again.
  private var awaitedClients: Int
  private let end: TimerClock.Instant
  private var lines: [[UInt8]] = []

  /// - Parameters:
  ///   - awaitedClients: The number of clients that watched the previous owner.
  ///   - start: The instant of the hand-over on the suspending clock.
  init(awaitedClients: Int, from start: TimerClock.Instant) {
    self.awaitedClients = awaitedClients
    end = start.advanced(by: Self.timeLimit)
  }

  /// Returns true while a client may connect again.
  /// - Parameter now: An instant of the suspending clock.
  func isAwaited(at now: TimerClock.Instant) -> Bool { awaitedClients > 0 && now < end }

  mutating func add(_ transitions: [Transition], at now: ClockReading) {
    if isAwaited(at: now.suspending) {
      lines += transitions.map { TransitionLine($0, at: now).jsonLine }
    } else {
      lines = []
    }
  }

  /// Returns the lines of the transitions, for a client that has connected again.
  mutating func linesForClient() -> [[UInt8]] {
    awaitedClients -= 1
    defer { if awaitedClients <= 0 { lines = [] } }
    return lines
  }
}
